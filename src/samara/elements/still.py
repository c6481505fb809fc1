"""Drives that are known to be zero: what they would move can be left out of the equations."""

from __future__ import annotations

from typing import Any

from samara.model import Constant, Parameter

#: Three drives that do nothing.
ZERO_DRIVES = (0.0, 0.0, 0.0)


def is_zero(drive: Any) -> bool:
    """Whether a checked drive is zero now and for ever; a `Parameter` may change."""
    return isinstance(drive, Constant) and not isinstance(drive.value, Parameter) and float(drive.value) == 0.0
