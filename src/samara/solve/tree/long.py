"""Long trees in the driver: kernels by element kind along the tree, in place of the single kernel of short trees.

Loads and reactions go through the nodes of the redundant formulation: the tree puts them where they are, kernels of
elements add up what acts on them, and what joints must hold follows from the tips to the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from samara.complementarity.dense import factor, solve
from samara.recursive.native.by_kind import ACCELERATION, LOAD, POSE, SIZE, TWIST
from samara.recursive.native.compiled import CompiledTree
from samara.solve.native.codes import OK, SINGULAR
from samara.solve.native.kernels import JACOBIAN, RESIDUAL, call_native, clear, run_kinds
from samara.system.memory.blocks import ACC, CARRIER, ETA, POSITION, ROTATION
from samara.tracing.driver.driver_cache import inner, routine

#: The most constraints of a joint.
MOST = 6
#: Smallest pivot of the equations of its multipliers, of the largest, that is no rounding.
SMALLEST_PIVOT = 1e-14
#: Word of the tree's status: the node whose joint is singular, in the list of nodes.
SINGULAR_JOINT = 2
#: Where places in `values` begin in a row of `held`.
FIRST = 1 + MOST


class LongMachine(NamedTuple):
    """A long tree; arrays are empty for any other.

    program: rows (address, groups, indices, parameters); the first `outward` of them are the pass outward.
    """

    program: np.ndarray
    outward: np.ndarray  # how many calls
    parents: np.ndarray  # of the segments
    world: np.ndarray  # poses of the segments, 12 numbers each
    carriers: np.ndarray  # place of the velocity of each segment's carrier in the block, -1 for none
    nodes: np.ndarray  # (segment, block, first row, place of the mother in this list, -1 for a base)
    poses: np.ndarray  # of the nodes in their segments, 12 numbers each
    gravity: np.ndarray
    loads: np.ndarray  # program of the elements that act on the tree
    joints: np.ndarray  # program of its joints, for what their multipliers do
    values: np.ndarray  # of that
    held: np.ndarray  # of each node's joint: how many multipliers, which, then places in `values`
    acting: np.ndarray  # wrenches on the nodes, six numbers each
    pose: np.ndarray  # room for one, twice
    spin: np.ndarray  # room for a twist and its rate
    normal: np.ndarray  # room for the equations of multipliers, and
    pivots: np.ndarray  # for the order in which they are eliminated, and
    right: np.ndarray  # for their right side


def no_long_tree() -> LongMachine:
    """Of a tree that is one kernel, or of none."""
    whole, real = np.zeros((0, 4), np.int64), np.zeros((0, 12))
    rows = np.zeros((0, 8), np.int64)
    one = np.zeros(0, np.int64)
    return LongMachine(
        program=whole, outward=one, parents=one, world=real, carriers=one, nodes=whole, poses=real, gravity=np.zeros(0),
        loads=rows, joints=rows, values=np.zeros(0), held=rows, acting=np.zeros((0, 6)), pose=real, spin=np.zeros(0),
        normal=real, pivots=one, right=np.zeros(0),
    )  # fmt: skip


def long_machine(compiled: CompiledTree) -> LongMachine:
    """Arrays of a long tree."""
    long = compiled.long
    if long is None:
        return no_long_tree()
    tree, system = compiled.tree, compiled.system
    layout, unknowns = system.layout, system.unknowns
    where = {hanging.node.name: k for k, hanging in enumerate(tree.hangings)}
    nodes, poses, held = [], [], []
    for hanging in tree.hangings:
        at = tree.attached[hanging.node.name]
        mother = where.get(hanging.mother.name, -1)
        nodes.append((at.segment, layout.block(hanging.node), unknowns.row(hanging.node), mother))
        poses.append([*np.ravel(at.pose.R), *at.pose.p])
        held.append(_held(system, hanging.elements, hanging.node))
    carriers = []
    for segment in tree.segments:
        root = tree.segments[tree.inward(segment.number)[-1]]
        carriers.append(compiled.places.speeds + root.v if root.floating else -1)
    joints = {id(system.find(element)[0]) for element in tree.holding}
    loads = {id(system.find(element)[0]) for element in compiled.graph.loads}
    order = [id(group) for group in system.groups]
    own = system.pattern.program()
    return LongMachine(
        long.program,
        np.array([long.outward_calls], np.int64),
        np.array([s.parent for s in tree.segments], np.int64),
        np.zeros((len(tree.segments), 12)),
        np.array(carriers, np.int64),
        np.array(nodes, np.int64).reshape(-1, 4),
        np.array(poses, float).reshape(-1, 12),
        np.asarray(long.gravity, float),
        np.ascontiguousarray(system.program[[k for k, g in enumerate(order) if g in loads]]),
        np.ascontiguousarray(own[[k for k, g in enumerate(order) if g in joints]]),
        np.zeros(system.pattern.nnz + 2),  # then what has no place, and zero
        np.array(held, np.int64).reshape(-1, FIRST + 6 * MOST),
        np.zeros((len(nodes), 6)),
        np.zeros((2, 12)),
        np.zeros(12),
        np.zeros((MOST, MOST)),
        np.zeros(MOST, np.int64),
        np.zeros(MOST),
    )


def _held(system: Any, elements: Sequence[Any], node: Any) -> list[int]:
    """How many multipliers a joint has, which, and where what they do to a node lies in the pattern."""
    row = [0, *[0] * MOST, *[system.pattern.nnz + 1] * (6 * MOST)]
    if not elements:
        return row
    numbers = [int(k) for element in elements for k in system.multipliers(element)]
    row[0], row[1 : 1 + len(numbers)] = len(numbers), numbers
    pattern, dense = system.pattern, system.unknowns.dense
    rows = dense[system.unknowns.node(node)]
    for j, k in enumerate(numbers):
        column = system.layout.coordinates + k
        for c, r in enumerate(rows):
            start, end = pattern.indptr[r], pattern.indptr[r + 1]
            found = np.flatnonzero(pattern.indices[start:end] == column)
            if found.size:
                row[FIRST + 6 * j + c] = int(start + found[0])
    return row


@inner
def _compose(out, k, a, i, b, first):
    """Pose k of `out`: pose i of `a`, then the pose at `first` in the flat array b."""
    for r in range(3):
        for c in range(3):
            out[k, 3 * r + c] = (
                a[i, 3 * r] * b[first + c] + a[i, 3 * r + 1] * b[first + 3 + c] + a[i, 3 * r + 2] * b[first + 6 + c]
            )
        out[k, 9 + r] = (
            a[i, 9 + r] + a[i, 3 * r] * b[first + 9] + a[i, 3 * r + 1] * b[first + 10] + a[i, 3 * r + 2] * b[first + 11]
        )


@routine
def _place_nodes(m, first_tile, moving):
    """Poses, twists and carriers of all nodes; accelerations too, once they are known."""
    tree, long, state, w = m.tree, m.tree.long, m.state, m.layout.width
    block = tree.block
    for k in range(long.parents.size):
        at = first_tile + SIZE * k + POSE
        if long.parents[k] < 0:  # a segment on a base has that in its own pose
            for i in range(12):
                long.world[k, i] = block[at + i]
        else:
            _compose(long.world, k, long.world, long.parents[k], block, at)
    pose, spin = long.pose, long.spin
    for n in range(long.nodes.shape[0]):
        k, to = long.nodes[n, 0], long.nodes[n, 1]
        if k < 0:
            continue
        _compose(pose, 0, long.world, k, long.poses[n], 0)
        for i in range(9):
            state[to + (ROTATION + i) * w] = pose[0, i]
        for i in range(3):
            state[to + (POSITION + i) * w] = pose[0, 9 + i]
            state[to + (CARRIER + i) * w] = block[long.carriers[k] + i] if long.carriers[k] >= 0 else 0.0
        tile = first_tile + SIZE * k
        for i in range(6):
            spin[i] = block[tile + TWIST + i]
            spin[6 + i] = block[tile + ACCELERATION + i] if moving else 0.0
        if moving:  # accelerations of the tree are those against free fall
            for i in range(3):
                for j in range(3):
                    spin[6 + i] += long.world[k, 3 * j + i] * long.gravity[j]
        _carry(long.poses[n], spin, 0, state, to + ETA * w, w)
        _carry(long.poses[n], spin, 6, state, to + ACC * w, w)


@inner
def _carry(pose, x, first, state, to, w):
    """A twist, or its rate, at the origin of a frame of that pose and in its axes."""
    px, py, pz = pose[9], pose[10], pose[11]
    wx, wy, wz = x[first + 3], x[first + 4], x[first + 5]
    vx = x[first] + wy * pz - wz * py
    vy = x[first + 1] + wz * px - wx * pz
    vz = x[first + 2] + wx * py - wy * px
    for i in range(3):
        state[to + i * w] = pose[i] * vx + pose[3 + i] * vy + pose[6 + i] * vz
        state[to + (3 + i) * w] = pose[i] * wx + pose[3 + i] * wy + pose[6 + i] * wz


@routine
def _gather_loads(m, first_tile):
    """What elements do to nodes, as loads on their segments."""
    tree, long, w = m.tree, m.tree.long, m.layout.width
    clear(m.scratch.res)
    run_kinds(m, long.loads, RESIDUAL, m.scratch.res.ctypes.data, m.scratch.res.ctypes.data)
    for k in range(long.parents.size):
        for i in range(6):
            tree.block[first_tile + SIZE * k + LOAD + i] = 0.0
    for n in range(long.nodes.shape[0]):
        k, row = long.nodes[n, 0], long.nodes[n, 2]
        if k < 0:
            continue
        to = first_tile + SIZE * k + LOAD
        _lift(long.poses[n], m.scratch.res, row, w, tree.block, to)


@inner
def _lift(pose, x, first, w, out, to):
    """Adds a wrench at a frame, six numbers w apart, to one at the frame in which that has this pose."""
    fx = pose[0] * x[first] + pose[1] * x[first + w] + pose[2] * x[first + 2 * w]
    fy = pose[3] * x[first] + pose[4] * x[first + w] + pose[5] * x[first + 2 * w]
    fz = pose[6] * x[first] + pose[7] * x[first + w] + pose[8] * x[first + 2 * w]
    out[to] += fx
    out[to + 1] += fy
    out[to + 2] += fz
    for i in range(3):
        turned = (
            pose[3 * i] * x[first + 3 * w] + pose[3 * i + 1] * x[first + 4 * w] + pose[3 * i + 2] * x[first + 5 * w]
        )
        out[to + 3 + i] += turned
    out[to + 3] += pose[10] * fz - pose[11] * fy
    out[to + 4] += pose[11] * fx - pose[9] * fz
    out[to + 5] += pose[9] * fy - pose[10] * fx


@inner
def _run(m, first, last):
    tree, program = m.tree, m.tree.long.program
    block, coef, tables = tree.block.ctypes.data, m.coef.ctypes.data, m.plan.tables.ctypes.data
    for k in range(first, last):
        call_native(program[k, 0], program[k, 1], block, program[k, 2], program[k, 3], coef, tables, block, block)


@inner
def _first_tile(m):
    return m.tree.block.size - SIZE * m.tree.long.parents.size


@routine
def evaluate_long(m):
    """Rates of the speeds, by the passes outward, inward and back."""
    long = m.tree.long
    outward = long.outward[0]
    _run(m, 0, outward)
    if long.loads.shape[0] != 0:
        _place_nodes(m, _first_tile(m), False)
        _gather_loads(m, _first_tile(m))
    _run(m, outward, long.program.shape[0])


@routine
def publish_long(m):
    """Nodes as the tree has them, and what its joints hold, in the memory of the system.

    SINGULAR, and the joint in the tree's status, where the constraints of one do not tell what each of them holds.
    """
    long, w, status = m.tree.long, m.layout.width, OK
    _place_nodes(m, _first_tile(m), True)
    for k in range(m.layout.multiplier_count):
        m.state[m.layout.multiplier_base + k] = 0.0
    clear(m.scratch.res)
    run_kinds(m, m.plan.program, RESIDUAL, m.scratch.res.ctypes.data, m.scratch.res.ctypes.data)
    clear(long.values)
    run_kinds(m, long.joints, JACOBIAN, m.scratch.res.ctypes.data, long.values.ctypes.data)
    for n in range(long.nodes.shape[0]):
        for i in range(6):
            long.acting[n, i] = m.scratch.res[long.nodes[n, 2] + i * w]
    pose = long.pose[1]
    for n in range(long.nodes.shape[0] - 1, -1, -1):
        if not _multipliers(m, n):
            status, m.tree.status[SINGULAR_JOINT] = SINGULAR, n
        mother = long.nodes[n, 3]
        if mother >= 0:
            _relative(m.state, long.nodes[mother, 1], long.nodes[n, 1], w, pose)
            _lift(pose, long.acting[n], 0, 1, long.acting[mother], 0)
    return status


@inner
def _relative(state, a, b, w, pose):
    """Pose of the node at b seen from that at a."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += state[a + (ROTATION + 3 * k + i) * w] * state[b + (ROTATION + 3 * k + j) * w]
            pose[3 * i + j] = total
        total = 0.0
        for k in range(3):
            apart = state[b + (POSITION + k) * w] - state[a + (POSITION + k) * w]
            total += state[a + (ROTATION + 3 * k + i) * w] * apart
        pose[9 + i] = total


@inner
def _multipliers(m, n):
    """Those of the joint that a node hangs on: B lambda = -acting, by least squares; whether that tells them."""
    long = m.tree.long
    count, A, right = long.held[n, 0], long.normal, long.right
    for i in range(count):
        for j in range(count):
            A[i, j] = 0.0
        right[i] = 0.0
        for c in range(6):
            own = long.values[long.held[n, FIRST + 6 * i + c]]
            for j in range(count):
                A[i, j] += own * long.values[long.held[n, FIRST + 6 * j + c]]
            right[i] -= own * long.acting[n, c]
    known = factor(A, long.pivots, count, count) > SMALLEST_PIVOT
    if known:
        solve(A, long.pivots, right, count, count)
    for k in range(count):
        m.state[m.layout.multiplier_base + long.held[n, 1 + k]] = right[k] if known else np.nan
    return known
