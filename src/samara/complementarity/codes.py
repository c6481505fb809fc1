"""How a complementarity solver ends."""

from __future__ import annotations

from enum import IntEnum


class LCPStatus(IntEnum):
    """How a complementarity solver ended."""

    SOLVED = 0
    RAY = 1  # Lemke's path goes on for ever: no solution found; where M is positive semidefinite there is none
    TOO_MANY = 2  # pivots, sweeps or iterations
    NOT_FINITE = 3
    STUCK = 4  # the method cannot go on: no positive diagonal, a minimum that is no solution, or too many digits lost


SOLVED, RAY, TOO_MANY, NOT_FINITE, STUCK = (int(status) for status in LCPStatus)
