"""Small motions in words: which joints turn or slide, and which node moves most and in which direction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from samara.model import Element, Node
from samara.model.roles.shape import ends
from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.simulation import Simulation

#: A part of a motion below this, of the largest, is not worth a word; and how many names are given in a row.
WORDLESS_PART, MOST_NAMES = 0.02, 5
#: Part of the largest change that is none.
SMALLEST_CHANGE = 1e-8
#: By how much the component of a unit vector along an axis of the world may miss one.
AXIS_MISS = 1e-6
XYZ = ("x", "y", "z")


def axis_name(d: np.ndarray) -> str:
    """A direction in the world: "x", "-z", or its components."""
    d = np.asarray(d, float) / max(float(np.linalg.norm(d)), LEAST_DIVISOR)
    k = int(np.argmax(np.abs(d)))
    if abs(d[k]) > 1.0 - AXIS_MISS:
        return f"{'-' if d[k] < 0 else ''}{XYZ[k]}"
    return _numbers(d)


def line_name(d: np.ndarray) -> str:
    """A direction without a sense: "x", or its components with the largest of them positive."""
    k = int(np.argmax(np.abs(d)))
    return axis_name(d if d[k] > 0 else -np.asarray(d))


def point_name(p: np.ndarray) -> str:
    """A point in the world [m]."""
    return f"{_numbers(p)} m"


def _numbers(values: np.ndarray) -> str:
    return f"({', '.join(f'{round(float(v), 3) + 0.0:g}' for v in values)})"


@dataclass(frozen=True)
class SmallMotion:
    """A small motion of a simulation's nodes: displacement and turn of each in world axes, shapes (nodes, 3)."""

    sim: Simulation
    moves: dict[str, tuple[np.ndarray, np.ndarray]]
    states: dict[str, float]

    def of(self, node: Node, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of a point of the node, and the node's turn."""
        if node.name not in self.moves:
            return np.zeros(3), np.zeros(3)
        v, w = self.moves[node.name]
        return v + np.cross(w, point - self.sim.state.pose(node).p), w

    def across(self, joint: Element) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and turn of node b of a joint against node a, at the joint."""
        a, b = joint.nodes()[0], joint.nodes()[-1]
        point = joint_point(self.sim, joint)
        (v_a, w_a), (v_b, w_b) = self.of(a, point), self.of(b, point)
        return v_b - v_a, w_b - w_a


def motion(sim: Simulation, change: np.ndarray) -> SmallMotion:
    """The motion that a small change of all coordinates is, from the present pose; what is rounding is none."""
    s = sim.system
    change = np.where(np.abs(change) > SMALLEST_CHANGE * np.abs(change).max(initial=0.0), change, 0.0)
    moves = {}
    for k, node in enumerate(s.layout.free):
        R = s.state.pose(node).R
        moves[node.name] = R @ change[6 * k : 6 * k + 3], R @ change[6 * k + 3 : 6 * k + 6]
    rest = change[6 * len(s.layout.free) :]
    return SmallMotion(sim, moves, {state.name: float(x) for state, x in zip(s.layout.states, rest, strict=False)})


def joints(sim: Simulation) -> list[Element]:
    """Elements with constraints between two nodes."""
    s = sim.system
    return [e for e in s.holding if len(e.nodes()) == 2]


def joint_point(sim: Simulation, joint: Element) -> np.ndarray:
    """Where a joint is, on its last node, in the world."""
    s, node = sim.system, joint.nodes()[-1]
    R, p = s.state.pose(node)
    places = ends(joint)
    return p + R @ places[-1][1] if places else p


def joint_name(joint: Element) -> str:
    """Its name and kind."""
    return f"joint {joint.name!r} ({type(joint).__name__})"


def in_words(moved: SmallMotion, leader: Element | None = None) -> str:
    """What a joint does (the leader, else the one that moves most), which others move with it, and which node most."""
    sim = moved.sim
    sizes = {e.name: _size(sim, *moved.across(e)) for e in joints(sim)}
    largest = max(sizes.values(), default=0.0)
    moving = [e for e in joints(sim) if sizes[e.name] > WORDLESS_PART * largest > 0.0]
    parts = []
    if moving:
        leader = leader if leader in moving else max(moving, key=lambda e: sizes[e.name])
        parts = [f"{joint_name(leader)} {verb(sim, *moved.across(leader))}"]
    others = [repr(e.name) for e in moving if e is not leader]
    if others:
        parts.append(f"with it {some(others)}")
    return "; ".join([*parts, *_most(moved, largest)])


def listed(words: Iterable[str]) -> str:
    """A, B and C."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else str(last)


def some(names: list[str]) -> str:
    """All names, or the first and how many more there are."""
    return listed(
        names if len(names) <= MOST_NAMES else [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"]
    )


def verb(sim: Simulation, v: np.ndarray, w: np.ndarray) -> str:
    """What a joint does: turns, slides, or both."""
    slides, turns = float(np.linalg.norm(v)), float(np.linalg.norm(w)) * sim.length
    largest = max(slides, turns, LEAST_DIVISOR)
    words = [f"turns about {line_name(w)}"] if turns > WORDLESS_PART * largest else []
    return " and ".join(words + ([f"slides along {line_name(v)}"] if slides > WORDLESS_PART * largest else []))


def _most(moved: SmallMotion, across: float) -> list[str]:
    """The node that moves most; where none does, the one that turns most; else the state that changes most."""
    moves, length = moved.moves, moved.sim.length
    far = max(moves, key=lambda n: float(np.linalg.norm(moves[n][0])), default=None)
    spun = max(moves, key=lambda n: float(np.linalg.norm(moves[n][1])), default=None)
    if far is not None and spun is not None:
        distance, turn = float(np.linalg.norm(moves[far][0])), float(np.linalg.norm(moves[spun][1])) * length
        if distance > WORDLESS_PART * max(turn, across, LEAST_DIVISOR):
            return [f"node {far!r} moves most, along {axis_name(moves[far][0])}"]
        if turn > 0.0:
            return [f"node {spun!r} turns on the spot about {line_name(moves[spun][1])}"]
    changed = max(moved.states, key=lambda n: abs(moved.states[n]), default=None)
    return [f"state {changed!r} changes"] if changed is not None else []


def _size(sim: Simulation, v: np.ndarray, w: np.ndarray) -> float:
    return float(np.linalg.norm(v) + sim.length * np.linalg.norm(w))
