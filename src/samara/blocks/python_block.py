"""What laws share that are Python alone: those that learn, and design their gains anew as they run."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from samara.blocks.checks import ChannelChecks, finite_number, switch, whole_number

#: A limit that is never reached.
NO_LIMIT = math.inf


class PythonBlock(ChannelChecks):
    """A sampled law with memory that does not fit a `Block`, in Python only; called once per sample.

    step:    sample time [s].
    reset(): clears the memory; the next call is the first.

    Bad samples: values that are not numbers are rejected by name. Predictive laws have a model that predicts the
    sample: they skip samples that are not finite, repeat their last output, and count them in `bad` (see
    `PredictiveLaw`).
    """

    step: float

    def reset(self) -> None:
        """Back to the state at the start."""
        raise NotImplementedError

    def refuse_unknown(self, given: Iterable[str]) -> None:
        """An error that names what `tune` was given and does not know."""
        for name in given:
            takes = inspect.signature(getattr(self, "tune")).parameters.values()  # noqa: B009
            known = ", ".join(p.name for p in takes if p.kind != p.VAR_KEYWORD)
            raise self.refuse(f"tune has no parameter {name!r}, only {known}")

    def positive(self, name: str, value: float) -> float:
        """The number, which must be above zero."""
        value = self.finite(name, value)
        if value <= 0.0:
            raise self.refuse(f"{name} must be positive, got {value:g}")
        return value

    def nonnegative(self, name: str, value: float) -> float:
        """The number, which must not be below zero."""
        value = self.finite(name, value)
        if value < 0.0:
            raise self.refuse(f"{name} must not be negative, got {value:g}")
        return value

    def finite(self, name: str, value: float) -> float:
        """The number as a float, which must be finite."""
        return finite_number(type(self).__name__, name, value)

    def switch(self, name: str, value: Any) -> bool:
        """True or False."""
        return switch(type(self).__name__, name, value)

    def whole(self, name: str, value: Any, least: int = 1) -> int:
        """A whole number, not below the least; 3.0 is one."""
        if isinstance(value, (float, np.floating)) and float(value).is_integer():
            value = int(value)
        return whole_number(type(self).__name__, name, value, least)
