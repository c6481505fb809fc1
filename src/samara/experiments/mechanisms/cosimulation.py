"""Co-simulation compared with the fully nonsmooth solution: error over step size, as in figure 1 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.mechanisms.contact_cases import CASES, ContactCase
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.registry import Quantity, look_up
from samara.nonsmooth.cosimulate import cosimulate
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Ratio of the coarsest step to that of the run used as the exact solution.
FINE = 128
HEAD = ("case", "step s", "error whole m", "error cosimulated m", "iterations per step", "most iterations")


def run(
    case: Annotated[str, Quantity("", f"one of {', '.join(CASES)}; or all")] = "all",
    halvings: Annotated[int, Quantity("1", "how often the step is halved", True)] = 4,
) -> Outcome:
    """Mechanisms with impacts and friction, with successively halved steps.

    Errors are mean distances (L1) of the output from the exact motion of ball, masses and incline, and, for the others,
    from a fully nonsmooth run with 1/128 of the step.
    """
    chosen = list(CASES.values()) if case == "all" else [look_up(CASES, case, "case")]
    rows: list[tuple] = []
    findings: list[Finding] = []
    for one in chosen:
        right = _right(one)
        found = [_compared(one, one.coarsest / 2**k, right) for k in range(halvings + 1)]
        rows += [(one.name, f.step, f.whole, f.split, f.per_step, f.most) for f in found]
        steps = np.log([f.step for f in found])
        for name, errors in (("whole", [f.whole for f in found]), ("cosimulated", [f.split for f in found])):
            order = np.polyfit(steps, np.log(errors), 1)[0]
            findings.append(Finding(f"{one.name}_order_{name}", float(order), "1", "about 1"))
        most = max(f.most for f in found)
        findings.append(Finding(f"{one.name}_iterations", most, "1", "at most, in a step"))
        last = found[-1].results
    sheet = Sheet(HEAD, tuple(rows))
    return Outcome(last, tuple(findings), lambda: _draw(sheet, [one.name for one in chosen]), sheet)


def _right(case: ContactCase) -> np.ndarray:
    """Reference values at multiples of the coarsest step."""
    if case.exact is not None:
        return case.exact(case.coarsest * np.arange(round(case.end / case.coarsest) + 1))
    return _whole(case, case.coarsest / FINE, FINE)[case.seen][:, list(case.axes)]


@dataclass(frozen=True)
class Compared:
    """A case with one step [s]: L1 errors of the whole and the co-simulation [m], iterations per step and at most."""

    step: float
    whole: float
    split: float
    per_step: float
    most: float
    results: Results


def _compared(case: ContactCase, h: float, right: np.ndarray) -> Compared:
    every, axes = round(case.coarsest / h), list(case.axes)
    whole = _whole(case, h, every)[case.seen][:, axes]
    model, subsystem = case.make(True)
    assert subsystem is not None
    split = cosimulate(model, subsystem, case.end, h, every=every)
    errors = [float(np.abs(found - right).mean()) for found in (whole, split[case.seen][:, axes])]
    most = float(split["nonsmooth.iterations"].max())
    per_step = split.attrs.counters["cosimulation_iterations"] / round(case.end / h)
    return Compared(h, errors[0], errors[1], per_step, most, split)


def _whole(case: ContactCase, h: float, every: int) -> Results:
    model, _ = case.make(False)
    return transient(
        model, case.end, h, formulation="recursive", every=every, outputs=(case.seen,), progress=False
    )  # fmt: skip


def _draw(sheet: Sheet, names: list[str]) -> Figure:
    figure = canvas(10.0, 2.8 * -(-len(names) // 4) + 0.6)
    panels = np.atleast_1d(figure.subplots(-(-len(names) // 4), min(4, len(names)), squeeze=False)).ravel()
    for axes, name in zip(panels, names, strict=False):
        rows = [row for row in sheet.rows if row[0] == name]
        h = np.array([row[1] for row in rows])
        axes.loglog(h, [row[2] for row in rows], "o-", label="wholly nonsmooth", linewidth=0.9, markersize=3)
        axes.loglog(h, [row[3] for row in rows], "s--", label="co-simulated", linewidth=0.9, markersize=3)
        axes.loglog(h, rows[0][2] * h / h[0], ":", color="grey", linewidth=0.8, label="order 1")
        axes.set_xticks(h, [f"{1e3 * step:g}" for step in h])
        axes.minorticks_off()
        axes.tick_params(labelsize="x-small")
        axes.set_title(name, fontsize="small")
        axes.grid(alpha=0.3)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    panels[0].legend(fontsize="xx-small")
    figure.supxlabel("step [ms]", fontsize="small")
    figure.supylabel("L1 error [m]", fontsize="small")
    return figure


EXPERIMENT = Experiment(
    "cosimulation",
    "a nonsmooth subsystem co-simulated with a smooth model, beside the wholly nonsmooth solution: errors by the step",
    "Fancello, Morandini and Masarati 2014, figure 1",
    run,
)
