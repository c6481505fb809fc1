"""What is prescribed of a tree jumps: where its bodies are then, and how fast, see `samara.recursive.native.jumps`.

Nothing but the reactions of joints acts in no time, and they leave alone the momenta of the degrees of freedom. So
coordinates follow a place that moves, however fast, as if all were at rest before,

    H_ff dq_f + H_fd dq_d = 0

which the kernel of speeds after a jump solves with the way in the place of the rate. A jump is gone along in parts.
Between two small ones there is no other limit: a place that is fed in small changes is one that moves. Of a large
one there is none, for centrifugal forces grow as the time of the way shrinks; it ends at rest against what it was.
"""

from __future__ import annotations

import numpy as np

from samara.solve.native.kernels import copy
from samara.solve.tree.kernels import call_tree
from samara.solve.tree.machine import DERIVATIVE, FRESH, LEVEL, PLACE, SPEED
from samara.solve.tree.stepping import close_loops, copy_drives, turn_ball
from samara.tracing.driver.driver_cache import inner, routine

#: Change of a drive, beside 1 and itself, that a hair of time before a jump may make.
JUMP_CHANGE = 1e-7
#: Way [m, rad] of a part of a jump, of second order, and the most of them.
WAY_OF_A_PART, MOST_PARTS = 0.05, 64
#: Sine of an angle that is none.
NO_ANGLE = 1e-12
#: Below which functions of an angle are their series [rad].
SMALL_ANGLE = 1e-4


@inner
def prescribed_jump(m):
    """Whether what is prescribed has jumped since the block was made, more than a hair of time does: 2 for a place."""
    tree, found = m.tree, 0
    for k in range(tree.plan.prescribed.shape[0]):
        now, before = m.state[tree.plan.prescribed[k, 0]], tree.block[tree.plan.prescribed[k, 1]]
        if not abs(now - before) <= JUMP_CHANGE * (1.0 + abs(now) + abs(before)):
            found = max(found, 1 + tree.plan.prescribed[k, 2])
    return found


# ---- the way of a prescribed node: from the block as it was, `after`, to what the state has
@inner
def _turn(m, row):
    """Its rotation vector, in its own axes."""
    tree, at = m.tree, m.tree.plan.bases[row, 0]
    x = y = z = trace = 0.0
    for i in range(3):
        a, b, c = tree.scratch.after[at + 3 * i], tree.scratch.after[at + 3 * i + 1], tree.scratch.after[at + 3 * i + 2]
        p = m.state[tree.plan.bases[row, 1 + 3 * i]]
        q = m.state[tree.plan.bases[row, 2 + 3 * i]]
        r = m.state[tree.plan.bases[row, 3 + 3 * i]]
        trace += a * p + b * q + c * r
        x, y, z = x + 0.5 * (c * q - b * r), y + 0.5 * (a * r - c * p), z + 0.5 * (b * p - a * q)
    sine = np.sqrt(x * x + y * y + z * z)
    factor = np.arctan2(sine, 0.5 * (trace - 1.0)) / sine if sine > NO_ANGLE else 1.0
    return factor * x, factor * y, factor * z


@inner
def _put_base(m, row, part, share):
    """Its pose a part of the way, and a share of the way in the place of its twist."""
    tree, at = m.tree, m.tree.plan.bases[row, 0]
    x, y, z = _turn(m, row)
    angle = part * np.sqrt(x * x + y * y + z * z)
    one = part * (1.0 - angle * angle / 6.0) if angle < SMALL_ANGLE else part * np.sin(angle) / angle
    two = 0.5 * part * part if angle < SMALL_ANGLE else part * part * (1.0 - np.cos(angle)) / (angle * angle)
    for i in range(3):
        a, b, c = tree.scratch.after[at + 3 * i], tree.scratch.after[at + 3 * i + 1], tree.scratch.after[at + 3 * i + 2]
        a1, b1, c1 = b * z - c * y, c * x - a * z, a * y - b * x
        tree.block[at + 3 * i] = a + one * a1 + two * (b1 * z - c1 * y)
        tree.block[at + 3 * i + 1] = b + one * b1 + two * (c1 * x - a1 * z)
        tree.block[at + 3 * i + 2] = c + one * c1 + two * (a1 * y - b1 * x)
        tree.block[at + 12 + i] = 0.0
    for i in range(3):
        way = m.state[tree.plan.bases[row, 10 + i]] - tree.scratch.after[at + 9 + i]
        tree.block[at + 9 + i] = tree.scratch.after[at + 9 + i] + part * way
        for j in range(3):
            tree.block[at + 12 + j] += share * way * tree.block[at + 3 * i + j]
    tree.block[at + 15], tree.block[at + 16], tree.block[at + 17] = share * x, share * y, share * z


@inner
def _put_places(m, part, share):
    """All that is prescribed a part of the way, and a share of the way in the place of rates."""
    tree = m.tree
    for k in range(tree.plan.driven.shape[0]):
        at = tree.plan.driven[k, 1]
        way = m.state[tree.plan.driven[k, 0]] - tree.scratch.after[at]
        tree.block[at], tree.block[at + 1] = tree.scratch.after[at] + part * way, share * way
    for row in range(tree.plan.bases.shape[0]):
        _put_base(m, row, part, share)


@inner
def _longest_way(m):
    """Of all that is prescribed [m, rad]."""
    tree, longest = m.tree, 0.0
    for k in range(tree.plan.driven.shape[0]):
        longest = max(longest, abs(m.state[tree.plan.driven[k, 0]] - tree.scratch.after[tree.plan.driven[k, 1]]))
    for row in range(tree.plan.bases.shape[0]):
        x, y, z = _turn(m, row)
        longest = max(longest, np.sqrt(x * x + y * y + z * z))
        for i in range(3):
            before = tree.scratch.after[tree.plan.bases[row, 0] + 9 + i]
            longest = max(longest, abs(m.state[tree.plan.bases[row, 10 + i]] - before))
    return longest


# ---- coordinates
@inner
def _keep_coordinates(tree):
    for k in range(tree.plan.led.shape[0]):
        tree.scratch.total[k] = tree.block[tree.plan.led[k, 0]]
    for k in range(tree.plan.balls.shape[0]):
        for i in range(4):
            tree.scratch.turned[k, i] = tree.block[tree.plan.balls[k, 0] + i]


@inner
def _lead(m, part, share, factor):
    """Coordinates from those that were kept on, by a factor of what goes with a share of the way from a part of it."""
    tree = m.tree
    _put_places(m, part, 0.0)
    call_tree(m, tree.kernels.twists)  # what rates that stay move
    _put_places(m, part, share)
    call_tree(m, tree.kernels.kick)
    for k in range(tree.plan.led.shape[0]):
        tree.block[tree.plan.led[k, 0]] = tree.scratch.total[k] + factor * tree.block[tree.plan.led[k, 1]]
    for k in range(tree.plan.balls.shape[0]):
        at = tree.plan.balls[k, 1] - tree.plan.speeds_at + tree.plan.results_at
        turn_ball(tree, k, factor * tree.block[at], factor * tree.block[at + 1], factor * tree.block[at + 2])


@inner
def _follow_places(m):
    """Coordinates follow places that jumped; all else of the block is put back as it was, from `after`."""
    tree = m.tree
    for k in range(tree.plan.moving.shape[0]):
        if tree.plan.moving[k, LEVEL] == SPEED:
            tree.block[tree.plan.moving[k, PLACE]] = 0.0
    for k in range(tree.plan.prescribed.shape[0]):
        if tree.plan.prescribed[k, 2] == 0:
            tree.block[tree.plan.prescribed[k, 1]] = 0.0
    parts = min(1 + int(_longest_way(m) / WAY_OF_A_PART), MOST_PARTS)
    for k in range(parts):
        _keep_coordinates(tree)
        _lead(m, k / parts, 1.0 / parts, 0.5)
        _lead(m, (k + 0.5) / parts, 1.0 / parts, 1.0)
    _keep_coordinates(tree)
    copy(tree.block, tree.scratch.after)
    for k in range(tree.plan.led.shape[0]):
        tree.block[tree.plan.led[k, 0]] = tree.scratch.total[k]
    for k in range(tree.plan.balls.shape[0]):
        for i in range(4):
            tree.block[tree.plan.balls[k, 0] + i] = tree.scratch.turned[k, i]


@routine
def jump(m, places):
    """Coordinates and speeds after prescribed motions have jumped, with places or without; drives are those of now."""
    tree = m.tree
    if tree.kernels.kick != 0:
        call_tree(m, tree.kernels.twists)
        if places:
            copy(tree.scratch.after, tree.block)
            _follow_places(m)
        copy_drives(m)
        call_tree(m, tree.kernels.kick)
        for k in range(tree.plan.moving.shape[0]):
            if tree.plan.moving[k, LEVEL] == SPEED:
                tree.block[tree.plan.moving[k, PLACE]] = tree.block[tree.plan.moving[k, DERIVATIVE]]
    copy_drives(m)
    if tree.kernels.project != 0:
        close_loops(m)
    tree.status[FRESH] = 0
