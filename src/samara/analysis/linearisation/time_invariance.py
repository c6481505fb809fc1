"""Time invariance of the equations of small motions: otherwise eigenvalues of one instant are meaningless.

In the axes of the nodes the equations are constant about rest, and about a motion in which every node keeps its twist
and its position relative to all others: a steady rotation of the whole. To check this, the motion is continued for a
while, H exp(t eta), by about half a turn of the fastest part, and the equations there are compared: the forces must
balance in the same way, and the matrix A of x_dot = A x must be the same. At rest nothing may be about to move, and
drives, evaluated later, must leave A unchanged. Scalar states are followed too: a state that is still settling is not
at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_matrix

from samara.analysis.linearisation.carriers import REST, carriers, in_own_axes, precession
from samara.analysis.linearisation.linear import Linearisation, along, small_motions, with_dense
from samara.analysis.linearisation.prescribed_motion import NotConstant, require_as_told
from samara.analysis.linearisation.sparse_modes import Slowest, is_large, least_squares
from samara.analysis.linearisation.turning_axes import TurningAxes
from samara.blas import one_thread
from samara.rotations import ad, adjoint, compose_poses, exp_se3
from samara.solve import Simulation
from samara.solve.linear_systems.first_order import FirstOrder
from samara.solve.linear_systems.units import unit_masses
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.report.wording import some
from samara.solve.topology.parts import parts

#: Angle by which the motion is gone along [rad]; of no symmetry.
ANGLE = 2.7
#: The same where others turn slower by far.
LONGEST = 60.0
#: Way [m, in sizes of the mechanism] where nothing turns.
WAY = 1.0
#: Time that scalar states are followed where nothing moves [s].
WHILE = 1.0
#: Times after which drives are looked at [s]: of no common period.
TIMES = (0.00137, 0.0193, 0.271, 1.73, 11.9, 83.0)
#: Changes of twists, of forces and of A that are rounding or a run's error, of the largest.
STEADY, BALANCED, SAME = 1e-3, 1e-4, 1e-5
#: Change of A within that time by states that settle, to be borne.
SETTLED = 1e-4
#: What constraints may allow otherwise later, and the rate at which that changes, of the fastest turn.
TURNED = 1e-3
#: Speed that a node counts with at least, of the fastest of its part.
SLOWEST = 0.03
#: Rounding of poses, of the size of the mechanism.
ROUNDING = 1e-11
#: Error of poses that a solution leaves, alike: forces that it leaves open may be there again later.
SOLVED = 1e-8

Found = TypeVar("Found", FirstOrder, Slowest)

REMEDY = (
    "eigenvalues of one instant would mean nothing. For a rotor pass what periodic(...) found, modes(periodic(model, "
    "period, step)), to have multiblade coordinates; or take floquet(...), which is right for any periodic motion"
)


def steady(sim: Simulation, lin: Linearisation, find: Callable[[Linearisation], Found]) -> tuple[TurningAxes, Found]:
    """Axes in which the equations of small motions about the present motion are constant, and the result found there.

    lin:  the present small motions. find: computes the result from them, the complete first-order form or, for a large
    model, the slowest modes.
    Raises `NotConstant`, with the reason, if there are no such axes.
    """
    with one_thread(sim.system.layout.coordinates):
        return _steady(sim, lin, find)


def _steady(sim: Simulation, lin: Linearisation, find: Callable[[Linearisation], Found]) -> tuple[TurningAxes, Found]:
    require_as_told(sim)
    moving = _moving(sim)
    if not moving:
        found = find(lin)
        _require_balance(sim)
        _require_drives_apart(sim, found)
        _require_settled(sim, found)
        return TurningAxes(lin.eta, lin.R, lin.p), found
    with sim.state.plain():
        choice = _require_steady(sim)
    times, errors = _times(sim), list[NotConstant]()
    for carrier in choice:
        try:
            return _told_by(sim, lin, find, carrier, times, moving)
        except NotConstant as error:
            errors.append(error)
    raise errors[0]


def _told_by(
    sim: Simulation,
    lin: Linearisation,
    find: Callable[[Linearisation], Found],
    carrier: np.ndarray,
    times: list[float],
    moving: list[str],
) -> tuple[TurningAxes, Found]:
    """Axes of a carrier that moves with the model, in which the equations are constant."""
    who = f"model {sim.model.name!r}"
    for time in times:
        with sim.state.plain():
            wrong = _go_on(sim, time, carrier)
        if wrong:
            raise NotConstant(
                f"{who} does not go on as one piece: with {some(moving)} further on its way {wrong}; {REMEDY}"
            )
    for axes in carriers(sim, lin, carrier):
        found = find(axes.seen(lin))
        if all(_stays(sim, axes, found, time, carrier) for time in (0.0, *times)):
            return axes, found
    raise NotConstant(
        f"{who} has fixed and rotating parts: its linearised equations change while {some(moving)} "
        f"turn{'s' if len(moving) == 1 else ''}; {REMEDY}"
    )


def _stays(sim: Simulation, axes: TurningAxes, found: Found, time: float, carrier: np.ndarray) -> bool:
    """Whether after some time [s] the admissible small motions and their equations are the same."""
    with sim.state.plain():
        if time:
            _follow(sim, time, carrier)
            _balanced(sim)
        now = small_motions(sim) if isinstance(found, Slowest) else with_dense(sim)
        T, T_1, _ = axes.matrices(now, time)
        if now.G.shape[0] + now.D.shape[0]:
            scale = unit_masses(now)[0][:, None]
            pace = max(float(np.linalg.norm(now.eta[:, 3:], axis=1).max(initial=0.0)), REST)
            z, z_dot = found.allowed
            size = np.maximum(np.abs(z / scale).max(axis=0), np.abs(z_dot / scale).max(axis=0) / pace)
            z, z_dot = (x / np.where(size > 0.0, size, 1.0) for x in (z, z_dot))
            xi = T @ z
            twist = T @ z_dot + T_1 @ z + along(now.eta, len(xi)) @ xi
            rows = abs(sim.jacobian(1.0, 1.0, 0.0)[len(xi) :, : len(xi)]) @ scale  # of all constraints
            allowed = TURNED * np.maximum(rows, 1e-300)
            if (np.abs(sim.system.tangents.levels("velocity", xi, twist)) > allowed * pace).any():
                return False
            if now.G.shape[0] and (np.abs(now.G @ xi) > allowed[multipliers(sim)[0]]).any():
                return False
        return not time or found.change(axes.seen(now, time)) <= SAME


def _require_steady(sim: Simulation) -> list[np.ndarray]:
    """Twists of possible carriers of the motion (world): none, or a precession if twists change.

    Rejects a motion that is not steady. A fast top precesses so slowly that the precession may be an error of the run.
    """
    nodes = 6 * len(sim.system.layout.free)
    eta, acc = (x[:nodes].reshape(-1, 6) for x in (sim.state.twists, sim.state.accelerations))
    unit = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
    speeds, gains = (np.abs(x * unit).max(axis=1, initial=0.0) for x in (eta, acc))
    allowed = STEADY * np.maximum(speeds, np.maximum(SLOWEST * _of_parts(sim, speeds), REST)) ** 2
    if not (gains > SAME * allowed).any():
        return [np.zeros(6)]
    carrier = precession(sim, eta, acc)
    own = np.array(
        [ad(in_own_axes(sim, node, carrier)) @ x for node, x in zip(sim.system.layout.free, eta, strict=True)]
    )
    alike = not (np.abs((acc - own) * unit).max(axis=1, initial=0.0) > allowed).any()
    if not (gains > allowed).any():
        return [np.zeros(6), carrier] if alike else [np.zeros(6)]
    if alike:
        return [carrier]
    k = int(np.argmax(gains - allowed))
    raise NotConstant(
        f"model {sim.model.name!r} is neither at rest nor in steady rotation: the twist of node "
        f"{sim.system.layout.free[k].name!r} changes, by {gains[k]:.3g} rad/s^2 or lengths/s^2; {REMEDY}"
    )


def _require_settled(sim: Simulation, about: Found) -> None:
    """Rejects a state that changes while all nodes are at rest; one without effect, such as a counter, may go on."""
    layout, state = sim.system.layout, sim.state
    fast = np.flatnonzero(np.abs(_rates(sim)) > REST * (state.scales + np.abs(state.values)))
    if not fast.size:
        return
    with sim.state.plain():
        unsettled = bool(_go_on(sim, WHILE, np.zeros(6))) or _change(sim, about) > SETTLED
    if unsettled:
        raise NotConstant(
            f"the nodes of model {sim.model.name!r} rest, but state {layout.states[fast[0]].name!r} still changes, by "
            f"{_rates(sim)[fast[0]]:.3g} per second, and with it the linearised equations: let it "
            f"settle (transient(sim, ...)), or pass the model; frozen=True uses the present equations"
        )


def _require_drives_apart(sim: Simulation, about: Found) -> None:
    """Rejects equations of small motions about rest that vary with a drive."""
    with sim.state.plain():
        time, now = sim.state.time, sim.system.arrays.state.copy()
        for later in TIMES:
            sim.state.set_time(time + later)
            if np.array_equal(sim.system.arrays.state, now):
                continue
            if _change(sim, about) > SAME:
                raise NotConstant(
                    f"model {sim.model.name!r} is at rest, but its linearised equations vary with time: "
                    f"a drive has changed them by t = {time + later:g} s; eigenvalues at one instant would be "
                    f"meaningless. For periodic drives use floquet(model, period, step); frozen=True "
                    f"uses those at t = {time:g} s"
                )


def _require_balance(sim: Simulation) -> None:
    """Rejects a state of rest that is not in equilibrium: forces not balanced by reactions."""
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
            f"model {sim.model.name!r} does not stay at rest: {name} is about to move; for a periodic "
            f"motion use floquet(...); frozen=True uses the equations at this instant"
        )
    if left.max(initial=0.0) > BALANCED * max(left.max(initial=0.0), carried.max(initial=0.0)) + noise:
        name = s.layout.free[int(np.argmax(left)) // 6].name
        raise NotConstant(
            f"model {sim.model.name!r} does not stay at rest: node {name!r} is out of balance, by {left.max():.3g} N. "
            "Bring it to rest by static(...), or pass the model itself; for a periodic motion use floquet(...)"
        )


def _of_parts(sim: Simulation, values: np.ndarray) -> np.ndarray:
    """Of each node with unknowns, the largest of its part of the model (`solve.topology.parts`)."""
    numbers, found = {node: k for k, node in enumerate(sim.system.layout.free)}, np.zeros(len(values))
    for part in parts(sim.model):
        own = [numbers[node] for node in part.nodes]
        found[own] = values[own].max(initial=0.0)
    return found


def _moving(sim: Simulation) -> list[str]:
    """Nodes that are not at rest."""
    unit = np.array([1.0 / sim.length] * 3 + [1.0] * 3)
    nodes = [*sim.system.layout.free, *sim.system.layout.held]
    return [repr(n.name) for n in nodes if np.abs(sim.state.twist(n) * unit).max() > REST]


def _rates(sim: Simulation) -> np.ndarray:
    """Rates of scalar states; zero for those without a rate, and for impulses, whose rate is a reaction."""
    layout = sim.system.layout
    moves = np.array([state.order > 0 and not state.reaction for state in layout.states], bool)
    return np.where(moves, sim.state.twists[6 * len(layout.free) :], 0.0)


def _change(sim: Simulation, about: Found) -> float:
    """Change of the equations of small motions about the present state."""
    return about.change(small_motions(sim) if isinstance(about, Slowest) else with_dense(sim))


def _times(sim: Simulation) -> list[float]:
    """Times after which the motion is checked again [s], from the fastest and the slowest rotation."""
    nodes = (*sim.system.layout.free, *sim.system.layout.held)
    turns = np.array([np.zeros(3), *(sim.state.pose(x).R @ sim.state.twist(x)[3:] for x in nodes)])
    rates = np.linalg.norm(np.unique(turns, axis=0)[:, None] - np.unique(turns, axis=0), axis=2).ravel()
    rates = rates[rates > REST]
    if rates.size:
        fast, slow = ANGLE / rates.max(), min(ANGLE / rates.min(), LONGEST / rates.max())
        return [fast, slow] if slow > 1.5 * fast else [fast]
    speed = max(float(np.linalg.norm(sim.state.twist(x)[:3])) for x in nodes) / sim.length
    return [WAY / speed if speed > REST else WHILE]


def _follow(sim: Simulation, time: float, carrier: np.ndarray) -> None:
    """Continues the same motion: exp(t X) H exp(t (eta - x)), with x the twist of the carrier in own axes."""
    s, nodes = sim.system, len(sim.system.layout.free)
    eta, acc = (np.array(x[: 6 * nodes].reshape(-1, 6)) for x in (s.state.twists, s.state.accelerations))
    rates, ahead = _rates(sim), exp_se3(time * carrier)
    gone = {node: compose_poses(s.state.pose(node), exp_se3(time * s.state.twist(node))) for node in s.layout.held}
    for k, node in enumerate(s.layout.free):
        pose = s.state.pose(node)
        x = in_own_axes(sim, node, carrier)
        gone[node] = compose_poses(compose_poses(ahead, pose), exp_se3(time * (eta[k] - x)))
        if np.any(carrier):
            eta[k] += adjoint(exp_se3(time * (x - eta[k]))) @ x - x
            acc[k] = ad(np.linalg.solve(adjoint(gone[node]), carrier)) @ eta[k]
    s.state.move(np.concatenate([np.zeros(6 * nodes), time * rates]))
    s.state.set_time(s.state.time + time)
    for node, pose in gone.items():
        s.state.place(node, pose)
    if np.any(carrier):
        for node, own in zip(s.layout.free, eta, strict=True):
            s.state.set_twist(node, own)
        s.state.accelerations = np.concatenate([acc.ravel(), s.state.accelerations[6 * nodes :]])


def _go_on(sim: Simulation, time: float, carrier: np.ndarray) -> str:
    """Continues the same motion for some time [s]; returns the reason if that is not a motion of the model."""
    s = sim.system
    n, nodes = s.layout.coordinates, 6 * len(s.layout.free)
    twists = np.array([sim.state.twist(x) for x in (*s.layout.free, *s.layout.held)]).reshape(-1, 2, 3)
    spin, speed = np.linalg.norm(twists, axis=2).max(axis=0, initial=0.0)[::-1] / (1.0, sim.length)
    loads = _loads(sim, max(spin, speed)) + np.minimum(
        10.0 * np.abs(_balanced(sim)[:nodes]).max(), _loads(sim, 0.0, SOLVED)
    )
    _follow(sim, time, carrier)
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
    """Residual forces on nodes and states; multipliers are set to balance them as far as possible."""
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
    """Tolerated residual forces on nodes: inertia of the part at a rate [1/s], and effects of pose errors."""
    n, nodes = sim.system.layout.coordinates, 6 * len(sim.system.layout.free)
    size = np.concatenate([np.tile([sim.length] * 3 + [1.0] * 3, nodes // 6), sim.state.scales])
    inertia, stiffness = (abs(sim.jacobian(*unit)[:n, :n]) @ size for unit in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
    own = BALANCED * rate**2 * inertia[:nodes] + error * stiffness[:nodes]
    return np.repeat(_of_parts(sim, own.reshape(-1, 6).max(axis=1, initial=0.0)), 6)


def _reactions(sim: Simulation) -> csr_matrix:
    """Contribution of a unit of each multiplier to the equations of nodes and states."""
    n = sim.system.layout.coordinates
    return sim.jacobian(1.0, 0.0, 0.0)[:n, n:]
