"""Sparse LU."""

from .analysis import analyse
from .factors import GROWTH_LIMIT, LU, SingularMatrix, new_storage
from .kernels import refactor, solve, worst_pivot
