"""Nodes that start away from their described positions although no initial value of a joint requires it.

There are two causes: joints described as open, which the assembly closes, and equilibrium of massless nodes. Joints are
checked in the pose in which the model is described, so displacements due to initial values of joints and prescribed
nodes do not count; nor do joints with moving drives, which determine where their nodes start.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from samara.model import Drive, Element
from samara.model.schema.drives import Constant
from samara.solve.constraints.redundancy import holders
from samara.solve.simulation import Simulation
from samara.solve.start_report import Adjusted, Motion, StartChange, change_of_pose, motion
from samara.system.start.start import reference

#: Gaps and moves above this part of the size of the mechanism, or of a rad, are worth a word.
NOTABLE_MOVE = 1e-6


def open_joints(sim: Simulation) -> dict[str, float]:
    """Joints that are open as they are described, and by how much [m, rad], the widest first."""
    s = sim.system
    if not s.layout.multiplier_count:
        return {}
    gaps = _gaps(sim)
    kept = s.state.copy()
    for node in s.model.nodes.values():
        if node.motion is not None or (s.placed.pairs and node.free):
            at = reference(node)
            s.state.place(node, at)
    gaps = np.minimum(gaps, _gaps(sim))
    s.state.restore(kept)
    started = {frozenset((pair.a.name, pair.b.name)) for pair in s.placed.pairs}
    found = {}
    for name, (element, numbers) in holders(sim).items():
        gap = float(gaps[numbers].max(initial=0.0))
        led = frozenset(node.name for node in element.nodes()) in started
        if gap > NOTABLE_MOVE * max(1.0, sim.length) and not led and not _is_driven(element):
            found[name] = gap
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _gaps(sim: Simulation) -> np.ndarray:
    """Of the constraints of poses, at rest."""
    s = sim.system
    sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
    return np.abs(s.state.residual()[s.layout.coordinates :])


def _is_driven(element: Element) -> bool:
    return any(isinstance(leaf, Drive) and not isinstance(leaf, Constant) for leaf in element.leaves())


def with_closed(sim: Simulation, found: Adjusted, joints: dict[str, float]) -> Adjusted:
    """With what the assembly moved to close these joints: of each the node that moved most, the farthest first."""
    changes, moved = {change.node: change for change in found.nodes}, []
    for name, gap in joints.items():
        nodes = [changes[n.name] for n in sim.model.elements[name].nodes() if n.name in changes]
        farthest = max(nodes, key=lambda change: _size(sim, change), default=None)
        if farthest is not None and _size(sim, farthest) > NOTABLE_MOVE:
            moved.append((farthest, name, gap))
    moved.sort(key=lambda one: -_size(sim, one[0]))
    texts = [f"{change.pose()} to close element {name!r}" for change, name, _ in moved]
    if sim.system.placed.pairs:  # starts of joints moved them, too: by how much is the gap alone
        gaps = sorted(moved, key=lambda one: -one[2])
        texts = [f"node {c.node!r} to close element {name!r}, open by {gap:.3g} [m, rad]" for c, name, gap in gaps]
    return replace(found, closed=tuple(texts))


def with_balanced(sim: Simulation, found: Adjusted, before: Motion) -> Adjusted:
    """With what the balance moved since `before`, nodes without mass alone, the farthest first."""
    now, changes = motion(sim.system), {change.node: change for change in found.nodes}
    moved = []
    for node in sim.system.layout.free:
        name = node.name
        position, rotation = change_of_pose(before[name][0], now[name][0])
        change = StartChange(name, position, rotation, 0.0, 0.0, False)
        if node.kind == "static" and _size(sim, change) > NOTABLE_MOVE:
            moved.append(change)
            changes[name] = replace(changes.get(name, change), position=position, rotation=rotation)
    moved.sort(key=lambda change: -_size(sim, change))
    return replace(found, nodes=tuple(changes.values()), balanced=tuple(change.pose() for change in moved))


def _size(sim: Simulation, change: StartChange) -> float:
    """Of a move, in sizes of the mechanism and rad."""
    return max(change.position / sim.length, change.rotation)
