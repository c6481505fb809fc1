"""Samples that a controller is given: their sizes, and whether they can be used."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from samara.blocks.checks import ChannelChecks

#: Largest sample that is used, by the sizes that count as one: regressors should be of size one, and what is a million
#: times that is a fault of a sensor. Its square stays far from the end of what floats can hold.
LARGEST_SCALED = 1e6
#: Largest sample that is used where no size is known: beyond, sums of squares come near the end of floats, 1.8e308.
LARGEST_NUMBER = 1e100


def read(block: ChannelChecks, name: str, given: Any, out: np.ndarray) -> None:
    """Copies a sample into `out`; None, for all or for one of them, becomes nan. Another number of them is refused."""
    if given is None:
        out[:] = np.nan
        return
    found = as_sample(block, name, given)
    if found.ndim > 1 or found.size != out.size:
        raise block.refuse(f"{name} must be {_counted(out.size)}, got {_counted(found.size)} of shape {found.shape}")
    out[:] = found


def as_sample(block: ChannelChecks, name: str, given: Any) -> np.ndarray:
    """An array of floats; what is neither a number nor None is refused."""
    try:
        found = np.asarray(given)
    except ValueError:  # rows of unequal length
        found = np.asarray(None)
    if found.dtype.kind in "iufb":
        return found.astype(float, copy=False)
    entries = found.ravel().tolist()
    if found.ndim == 0 or not all(entry is None or isinstance(entry, numbers.Real) for entry in entries):
        raise block.refuse(f"{name} must be numbers, got {given!r}")
    return found.astype(float)


def set_points(block: ChannelChecks, given: Any, outputs: int, last: int) -> np.ndarray:
    """As an array of one per output, or of rows of them, one per sample ahead."""
    found = as_sample(block, "r", given)
    if found.shape not in ((outputs,), (last, outputs)) and not (found.ndim == 0 and outputs == 1):
        raise block.refuse(
            f"r must be the set points of {outputs} outputs, or of {last} samples of them, got shape {found.shape}"
        )
    return found.reshape(-1, outputs) if found.ndim == 2 else found.reshape(outputs)


def usable(values: np.ndarray, largest: Any) -> bool:
    """Whether all are finite and not beyond the largest, either way."""
    return bool((np.abs(values) <= largest).all())  # not a number is not below anything


def _counted(n: int) -> str:
    return f"{n} number{'s' * (n != 1)}"
