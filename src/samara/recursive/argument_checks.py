"""Checks around the functions of a tree: arguments and results that are not finite numbers, open loops."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.arguments import ArgumentError, real_numbers, refused
from samara.model.roles.inertia import RigidMass, total_mass
from samara.model.roles.shape import reach
from samara.recursive.tree import Tree, TreeError

if TYPE_CHECKING:
    from samara.recursive.native.compiled import CompiledTree

#: How far the length of a quaternion may be from one.
LENGTH_ERROR = 1e-6
#: What Gauss leaves of a diagonal entry of the cut joints' matrix, as a part of it: below it the matrix is looked at.
WEAK_DIAGONAL = 1e-8
#: Answer of a tree to a multiplier, as a part of that of its mass [1]: what is below is rounding, squared.
HELD_ANSWER = 1e-20
#: How far cut joints may be open, as a part of the size of the mechanism, or of 1 rad; their rates, of all speeds.
#: Stages of integrators and differences are nearer; what is further is no state of the mechanism.
LARGEST_OPENING = 1e-3
#: Of the mass matrix, made of unit diagonal: an eigenvalue below it belongs to a motion that moves no mass.
NO_INERTIA = 1e-10
#: Part of the largest component from which on a freedom counts to such a motion.
TAKES_PART = 0.1


# ---- arguments
def put_rows(rows: np.ndarray, first: int, size: int, what: str, given: Any) -> None:
    """Into all rows, checked to be as many as there must be; one number stands for all."""
    array = real_numbers(what, given)
    if array.shape != (size,):
        if array.ndim and array.shape[-1] != size:
            why = f"must have {size} numbers, got {array.shape[-1]}: see coordinate_names, speed_names"
            raise ArgumentError(what, why)
        if array.ndim > 2 or (array.ndim == 2 and len(array) not in (1, len(rows))):
            raise ArgumentError(what, f"must be of shape ({len(rows)}, {size}), got {array.shape}")
    rows[:, first : first + size] = array


def all_finite(numbers: np.ndarray) -> bool:
    """Whether all are; of one row the sum tells, unless it overflows."""
    if len(numbers) == 1 and math.isfinite(sum(numbers[0].tolist())):
        return True
    return bool(np.isfinite(numbers).all())


def require_units(balls: Iterable[tuple[str, int]], q: np.ndarray) -> None:
    """Refuses quaternions that are none, in rows of coordinates. balls: their names, and where they begin."""
    for name, at in balls:
        found = q[:, at : at + 4]
        if len(q) == 1 and abs(math.hypot(*found[0].tolist()) - 1.0) <= LENGTH_ERROR:
            continue
        sizes = np.linalg.norm(found, axis=1)
        wrong = np.flatnonzero(np.abs(sizes - 1.0) > LENGTH_ERROR)
        if len(wrong):
            row = int(wrong[0])
            where = f" in row {row}" if len(q) > 1 else ""
            said = f"RigidTree: {name} is a quaternion (w, x, y, z) of length 1, got {sizes[row]:g}{where}"
            raise ArgumentError(said, argument="q")


def euler_order(order: Any) -> str:
    """Three upper case letters of X, Y, Z."""
    known = isinstance(order, str) and len(order) == 3 and set(order) <= set("XYZ")
    if not known or order[1] in (order[0], order[2]):
        wanted = "three upper case letters of X, Y, Z, such as 'ZYX', neighbours not the same"
        raise refused("euler_angles: order", wanted, order)
    return order


# ---- cut joints
def mechanism_size(tree: Tree) -> float:
    """What gaps of cut joints are measured by [m]: distance of a body or joint from the centre of all; 1 at a point."""
    elements = [*tree.bodies, *tree.holding, *tree.cut]
    among = total_mass(elements, RigidMass)
    points = [point for element in elements for point in reach(element, among)]
    size = float(np.linalg.norm(points - np.mean(points, axis=0), axis=1).max())
    return size if size > 0.0 else 1.0


def require_closed(compiled: CompiledTree, gaps: np.ndarray, single: bool) -> None:
    """Refuses states in which cut joints are open.

    gaps: of all constraints, then of their rates, see `LARGEST_OPENING`.
    """
    rows = np.flatnonzero((gaps > LARGEST_OPENING).any(axis=1))
    if not len(rows):
        return
    row, column = int(rows[0]), int(np.argmax(gaps[rows[0]]))
    joints = [e.name for e in compiled.tree.cut for _ in range(compiled.system.multiplier_count(e))]
    verb, of = ("is open", "the mechanism's size, or of 1 rad") if column < len(joints) else ("opens", "the speeds")
    raise TreeError(
        f"cut joint {joints[column % len(joints)]!r} {verb} by {gaps[row, column]:.3g} of {of}"
        f"{_where(row, single, '')}, and {LARGEST_OPENING:g} is allowed: close(q, s) gives the nearest state in "
        "which it is closed"
    )


def require_independent(compiled: CompiledTree, blocks: np.ndarray, left: np.ndarray, single: bool) -> None:
    """Refuses states in which cut joints do not determine their reactions.

    left: what Gauss leaves of their matrix. Where that is little, singular values decide, as at the start of a run.
    """
    for row in np.flatnonzero(~(left > WEAK_DIAGONAL).all(axis=1)).tolist():
        if not left[row].all() or _repeats(compiled, blocks[row]):
            raise TreeError(dependent_message(compiled.tree) + _where(row, single, "; so it is"))


def _repeats(compiled: CompiledTree, block: np.ndarray) -> bool:
    probe = copy.copy(compiled)
    probe.block = block
    try:
        probe.require_independent()
    except TreeError:
        return True
    except np.linalg.LinAlgError:
        pass  # not finite: neither are the accelerations, which tell more
    return False


def dependent_message(tree: Tree) -> str:
    """What to say of cut joints whose reactions are not determined."""
    names = ", ".join(repr(element.name) for element in tree.cut)
    return (
        f"the constraints of the cut joints, {names}, repeat each other or hold what the tree holds already: "
        "cut a joint that holds less, as InLine in the place of a Revolute of a plane mechanism"
    )


def _where(row: int, single: bool, before: str) -> str:
    return "" if single else f"{before} at state {row} of the batch"


# ---- results
def not_finite_message(
    tree: Tree, rates: np.ndarray, mass_matrix: np.ndarray | None = None, what: str = "acceleration"
) -> str:
    """What to say of rates of the speeds that are not all finite, shape (n,), or (count, n) for states of a batch.

    mass_matrix: H of the first such state, if at hand: the freedoms without inertia are then named.
    """
    bad = ~np.isfinite(rates)
    where = ""
    if bad.ndim > 1:
        row = int(np.flatnonzero(bad.any(axis=1))[0])
        bad, where = bad[row], _where(row, False, "")
    k = int(np.flatnonzero(bad)[0])
    segment = next(s for s in tree.free_segments if s.v <= k < s.v + s.freedom.speeds)
    holder = f"joint {segment.joint.name!r}" if segment.joint is not None else f"node {segment.node.name!r}"
    others = int(bad.sum()) - 1
    more = f", nor {'is that' if others == 1 else 'are those'} of {others} more" if others else ""
    empty = [] if mass_matrix is None else _without_inertia(mass_matrix)
    if empty:
        names = ", ".join(repr(tree.speed_names[i]) for i in empty)
        why = (
            f"a motion of {names} moves no mass: a needle on its own axis, or coaxial hinges with a massless body "
            "between; give the body some inertia there, or remove the joint"
        )
    else:
        why = (
            "look for a joint without inertia about its axis (a needle on its own axis, coaxial hinges with a massless "
            "body between), for a load that is not a number, or for numbers so large that they overflow"
        )
    name = tree.speed_names[k]
    return f"model {tree.model.name!r}: the {what} of {holder} ({name}) is not finite{where}{more}: {why}"


def _without_inertia(H: np.ndarray) -> list[int]:
    """Freedoms of a motion that moves no mass, if there is one."""
    if not np.isfinite(H).all():
        return []
    scale = np.sqrt(np.maximum(np.diag(H), 0.0))
    zero = np.flatnonzero(scale <= NO_INERTIA * scale.max(initial=0.0))
    if len(zero):
        return zero.tolist()
    sizes, motions = np.linalg.eigh(H / np.outer(scale, scale))
    if not len(sizes) or sizes[0] > NO_INERTIA:
        return []
    parts = np.abs(motions[:, 0])
    return np.flatnonzero(parts > TAKES_PART * parts.max()).tolist()
