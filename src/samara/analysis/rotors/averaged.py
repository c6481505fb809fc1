"""Small motions about a periodic motion in multiblade coordinates, with what is still periodic in them averaged.

Small motions z at an instant (`rotors.coleman`) lie in a space Z(t) that joints may turn a little in the course of a
period. With a fixed chart c = L z, the same for all instants, z = B(t) c, L B = 1, and

    c_dot = L z_dot = A(t) c

whose mean over the period is taken. No basis is differentiated, and where A is constant nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from samara.analysis.instant import instant
from samara.analysis.periodic import Periodic, exchangeable, whole_steps
from samara.analysis.reduction import FirstOrder
from samara.analysis.rotors.coleman import in_multiblade
from samara.analysis.rotors.find import rotor_frames
from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import Posture, apart, exchanged_posture, read
from samara.analysis.sameness import difference
from samara.analysis.shares import readout
from samara.analysis.transition import largest
from samara.solve import Simulation, SolveError, transient

#: Instants in a period, or in the part of it after which blades have changed places, at most.
INSTANTS, FEWER = 24, 8
#: Change of the motion over a period, up to which its small motions mean something.
RETURNED = 1e-4


def _span(alike: RotorFrame | None, steps: int) -> tuple[int, int]:
    """Steps over which the mean is that of the period, and instants in them.

    Blades that are alike have changed places after 1 / N of a turn. What alternates from blade to blade, where their
    number is even, has then changed its sign, and its coupling to the rest is the same again after twice that.
    """
    if alike is None:
        return steps, INSTANTS
    if alike.count % 2:
        return steps // alike.count, FEWER
    return 2 * steps // alike.count, 2 * FEWER


def _require_return(motion: Periodic, before: Posture, exchanges: Sequence[RotorFrame]) -> None:
    """Refuses a simulation that is not in the periodic motion, or no longer."""
    sim, after = motion.simulation, read(motion.simulation)
    for frame in exchanges:
        after = exchanged_posture(after, frame)
    miss = largest(sim, apart(sim, before, after, None), motion.period)
    if not miss < RETURNED:
        raise SolveError(
            f"modes: the simulation of model {sim.model.name!r} is no longer in the periodic motion that was found, it "
            f"misses itself by {miss:.2g}: call periodic(...) again"
        )


def multiblade_system(motion: Periodic) -> tuple[Simulation, FirstOrder, tuple[RotorFrame, ...], float]:
    """x_dot = A x with the mean of A over the period, and the part of A that is periodic (`analysis.sameness`).

    The simulation goes on by a period, or by a part of it. Motions that belong to x are those at its present state, in
    own axes.
    """
    sim = motion.simulation
    sim.claim()
    if not motion.settled:
        raise SolveError(
            f"modes: the motion of model {sim.model.name!r} is not periodic, it still changes by {motion.residual:.2g} "
            "per period: let periodic(...) find it, with method='shooting' or more periods"
        )
    there = rotor_frames(sim)
    for frame in there:
        if frame.fault:
            raise SolveError(f"modes: {frame.fault}; or take floquet(...)")
    if not there:
        raise SolveError(
            f"modes: model {sim.model.name!r} declares no rotor that turns, so there are no multiblade coordinates: "
            "take floquet(...), or declare its blades, with Rotor(..., blades=...) or model.declare_rotor(...)"
        )
    steps = whole_steps(motion.period, motion.step)
    alike = exchangeable(sim, motion.period, steps)
    part, most = _span(alike, steps)
    start, before, chart, found = sim.time, read(sim), np.zeros((0, 0)), list[np.ndarray]()
    for end in np.unique(np.linspace(0, part, min(most, part) + 1).round().astype(int)[1:]):
        transient(sim, start + end * motion.step, motion.step, outputs="model.violation", progress=False)
        frames, now = rotor_frames(sim), instant(sim)
        z, z_dot = in_multiblade(now, frames)
        chart = chart if found else readout(sim, z)
        if chart.shape[0] != z.shape[1]:
            raise SolveError(
                f"modes: model {sim.model.name!r} has small motions of a varying number in a period: take floquet(...)"
            )
        inverse = np.linalg.inv(chart @ z)
        found.append((chart @ z_dot) @ inverse)
    _require_return(motion, before, [alike] * (part * alike.count // steps) if alike else [])
    mean = np.mean(found, axis=0)
    floor = max(frame.speed for frame in frames)
    changing = difference(mean, *found, floor=floor)
    none = np.zeros((len(now.pose), 0))
    pose, rate = now.pose @ inverse, now.rate @ inverse
    own = FirstOrder(mean, np.zeros((len(mean), 0)), (pose, none), (rate, none), (none, none))
    return sim, own, frames, changing
