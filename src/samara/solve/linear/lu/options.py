"""Numba options of the LU's specialised functions."""

from samara.tracing.libraries import PartCompiler

INSIDE = {
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""For functions made by functions: they are cached as parts of those that call them, and Python never calls them."""
