"""Description of redundant constraints: which joint constrains a direction again, and which joints already do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.model import Element, Engaged
from samara.solve.constraints.redundancy import Redundancy, gradient, holders, wrenches
from samara.solve.report.wording import joint_name, joint_point, line_name, listed, point_name
from samara.solve.simulation import Simulation

#: Joints that hold so many positions and no rotation, by that number.
FREER = {1: "InPlane", 2: "InLine", 3: "Spherical"}
#: What counts as zero beside one, and where rounding of the axes of the world was taken off.
ZERO_RANK, ZERO_REST = 1e-6, 1e-3


@dataclass(frozen=True)
class Doubled:
    """Redundant constraints of one joint.

    translations: directions along which other joints already constrain it, and `rotations` about which they do: unit
                  vectors in world axes; `point`: position of the joint [m].
    others:       names of the joints that share these constraints with it.
    count:        number of redundant constraints of the joint; `own`: number of all its constraints.
    instead:      the joint type that provides only the remaining constraints, if one exists; "nothing" if none remain.
    """

    joint: Element
    translations: np.ndarray
    rotations: np.ndarray
    point: np.ndarray
    others: tuple[str, ...]
    count: int
    own: int
    instead: str

    def __str__(self) -> str:
        held = [f"translation along {listed(map(line_name, self.translations))}"] if len(self.translations) else []
        held += [f"rotation about {listed(map(line_name, self.rotations))}"] if len(self.rotations) else []
        is_lock = isinstance(self.joint, Engaged)
        name = f"lock {self.joint.name!r}, while it is engaged," if is_lock else joint_name(self.joint)
        if not held:
            return f"{name} holds nodes that cannot move: remove it"
        words = f"{' and '.join(held)} at {point_name(self.point)}"
        if not self.others:
            return f"{name} holds twice: {words}"
        many = len(self.others) > 1
        kind = f"{'element' if is_lock else 'joint'}{'s' if many else ''}"
        by = f"{kind} {listed(map(repr, self.others))} hold{'' if many else 's'} already"
        advice = {"": "", "nothing": "; that is all it holds: remove it"}.get(
            self.instead, f"; {self.instead} in its place would hold the rest"
        )
        return f"{name} holds what {by}: {words}{advice}"


def doubled(sim: Simulation, found: Redundancy) -> list[Doubled]:
    """A redundant constraint after the other, by joints: those that joined the model last are thought too many."""
    G = gradient(sim, found.locks)
    place = {int(row): k for k, row in enumerate(found.rows)}
    joints = [
        (element, np.array([place[int(n)] for n in numbers if int(n) in place], dtype=np.int64), numbers)
        for element, numbers in holders(sim, found.locks).values()
    ]
    left, result = found.stress, []
    for element, rows, numbers in reversed(joints):
        if not left.shape[1] or not rows.size:
            continue
        u, sigma, vt = np.linalg.svd(left[rows])
        rank = int((sigma > ZERO_RANK).sum())
        if not rank:
            continue
        shared, left = left @ vt[:rank].T, left @ vt[rank:].T
        others = tuple(
            e.name for e, r, _ in joints if e is not element and r.size and np.abs(shared[r]).max() > ZERO_RANK
        )
        own = wrenches(sim, G, numbers, found.locks) / np.array([1.0] * 3 + [sim.length] * 3)
        combined = (u[:, :rank].T / found.size[rows]) @ wrenches(sim, G, found.rows[rows], found.locks)
        result.append(_described(sim, element, own, combined / np.array([1.0] * 3 + [sim.length] * 3), others))
    return result


def _described(sim: Simulation, element: Element, own: np.ndarray, again: np.ndarray, others: tuple) -> Doubled:
    """From the wrenches of all constraints of a joint and of those that are doubled, shapes (n, 6)."""
    forces, couples = split(again)
    translations, rotations = axes(forces), axes(couples)
    own_forces, own_couples = split(own)
    positions, turns = len(axes(own_forces)) - len(translations), len(axes(own_couples)) - len(rotations)
    instead = "nothing" if positions == turns == 0 else FREER.get(positions, "") if turns == 0 else ""
    if isinstance(element, Engaged):
        instead = ""
    point = joint_point(sim, element)
    return Doubled(element, translations, rotations, point, others, len(again), len(own), instead)


def split(wrench: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Forces of some wrenches, and the couples among their combinations that come without force."""
    u, sigma, _ = np.linalg.svd(wrench[:, :3])
    rank = int((sigma > ZERO_RANK).sum())
    return wrench[:, :3], u[:, rank:].T @ wrench[:, 3:]


def axes(vectors: np.ndarray) -> np.ndarray:
    """Unit vectors that span what some vectors span: axes of the world where these lie in it, shape (rank, 3)."""
    _, sigma, vt = np.linalg.svd(vectors)
    span = vt[: int((sigma > ZERO_RANK).sum())]
    within = [axis for axis in np.eye(3) if np.linalg.norm(span @ axis) > 1.0 - ZERO_RANK]
    rest = span - span @ np.array(within).T @ np.array(within) if within else span
    _, sigma, vt = np.linalg.svd(rest)
    return np.array([*within, *vt[: int((sigma > ZERO_REST).sum())]]).reshape(-1, 3)
