"""The ways in which a step is taken: a formulation and an integrator each, and what may be asked of them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from own_integrators import GeneralisedAlpha

import samara as sm

REDUNDANT, RECURSIVE = "redundant", "recursive"


@dataclass(frozen=True)
class Way:
    """A formulation with an integrator.

    kind: "redundant"; of trees "explicit", "implicit" or "time stepping".
    smooth_order: of the error where nothing jumps or touches, if that is more than the integrator declares.
    """

    kind: str
    formulation: str
    integrator: Any
    smooth_order: int | None = None

    @property
    def name(self) -> str:
        """As tests have it."""
        return f"{self.formulation}-{type(self.integrator).__name__}"

    @property
    def order(self) -> int:
        """Of a smooth motion."""
        return self.smooth_order or self.integrator.order

    @property
    def iterates(self) -> bool:
        """Whether a step is found by Newton's method."""
        return self.kind in ("redundant", "implicit")

    @property
    def adapts(self) -> bool:
        """Whether the step may follow an accuracy."""
        return self.formulation == REDUNDANT or isinstance(self.integrator, sm.DormandPrince)

    @property
    def method(self) -> dict[str, Any]:
        """Arguments of whatever takes steps."""
        return {"formulation": self.formulation, "integrator": self.integrator}

    def simulation(self, model: sm.Model, **options: Any) -> sm.Simulation:
        """A simulation; Newton's tolerance is far below the errors that are looked at."""
        return sm.Simulation(model, **{"tolerance": 1e-12, **self.method, **options})

    def run(self, model: sm.Model, end: float, step: float | None = None, **options: Any) -> sm.Results:
        """A transient run."""
        given = {"tolerance": 1e-12, "progress": False, **self.method, **options}
        return sm.transient(model, end, step, **given)

    def stepper(self, model: sm.Model, step: float, **options: Any) -> sm.Stepper:
        """The same step by step."""
        return sm.Stepper(model, step, **{"tolerance": 1e-12, **self.method, **options})

    def error(self, rate: float, step: float, end: float, factor: float = 1.0) -> float:
        """What a smooth motion may be off by, relative: errors of a step, C (rate h)^(p + 1), add up to the end.

        rate [rad/s]: of the motion. C = 3 / (p + 1)!: terms of Taylor's series have 1 / (p + 1)!, and BDF2, the worst
        of all, 4/3 of that. What is left to rounding and to Newton's method is 1e-10.
        """
        constant = 3.0 * factor / math.factorial(self.order + 1)
        return constant * (rate * step) ** self.order * max(rate * end, 1.0) + 1e-10


WAYS = (
    Way("redundant", REDUNDANT, sm.TwoStep(0.6)),
    Way("redundant", REDUNDANT, GeneralisedAlpha()),  # no linear formula of two steps: what takes it for one is wrong
    Way("redundant", REDUNDANT, sm.CrankNicolson()),
    Way("explicit", RECURSIVE, sm.RungeKutta4()),
    Way("explicit", RECURSIVE, sm.DormandPrince()),
    Way("explicit", RECURSIVE, sm.SemiImplicitEuler()),
    Way("implicit", RECURSIVE, sm.TwoStep(0.6)),
    Way("implicit", RECURSIVE, GeneralisedAlpha()),
    Way("implicit", RECURSIVE, sm.CrankNicolson()),
    Way("time stepping", RECURSIVE, sm.MoreauJean(), smooth_order=2),  # theta = 1/2: the trapezoidal rule
)


def fails_today(reason: str) -> pytest.MarkDecorator:
    """Marks a test that shows a defect, by a wrong result or a run that fails; its own mistakes stay errors."""
    return pytest.mark.xfail(strict=True, raises=(AssertionError, sm.Diverged), reason=reason)


def ways(
    *kinds: str,
    where: Callable[[Way], bool] = lambda way: True,
    fails: Mapping[str, str] | None = None,
) -> pytest.MarkDecorator:
    """Those of some kinds, all by default, as the argument `way` of a test.

    where: which of them. fails: {kind or name of a way: the defect for which the test fails today}.
    """
    params = []
    for way in WAYS:
        if (not kinds or way.kind in kinds) and where(way):
            reason = (fails or {}).get(way.name) or (fails or {}).get(way.kind)
            params.append(pytest.param(way, id=way.name, marks=[fails_today(reason)] if reason else []))
    return pytest.mark.parametrize("way", params)
