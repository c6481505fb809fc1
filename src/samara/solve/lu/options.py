"""Numba options shared by the kernels of the LU."""

OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False}
