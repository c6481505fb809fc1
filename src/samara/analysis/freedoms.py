"""The remaining degrees of freedom of a mechanism, one by one, in words and drawn.

A degree of freedom is a small motion x that satisfies all constraints, G x = 0. Those of a part are sorted by its
joints: one for each joint motion that can be chosen independently, in the order of the model, with the other
independent motions at rest. Scalar states are at rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import linalg
from scipy.sparse import csr_matrix

from samara.arguments import instance, several
from samara.model import Element, Model, ModelError, Node
from samara.rotations import skew
from samara.scene.outline import outline
from samara.solve import Simulation, SolveError
from samara.solve.constraints.lock_rows import locks
from samara.solve.constraints.redundancy import Redundancy, gradient, holders, redundancy, wrenches
from samara.solve.constraints.redundancy_report import Doubled, axes, doubled, split
from samara.solve.constraints.redundant_locks import repeated_by
from samara.solve.linear_systems.null_spaces import REPEATED_VALUE, null_space
from samara.solve.mechanism.tangent_space import weights
from samara.solve.report.wording import in_words, joint_point, motion, some
from samara.solve.start.assembly import close_joints
from samara.solve.topology.parts import parts
from samara.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: How well a joint's motion must be told from those chosen before, beside the best.
APART = 0.3
#: Coordinates of a part up to which its motions are told apart, with full matrices.
LARGEST_PART = 1000


@dataclass(frozen=True)
class Freedom:
    """One degree of freedom of a model, or several of one kind.

    kind:  "joint": motion of joints; "flight": rigid motion of a part not connected to the ground; "elastic": nodes
           held only by springs, beams and other elastic elements; "many": of a part too large to examine.
    count: number of motions; 1 for a joint.
    text:  in words.
    shape: of the motion of a joint: displacement and rotation of each node with unknowns in its own axes, shape
           (nodes, 6), of any size; None for the other kinds.
    """

    kind: Literal["joint", "flight", "elastic", "many"]
    count: int
    text: str
    shape: np.ndarray | None = None


def closed(model: Model | System | Simulation) -> Simulation:
    """A simulation with closed joints; a given simulation is not changed."""
    if isinstance(model, Simulation):
        return model
    sim = Simulation(model)
    close_joints(sim)
    return sim


def redundant_constraints(model: Model | System | Simulation) -> list[Doubled]:
    """Redundant constraints, joint by joint: of a model, or of a simulation in its present pose.

    Redundancies due to locks follow, with all locks assumed engaged.
    Raises `SolveError` if there are too many closed loops to examine.
    """
    sim = closed(model)
    found = redundancy(sim)
    if not found.examined:
        raise SolveError(f"model {sim.model.name!r} has {found.loops} constraints in closed loops: too many to examine")
    return [*(doubled(sim, found) if found.count else []), *repeated_by(sim, locks(sim))]


def freedoms(model: Model | System | Simulation) -> list[Freedom]:
    """Degrees of freedom of a model, or of a simulation in its present pose: joint motions first, free flight last."""
    sim = closed(model)
    G, again = gradient(sim), redundancy(sim)
    held = holders(sim)
    jointed = {node.name for element, _ in held.values() for node in element.nodes()}
    groups = parts(sim.model, [element for element, _ in held.values()])
    found = []
    for part in groups:
        if part.nodes[0].name in jointed:
            found += _within(sim, G, again, part.nodes, part.tied)
    loose = [part.nodes for part in groups if not part.tied]
    ties = [element for element in sim.model.elements.values() if not sim.system.touches(element)]
    for part in parts(sim.model, ties):
        whole, tied = part.nodes, part.tied
        among = [nodes for nodes in loose if nodes[0] in whole]
        names = [node.name for nodes in among for node in nodes]
        if not tied:
            alone = "flies free" if len(whole) == 1 else "fly free together"
            text = f"{_nodes([node.name for node in whole])} {alone}: nothing ties them to the ground"
            found.append(Freedom("flight", 6, text.replace("them", "it") if len(whole) == 1 else text))
        if count := 6 * (len(among) - (not tied)):
            found.append(Freedom("elastic", count, f"{_nodes(names)}: held by elastic elements alone"))
    order = ("joint", "many", "elastic", "flight")
    return sorted(found, key=lambda freedom: order.index(freedom.kind))


def _nodes(names: list[str]) -> str:
    return f"node{'s' if len(names) > 1 else ''} {some([repr(n) for n in names])}"


def _within(sim: Simulation, G: csr_matrix, again: Redundancy, nodes: list[Node], tied: bool) -> list[Freedom]:
    """Motions of the nodes of a part relative to each other and the ground."""
    names = {node.name for node in nodes}
    inside = [(e, rows) for e, rows in holders(sim).values() if any(node.name in names for node in e.nodes())]
    rows = np.concatenate([rows for _, rows in inside])
    rigid = 0 if tied else 6
    if 6 * len(nodes) > LARGEST_PART:
        repeated = np.linalg.matrix_rank(again.stress[np.isin(again.rows, rows)], REPEATED_VALUE) if again.count else 0
        count = 6 * len(nodes) - rigid - rows.size + int(repeated)
        text = f"the part with {_nodes([n.name for n in nodes])}: more than {LARGEST_PART} coordinates, not told apart"
        return [Freedom("many", count, text)] if count else []
    # of a part that floats the node with the most joints is taken as standing still
    still = None if tied else max(nodes, key=lambda node: sum(node in e.nodes() for e, _ in inside))
    columns = np.array([sim.system.unknowns.first(n) + i for n in nodes if n is not still for i in range(6)], int)
    scale = 1.0 / np.sqrt(weights(sim)[columns])
    Z = null_space(G[rows][:, columns].toarray() * scale)
    shapes = []
    for leader, z in _sorted(sim, G, inside, columns, scale, Z):
        change = np.zeros(sim.system.layout.coordinates)
        change[columns] = scale * z
        shapes.append((leader, change))
    free = 6 * len(sim.system.layout.free)
    return [Freedom("joint", 1, in_words(motion(sim, x), leader), x[:free].reshape(-1, 6)) for leader, x in shapes]


def _sorted(sim, G, inside, columns, scale, Z) -> list[tuple[Element | None, np.ndarray]]:
    """The same motions, each led by a joint; those that no joint between two nodes distinguishes stay unchanged."""
    leaders: list[Element] = []
    motions = []
    for element, numbers in inside:
        if len(element.nodes()) == 2:
            own = _joint_motions(sim, G, numbers) @ _across(sim, element, columns) * scale
            leaders += [element] * len(own)
            motions.append(own @ Z)
    candidates = np.vstack([*motions, np.zeros((0, Z.shape[1]))])
    left, chosen = candidates.copy(), list[int]()
    while len(chosen) < Z.shape[1]:
        sizes = np.linalg.norm(left, axis=1)
        if not sizes.max(initial=0.0) > 1e-6:
            break
        k = int(np.flatnonzero(sizes > APART * sizes.max())[0])
        chosen.append(k)
        unit = left[k] / sizes[k]
        left = left - np.outer(left @ unit, unit)
    chosen.sort()
    A = candidates[chosen]
    led = [(leaders[k], z) for k, z in zip(chosen, (Z @ np.linalg.pinv(A)).T, strict=True)] if chosen else []
    rest = Z @ null_space(A)
    return [*led, *((None, z) for z in rest.T)]


def _across(sim: Simulation, joint: Element, columns: np.ndarray) -> np.ndarray:
    """Displacement of b relative to a at the joint, and rotation times mechanism size, in the world, by coordinates."""
    s, point = sim.system, joint_point(sim, joint)
    found = np.zeros((6, s.layout.coordinates))
    for node, sign in zip(joint.nodes(), (-1.0, 1.0), strict=True):
        if node.free:
            R, p = s.state.pose(node)
            first = s.unknowns.first(node)
            found[:3, first : first + 3] = sign * R
            found[:3, first + 3 : first + 6] = -sign * skew(point - p) @ R
            found[3:, first + 3 : first + 6] = sign * sim.length * R
    return found[:, columns]


def _joint_motions(sim: Simulation, G: csr_matrix, numbers: np.ndarray) -> np.ndarray:
    """Motions that a joint by itself allows, rotations first, about and along world axes if possible: (n, 6)."""
    free = linalg.null_space(wrenches(sim, G, numbers) / np.array([1.0] * 3 + [sim.length] * 3), rcond=1e-6).T
    turns, slides = split(free[:, [3, 4, 5, 0, 1, 2]])
    about, along = axes(turns), axes(slides)
    found = []
    for axis in about:
        z = free.T @ np.linalg.lstsq(free[:, 3:].T, axis, rcond=1e-6)[0]
        found.append(np.concatenate([z[:3] - along.T @ (along @ z[:3]), z[3:]]))
    return np.array([*found, *np.hstack([along, np.zeros_like(along)])]).reshape(-1, 6)


def draw_freedoms(model: Model | System | Simulation, found: list[Freedom] | None = None) -> Figure:
    """Draws each degree of freedom of the joints: the mechanism in its reference position, and displaced.

    found: the result of `freedoms`.
    """
    from samara.scene.pictures import draw_shapes

    sim = closed(model)
    if found is None:
        found = freedoms(sim)
    found = [instance("draw_freedoms: each of found", one, Freedom) for one in several("draw_freedoms: found", found)]
    moving = [(freedom.text, freedom.shape) for freedom in found if freedom.shape is not None]
    if not moving:
        raise ModelError(f"model {sim.model.name!r} has no degrees of freedom in joints to draw")
    s = sim.system
    R = s.state.rotations
    p = s.state.positions
    return draw_shapes(outline(sim.system), p, R, moving, sim.model.name)
