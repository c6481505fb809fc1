"""Numba functions of the driver: compilation, caching, and calls with the address of a record."""
