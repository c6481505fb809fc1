"""Explains why a run ended early: what happened in the model, and what was requested."""

from __future__ import annotations

import math

import numpy as np

from samara.model.quantities.units import with_unit
from samara.realtime.session.card import Signal
from samara.realtime.session.schedule import Ended
from samara.solve import Simulation
from samara.solve.native.codes import Status
from samara.solve.report.diagnosis import explain, not_finite_at
from samara.system.memory.blocks import ACC, ETA

#: Ends that tell of the model; but for contacts that contradict each other or are too many, shorter parts may help.
EXPLAINED = (
    Ended.NOT_CONVERGED, Ended.CONTRADICTION, Ended.BELOW_FLOOR, Ended.PASSED_THROUGH, Ended.SINGULAR,
    Ended.UNRESOLVED, Ended.TOO_MANY_PAIRS,
)  # fmt: skip
#: Turning of a node within a step beyond which the step cannot tell one way round from the other [rad].
HALF_TURN = math.pi
#: Actuators whose values are told, at most.
MOST_TOLD = 3


def reason(
    sim: Simulation, ended: Ended, message: str, step: float, parts: int, told: list[tuple[Signal, float]]
) -> str:
    """Why it ended. message: what is known of it already. told: actuators, and the values that they were told last."""
    if ended in EXPLAINED:
        message = explain(sim, Status[ended.name], step)
        if ended not in (Ended.CONTRADICTION, Ended.TOO_MANY_PAIRS):
            message += f"; or let steps that fail be taken in more than {parts} substeps (substeps=, --substeps)"
    if ended == Ended.LAW_FAILED and sim.sampling is not None:
        message = str(sim.sampling.failure(sim))
    if ended == Ended.NOT_FINITE:
        message = (
            f"model {sim.model.name!r} is no longer finite at t = {sim.time:g} s ({not_finite_at(sim)}): raise the "
            "rate, or let steps that fail be taken in more substeps (substeps=, --substeps)"
        )
    if ended in (Ended.PIVOTS, Ended.NOT_FINITE, Ended.SINGULAR):
        message = too_fast(sim, step) or message
        if values := _values(told):
            message += f"; the actuators were told {values}"
    return message


def too_fast(sim: Simulation, step: float) -> str:
    """Which node turns too far for a step to resolve it, at its rate or by its acceleration; nothing where none does.

    Then the Jacobian of a step says nothing of the model: its pivots fail wherever it happens to be singular.
    """
    state, turned = sim.system.state, []
    for node in sim.system.layout.free:
        rate, acceleration = (np.linalg.norm(state.read(node, first, 6)[3:]) for first in (ETA, ACC))
        turned.append(float(max(step * rate, step**2 * acceleration)))
    if not turned or not max(turned) > HALF_TURN:
        return ""
    most = int(np.nanargmax(turned))
    return (
        f"model {sim.model.name!r}: node {sim.system.layout.free[most].name!r} turns by {turned[most]:.3g} rad within "
        f"a step of {step:g} s at t = {sim.time:g} s, too far to be resolved; look for what drives it so hard, or "
        "raise the rate"
    )


def _values(told: list[tuple[Signal, float]]) -> str:
    """The largest of them, with their units."""
    large = sorted((one for one in told if one[1]), key=lambda one: -abs(one[1]))[:MOST_TOLD]
    return ", ".join(f"{signal.name} = {with_unit(f'{value:g}', signal.unit)}" for signal, value in large)
