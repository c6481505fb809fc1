"""Gaps during a step: the positions of two bodies between its ends, for any formulation.

Gaps at the ends of a step do not reveal what happens between them: a small, fast body may be in front of another at the
start of a step and behind it at the end. Nodes move between their two poses along cubics, from the linear and angular
velocities at both ends, or along chords with steady rotation. The gap between two convex bodies that move this way is
convex in time, so its tangents bound it from below: if they stay above zero, there is no contact. Otherwise the gap is
evaluated where the tangents intersect, and so on (J. K. Hahn, Realistic animation of rigid bodies, 1988; B. Mirtich,
Impulse-based dynamic simulation, 1996).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.contact.pool import pool_nodes
from samara.solve.native.call_by_address import caller
from samara.solve.native.kernels import call_native, set_time
from samara.system.layout.groups import Group
from samara.system.memory.blocks import CARRIER, ETA, POSITION, ROTATION, Coefficient
from samara.system.system import System
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: Numbers of a node's motion, side by side in its block: rotation, position, twist.
MOTION = 18
#: Looks along a step at most, the shortest part of it that is looked at, and bisections at most that find an impact.
MOST_LOOKS, SHORTEST_INTERVAL, IMPACT_BISECTIONS = 64, 1e-3, 60
#: Part of a step to which the time of an impact is found.
IMPACT_TIME_ACCURACY = 1e-11
#: Part of an interval within which it is not divided.
INTERVAL_MARGIN = 0.1
#: Places that are looked at for where something that was not open as a step began comes off.
PLACES = 16
#: Small angle, and one beyond which a step does not tell how its turning has changed [rad].
SMALL_ANGLE, FAR_TURN = 1e-9, 1.0
#: Verbs: motions as a step begins are kept; whether something was passed through in it.
SIGNATURES = {"keep": ("int64",), "passed": ("int64",)}
KEEP, PASSED = range(len(SIGNATURES))
_call = caller("int64")
TIME = int(Coefficient.TIME)


class Paths(NamedTuple):
    """Elements with a gap: contacts first, in the order of `WholeContacts`, then elements with a force law."""

    calls: np.ndarray  # (address of the function of gaps, indices, parameters) of the lanes that each is in
    out: np.ndarray  # where its gap is among the measures
    pairs: np.ndarray  # (n, 2): its nodes, among these
    nodes: np.ndarray  # blocks of nodes
    free: np.ndarray  # 1 for one with unknowns
    begin: np.ndarray  # their motions as a step begins: rotation, position, velocity in the world, spin in own axes
    end: np.ndarray  # (2, ...): those of a pair at its end, then its velocity in the world and rotation vector
    seen: np.ndarray  # room for measures
    step: np.ndarray  # when it began, how long it is, and when it ended [s]
    part: np.ndarray  # independent part that each node belongs to (`solve.impacts.flights`); -1: none
    since: np.ndarray  # part of the step from which on each node flies as it does, 0 but where it has hit in it
    flight: np.ndarray  # round of impacts in which it began to do so, from 1 on; 0: as the step began
    round: np.ndarray  # that of now
    old_begin: np.ndarray  # its flight before that: from where, until where, since when
    old_end: np.ndarray
    old_since: np.ndarray
    passed: np.ndarray  # the element that was passed through last, from 1 on; 0: none
    watched: np.ndarray  # numbers of those that a step may pass through unseen
    verbs: np.ndarray  # addresses, see `SIGNATURES`


def paths_of(system: System, minimal: bool) -> Paths:
    """Of a system. minimal: whether it moves in minimal coordinates, where no step ends at an impact."""
    groups = _groups(system)
    calls: list[tuple[int, int, int]] = []
    out: list[int] = []
    pairs, watched, nodes = [], [], path_nodes(system)
    for group in groups:
        indices, numbers = group.idx.strides[0], group.par.strides[0]
        for k, element in enumerate(group.elements):
            lanes = k // group.idx.shape[2]
            places = (group.idx.ctypes.data + lanes * indices, group.par.ctypes.data + lanes * numbers)
            if group.kind.passable and (minimal or not group.kind.touches):
                watched.append(len(out))
            calls.append((group.addresses["touch"], *places))
            out.append(group.output[k] + group.kind.named_width)
            pairs.append([nodes[node.name] for node in element.nodes()])
    followed = [system.model.nodes[name] for name in nodes]
    return refer(
        Paths(
            calls=np.array(calls, np.int64).reshape(-1, 3),
            out=np.array(out, np.int64),
            pairs=np.array(pairs, np.int64).reshape(-1, 2),
            nodes=system.layout.blocks(followed).astype(np.int64),
            free=np.array([node.free for node in followed], np.int64),
            begin=np.zeros((len(followed), MOTION)),
            end=np.zeros((2, MOTION + 6)),
            seen=np.zeros(system.arrays.out.size if out else 0),
            step=np.zeros(3),
            part=np.full(len(followed), -1, np.int64),
            since=np.zeros(len(followed)),
            flight=np.zeros(len(followed), np.int64),
            round=np.zeros(1, np.int64),
            old_begin=np.zeros((len(followed), MOTION)),
            old_end=np.zeros((len(followed), MOTION)),
            old_since=np.zeros(len(followed)),
            passed=np.zeros(1, np.int64),
            watched=np.array(watched, np.int64),
            verbs=np.zeros(len(SIGNATURES), np.int64),
        )
    )


def path_nodes(system: System) -> dict[str, int]:
    """Numbers of the nodes whose ways are looked at, by their names."""
    elements = [
        element for group in _groups(system) for element in (group.elements[:1] if group.pooled else group.elements)
    ]
    names = [node.name for element in elements for node in element.nodes()]
    names += [node.name for node in pool_nodes(system)]
    return {name: k for k, name in enumerate(dict.fromkeys(names))}


def _groups(system: System) -> list[Group]:
    """Those with gaps: contacts first."""
    return sorted((g for g in system.groups if g.addresses.get("touch")), key=lambda g: not g.kind.touches)


def gap_names(system: System) -> list[str]:
    """Of the elements with a gap, in the order of the arrays."""
    return [element.name for group in _groups(system) for element in group.elements]


@inner
def may_pass(m):
    """Whether there is anything that a step may pass through unseen."""
    return m.paths.watched.size != 0


@inner
def keep_paths(work):
    """Keeps the motions of what may be passed through, as a step begins."""
    _call(work.machine.paths.verbs[KEEP], work, ())


@inner
def was_passed(work):
    """Whether something was passed through unseen in the step that is over."""
    return _call(work.machine.paths.verbs[PASSED], work, ()) != 0


@inner
def keep_motions(m, time):
    """Those of all nodes that may touch, as a step begins."""
    for n in range(m.paths.nodes.size):
        motion_of(m, n, m.paths.begin[n])
    m.paths.step[0] = time


@inner
def motion_of(m, n, motion):
    """Of a node: its block, but with its velocity in the world."""
    at, w, state = m.paths.nodes[n], m.layout.width, m.state
    for i in range(MOTION):
        motion[i] = state[at + i * w]
    for i in range(3):
        total = state[at + (CARRIER + i) * w]
        for j in range(3):
            total += motion[ROTATION + 3 * i + j] * state[at + (ETA + j) * w]
        motion[ETA + i] = total


@inner
def open_path(m, i, h):
    """Before gaps of an element are looked at along the step h that is over; `close_path` puts its nodes back."""
    paths = m.paths
    paths.step[1], paths.step[2] = h, m.coef[TIME]
    for side in range(2):
        n = paths.pairs[i, side]
        motion_of(m, n, paths.end[side])
        _turn_between(paths.begin[n], paths.end[side], h * (1.0 - paths.since[n]))


@inner
def path_begins(m, i):
    """Part of the step from which on both nodes of an element fly as they do."""
    return max(m.paths.since[m.paths.pairs[i, 0]], m.paths.since[m.paths.pairs[i, 1]])


@inner
def close_path(m, i):
    """Nodes where they are at the end of the step, and what is prescribed."""
    for side in range(2):
        if m.paths.free[m.paths.pairs[i, side]] != 0:
            _put(m, m.paths.nodes[m.paths.pairs[i, side]], m.paths.end[side])
    if m.coef[TIME] != m.paths.step[2]:
        set_time(m, m.paths.step[2])


@inner
def _put(m, at, motion):
    """A motion into the block of a node: twists are against its carrier, in its own axes."""
    state, w = m.state, m.layout.width
    for k in range(ETA):
        state[at + k * w] = motion[k]
    for k in range(3):
        total = 0.0
        for j in range(3):
            total += motion[ROTATION + 3 * j + k] * (motion[ETA + j] - state[at + (CARRIER + j) * w])
        state[at + (ETA + k) * w] = total
        state[at + (ETA + 3 + k) * w] = motion[ETA + 3 + k]


@inner
def _turn_between(begin, end, h):
    """Rotation vector from one motion to another, in axes of the first; full turns are those of the spin."""
    trace, first = 0.0, MOTION
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        total = 0.0
        for e in range(3):
            trace += begin[3 * e + k] * end[3 * e + k]
            total += begin[3 * e + j] * end[3 * e + i] - begin[3 * e + i] * end[3 * e + j]
        end[first + k] = 0.5 * total  # axis times sine
    sine = np.sqrt(end[first] ** 2 + end[first + 1] ** 2 + end[first + 2] ** 2)
    if sine < SMALL_ANGLE:
        for k in range(3):  # none, or half a turn: by the spin
            end[first + k] = 0.0 if trace > 0.0 else 0.5 * h * (begin[ETA + 3 + k] + end[ETA + 3 + k])
        return
    angle, spun = np.arctan2(sine, 0.5 * (trace - 1.0)), 0.0
    for k in range(3):
        spun += 0.5 * h * (begin[ETA + 3 + k] + end[ETA + 3 + k]) * end[first + k] / sine
    angle += 2.0 * np.pi * np.round((spun - angle) / (2.0 * np.pi))
    for k in range(3):
        end[first + k] *= angle / sine


@inner
def _turned(begin, end, s, h, chord):
    """Rotation vector a part s of the way; the spin there is left in the room for a velocity.

    A cubic of the vector x, with the spins at both ends: x' = T(x)^-1 w, w = T(x) x'. Steady turning along chords, and
    where it is far.
    """
    X, Y, Z = end[MOTION], end[MOTION + 1], end[MOTION + 2]
    if chord or X * X + Y * Y + Z * Z > FAR_TURN * FAR_TURN:
        end[MOTION + 3], end[MOTION + 4], end[MOTION + 5] = X / h, Y / h, Z / h
        return s * X, s * Y, s * Z
    p, q, r = end[ETA + 3], end[ETA + 4], end[ETA + 5]
    a, b, c = Y * r - Z * q, Z * p - X * r, X * q - Y * p
    p += 0.5 * a + (Y * c - Z * b) / 12.0
    q += 0.5 * b + (Z * a - X * c) / 12.0
    r += 0.5 * c + (X * b - Y * a) / 12.0
    total, first, last = s * s * (3.0 - 2.0 * s), s * (1.0 - s) ** 2 * h, -s * s * (1.0 - s) * h
    x = total * X + first * begin[ETA + 3] + last * p
    y = total * Y + first * begin[ETA + 4] + last * q
    z = total * Z + first * begin[ETA + 5] + last * r
    total, first, last = 6.0 * s * (1.0 - s) / h, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
    p = total * X + first * begin[ETA + 3] + last * p
    q = total * Y + first * begin[ETA + 4] + last * q
    r = total * Z + first * begin[ETA + 5] + last * r
    a, b, c = y * r - z * q, z * p - x * r, x * q - y * p
    end[MOTION + 3] = p - 0.5 * a + (y * c - z * b) / 6.0
    end[MOTION + 4] = q - 0.5 * b + (z * a - x * c) / 6.0
    end[MOTION + 5] = r - 0.5 * c + (x * b - y * a) / 6.0
    return x, y, z


@inner
def _place(m, side, n, s, chord):
    """A node a part s of the way along its path, with the velocity that it has there."""
    begin, end, since = m.paths.begin[n], m.paths.end[side], m.paths.since[n]
    s, h = (s - since) / (1.0 - since), m.paths.step[1] * (1.0 - since)
    at, w, state = m.paths.nodes[n], m.layout.width, m.state
    x, y, z = _turned(begin, end, s, h, chord)
    for r in range(3):
        state[at + (ETA + 3 + r) * w] = end[MOTION + 3 + r]
    angle_2 = x * x + y * y + z * z
    angle = np.sqrt(angle_2)
    a = np.sin(angle) / angle if angle > SMALL_ANGLE else 1.0
    b = 2.0 * np.sin(0.5 * angle) ** 2 / angle_2 if angle > SMALL_ANGLE else 0.5
    for r in range(3):
        p, q, u = begin[3 * r], begin[3 * r + 1], begin[3 * r + 2]
        along = p * x + q * y + u * z
        state[at + (ROTATION + 3 * r) * w] = p + a * (q * z - u * y) + b * (x * along - p * angle_2)
        state[at + (ROTATION + 3 * r + 1) * w] = q + a * (u * x - p * z) + b * (y * along - q * angle_2)
        state[at + (ROTATION + 3 * r + 2) * w] = u + a * (p * y - q * x) + b * (z * along - u * angle_2)
    for r in range(3):
        p0, p1, v0, v1 = begin[POSITION + r], end[POSITION + r], begin[ETA + r], end[ETA + r]
        if chord:
            v0 = v1 = (p1 - p0) / h
        state[at + (POSITION + r) * w] = (
            (1.0 + 2.0 * s) * (1.0 - s) ** 2 * p0 + s * (1.0 - s) ** 2 * h * v0
            + s * s * (3.0 - 2.0 * s) * p1 - s * s * (1.0 - s) * h * v1
        )  # fmt: skip
        v = 6.0 * s * (1.0 - s) * (p1 - p0) / h + (1.0 - s) * (1.0 - 3.0 * s) * v0 + s * (3.0 * s - 2.0) * v1
        end[MOTION + 3 + r] = v - state[at + (CARRIER + r) * w]
    for r in range(3):
        total = 0.0
        for k in range(3):
            total += state[at + (ROTATION + 3 * k + r) * w] * end[MOTION + 3 + k]
        state[at + (ETA + r) * w] = total


@routine
def gap_along(m, i, s, chord):
    """Gap of an element a part s of the way through the step, and by how much it would change in all of the step."""
    paths, told = m.paths, False
    for side in range(2):
        n = paths.pairs[i, side]
        if paths.free[n] != 0:
            _place(m, side, n, s, chord)
        else:
            told = True
    if told and m.plan.signals.shape[0] != 0:
        set_time(m, paths.step[0] + s * paths.step[1])
    call_native(
        paths.calls[i, 0], 1, m.state.ctypes.data, paths.calls[i, 1], paths.calls[i, 2], m.coef.ctypes.data,
        m.plan.tables.ctypes.data, paths.seen.ctypes.data, paths.seen.ctypes.data,
    )  # fmt: skip
    return paths.seen[paths.out[i]], paths.step[1] * paths.seen[paths.out[i] + 1]


@inner
def where_tangents_meet(a, g_a, u_a, b, g_b, u_b):
    """Of a gap between the parts a and b of a step, with values and slopes there: (where, how high)."""
    if u_a >= 0.0 or u_b <= 0.0:
        return (a, g_a) if g_a < g_b else (b, g_b)
    s = (g_b - g_a + u_a * a - u_b * b) / (u_a - u_b)
    s = min(max(s, a), b)
    return s, g_a + u_a * (s - a)


@routine
def first_contact(m, i, level, chord):
    """Part of the step after which a gap first is at a level; 2: never, -1: it was never above it.

    Between `open_path` and `close_path`.
    """
    g_1, u_1 = gap_along(m, i, 1.0, chord)
    first = path_begins(m, i)
    a, b, g_b, u_b = first, 1.0, g_1, u_1
    g_a, u_a = gap_along(m, i, a, chord)
    for k in range(1, PLACES):
        if g_a > level:
            break
        a = first + (1.0 - first) * k / PLACES
        g_a, u_a = gap_along(m, i, a, chord)
    if g_a <= level:
        return -1.0
    for _ in range(MOST_LOOKS):
        s, low = where_tangents_meet(a, g_a, u_a, b, g_b, u_b)
        if g_b <= level:
            return _when(m, i, level, chord, a, g_a, b, g_b)
        if low > level or b - a < SHORTEST_INTERVAL:
            if b == 1.0:
                break
            a, g_a, u_a, b, g_b, u_b = b, g_b, u_b, 1.0, g_1, u_1
            continue
        margin = INTERVAL_MARGIN * (b - a)
        b = min(max(s, a + margin), b - margin)
        g_b, u_b = gap_along(m, i, b, chord)
    return 2.0


@inner
def _when(m, i, level, chord, a, g_a, b, g_b):
    """The same, between a part with the gap above the level and one with it below: Illinois' rule."""
    f_a, f_b, last = g_a - level, g_b - level, 0
    for _ in range(IMPACT_BISECTIONS):
        if b - a < IMPACT_TIME_ACCURACY or (
            f_b == 0.0 and last != 0
        ):  # at first there may be an earlier one: what has come out again
            break
        s = (a * f_b - b * f_a) / (f_b - f_a)
        if not a < s < b:
            s = 0.5 * (a + b)
        gap = gap_along(m, i, s, chord)[0]
        if gap > level:
            a, f_a = s, gap - level
            if last == 1:
                f_b *= 0.5
            last = 1
        else:
            b, f_b = s, gap - level
            if last == -1:
                f_a *= 0.5
            last = -1
    return b


@routine
def crosses(m, i, h):
    """Whether a pair meets on the former flight of the node that has left it later, while the other flies as it does.

    Also where that former flight does not go back as far as the other's: then it is not known. If the other flew as it
    does before this node has left its former flight, both were looked at together, and did not meet before that.
    """
    paths = m.paths
    late = 0 if paths.since[paths.pairs[i, 0]] > paths.since[paths.pairs[i, 1]] else 1
    n, other = paths.pairs[i, late], paths.pairs[i, 1 - late]
    left = paths.since[n]
    if paths.flight[other] < paths.flight[n]:
        return False
    if paths.old_since[n] > paths.since[other]:
        return True
    _exchange(paths, n)
    open_path(m, i, h)
    for k in range(MOTION):
        paths.end[late, k], paths.old_end[n, k] = paths.old_end[n, k], paths.end[late, k]
    _turn_between(paths.begin[n], paths.end[late], h * (1.0 - paths.since[n]))
    when = first_contact(m, i, 0.0, False)
    for k in range(MOTION):
        paths.end[late, k], paths.old_end[n, k] = paths.old_end[n, k], paths.end[late, k]
    close_path(m, i)
    _exchange(paths, n)
    return 0.0 <= when < left


@inner
def _exchange(paths, n):
    """The flight of a node for the one before it, and back."""
    for k in range(MOTION):
        paths.begin[n, k], paths.old_begin[n, k] = paths.old_begin[n, k], paths.begin[n, k]
    paths.since[n], paths.old_since[n] = paths.old_since[n], paths.since[n]
