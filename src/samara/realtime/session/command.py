"""Commands from an operator to the simulator."""

from __future__ import annotations

from enum import IntEnum


class Command(IntEnum):
    """First number of a request; the second is the place of a parameter, the third its value or a count."""

    TUNE = 0
    START = 1
    HOLD = 2
    STEP = 3
    STOP = 4
    RESET = 5
