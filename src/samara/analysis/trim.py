"""Trim: the controls with which a rotor, in periodic motion, does what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from scipy.optimize import lsq_linear

from samara.analysis.periodic import Periodic, periodic, whole_steps
from samara.model import Model, ModelError
from samara.model.arguments import finite, one_of, positive, whole
from samara.results import Results
from samara.results.columns import column
from samara.solve import Diverged, Integrator, Simulation, SolveError, transient
from samara.solve.checkpoint import Snapshot, restore, snapshot
from samara.solve.given import simulation_of
from samara.solve.measures import channels
from samara.system.system import System

#: pieces in which a change of the controls is made, over one period
PIECES = 20
#: change of a control that is trusted at first, in nudges, and that at which the search ends
FAR, NEAR = 60.0, 0.25
#: effect of a nudge on a target that counts as none, over its size and the change that counts as settled
NO_EFFECT = 10.0
#: least ratio of sensitivities that are independent
DEPENDENT = 1e-4
#: angle of attack beyond which most sections stall [rad]
STALL = np.radians(12.0)

Status = Literal["met", "limited", "singular", "not met", "not periodic", "diverged", "iterations"]


@dataclass(frozen=True)
class Harmonic:
    """A harmonic of a channel over a period T, at psi = 2 pi t / T + azimuth.

        mean = <x>,   cos: 2 <x cos(order psi)>,   sin: 2 <x sin(order psi)>

    part: "mean", "cos" or "sin"; order: of the harmonic, from 1 on.
    channel: its name, with ".x" or the like behind it for a component; azimuth: of the blade at t = 0 [rad], counted in
    the sense of rotation; or the name of a channel that has the azimuth, "rotor.azimuth", which is then psi, whatever
    the speed and the sense of rotation.
    """

    channel: str
    part: Literal["mean", "cos", "sin"] = "mean"
    order: int = 1
    azimuth: float | str = 0.0

    def __post_init__(self) -> None:
        one_of("Harmonic: part", self.part, ("mean", "cos", "sin"))
        whole("Harmonic: order", self.order)

    def __call__(self, results: Results) -> float:
        x = column(results, self.channel)
        if self.part == "mean":
            return float(x.mean())
        psi = self.psi(results)
        wave = np.cos if self.part == "cos" else np.sin
        return float(2.0 * (x * wave(self.order * psi)).mean())

    def psi(self, results: Results) -> np.ndarray:
        """The azimuth [rad] of each sample."""
        if isinstance(self.azimuth, str):
            psi = np.unwrap(column(results, self.azimuth))
            return psi if psi[-1] > psi[0] else -psi
        step = results.time[1] - results.time[0]
        return 2.0 * np.pi * results.time / (step * len(results)) + self.azimuth

    def __str__(self) -> str:
        return f"mean of {self.channel}" if self.part == "mean" else f"{self.part} {self.order} of {self.channel}"


Target = str | Harmonic | Callable[[Results], float]
#: of the motion [s], or a function that gives it for the controls {name: value}
Period = float | Callable[[dict[str, float]], float]


@dataclass(frozen=True)
class Plan:
    """How a trim measures: what its targets are, the channels they need, step [s] and steps per period.

    variable: whether the period follows the controls.
    """

    measures: tuple[Callable[[Results], float], ...]
    recorded: tuple[str, ...]
    step: float
    steps: int
    variable: bool


@dataclass(frozen=True)
class TrimPoint:
    """Controls that were tried, what came of them, and how periodic the motion was."""

    controls: dict[str, float]
    measured: dict[str, float]
    error: float
    residual: float
    periods: int


@dataclass(frozen=True)
class Trim:
    """What `trim` found.

    controls, measured: at the best point; missed: measured less target, in the target's unit; error: the largest of
    these over their sizes. residual: change of the state over the last period. history: all points that were tried.
    status: "met"; "limited", a control is at its limit; "singular", a control has no effect or controls have the same;
    "not met", no small change of the controls brings the targets nearer: stall, most often; "not periodic", the motion
    does not settle; "diverged", it breaks down; "iterations", they are used up.
    message: the same in a sentence. sensitivity: d(target) / d(control) as last known, a row a target. results: the
    last period. simulation: in the trimmed state.
    """

    controls: dict[str, float]
    measured: dict[str, float]
    missed: dict[str, float]
    error: float
    residual: float
    status: Status
    message: str
    sensitivity: np.ndarray
    history: list[TrimPoint]
    results: Results | None
    simulation: Simulation
    plan: Plan | None = field(default=None, repr=False)

    @property
    def met(self) -> bool:
        return self.status == "met"

    def __str__(self) -> str:
        lines = [f"trim {self.status}: {self.message}"]
        lines += [f"  {name} = {value:.6g}" for name, value in self.controls.items()]
        lines += [f"  {n}: {v:.6g}, off by {self.missed[n]:.2g}" for n, v in self.measured.items()]
        return "\n".join([*lines, f"  change a period {self.residual:.2g}; {len(self.history)} points tried"])


def trim(
    model: Model | System | Simulation,
    controls: Mapping[str, float],
    targets: Mapping[Target, float],
    *,
    period: Period,
    step: float | None = None,
    steps: int | None = None,
    limits: Mapping[str, tuple[float, float]] | None = None,
    nudges: Mapping[str, float] | None = None,
    sizes: Mapping[Target, float] | None = None,
    tolerance: float = 1e-4,
    settle: float = 1e-6,
    periods: int = 60,
    iterations: int = 30,
    integrator: Integrator | None = None,
    outputs: str | tuple[str, ...] = (),
) -> Trim:
    """Finds controls for which revolution averages or harmonics of a periodic motion have given values.

        y(x) = y_target,   y: measured over one period of the motion that settles under the controls x

    controls:  {name of a `Parameter` or an `Input`: first guess}; changed without recompilation, gradually over a
               period.
    targets:   {what: value}, as many as controls. What: the name of a channel for its mean ("rotor.thrust",
               "rotor.moment.x"), a `Harmonic`, or a function of one period's `Results`. Zero torque is autorotation: by
               pitch or wind at a given speed, or with the speed as a control, of a hub held by a `PrescribedRate`.
    period:    of the motion [s], one revolution. Where the speed of the rotor is a control, a function of the controls:
               ``lambda controls: 2 * np.pi / controls["speed"]``. A `Harmonic` then needs an azimuth channel.
    step, steps: the step [s], which must divide the period, or how many there are in a period.
    limits:    {control: (lowest, highest)}, besides those of the parameter itself.
    nudges:    {control: change to learn the sensitivity from}; 1 percent of the control, 0.002 at least.
    sizes:     {target: size}; a target is met within tolerance times its size. Without: the value itself, or, where
               that is zero, how much the target changes when all controls change by their guess (0.1 at least).
    settle, periods: of `periodic`. iterations: on the controls. outputs: channels to keep in the results, besides those
               of the targets.

    Newton's method with a sensitivity from nudges, kept up to date by Broyden's formula, in a box of trust that shrinks
    when a step does not help. Each trial starts from the best periodic motion so far, which makes it short. What cannot
    be met is not an error: the best point is returned, and what stands in the way.
    """
    if (step is None) == (steps is None):
        raise ModelError("trim: give either a step or the number of steps per period")
    step = None if step is None else positive("trim: step", step)
    steps = None if steps is None else whole("trim: steps", steps)
    tolerance, settle = positive("trim: tolerance", tolerance), positive("trim: settle", settle)
    periods, iterations = whole("trim: periods", periods), whole("trim: iterations", iterations)
    sim = simulation_of("trim", model, integrator)
    if len(controls) != len(targets) or not controls:
        raise ModelError(f"trim: as many targets as controls are needed, got {len(targets)} for {len(controls)}")
    _check_sizes("sizes", sizes or {}, targets, "target")
    _check_sizes("nudges", nudges or {}, controls, "control")
    search = _Search(
        sim, list(controls), list(targets), np.array(list(targets.values()), float), _Clock(period, step, steps),
        settle, periods, tuple([outputs] if isinstance(outputs, str) else outputs),
    )  # fmt: skip
    start = np.array([finite(f"trim: control {name!r}", v) for name, v in controls.items()])
    search.timing(start)
    low, high = search.limits(limits or {})
    for name, value, lowest, highest in zip(search.controls, start, low, high, strict=True):
        if not lowest <= value <= highest:
            raise ModelError(f"trim: {name!r} starts at {value:g}, outside its limits {lowest:g} .. {highest:g}")
    nudge = np.array([(nudges or {}).get(c, 0.01 * max(abs(x), 0.2)) for c, x in zip(search.controls, start)])
    given = np.array([(sizes or {}).get(t, abs(v)) for t, v in targets.items()], float)
    return search.run(start, low, high, nudge, given, tolerance, iterations)


@dataclass
class _Point:
    """A periodic motion under given controls."""

    x: np.ndarray
    y: np.ndarray
    found: Periodic
    saved: Snapshot


@dataclass(frozen=True)
class _Clock:
    """Period and step under given controls."""

    period: Period
    step: float | None
    steps: int | None

    def __call__(self, controls: dict[str, float]) -> tuple[float, float, int]:
        """Period [s], step [s], steps per period."""
        period = float(self.period(controls) if callable(self.period) else self.period)
        if not (period > 0.0 and np.isfinite(period)):
            raise ModelError(f"trim: the period must be positive, it is {period:g} s for {controls}")
        step = period / self.steps if self.steps else self.step
        assert step is not None
        return period, step, whole_steps(period, step)


@dataclass
class _Search:
    sim: Simulation
    controls: list[str]
    targets: list[Target]
    wanted: np.ndarray
    clock: _Clock
    settle: float
    periods: int
    outputs: tuple[str, ...]
    history: list[TrimPoint] = field(default_factory=list)
    failure: str = ""
    beyond: str = ""  # what happened past the best point

    def __post_init__(self) -> None:
        s = self.sim.system
        known = {**s.model.parameters, **s.layout.input_index}
        for name in self.controls:
            if name not in known:
                raise ModelError(
                    f"trim: model {s.model.name!r} has no parameter or input {name!r} (it has: {', '.join(known)})"
                )
        self.labels = [_label(t) for t in self.targets]
        for label, value in zip(self.labels, self.wanted, strict=True):
            if not np.isfinite(value):
                raise ModelError(f"trim: the target {label!r} must be a finite number, got {value:g}")
        measures = [Harmonic(t) if isinstance(t, str) else t for t in self.targets]
        self.measures: list[Callable[[Results], float]] = measures
        named = [m.channel for m in measures if isinstance(m, Harmonic)]
        named += [m.azimuth for m in measures if isinstance(m, Harmonic) and isinstance(m.azimuth, str)]
        everything = any(not isinstance(m, Harmonic) for m in measures)
        self.recorded = ("*",) if everything else tuple({_channel(s, c): None for c in named}) + self.outputs

    def limits(self, given: Mapping[str, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of each control."""
        for name, pair in given.items():
            if name not in self.controls:
                raise ModelError(f"trim: limits are given for {name!r}, which is not a control")
            if len(np.shape(pair)) != 1 or len(pair) != 2 or not pair[0] < pair[1]:
                raise ModelError(f"trim: limits of {name!r} must be (lowest, highest), the first below, got {pair!r}")
        parameters = self.sim.system.model.parameters
        both = []
        for name in self.controls:
            low, high = given.get(name, (-np.inf, np.inf))
            if name in parameters:
                low, high = max(low, parameters[name].lower), min(high, parameters[name].upper)
            both.append((low, high))
        return np.array([b[0] for b in both]), np.array([b[1] for b in both])

    # ---- one motion
    def timing(self, x: np.ndarray) -> tuple[float, float, int]:
        """Period, step and steps per period under controls x."""
        return self.clock(dict(zip(self.controls, map(float, x), strict=True)))

    def _set(self, x: np.ndarray) -> None:
        s = self.sim.system
        for name, value in zip(self.controls, x, strict=True):
            (s.set_input if name in s.layout.input_index else s.set_parameter)(name, float(value))

    def at(self, x: np.ndarray, base: _Point | None) -> _Point | None:
        """The periodic motion under controls x, from another one; None if the motion breaks down on the way."""
        try:
            if base is None:
                self._set(x)
            else:
                restore(self.sim, base.saved)
                self._lead(base.x, x)
            period, step, _ = self.timing(x)
            found = periodic(self.sim, period, step, tolerance=self.settle, periods=self.periods, outputs=self.recorded)
        except (Diverged, SolveError) as error:
            self.failure = str(error)
            return None
        y = np.array([measure(found.results) for measure in self.measures])
        if not np.isfinite(y).all():
            self.failure = "a target is not finite"
            return None
        return _Point(np.array(x), y, found, snapshot(self.sim))

    def _lead(self, old: np.ndarray, new: np.ndarray) -> None:
        """From the old controls to the new, over a period: a jump would shake what is held by a driven joint."""
        _, step, steps = self.timing(new)
        ends = np.unique(np.linspace(0, steps, min(PIECES, steps) + 1).round().astype(int))
        start = self.sim.time
        for end in ends[1:]:
            self._set(old + (new - old) * (end / steps))
            transient(self.sim, start + end * step, step, outputs="model.violation", progress=False)

    # ---- the search
    def run(self, start, low, high, nudge, given, tolerance, iterations) -> Trim:
        best = self.at(start, None)
        if best is None:
            self._set(start)
            nothing = dict.fromkeys(self.labels, float("nan"))
            return Trim(
                dict(zip(self.controls, map(float, start), strict=True)), nothing, nothing, np.inf, np.inf, "diverged",
                f"the motion breaks down under the first guess: {self.failure}", np.zeros((0, 0)), self.history, None,
                self.sim,
            )  # fmt: skip
        J = self._sensitivity(best, low, high, nudge)
        spread = np.abs(J) @ np.maximum(np.abs(start), 0.1)
        size = np.where(given > 0.0, given, np.where(spread > 0.0, spread, 1.0))
        self._note(best, size)
        fresh, trust, reason = True, FAR, ""
        status: Status = "iterations"
        for _ in range(iterations):
            r = (best.y - self.wanted) / size
            if np.abs(r).max() <= tolerance:
                status = "met"
                break
            dx = self._correction(J / size[:, None], r, low - best.x, high - best.x, trust * nudge)
            hoped = float(np.linalg.norm(r + J @ dx / size))
            free = self._correction(J / size[:, None], r, low - best.x, high - best.x, 1e6 * nudge)
            if np.linalg.norm(r + J @ free / size) > 0.99 * np.linalg.norm(r):  # whatever one does
                if fresh:
                    status, reason = self._stuck(best, low, high, nudge, J / size[:, None] * nudge)
                    break
                J, fresh = self._sensitivity(best, low, high, nudge), True
                continue
            trial = self.at(best.x + dx, best)
            if trial is not None:
                self._note(trial, size)
            if trial is not None and self._better(trial, best, size):
                ratio = self._error(trial, size) / self._error(best, size)
                J = J + np.outer(trial.y - best.y - J @ dx, dx / nudge**2) / ((dx / nudge) @ (dx / nudge))
                foreseen = self._error(trial, size) < 1.2 * hoped + 1e-2 * self._error(best, size)
                trust, best, fresh = (4.0 * trust if foreseen else trust), trial, False
                if ratio < 0.5 or foreseen:
                    continue
            elif fresh or trial is None:
                unsettled = np.inf if trial is None else 0.0 if trial.found.settled else trial.found.residual
                self.beyond = _beyond(unsettled, self.failure) or self.beyond
                trust = 0.25 * float(np.abs(dx / nudge).max())
                if trust < NEAR:
                    status, reason = self._stuck(best, low, high, nudge, J / size[:, None] * nudge)
                    break
                continue
            J, fresh = self._sensitivity(best, low, high, nudge), True
        restore(self.sim, best.saved)
        self._set(best.x)
        return self._result(best, size, status, reason, J)

    def _error(self, point: _Point, size: np.ndarray) -> float:
        return float(np.linalg.norm((point.y - self.wanted) / size))

    def _better(self, trial: _Point, best: _Point, size: np.ndarray) -> bool:
        """Nearer to the targets, and not at the cost of a motion that settles."""
        settles = trial.found.settled or not best.found.settled
        return settles and self._error(trial, size) < (1.0 - 1e-3) * self._error(best, size)

    def _sensitivity(self, base: _Point, low, high, nudge) -> np.ndarray:
        """d(targets) / d(controls) by nudging each control, away from a limit."""
        J = np.zeros((len(self.targets), len(self.controls)))
        for k in range(len(self.controls)):
            for sign in (1.0, -1.0):
                x = base.x.copy()
                x[k] = np.clip(x[k] + sign * nudge[k], low[k], high[k])
                moved = x[k] - base.x[k]
                there = self.at(x, base) if abs(moved) > 0.1 * nudge[k] else None
                if there is not None:
                    J[:, k] = (there.y - base.y) / moved
                    break
        return J

    def _correction(self, J, r, low, high, far) -> np.ndarray:
        """Change of the controls that does best on the straight model, within limits and trust."""
        # controls in units of their trust, so that they count alike
        lower, upper = np.maximum(low / far, -1.0), np.minimum(high / far, 1.0)
        gap = upper - lower
        lower, upper = np.where(gap > 1e-12, lower, -1e-12), np.where(gap > 1e-12, upper, 1e-12)
        return lsq_linear(J * far, -r, bounds=(lower, upper), tol=1e-12).x * far

    def _stuck(self, best: _Point, low, high, nudge, effects: np.ndarray) -> tuple[Status, str]:
        """Why there is no way on; effects: of the nudges on the targets, over their sizes."""
        at = [
            f"{name!r} is at its {'lower' if x - lo < hi - x else 'upper'} limit, {x:g}"
            for name, x, lo, hi, n in zip(self.controls, best.x, low, high, nudge, strict=True)
            if min(x - lo, hi - x) < NEAR * n
        ]
        if at:
            return "limited", " and ".join(at)
        none = NO_EFFECT * self.settle
        silent = [n for n, effect in zip(self.controls, np.abs(effects).max(axis=0), strict=True) if effect < none]
        if silent:
            return "singular", f"{_listed(silent)} changes no target: choose another control"
        deaf = [t for t, effect in zip(self.labels, np.abs(effects).max(axis=1), strict=True) if effect < none]
        if deaf:
            return "singular", f"no control changes {_listed(deaf)}: choose another target or control"
        _, sigma, v = np.linalg.svd(effects / np.abs(effects).max(axis=0))
        if sigma[-1] < DEPENDENT * sigma[0]:
            alike = [name for name, part in zip(self.controls, v[-1], strict=True) if abs(part) > 0.1]
            return "singular", f"{_listed(alike)} have the same effect on the targets: leave one out with a target"
        return "not met", f"no small change of the controls brings it nearer{self._stall(best)}{self.beyond}"

    def _stall(self, best: _Point) -> str:
        """Where the angle of attack is largest, over one period more, if sections may be stalled there.

        Any angle is met near the root and in reversed flow: stations count that have a third of the largest speed.
        """
        flows = [element.flow_channels() for element in self.sim.model.elements.values()]
        found = dict(flow for flow in flows if flow is not None)
        if not found:
            return ""
        restore(self.sim, best.saved)
        self._set(best.x)
        _, step, steps = self.timing(best.x)
        wanted = (*found.keys(), *found.values())
        run = transient(self.sim, self.sim.time + steps * step, step, outputs=wanted, progress=False)
        fast = max(float(run[mach].max()) for mach in found.values()) / 3.0
        most = {a: float(np.abs(run[a][run[mach] > fast]).max(initial=0.0)) for a, mach in found.items()}
        worst = max(most, key=lambda name: most[name])
        if most[worst] < STALL:
            return ""
        return f"; sections stall, perhaps: {worst!r} reaches {np.degrees(most[worst]):.0f} degrees"

    def _note(self, point: _Point, size: np.ndarray) -> None:
        self.history.append(
            TrimPoint(
                dict(zip(self.controls, map(float, point.x), strict=True)),
                dict(zip(self.labels, map(float, point.y), strict=True)),
                float(np.abs((point.y - self.wanted) / size).max()),
                point.found.residual,
                point.found.periods,
            )
        )

    def _result(self, best: _Point, size: np.ndarray, status: Status, reason: str, J: np.ndarray) -> Trim:
        missed = best.y - self.wanted
        error = float(np.abs(missed / size).max())
        worst = int(np.argmax(np.abs(missed / size)))
        aim = f"{self.labels[worst]} is {best.y[worst]:.5g} where {self.wanted[worst]:.5g} is wanted"
        message = f"all targets within {error:.1g} of their size"
        if status != "met":
            reason = reason or "the iterations are used up"
            message = f"{aim}: {reason}"
        if not best.found.settled:
            status = "not periodic" if status == "met" else status
            message += f"; the motion still changes by {best.found.residual:.2g} a period"
        return Trim(
            dict(zip(self.controls, map(float, best.x), strict=True)),
            dict(zip(self.labels, map(float, best.y), strict=True)),
            dict(zip(self.labels, map(float, missed), strict=True)),
            error, best.found.residual, status, message, J, self.history, best.found.results, self.sim,
            self._plan(best.x),
        )  # fmt: skip

    def _plan(self, x: np.ndarray) -> Plan:
        _, step, steps = self.clock(dict(zip(self.controls, map(float, x), strict=True)))
        return Plan(tuple(self.measures), self.recorded, step, steps, callable(self.clock.period))


def _channel(system: System, name: str) -> str:
    known = channels(system)[0]
    if name in known:
        return name
    channel = name.rpartition(".")[0]
    if channel in known and known[channel].components:
        return channel
    known.select(name)  # raises, with near misses
    return name


def _beyond(unsettled: float, failure: str) -> str:
    """What is wrong with the motion a step further."""
    if unsettled == 0.0:
        return ""
    if np.isinf(unsettled):
        return f"; a step further the motion breaks down: {failure}"
    return f"; a step further the motion does not settle, it changes by {unsettled:.2g} a period"


def _listed(names: list[str]) -> str:
    return " and ".join(map(repr, names))


def _label(target: Target) -> str:
    if isinstance(target, (str, Harmonic)):
        return str(target)
    return getattr(target, "__name__", repr(target))


def _check_sizes(what: str, given: Mapping[Any, float], known: Mapping[Any, float], kind: str) -> None:
    """Sizes or nudges: positive, and of targets or controls that there are."""
    for key, value in given.items():
        if key not in known:
            there = ", ".join(repr(_label(k)) for k in known)
            raise ModelError(f"trim: {what} are given for {_label(key)!r}, which is not a {kind}; there are {there}")
        if not (0.0 < value < np.inf):
            raise ModelError(f"trim: {what} must be positive, got {value:g} for {_label(key)!r}")
