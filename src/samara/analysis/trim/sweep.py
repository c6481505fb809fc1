"""Trims along a parameter: each starts from the extrapolation of the previous ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from samara.analysis.trim.find import trim
from samara.analysis.trim.problem.plan import Period
from samara.analysis.trim.problem.request import clock_of, requested
from samara.analysis.trim.problem.target import Target
from samara.analysis.trim.solution import Trim
from samara.analysis.trim.trials.marching import PIECES
from samara.arguments import finite, named, text
from samara.method.given import method_of
from samara.model import ArgumentError, Model
from samara.solve import Diverged, Integrator, Simulation, transient
from samara.solve.as_simulation import as_simulation
from samara.solve.store.checkpoint import Snapshot, restore, snapshot
from samara.system.system import System

#: How far a guess is extrapolated, in steps of the parameter between the last two trims.
FARTHEST = 2.0


class Trims(list[Trim]):
    """The result of `trim_along`: a `Trim` for each value of the parameter, met or not.

    parameter: its name; values: of it. Where trims share a simulation, it is in the state of the last that was met.
    """

    def __init__(self, parameter: str, values: Sequence[float], found: Iterable[Trim] = ()) -> None:
        super().__init__(found)
        self.parameter, self.values = parameter, np.array(values, float)

    @property
    def met(self) -> np.ndarray:
        """Which were met."""
        return np.array([one.met for one in self], bool)

    def control(self, name: str) -> np.ndarray:
        """A control along the parameter; not a number where a trim was not met."""
        return np.array([one.controls[name] if one.met else np.nan for one in self])

    def table(self) -> str:
        """A line for each: the parameter, the controls, the status, what limits."""
        names = list(self[0].controls) if self else []
        wide = [max(12, len(name)) for name in (self.parameter, *names)]
        head = [f"{n:>{w}s}" for n, w in zip((self.parameter, *names), wide, strict=True)]
        lines = ["  ".join([*head, "alpha deg", "status"])]
        for value, one in zip(self.values, self, strict=True):
            cells = [f"{x:>{w}.6g}" for x, w in zip((value, *one.controls.values()), wide, strict=True)]
            limits = "" if one.met and not one.active else f": {one.message}"
            lines.append("  ".join([*cells, f"{np.degrees(one.incidence.largest):9.1f}", f"{one.status}{limits}"]))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()


def trim_along(
    model: Model | System | Simulation | Callable[[float], Model | Simulation],
    parameter: str,
    values: Iterable[float],
    controls: Mapping[str, float],
    targets: Mapping[Target, float],
    *,
    period: Period,
    step: float | None = None,
    steps: int | None = None,
    limits: Mapping[str, tuple[float, float]] | None = None,
    integrator: Integrator | None = None,
    **options: Any,
) -> Trims:
    """Trims for successive values of a parameter, such as airspeed.

    model:     with a parameter or input of that name, which is changed gradually from value to value while it moves on;
               or a function that makes a model for a value, where there is none: parameter is then just its label.
    controls:  first guess, for the first value. The next ones are extrapolated from what was found.
    The others are those of `trim`.

    A trim that is not met is kept with the reason; the next value starts from the last one that was met. Returns a list
    of `Trim` with a `table`.
    """
    if not isinstance(values, Iterable):
        raise ArgumentError(f"trim_along: values must be several numbers, got {values!r}")
    text("trim_along: parameter", parameter)
    if isinstance(controls, Mapping) and parameter in controls:
        raise ArgumentError(f"trim_along: {parameter!r} is a control of the trim: it cannot be given values as well")
    points = [finite(f"trim_along: values of {parameter!r}", value) for value in values]
    if not points:
        raise ArgumentError("trim_along: no values are given")
    checked = requested(controls, targets, limits=limits)
    clock, limits = clock_of("trim_along", period, step, steps, checked.targets), checked.limits
    common = {"period": period, "step": step, "steps": steps, "limits": limits, **options}
    trims = Trims(parameter, points)
    if callable(model) and not isinstance(model, (Model, System, Simulation)):
        for value in points:
            trims.append(trim(model(value), _guess(trims, value, controls, limits), targets, **common))
        return trims
    sim = as_simulation("trim_along", model, method_of(trim_along, None, {"integrator": integrator}))
    saved: Snapshot | None = None
    for value in points:
        guess = _guess(trims, value, controls, limits)
        before = [v for v, one in zip(points, trims, strict=False) if one.met]
        if saved is not None:
            last = next(one for one in reversed(trims) if one.met)
            _put(sim, {**last.controls, parameter: before[-1]})
            restore(sim, saved)
        try:
            _lead(sim, parameter, before[-1] if before else value, value, clock(guess))
        except Diverged:  # a first guess as good as any
            assert saved is not None
            restore(sim, saved)
            _put(sim, {parameter: value})
        trims.append(trim(sim, guess, targets, **common))
        saved = snapshot(sim) if trims[-1].met else saved
    _leave(sim, trims, saved)
    return trims


def _guess(
    trims: Trims, value: float, first: Mapping[str, float], limits: Mapping[str, tuple[float, float]] | None
) -> dict[str, float]:
    """Controls for the next value: on the straight line through the last two trims that were met."""
    met = [(v, one.controls) for v, one in zip(trims.values, trims, strict=False) if one.met]
    if not met:
        return dict(first)
    (v, last), (v_1, older) = met[-1], met[-2] if len(met) > 1 else met[-1]
    part = float(np.clip((value - v) / (v - v_1), -FARTHEST, FARTHEST)) if v != v_1 else 0.0
    found = {}
    for name, x in last.items():
        low, high = (limits or {}).get(name, (-np.inf, np.inf))
        found[name] = float(np.clip(x + part * (x - older[name]), low, high))
    return found


def _put(sim: Simulation, values: Mapping[str, float]) -> None:
    s = sim.system
    for name, value in values.items():
        (s.set_input if name in s.layout.input_index else s.set_parameter)(name, float(value))


def _lead(sim: Simulation, parameter: str, old: float, new: float, timing: tuple[float, float, int]) -> None:
    """The parameter from its old value to the new one, over a period."""
    known = {**sim.model.parameters, **sim.system.layout.input_index}
    named(f"trim_along: model {sim.model.name!r}", "parameter or input", parameter, known)
    if old == new or not sim.started:
        _put(sim, {parameter: new})
        return
    _, step, steps = timing
    ends = np.unique(np.linspace(0, steps, min(PIECES, steps) + 1).round().astype(int))
    start = sim.time
    for end in ends[1:]:
        _put(sim, {parameter: old + (new - old) * (end / steps)})
        transient(sim, start + end * step, step, outputs="model.violation", progress=False)


def _leave(sim: Simulation, trims: Trims, saved: Snapshot | None) -> None:
    """The simulation is in the state of the last trim that was met."""
    met = [(v, one) for v, one in zip(trims.values, trims, strict=True) if one.met]
    if met and saved is not None and not trims[-1].met:
        _put(sim, {**met[-1][1].controls, trims.parameter: float(met[-1][0])})
        restore(sim, saved)
