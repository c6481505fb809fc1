"""Linear equations: the static-pivot LU, substructures, and SciPy for what is solved once."""
