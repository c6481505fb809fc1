"""Shooting: the periodic motion near a run, by Newton's method on the closure error after a period.

With Phi the transition matrix of the period (`analysis.periodic_motion.transition`) and e by how much the motion misses
itself, a small motion c at its beginning brings it home where

    (1 - Phi) c = e

and the run goes on from its end, moved by what c has become there. What Phi leaves as it is, a rotor's azimuth where
nothing tells it, a machine's place in the air, is neutral: it is not moved. Marching takes log(tolerance) / log |mu|
periods for the largest multiplier mu, some hundreds for a lightly damped lag motion; shooting takes a few, also where
the motion is unstable. The past of the run is moved as well, so that it goes on without an event.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.analysis.periodic_motion.transition import Transition, largest, transition
from samara.analysis.rotors.frame import RotorFrame
from samara.solve import Simulation, SolveError
from samara.solve.store.checkpoint import Snapshot, restore, snapshot
from samara.solve.tangent.transition import preroll

#: Part of the largest singular value of 1 - Phi below which a motion is neutral.
NEUTRAL = 1e-8
#: Largest motion that is made at once, in sizes of the mechanism, rad and sizes of states.
FARTHEST = 0.3
#: Growth of the miss that is borne, and how often a motion is halved before that is given up.
GROWTH, HALVINGS = 1.5, 4


@dataclass(frozen=True)
class Shot:
    """What shooting came to.

    miss: largest of what the motion misses itself by, in the measure of `periodic`; turns: flown, in periods;
    shots: transitions that were computed.
    """

    miss: float
    turns: float
    shots: int


def shoot(sim: Simulation, step: float, steps: int, frame: RotorFrame | None, tolerance: float, most: int) -> Shot:
    """Brings a run onto the periodic motion near it; `steps` of size `step` [s] make a period.

    frame: the rotor whose blades change places within the period: then 1 / N of it is enough. most: shots.
    """
    part = steps // frame.count if frame else steps
    turns, halvings, best = 0.0, 0, np.inf
    saved: Snapshot = {}
    found, amounts = None, np.zeros(0)
    for shot in range(1, most + 1):
        turns += (part + preroll(sim)) / steps
        try:
            trial = transition(sim, step, part, frame)
            miss = largest(sim, trial.miss, steps * step)
        except SolveError:
            if found is None:
                raise
            miss = np.inf
        if miss <= GROWTH * best or found is None:
            found, best, halvings = trial, min(best, miss), 0
            if miss <= tolerance:
                break
            saved, amounts = snapshot(sim), correction(sim, trial, steps * step)
        else:
            halvings += 1
            if halvings > HALVINGS:
                break
            restore(sim, saved)
            amounts = 0.5 * amounts
        if shot < most:
            found.flow.shift(found.end @ amounts)
    assert found is not None
    return Shot(best, turns, shot)


def correction(sim: Simulation, found: Transition, period: float) -> np.ndarray:
    """The small motion at the beginning that closes the motion; neutral ones are left out.

    Where a part flies free, how far it flies in a period is an unknown as well, and where it begins does not matter:

        (1 - Phi) c + t v = e,     t^T c = 0,     t: it is somewhere else
    """
    m, t = len(found.matrix), found.readout @ found.free
    border = np.zeros((t.shape[1], t.shape[1]))
    J = np.block([[np.eye(m) - found.matrix, t], [t.T, border]])
    U, sigma, Vt = np.linalg.svd(J)
    inverse = np.where(sigma > NEUTRAL * sigma.max(initial=1.0), 1.0 / np.maximum(sigma, 1e-300), 0.0)
    e = np.concatenate([found.readout @ found.miss, np.zeros(t.shape[1])])
    c = (Vt.T @ (inverse * (U.T @ e)))[:m]
    size = largest(sim, found.basis @ c, period)
    return c * min(1.0, FARTHEST / max(size, 1e-300))
