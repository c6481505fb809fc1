"""Numbers that can be meant, but seldom are: a warning that names the unit that is likely meant."""

from __future__ import annotations

import math
import sys
import warnings
from pathlib import Path

TURN = 2.0 * math.pi
_HOME = str(Path(__file__).resolve().parent.parent)


class Implausible(UserWarning):
    """A number that is possible, and far from what is usual: likely in another unit than SI and radians."""


def doubt(text: str) -> None:
    """An `Implausible` warning at the line of the user's program that gave the number."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HOME, "<string>")):  # a dataclass's init
        level, frame = level + 1, frame.f_back
    warnings.warn(text, Implausible, stacklevel=level)


def doubt_angle(what: str, angle: float) -> None:
    """Doubts an angle [rad] beyond a turn to either side that has at most one decimal, as degrees are written.

    Who means many turns writes them with pi.
    """
    if abs(angle) > TURN and abs(10.0 * angle - round(10.0 * angle)) < 1e-9:
        _doubt_radians(what, angle)


def doubt_twist(what: str, angle: float, most: float) -> None:
    """Doubts any angle [rad] beyond `most` to either side."""
    if abs(angle) > most * (1.0 + 1e-9):
        _doubt_radians(what, angle)


def _doubt_radians(what: str, angle: float) -> None:
    size = f"{abs(angle) / TURN:.3g} turns" if abs(angle) > TURN else f"{math.degrees(angle):.4g} degrees"
    meant = f"{math.radians(angle):.4g} rad"
    doubt(f"{what} = {angle:g} rad is {size}: angles are in radians, and {angle:g} degrees are {meant}")
