"""Numba functions of the driver: compiled, cached, called with records by their address."""
