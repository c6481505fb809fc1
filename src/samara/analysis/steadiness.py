"""Whether the equations of small motions are the same at every instant: else eigenvalues of one instant mean nothing.

In the axes of the nodes they are about rest, and about a motion in which every node keeps its twist and everything
keeps its place against everything else: a steady rotation of the whole. To see it, the motion is followed for a while,
H exp(t eta), by about half a turn of what turns fastest, and the equations there are compared: the same forces must
balance, and the matrix A of x_dot = A x must be the same. At rest nothing may be about to move, and drives, looked at
later, must leave A as it is. Scalar states are followed too: one that still settles is no rest.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from samara.analysis.large import Slowest, is_large, least_squares
from samara.analysis.linear import linearise
from samara.analysis.reduction import FirstOrder, first_order
from samara.analysis.sameness import difference
from samara.rotations import compose_poses, exp_se3
from samara.solve import Simulation, SolveError
from samara.solve.parts import parts
from samara.solve.tangent import multipliers
from samara.solve.wording import some

#: Angle by which the motion is gone along [rad]; of no symmetry.
ANGLE = 2.7
#: Parts in which that is done.
SHARES = 12
#: Way [m, in sizes of the mechanism] where nothing turns.
WAY = 1.0
#: Time that scalar states are followed where nothing moves [s].
WHILE = 1.0
#: Times after which drives are looked at [s]: of no common period.
TIMES = (0.00137, 0.0193, 0.271, 1.73, 11.9, 83.0)
#: Speeds [1/s, of the size of the mechanism and rad] that are rest.
REST = 1e-6
#: Changes of twists, of forces and of A that are rounding or a run's error, of the largest.
STEADY, BALANCED, SAME = 1e-3, 1e-4, 1e-5
#: Change of A within that time by states that settle, to be borne.
SETTLED = 1e-4
#: Speed that a node counts with at least, of the fastest of its part.
SLOWEST = 0.03
#: Rounding of poses, of the size of the mechanism.
ROUNDING = 1e-11
#: Error of poses that a solution leaves, alike: forces that it leaves open may be there again later.
SOLVED = 1e-8

REMEDY = (
    "eigenvalues of one instant would mean nothing. For a rotor pass what periodic(...) found, modes(periodic(model, "
    "period, step)), to have multiblade coordinates; or take floquet(...), which is right for any periodic motion"
)


class NotConstant(SolveError):  # noqa: N818
    """Small motions whose equations change with time."""


def require_constant(sim: Simulation, about: FirstOrder | Slowest) -> None:
    """Raises `NotConstant` where the equations of small motions about the present motion do not stay; says why.

    about: what they are now; of a large model the slowest of them.
    """
    moving, who = _moving(sim), f"model {sim.model.name!r}"
    if not moving:
        _require_balance(sim)
        _require_drives_apart(sim, about)
        _require_settled(sim, about)
        return
    with sim.state.plain():
        nodes = 6 * len(sim.system.layout.free)
        eta, acc = (x[:nodes].reshape(-1, 6) for x in (sim.state.twists, sim.state.accelerations))
        unit = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
        speeds, gains = (np.abs(x * unit).max(axis=1, initial=0.0) for x in (eta, acc))
        allowed = STEADY * np.maximum(speeds, np.maximum(SLOWEST * _of_parts(sim, speeds), REST)) ** 2
        if (gains > allowed).any():
            k = int(np.argmax(gains - allowed))
            raise NotConstant(
                f"{who} neither rests nor turns steadily: the twist of node {sim.system.layout.free[k].name!r} "
                f"changes, by {gains[k]:.3g} rad/s^2 or lengths/s^2; {REMEDY}"
            )
        wrong = _go_on(sim)
        change = 0.0 if wrong else _change(sim, about)
    if wrong:
        raise NotConstant(
            f"{who} does not go on as one piece: with {some(moving)} further on its way {wrong}; {REMEDY}"
        )
    if change > SAME:
        raise NotConstant(
            f"{who} has fixed and turning parts: the equations of its small motions change while {some(moving)} "
            f"turn{'s' if len(moving) == 1 else ''}; {REMEDY}"
        )


def _require_settled(sim: Simulation, about: FirstOrder | Slowest) -> None:
    """Refuses a state that is on its way while all nodes rest; one that nothing feels, a counter, may go on."""
    layout, state = sim.system.layout, sim.state
    fast = np.flatnonzero(np.abs(_rates(sim)) > REST * (state.scales + np.abs(state.values)))
    if not fast.size:
        return
    with sim.state.plain():
        unsettled = bool(_go_on(sim)) or _change(sim, about) > SETTLED
    if unsettled:
        raise NotConstant(
            f"the nodes of model {sim.model.name!r} rest, but state {layout.states[fast[0]].name!r} still changes, by "
            f"{_rates(sim)[fast[0]]:.3g} per second, and with it the equations of small motions: let it settle "
            "(transient(sim, ...)), or pass the model; frozen=True takes them as they are now"
        )


def _require_drives_apart(sim: Simulation, about: FirstOrder | Slowest) -> None:
    """Refuses equations of small motions about rest that change with a drive."""
    with sim.state.plain():
        time, now = sim.state.time, sim.system.arrays.state.copy()
        for later in TIMES:
            sim.state.set_time(time + later)
            if np.array_equal(sim.system.arrays.state, now):
                continue
            if _change(sim, about) > SAME:
                raise NotConstant(
                    f"model {sim.model.name!r} rests, but the equations of its small motions change with time: a drive "
                    f"has made others of them by t = {time + later:g} s; eigenvalues of one instant would mean "
                    "nothing. Where drives are periodic take floquet(model, period, step); frozen=True takes them as "
                    f"they are at t = {time:g} s"
                )


def _require_balance(sim: Simulation) -> None:
    """Refuses a state of rest that does not last: forces that reactions do not balance."""
    s, nodes = sim.system, 6 * len(sim.system.layout.free)
    unit = np.tile([1.0] * 3 + [1.0 / sim.length] * 3, nodes // 6)  # moments as forces at the mechanism's size
    with sim.state.plain():
        s.state.accelerations = 0.0
        pushed = np.abs(s.state.level("acceleration")).max(initial=0.0)
        own = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
        held = [node.name for node in s.layout.held if np.abs(s.state.twist_rate(node) * own).max() > BALANCED]
        left = unit * np.abs(_balanced(sim)[:nodes])
        carried = unit * np.abs(_reactions(sim)[:nodes] @ s.state.multipliers)
        noise = float(_loads(sim, 0.0).max(initial=0.0))
    if held or pushed > BALANCED * max(1.0, sim.length):
        name = f"node {held[0]!r}" if held else "a driven joint"
        raise NotConstant(
            f"model {sim.model.name!r} does not stay at rest: {name} is about to move; for a motion that repeats "
            "itself take floquet(...); frozen=True takes the equations as they are at this instant"
        )
    if left.max(initial=0.0) > BALANCED * max(left.max(initial=0.0), carried.max(initial=0.0)) + noise:
        name = s.layout.free[int(np.argmax(left)) // 6].name
        raise NotConstant(
            f"model {sim.model.name!r} does not stay at rest: node {name!r} is out of balance, by {left.max():.3g} N. "
            "Bring it to rest by static(...), or pass the model itself; for a motion that repeats itself take "
            "floquet(...)"
        )


def _of_parts(sim: Simulation, values: np.ndarray) -> np.ndarray:
    """Of each node with unknowns, the largest of its part of the model (`solve.parts`)."""
    numbers, found = {node: k for k, node in enumerate(sim.system.layout.free)}, np.zeros(len(values))
    for part in parts(sim.model):
        own = [numbers[node] for node in part.nodes]
        found[own] = values[own].max(initial=0.0)
    return found


def _moving(sim: Simulation) -> list[str]:
    """Nodes that do not rest."""
    unit = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
    nodes = [*sim.system.layout.free, *sim.system.layout.held]
    return [repr(n.name) for n in nodes if np.abs(sim.state.twist(n) * unit).max() > REST]


def _rates(sim: Simulation) -> np.ndarray:
    """Of scalar states; nothing for those that have no rate, and for impulses, of which the rate is a reaction."""
    layout = sim.system.layout
    moves = np.array([state.order > 0 and not state.reaction for state in layout.states], bool)
    return np.where(moves, sim.state.twists[6 * len(layout.free) :], 0.0)


def _change(sim: Simulation, about: FirstOrder | Slowest) -> float:
    """By how much the equations of small motions about the present state are others."""
    if isinstance(about, Slowest):
        return about.change(sim)
    return difference(about.A, first_order(linearise(sim), like=about).A)


def _go_on(sim: Simulation) -> str:
    """Follows the same motion for some time; says what is wrong where that is no motion of the model."""
    s = sim.system
    n, nodes = s.layout.coordinates, 6 * len(s.layout.free)
    spins = np.array([np.linalg.norm(sim.state.twist(x)[3:]) for x in (*s.layout.free, *s.layout.held)])
    speeds = np.array([np.linalg.norm(sim.state.twist(x)[:3]) for x in (*s.layout.free, *s.layout.held)])
    spin, speed = spins.max(initial=0.0), speeds.max(initial=0.0) / sim.length
    time = ANGLE / spin if spin > REST else WAY / speed if speed > REST else WHILE
    loads = _loads(sim, max(spin, speed)) + np.minimum(
        10.0 * np.abs(_balanced(sim)[:nodes]).max(), _loads(sim, 0.0, SOLVED)
    )
    path = np.concatenate([s.state.twists[:nodes], _rates(sim)])
    gone = {node: compose_poses(s.state.pose(node), exp_se3(time * s.state.twist(node))) for node in s.layout.held}
    for _ in range(SHARES):  # the walk of a step is exact for small angles
        s.state.move(time / SHARES * path)
    s.state.set_time(s.state.time + time)
    for node, pose in gone.items():
        s.state.place(node, pose)
    left = np.abs(_balanced(sim))
    if (left[:nodes] > loads).any():
        return "forces no longer balance"
    if np.abs(s.state.residual()[n + multipliers(sim)[0]]).max(initial=0.0) > BALANCED * sim.length:
        return "joints do not fit"
    size = np.concatenate([np.tile([sim.length] * 3 + [1.0] * 3, nodes // 6), s.state.scales + np.abs(s.state.values)])
    astray = left[nodes:] > BALANCED * (abs(sim.jacobian(1.0, 0.0, 0.0)[nodes:n, :n]) @ size)
    if astray.any():
        return f"the rate of state {s.layout.states[int(np.argmax(astray))].name!r} is another"
    return ""


def _balanced(sim: Simulation) -> np.ndarray:
    """Forces on nodes and states that are left over; multipliers become those that balance most of them."""
    s, H = sim.system, _reactions(sim)
    n = s.layout.coordinates
    s.state.multipliers[:] = 0.0
    kept = slice(None) if s.releases is None else s.releases.give == 0.0  # a released constraint carries nothing
    if H.shape[1]:
        own, forces = H[:, kept], -s.state.residual()[:n]
        s.state.multipliers[kept] = (
            least_squares(own, forces) if is_large(sim) else np.linalg.lstsq(own.toarray(), forces, rcond=1e-10)[0]
        )
    return s.state.residual()[:n]


def _loads(sim: Simulation, rate: float, error: float = ROUNDING) -> np.ndarray:
    """Forces on nodes that may be left over: of inertia of the part at a rate [1/s], and by errors of poses."""
    n, nodes = sim.system.layout.coordinates, 6 * len(sim.system.layout.free)
    size = np.concatenate([np.tile([sim.length] * 3 + [1.0] * 3, nodes // 6), sim.state.scales])
    inertia, stiffness = (abs(sim.jacobian(*unit)[:n, :n]) @ size for unit in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
    own = BALANCED * rate**2 * inertia[:nodes] + error * stiffness[:nodes]
    return np.repeat(_of_parts(sim, own.reshape(-1, 6).max(axis=1, initial=0.0)), 6)


def _reactions(sim: Simulation) -> csr_matrix:
    """What a unit of each multiplier adds to the equations of nodes and states."""
    n = sim.system.layout.coordinates
    return sim.jacobian(1.0, 0.0, 0.0)[:n, n:]
