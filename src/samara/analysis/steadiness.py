"""Whether the equations of small motions are the same at every instant: else eigenvalues of one instant mean nothing.

In the axes of the nodes they are about rest, and about a motion in which every node keeps its twist and everything
keeps its place against everything else: a steady rotation of the whole. To see it, the motion is followed for a while,
H exp(t eta), by about half a turn of what turns fastest, and the equations there are compared: the same forces must
balance, and the matrix A of x_dot = A x must be the same.
"""

from __future__ import annotations

import numpy as np

from samara.analysis.linear import linearise
from samara.analysis.reduction import FirstOrder, first_order
from samara.rotations import compose_poses, exp_se3
from samara.solve import Simulation, SolveError
from samara.solve.tangent import multipliers
from samara.solve.wording import some

#: Angle by which the motion is gone along [rad]; of no symmetry.
ANGLE = 2.7
#: Way [m, in sizes of the mechanism] where nothing turns.
WAY = 1.0
#: Speeds [1/s, of the size of the mechanism and rad] that are rest.
REST = 1e-6
#: Changes of twists, of forces and of A that are rounding or a run's error, of the largest.
STEADY, BALANCED, SAME = 1e-3, 1e-4, 1e-5
#: Rounding of poses, of the size of the mechanism.
ROUNDING = 1e-11

REMEDY = (
    "eigenvalues of one instant would mean nothing. For a rotor pass what periodic(...) found, modes(periodic(model, "
    "period, step)), to have multiblade coordinates; or take floquet(...), which is right for any periodic motion"
)


class NotConstant(SolveError):  # noqa: N818
    """Small motions whose equations change with time."""


def require_constant(sim: Simulation, about: FirstOrder) -> None:
    """Raises `NotConstant` where the equations of small motions about the present motion do not stay; says why.

    about: what they are now.
    """
    moving, who = _moving(sim), f"model {sim.model.name!r}"
    if not moving:
        _require_balance(sim)
        return
    with sim.state.plain():
        nodes = 6 * len(sim.system.layout.free)
        eta, acc = (x[:nodes].reshape(-1, 6) for x in (sim.state.twists, sim.state.accelerations))
        unit = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
        speed = float(np.abs(eta * unit).max(initial=0.0))
        gains = np.abs(acc * unit).max(axis=1, initial=0.0)
        if gains.max(initial=0.0) > STEADY * max(speed, REST) ** 2:
            names = [sim.system.layout.free[k].name for k in np.argsort(-gains)[:1]]
            raise NotConstant(
                f"{who} neither rests nor turns steadily: the twist of node {names[0]!r} changes, by "
                f"{gains.max():.3g} rad/s^2 or lengths/s^2; {REMEDY}"
            )
        later = _later(sim)
    if later is None:
        raise NotConstant(
            f"{who} does not turn as one piece: with {some(moving)} gone on by {ANGLE:g} rad, forces no longer "
            f"balance, or joints do not fit; {REMEDY}"
        )
    again = first_order(later, like=about)
    same = again.A.shape == about.A.shape and bool(
        np.abs(again.A - about.A).max(initial=0.0) <= SAME * np.abs(about.A).max(initial=1e-300)
    )
    if not same:
        raise NotConstant(
            f"{who} has fixed and turning parts: the equations of its small motions change while {some(moving)} "
            f"turn{'s' if len(moving) == 1 else ''}; {REMEDY}"
        )


def _require_balance(sim: Simulation) -> None:
    """Refuses a state of rest that does not last: forces that reactions do not balance."""
    s, nodes = sim.system, 6 * len(sim.system.layout.free)
    unit = np.tile([1.0] * 3 + [1.0 / sim.length] * 3, nodes // 6)  # moments as forces at the mechanism's size
    with sim.state.plain():
        s.state.accelerations = 0.0
        left = unit * np.abs(_balanced(sim)[:nodes])
        carried = unit * np.abs(_reactions(sim)[:nodes] @ s.state.multipliers)
        noise = _loads(sim, 0.0)
    if left.max(initial=0.0) > BALANCED * max(left.max(initial=0.0), carried.max(initial=0.0)) + noise:
        name = s.layout.free[int(np.argmax(left)) // 6].name
        raise NotConstant(
            f"model {sim.model.name!r} does not stay at rest: node {name!r} is out of balance, by {left.max():.3g} N. "
            "Bring it to rest by static(...), or pass the model itself; for a motion that repeats itself take "
            "floquet(...)"
        )


def _moving(sim: Simulation) -> list[str]:
    """Nodes that do not rest."""
    unit = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
    nodes = [*sim.system.layout.free, *sim.system.layout.held]
    return [repr(n.name) for n in nodes if np.abs(sim.state.twist(n) * unit).max() > REST]


def _later(sim: Simulation):
    """Small motions after some time of the same motion; None where that is no motion of the model."""
    s = sim.system
    n = s.layout.coordinates
    twists = s.state.twists
    spins = np.array([np.linalg.norm(sim.state.twist(x)[3:]) for x in (*s.layout.free, *s.layout.held)])
    speeds = np.array([np.linalg.norm(sim.state.twist(x)[:3]) for x in (*s.layout.free, *s.layout.held)])
    spin, speed = spins.max(initial=0.0), speeds.max(initial=0.0) / sim.length
    time = ANGLE / spin if spin > REST else WAY / speed
    loads = _loads(sim, max(spin, speed))
    path = np.where(np.arange(n) < 6 * len(s.layout.free), twists, 0.0)
    gone = {node: compose_poses(s.state.pose(node), exp_se3(time * s.state.twist(node))) for node in s.layout.held}
    s.state.move(time * path)
    s.state.set_time(s.state.time + time)
    for node, pose in gone.items():
        s.state.place(node, pose)
    left = np.abs(_balanced(sim)).max(initial=0.0)
    gap = np.abs(s.state.residual()[n + multipliers(sim)[0]]).max(initial=0.0)
    if left > loads or gap > BALANCED * sim.length:
        return None
    return linearise(sim)


def _balanced(sim: Simulation) -> np.ndarray:
    """Forces on nodes and states that are left over; multipliers become those that balance most of them."""
    s, H = sim.system, _reactions(sim)
    n = s.layout.coordinates
    s.state.multipliers[:] = 0.0
    kept = slice(None) if s.releases is None else s.releases.give == 0.0  # a released constraint carries nothing
    if H.shape[1]:
        s.state.multipliers[kept] = np.linalg.lstsq(H[:, kept], -s.state.residual()[:n], rcond=1e-10)[0]
    return s.state.residual()[:n]


def _loads(sim: Simulation, rate: float) -> float:
    """Forces that may be left over: of those of inertia at a rate [1/s], and rounding of those of stiffness."""
    n = sim.system.layout.coordinates
    size = np.concatenate([np.tile([sim.length] * 3 + [1.0] * 3, len(sim.system.layout.free)), sim.state.scales])
    inertia, stiffness = (abs(sim.jacobian(*unit)[:n, :n]) @ size for unit in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
    return float(BALANCED * rate**2 * inertia.max(initial=0.0) + ROUNDING * stiffness.max(initial=0.0))


def _reactions(sim: Simulation) -> np.ndarray:
    """What a unit of each multiplier adds to the equations of nodes and states."""
    n = sim.system.layout.coordinates
    return sim.jacobian(1.0, 0.0, 0.0)[:n, n:].toarray()
