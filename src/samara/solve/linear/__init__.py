"""Linear equations: LU with static pivoting, substructuring, and SciPy for systems solved only once."""
