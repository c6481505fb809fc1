"""The result of a trim, and the table of its limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from samara.analysis.trim.problem.incidence import Incidence
from samara.analysis.trim.problem.plan import Plan
from samara.results import Results
from samara.solve import Simulation

Status = Literal["met", "stalled", "limited", "singular", "not met", "not periodic", "diverged", "iterations"]


@dataclass(frozen=True)
class TrimPoint:
    """Controls that were tried, what came of them, and how periodic the motion was.

    error: largest miss of a target over its size; residual: change of the state over the last period; periods: marched.
    """

    controls: dict[str, float]
    measured: dict[str, float]
    error: float
    residual: float
    periods: int


@dataclass(frozen=True)
class Trim:
    """The result of `trim`.

    controls, measured: at the best point; missed: measured less target, in the target's unit; error: the largest of
    these over their sizes. residual: change of the state over the last period. history: all points that were tried.
    status: "met"; "stalled", the targets are met with most of the blades beyond stall, and no other way was found;
    "limited", a control is at its limit; "singular", a control has no effect or controls have the same; "not met", no
    small change of the controls brings the targets nearer: stall, most often; "not periodic", the motion does not
    settle; "diverged", it breaks down; "iterations", they are used up.
    message: the same in a sentence; warnings: what else there is to know. sensitivity: d(target) / d(control) as last
    known, a row a target. limits: {control: (lowest, highest)}. incidence: angles of attack over the last period.
    results: the last period. simulation: in the trimmed state. method: "orbit" or "marching", by which it was found.
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
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)
    tolerance: float = 0.0
    incidence: Incidence = field(default_factory=Incidence)
    warnings: tuple[str, ...] = ()
    method: str = ""

    @property
    def met(self) -> bool:
        return self.status == "met"

    @property
    def active(self) -> tuple[str, ...]:
        """Controls that are at a limit, to a thousandth of their range."""
        return tuple(name for name in self.controls if self._room(name)[1] <= 0.0)

    def _room(self, name: str) -> tuple[str, float]:
        """The nearer limit of a control, and how far it is; not a number where there is none."""
        x, (low, high) = self.controls[name], self.limits.get(name, (-np.inf, np.inf))
        side, room = ("lower", x - low) if x - low <= high - x else ("upper", high - x)
        if not np.isfinite(room):
            return "", np.nan
        hair = 1e-3 * (high - low if np.isfinite(high - low) else max(abs(x), 1.0))
        return side, 0.0 if room <= hair else room

    def table(self) -> str:
        """Controls and how far they are from their limits, targets and what they miss, angles of attack: lines."""
        wide = max([12, *map(len, self.controls), *map(len, self.measured)])
        lines = [f"{'control':<{wide}s}  {'value':>12s}  {'lowest':>12s}  {'highest':>12s}  to the nearest limit"]
        for name, value in self.controls.items():
            low, high = self.limits.get(name, (-np.inf, np.inf))
            side, room = self._room(name)
            far = "" if not side else f"at its {side} limit" if room == 0.0 else f"{room:.4g} to the {side} one"
            lines.append(f"{name:<{wide}s}  {value:12.6g}  {low:12.6g}  {high:12.6g}  {far}".rstrip())
        lines.append(f"{'target':<{wide}s}  {'measured':>12s}  {'missed':>12s}  {'allowed':>12s}")
        for name, value in self.measured.items():
            allowed = self.tolerance * self.sizes.get(name, np.nan)
            over = "" if abs(self.missed[name]) <= allowed else "  not met"
            lines.append(f"{name:<{wide}s}  {value:12.6g}  {self.missed[name]:12.2g}  {allowed:12.2g}{over}")
        if self.incidence.where:
            angle, share = np.degrees(self.incidence.largest), 100.0 * self.incidence.share
            lines.append(
                f"largest angle of attack {angle:.1f} deg, {self.incidence.where!r}; {share:.0f} % of the fast "
                "stations beyond 20 deg"
            )
        return "\n".join(lines)

    def __str__(self) -> str:
        lines = [f"trim {self.status}: {self.message}", *(f"  {line}" for line in self.table().splitlines())]
        lines.append(f"  change a period {self.residual:.2g}; {len(self.history)} points tried")
        return "\n".join([*lines, *(f"  warning: {text}" for text in self.warnings)])
