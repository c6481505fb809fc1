"""What all discrete blocks share."""

from __future__ import annotations

import math

#: A limit that is never reached.
NO_LIMIT = math.inf


class BlockError(ValueError):
    """A block that cannot be made of these numbers: the message names the block, the number and the remedy."""


class Block:
    """A function of sampled numbers with a memory, called once a sample.

    step:    sample time [s].
    reset(): forgets; the next call is the first.

    Blocks work on plain floats and allocate nothing that stays: a call takes about a microsecond.
    """

    step: float

    def reset(self) -> None:
        """Back to the state at the start."""
        raise NotImplementedError

    def refuse(self, message: str) -> BlockError:
        """An error that names the block."""
        return BlockError(f"{type(self).__name__}: {message}")

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
        value = float(value)
        if not math.isfinite(value):
            raise self.refuse(f"{name} must be a finite number, got {value}")
        return value

    def limits(self, lower: float, upper: float) -> tuple[float, float]:
        """Both limits; infinite ones are none."""
        lower, upper = float(lower), float(upper)
        if not lower < upper:
            raise self.refuse(f"lower ({lower:g}) must be less than upper ({upper:g})")
        return lower, upper

    def below_half(self, frequency: float) -> float:
        """A frequency [Hz], which must lie below half the sample rate."""
        frequency = self.positive("frequency", frequency)
        if frequency >= 0.5 / self.step:
            raise self.refuse(f"{frequency:g} Hz must lie below half the sample rate, {0.5 / self.step:g} Hz")
        return frequency
