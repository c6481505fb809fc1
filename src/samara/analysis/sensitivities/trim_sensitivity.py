"""Sensitivity of a trim to parameters: derivatives of the controls that meet the targets.

Under controls u and parameters p the motion settles to a period over which y(u, p) is measured. With the targets held,

    du/dp = -(dy/du)^-1 dy/dp

Both come from one run with its derivatives (`samara.solve.tangent.sensitivity_march`), from the trimmed motion on,
until these repeat themselves from period to period as the motion does.
"""

from __future__ import annotations

import numpy as np

from samara.analysis.sensitivities.sensitivity import Sensitivities, given_change, given_names, sizes_of
from samara.analysis.trim import Harmonic, Trim
from samara.model import ArgumentError
from samara.results import Results
from samara.solve import SolveError
from samara.solve.measures import chosen
from samara.solve.native.codes import Status
from samara.solve.store.checkpoint import restore, snapshot
from samara.solve.tangent.sensitivity_march import LARGE_TURN, make_along, march_along

#: Change of the derivatives of the targets per period, of the largest, at which they count as settled; and how many
#: periods they have for it.
SETTLED, PERIODS = 1e-9, 400
#: Difference from the trimmed motion in terms of the controls, over their sizes (0.2 at least): a tenth of a nudge.
MOVED_ON = 1e-3


def trim_sensitivity(trim: Trim, parameters: str | tuple[str, ...] | list[str] = ("*",)) -> Sensitivities:
    """Derivatives of the controls of a trim that was met by parameters and inputs; all parameters but the controls by
    default. The simulation is left as it is."""
    sim, plan = trim.simulation, trim.plan
    if not trim.met or plan is None:
        raise ArgumentError(f"sensitivity: a trim that was met is needed, this one is {trim.status!r}: {trim.message}")
    measures = [measure for measure in plan.measures if isinstance(measure, Harmonic)]
    if len(measures) < len(plan.measures):
        raise ArgumentError(
            "sensitivity: a target that is a function of results has no derivative: give channels or Harmonic(...)"
        )
    if plan.variable:
        raise ArgumentError("sensitivity: the period follows a control: derivatives are known of a constant one alone")
    names = given_names("sensitivity", sim, parameters)
    if tuple(parameters) == ("*",):
        names = tuple(name for name in names if name not in trim.controls)
    for name in names:
        if name in trim.controls:
            raise ArgumentError(f"sensitivity: {name!r} is a control of this trim: name what is not")
    slopes, measured = _settled(trim, measures, [*trim.controls, *names])
    by_control, by_parameter = slopes[: len(trim.controls)].T, slopes[len(trim.controls) :].T
    values = -np.linalg.solve(by_control, by_parameter)
    nominal = np.array(list(trim.controls.values()))
    off = np.linalg.solve(by_control, measured - np.array(list(trim.measured.values())))
    if np.any(np.abs(off) > MOVED_ON * np.maximum(np.abs(nominal), 0.2)):
        raise SolveError(
            f"sensitivity: model {sim.model.name!r} is no longer in the motion that was trimmed, as if controls were "
            f"off by {np.abs(off).max():.2g}: trim it again"
        )
    return Sensitivities(values, tuple(trim.controls), names, nominal, sizes_of(sim, names))


def _settled(trim: Trim, measures: list[Harmonic], names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the targets by names, a row each, over a period of settled motion; and the targets themselves."""
    sim, plan = trim.simulation, trim.plan
    assert plan is not None
    sim.claim()
    kept = snapshot(sim)
    channels, columns = chosen(sim.system, plan.recorded)
    changes = [given_change(sim, name) for name in names]
    tangents = np.zeros((len(names), sim.system.layout.state_size))
    for row, change in zip(tangents, changes, strict=True):
        for name, amount in change.inputs.items():
            row[sim.system.layout.input(name)] = amount
    along = make_along(sim, changes, tangents, LARGE_TURN)
    n = plan.steps
    times, rows = np.zeros(n), np.zeros((n, columns.size))
    slopes, before = np.zeros((n, len(names), columns.size)), np.full((len(names), len(measures)), np.inf)
    try:
        for _ in range(PERIODS):
            status = march_along(sim, along, plan.step, n, 1, columns, times, rows, slopes)[0]
            if status != Status.OK:
                raise SolveError(f"model {sim.model.name!r}: the motion about the trim does not go on smoothly")
            results = Results(channels, times, rows)
            moved = [Results(channels, times, slopes[:, k]) for k in range(len(names))]
            now = np.array([[measure.slope(results, one) for measure in measures] for one in moved])
            if np.abs(now - before).max() <= SETTLED * np.abs(now).max():
                return now, np.array([measure(results) for measure in measures])
            before = now
    finally:
        restore(sim, kept)
    raise SolveError(
        f"model {sim.model.name!r}: the derivatives of the motion still change after {PERIODS} periods: it is hardly "
        "damped, or not stable"
    )
