"""Small motions about a periodic motion in multiblade coordinates, as x_dot = R x with constant coefficients.

Where they are constant in coordinates that are carried along (`rotors.carried`), as of a rotor with three blades or
more that are alike in a flow along its shaft, R is that generator; else Floquet's theory makes it, c = P exp(R t) c_0
(`rotors.exponents`). How good it is shows without the upper half of the generator's
harmonics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from samara.analysis.linearisation.instant import Instant, instant
from samara.analysis.modal.participation import weights
from samara.analysis.periodic_motion.periodic import Periodic, exchanged, whole_steps
from samara.analysis.periodic_motion.transition import largest
from samara.analysis.rotors.carried import Generator, generator
from samara.analysis.rotors.coleman import in_multiblade
from samara.analysis.rotors.exponents import exponents, resonance
from samara.analysis.rotors.find import rotor_frames, turned_on
from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import Posture, apart, exchanged_posture, read
from samara.blas import one_thread
from samara.solve import Simulation, SolveError, transient
from samara.solve.linear_systems.first_order import FirstOrder
from samara.solve.linear_systems.operator_distance import difference
from samara.solve.start.accelerations import orders

#: Instants in the time in which the motion comes home: of one or two blades and of those that differ, of others; most.
INSTANTS, FEWER, MOST = 24, 8, 96
#: Part of the generator that changes within a period and is rounding or a run's error.
CONSTANT = 1e-6
#: Error of eigenvalues from which on more instants are taken, and up to which they mean something.
WANTED, ALLOWED = 1e-4, 1e-2
#: Change of the motion over a period, up to which its small motions mean something.
RETURNED = 1e-4

Rotors = tuple[RotorFrame, ...]


def _require_return(motion: Periodic, before: Posture, exchanges: Sequence[RotorFrame]) -> None:
    """Refuses a simulation that is not in the periodic motion, or no longer."""
    sim, after = motion.simulation, read(motion.simulation)
    for frame in exchanges:
        after = exchanged_posture(after, frame)
    miss = largest(sim, apart(sim, before, after, None), motion.period)
    if not miss < RETURNED:
        raise SolveError(
            f"modes: the simulation of model {sim.model.name!r} is no longer in the periodic motion "
            f"that was found, its state changes by {miss:.2g} per period: call periodic(...) again"
        )


@dataclass(frozen=True)
class Averaged:
    """x_dot = R x about a periodic motion.

    reduced:  with the motions that belong to x at the simulation's present state, in own axes.
    periodic: part of the generator that changes within a period (`solve.linear_systems.operator_distance`).
    error:    of the eigenvalues, of their size or of the rotor's speed.
    """

    simulation: Simulation
    reduced: FirstOrder
    frames: tuple[RotorFrame, ...]
    periodic: float
    error: float


def multiblade_system(motion: Periodic) -> Averaged:
    """Small motions about what `periodic` found. The simulation goes on by a period, or by parts of it."""
    sim = motion.simulation
    sim.claim()
    with one_thread(sim.system.layout.coordinates):
        return _system(motion, _rotors(motion))


def _system(motion: Periodic, frames: Rotors) -> Averaged:
    sim = motion.simulation
    steps = whole_steps(motion.period, motion.step)
    alike = exchanged(frames, motion.period, steps)
    part = steps // alike.count if alike else steps
    count = _instants(part, INSTANTS if alike is None or alike.count < 3 else FEWER)
    while True:
        sampled = _sampled(motion, frames, alike, part, count)
        speed = max(frame.speed for frame in sampled.frames)
        found = generator(sampled.z, sampled.z_dot, sampled.signs, part * motion.step)
        changing = difference(found.mean, *found.A, floor=speed)
        R, error = (found.mean, 0.0) if changing <= CONSTANT else _floquet(found, speed)
        finer = _instants(part, 2 * count)
        if error <= WANTED or not count < finer <= MOST:
            break
        count = finer
    if not error <= ALLOWED:
        raise SolveError(
            f"modes: the equations of small motions of model {sim.model.name!r} change by {100 * changing:.2g} % in a "
            f"period, so that {count} instants of it give its modes to {100 * error:.2g} % only: take floquet(...)"
        )
    last = sampled.last
    inverse = np.linalg.inv(found.basis.T @ sampled.z[0])
    none = np.zeros((len(last.pose), 0))
    own = FirstOrder(R, np.zeros((len(R), 0)), (last.pose @ inverse, none), (last.rate @ inverse, none), (none, none))
    return Averaged(sim, own, sampled.frames, changing, error)


def _floquet(found: Generator, speed: float) -> tuple[np.ndarray, float]:
    """R, and by how much its modes, or where they cannot be told apart those of the mean, are wrong."""
    whole = exponents(found)
    if whole is None:
        return found.mean, resonance(found)
    rough = exponents(found.smoothed())
    if rough is None or rough.values.size != whole.values.size:
        return whole.R, np.inf
    far = np.abs(whole.values[:, None] - rough.values).min(axis=1) / np.maximum(np.abs(whole.values), speed)
    return whole.R, float(far.max(initial=0.0))


def _instants(part: int, wanted: int) -> int:
    """How many instants, about as many as wanted, lie at equal distances of whole steps."""
    return min((k for k in range(1, part + 1) if part % k == 0), key=lambda k: abs(np.log(k / wanted)))


@dataclass(frozen=True)
class _Sampled:
    """Weighted motions z and z_dot at equal distances, the first where the last one comes home; and that instant."""

    z: np.ndarray
    z_dot: np.ndarray
    signs: np.ndarray
    last: Instant
    frames: tuple[RotorFrame, ...]


def _sampled(motion: Periodic, frames: Rotors, alike: RotorFrame | None, part: int, count: int) -> _Sampled:
    sim = motion.simulation
    start, before = sim.time, read(sim)
    weight = _weights(sim, frames)
    n = len(weight) // 2
    signs = np.ones((2 * n, 1))
    if alike is not None and alike.count % 2 == 0 and alike.blades.size:
        signs[alike.blades[-1]] = signs[n + alike.blades[-1]] = -1.0  # what alternates from blade to blade
    found = []
    for k in range(1, count + 1):
        transient(sim, start + k * part // count * motion.step, motion.step, outputs="model.violation", progress=False)
        frames, now = turned_on(sim, frames), instant(sim)
        z, z_dot = in_multiblade(now, frames)
        found.append((weight * z, weight * z_dot))
        if found[0][0].shape != z.shape:
            raise SolveError(
                f"modes: model {sim.model.name!r} has small motions of a varying number in a period: take floquet(...)"
            )
    _require_return(motion, before, [alike] if alike else [])
    home = tuple(signs * x for x in found.pop())
    z, z_dot = (np.array(x) for x in zip(home, *found, strict=True))
    return _Sampled(z, z_dot, signs, now, frames)


def _weights(sim: Simulation, frames: Sequence[RotorFrame]) -> np.ndarray:
    """Of z, a column; what turns and is told in axes that do not has the same mass in all directions.

    Rates of nodes without mass count for nothing: they follow, and `instant` has no accelerations of theirs.
    """
    weight = weights(sim, max(frame.speed for frame in frames))
    half = len(weight) // 2
    weight[half:][orders(sim)[0]] = 0.0
    for node in (node for frame in frames for node in frame.others):
        for first in (node.first, node.first + 3, half + node.first, half + node.first + 3):
            weight[first : first + 3] = np.sqrt((weight[first : first + 3] ** 2).mean())
    return weight[:, None]


def _rotors(motion: Periodic) -> Rotors:
    """That turn; refuses what has no periodic motion, or no multiblade coordinates."""
    sim = motion.simulation
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
            f"modes: model {sim.model.name!r} declares no rotating rotor, so there are no multiblade coordinates: "
            "use floquet(...), or declare its blades with Rotor(..., blades=...) or model.declare_rotor(...)"
        )
    return there
