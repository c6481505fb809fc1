"""Period, step and steps of a trim, under given controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from samara.analysis.periodic_motion.periodic import whole_steps
from samara.analysis.trim.problem.target import Measure
from samara.arguments import positive
from samara.model import ArgumentError, ModelError

#: of the motion [s], or a function that gives it for the controls {name: value}
Period = float | Callable[[dict[str, float]], float]


@dataclass(frozen=True)
class Plan:
    """How a trim measures: what its targets are, the channels they need, step [s] and steps per period.

    variable: whether the period follows the controls.
    """

    measures: tuple[Measure, ...]
    recorded: tuple[str, ...]
    step: float
    steps: int
    variable: bool


@dataclass(frozen=True)
class TrimClock:
    """Period and step under given controls."""

    period: Period
    step: float | None
    steps: int | None

    @property
    def variable(self) -> bool:
        """Whether the period follows the controls."""
        return callable(self.period)

    def __call__(self, controls: dict[str, float]) -> tuple[float, float, int]:
        """Period [s], step [s], steps per period."""
        period = _period(self.period, controls) if callable(self.period) else self.period
        step = period / self.steps if self.steps else self.step
        assert step is not None
        return period, step, whole_steps(period, step)


def _period(function: Callable[[dict[str, float]], float], controls: dict[str, float]) -> float:
    """What a user's function says for these controls [s]."""
    try:
        return positive("", function(controls))
    except (ModelError, ArithmeticError):
        raise
    except ArgumentError as error:
        words = str(error).partition(", got ")[2]
        raise ModelError(f"trim: the period must be a positive number [s], it is {words} for {controls}") from None
    except Exception as error:
        raise ModelError(f"trim: period fails for {controls}: {type(error).__name__}: {error}") from error
