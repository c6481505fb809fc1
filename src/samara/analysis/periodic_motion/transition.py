"""The transition matrix: what becomes of small motions about a run in a period, or until blades have changed places.

Small motions at an instant t are y = (xi, delta eta): displacements in own axes and changes of twists, with the values
and rates of scalar states. Those that constraints allow, and that the step takes up (`solve.tangent.transition`), span
a space with the orthonormal basis U, in weights that make all of y comparable. After the time T

    y(t + T) = Y_T c,   y(t) = Y_0 c,     Phi = U^T P Y_T Y_0^+ U

with P the exchange of the blades where T is a part of a turn (`analysis.rotors.frame`), one otherwise. Phi comes from
the tangent of the time step itself: it is that of the discrete motion, numerical damping included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_diag, csr_matrix, identity

from samara.analysis.linearisation.instant import instant
from samara.analysis.linearisation.linear import along
from samara.analysis.rotors.find import rotor_frames
from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import Posture, apart, as_a_whole, elsewhere, read
from samara.solve import Simulation, SolveError
from samara.solve.tangent.transition import Flow, preroll

#: Part of the largest below which a small motion has died out before it is looked at.
DEAD = 1e-9


@dataclass(frozen=True)
class Transition:
    """Small motions over some time.

    matrix:   Phi, shape (m, m). basis: U in units of y, shape (2 n, m): y = basis @ c; readout: c = readout @ y.
    strayed:  what comes home and is not in the space of U, in its units: nothing, but for errors.
    end:      amounts of the flow's motions at the end that belong to c: see `Flow.shift`; landed: y there, with the
              blades' own names.
    duration: [s]; exchanged: the rotor whose blades have changed places in it, if any.
    before, after: the motion itself then; miss: y from the first to the second, with the blades exchanged.
    frames:   of the rotors, spins: ad(eta) of the nodes, free: displacements as a whole that nothing feels
              (`elsewhere`), whole: displacements and turns of free parts, a column each, at the beginning.
    lost:     how many small motions have died out before they were looked at.
    start:    the whole state at the beginning. flow: to go on from the end.
    """

    matrix: np.ndarray
    basis: np.ndarray
    readout: np.ndarray
    strayed: np.ndarray
    end: np.ndarray
    landed: np.ndarray
    duration: float
    frames: tuple[RotorFrame, ...]
    exchanged: RotorFrame | None
    before: Posture
    after: Posture
    miss: np.ndarray
    spins: csr_matrix
    free: np.ndarray
    whole: np.ndarray
    lost: int
    start: np.ndarray
    flow: Flow


def scales(sim: Simulation, rate: float, values: bool = False) -> np.ndarray:
    """Units of y: a length of the mechanism, a rad, the scale of a state, and these times a rate [1/s].

    values: whether a state that is large counts by its value; rates of states then count for nothing.
    """
    nodes, state = len(sim.system.layout.free), sim.system.state
    own = state.scales + np.abs(state.values) if values else state.scales
    pose = np.tile([sim.length] * 3 + [1.0] * 3, nodes)
    rates = np.full(own.size, np.inf) if values else rate * own
    return np.concatenate([pose, own, rate * pose, rates])


def largest(sim: Simulation, y: np.ndarray, period: float) -> float:
    """Of a change y of the motion, relative to sizes and to the speed 2 pi / period: the measure of `periodic`."""
    return float((np.abs(y) / scales(sim, 2.0 * np.pi / period, values=True)).max(initial=0.0))


def transition(sim: Simulation, step: float, steps: int, exchanged: RotorFrame | None = None) -> Transition:
    """Marches a run on by `preroll` and then by some steps [s], with all small motions about it."""
    now, wait = instant(sim), preroll(sim)
    if not now.pose.shape[1]:
        raise SolveError(f"model {sim.model.name!r} has no degrees of freedom: joints and drives constrain all of it")
    unit = scales(sim, 2.0 * np.pi / (steps * step * (exchanged.count if exchanged else 1)))
    now = now.combined(np.linalg.inv(np.linalg.qr(now.motions / unit[:, None])[1]))
    flow = Flow(sim, now.pose, now.twist, now.acceleration, step)
    flow.march(wait // 2)
    flow.combine(_alive(np.vstack(flow.levels()) / unit[:, None])[1])
    flow.march(wait - wait // 2)
    before, start, Y_0, frames = read(sim), sim.state.copy(), np.vstack(flow.levels()), rotor_frames(sim)
    spins, free, whole = along(before.twists, sim.system.layout.coordinates), elsewhere(sim), as_a_whole(sim)
    flow.march(steps)
    after, Y_T = read(sim), np.vstack(flow.levels())
    if not np.isfinite(Y_T).all():
        raise SolveError(
            f"small motions about the motion of model {sim.model.name!r} grow beyond all numbers within "
            f"{steps * step:.6g} s: it is unstable; for rates of growth take a shorter period, or less that is unstable"
        )
    U, end = _alive(Y_0 / unit[:, None])
    P = _both(exchanged.exchange() if exchanged else identity(Y_0.shape[0] // 2))
    home = (P @ (Y_T @ end)) / unit[:, None]
    matrix = U.T @ home
    return Transition(
        matrix=matrix,
        strayed=home - U @ matrix,
        basis=unit[:, None] * U,
        readout=U.T / unit,
        end=end,
        landed=Y_T @ end,
        duration=steps * step,
        frames=frames,
        exchanged=exchanged,
        before=before,
        after=after,
        miss=apart(sim, before, after, exchanged),
        spins=spins,
        free=np.vstack([free, np.zeros_like(free)]),
        whole=whole,
        lost=now.pose.shape[1] - len(matrix),
        start=start,
        flow=flow,
    )


def _alive(Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal basis of the columns that have not died out, and their combinations that are it."""
    U, sigma, Vt = np.linalg.svd(Y, full_matrices=False)
    kept = sigma > DEAD * sigma.max(initial=0.0)
    return U[:, kept], Vt[kept].T / sigma[kept]


def _both(P: csr_matrix) -> csr_matrix:
    return csr_matrix(block_diag([P, P]))
