"""A tree as people look at it: a block for each body, with what goes in and what comes out.

    in    from the parent: pose, twist, acceleration; loads by name; drives, inputs and parameters that are read
    out   to children: the same of its own; H_i and h_i for the sums; the wrench for its parent

Source: V. D. Palacios, E. Olguin, figures 2 to 4, where each body is such a block.
"""

from __future__ import annotations

import dataclasses
import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.model import Drive, Element, Input, Model, Node, Parameter, RigidMass
from samara.recursive.coordinates import read_nodes
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.tree import Segment, Tree
from samara.system.kernels.signals import is_fixed
from samara.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Of a line of text [characters].
WIDTH = 120


@dataclass(frozen=True)
class FreedomView:
    """One freedom of a joint at the start.

    name:    of its coordinate, "shaft.angle"; label: "angle". motion: what it is, "turn about z".
    q, s:    places among the coordinates and the speeds of the tree; none where it follows a drive.
    value, speed: at the start, in `unit` and `speed_unit`.
    follows: the element whose drive it follows, empty where it is free.
    """

    name: str
    label: str
    motion: str
    unit: str
    speed_unit: str
    q: tuple[int, ...]
    s: tuple[int, ...]
    value: tuple[float, ...]
    speed: tuple[float, ...]
    follows: str = ""


@dataclass(frozen=True)
class BlockView:
    """A node that moves, and what is fixed to it.

    node, parent: names. joint, joint_type: what it hangs on; empty where it floats.
    bodies: names; mass [kg] and com [m], in axes of the node, are those of all of them.
    loads:  {element: type} of what acts on it.
    inputs, parameters, drives, states: names of what its joint, its bodies and its loads read.
    children: names of nodes that hang on it. support: degrees of freedom that move it, where H_i and h_i have entries.
    """

    node: str
    parent: str
    depth: int
    joint: str
    joint_type: str
    freedoms: tuple[FreedomView, ...]
    bodies: tuple[str, ...]
    mass: float
    com: tuple[float, float, float]
    loads: dict[str, str]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    drives: tuple[str, ...]
    states: tuple[str, ...]
    children: tuple[str, ...]
    support: tuple[int, ...]

    @property
    def hangs_on(self) -> str:
        """The joint in words."""
        return f"{self.joint} ({self.joint_type})" if self.joint else "nothing: it floats"


class TreeView:
    """A model as a tree of blocks: `print` shows it, `plot` draws it, `document` gives it as plain data.

    model: a `Model`, or a `System` of it. cut: names of joints that close loops, left out of the tree.
    base: name of the node that a part which floats is described from. A model that is no tree raises `TreeError`.

    blocks: a `BlockView` for each node that moves, from the inside out.
    beside: {element: type} of regulators, servos and the like, which act on no body.
    inputs: {name: unit} of all that is fed from outside.
    states: names of the scalar states. operations: of one forward dynamics, as traced.
    floats: names of the nodes that nothing holds. bases: what the tree stands on: ground, prescribed nodes.
    """

    def __init__(self, model: Model | System, *, cut: Sequence[str] = (), base: str | None = None) -> None:
        tree = Tree(model.model if isinstance(model, System) else model, cut=cut, base=base)
        system = model if isinstance(model, System) else System(model)
        graph = TreeGraph(tree, system)
        forward = graph.forward()
        self.tree, self.system = tree, system
        self.operations = graph.graph.operations(node for _, node in forward.outputs)
        self.states = tuple(state.name for state in graph.states)
        self.inputs = {source.name: source.unit for source in system.drives.inputs}
        self.cut = tuple(element.name for element in tree.cut)
        self.floats = tuple(h.node.name for h in tree.hangings if not h.elements)
        self.bases = tuple(dict.fromkeys(h.mother.name for h in tree.hangings if h.elements and not h.mother.free))
        numbers = _Start(tree, system, graph)
        read_nodes(numbers)
        acting = {element.name: _acted_on(system, element) for element in graph.loads}
        self.beside = {e.name: type(e).__name__ for e in graph.loads if not acting[e.name]}
        self.blocks = tuple(_blocks(numbers, acting))
        self.mass = float(sum(block.mass for block in self.blocks))

    def __str__(self) -> str:
        return "\n".join(_page(self))

    def block(self, node: Node | str) -> BlockView:
        """That of a node."""
        name = node.name if isinstance(node, Node) else node
        for block in self.blocks:
            if block.node == name:
                return block
        known = ", ".join(block.node for block in self.blocks)
        raise KeyError(f"no node {name!r} moves in the tree; there are {known}")

    def document(self) -> dict[str, Any]:
        """All of it as dictionaries, lists, texts and numbers."""
        return {
            "model": self.tree.model.name,
            "description": self.tree.model.description,
            "degrees_of_freedom": self.tree.speeds,
            "coordinates": self.tree.coordinate_names,
            "speeds": self.tree.speed_names,
            "states": list(self.states),
            "inputs": dict(self.inputs),
            "operations": self.operations,
            "floats": list(self.floats),
            "bases": list(self.bases),
            "cut": list(self.cut),
            "mass": self.mass,
            "blocks": [dataclasses.asdict(block) for block in self.blocks],
            "beside": dict(self.beside),
        }

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A block diagram, from left to right; written to a file if one is given."""
        from samara.recursive.view.drawing import draw_tree

        figure = draw_tree(self)
        if path is not None:
            figure.savefig(path, dpi=150)
        return figure


class _Start:
    """Numbers of a tree at the start, without native code."""

    def __init__(self, tree: Tree, system: System, graph: TreeGraph) -> None:
        self.tree, self.system, self.graph, self.places = tree, system, graph, graph.block
        self.block = np.zeros(graph.block.size)

    @property
    def coordinates(self) -> np.ndarray:
        return self.block[self.places.coordinates : self.places.speeds]

    @property
    def speeds(self) -> np.ndarray:
        return self.block[self.places.speeds : self.places.efforts]

    def signal(self, drive: Drive, order: int) -> float:
        """Value of a drive at the start, or one of its derivatives."""
        return float(self.system.arrays.state[self.system.layout.signal(drive) + order])


# ---- what there is
def _acted_on(system: System, element: Element) -> list[str]:
    """Names of the nodes on which an element acts: it may look at others."""
    group, _ = system.find(element)
    kind = group.kind
    rows = next((f for f in kind.functions if f.name == "residual"), None)
    if rows is None:
        return []
    found = {
        place.slot - kind.places.row(0)
        for place, value in rows.outputs
        if place.kind == "row" and rows.graph.value(value) != 0.0
    }
    return [node.name for k, node in enumerate(element.nodes()) if k in found and node.free]


def _blocks(numbers: _Start, acting: dict[str, list[str]]) -> Iterator[BlockView]:
    tree, model = numbers.tree, numbers.tree.model
    depth: dict[str, int] = {}
    for hanging in tree.hangings:
        name, mother = hanging.node.name, hanging.mother.name
        depth[name] = depth.get(mother, -1) + 1
        bodies = [b for b in tree.bodies if b.nodes()[0] is hanging.node]
        mass, com = _together(bodies)
        loads = [model.elements[load] for load, nodes in acting.items() if name in nodes]
        members = [*hanging.elements, *bodies, *loads]
        inputs, parameters, drives = _read_by(members)
        joint = hanging.elements[0] if hanging.elements else None
        inward = tree.inward(tree.attached[name].segment)
        support = [s.v + k for s in map(tree.segments.__getitem__, inward) if s.free for k in range(s.freedom.speeds)]
        yield BlockView(
            node=name,
            parent=mother,
            depth=depth[name],
            joint="" if joint is None else joint.name,
            joint_type="" if joint is None else type(joint).__name__,
            freedoms=tuple(_freedom(numbers, segment) for segment in hanging.segments),
            bodies=tuple(b.name for b in bodies),
            mass=mass,
            com=com,
            loads={load.name: type(load).__name__ for load in loads},
            inputs=inputs,
            parameters=parameters,
            drives=drives,
            states=tuple(dict.fromkeys(state.name for load in loads for state in load.states())),
            children=tuple(h.node.name for h in tree.hangings if h.mother is hanging.node),
            support=tuple(sorted(support)),
        )


def _together(bodies: Iterable[RigidMass]) -> tuple[float, tuple[float, float, float]]:
    """Mass and centre of mass of bodies on one node."""
    total, moment = 0.0, np.zeros(3)
    for body in bodies:
        own, com, _ = body.rigid_inertia()
        mass = float(own)
        total, moment = total + mass, moment + mass * np.array([float(x) for x in com])
    x, y, z = (moment / total if total else moment).tolist()
    return total, (x, y, z)


def _read_by(elements: Iterable[Element]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Names of inputs, of parameters, and of fields that follow other drives."""
    inputs: dict[str, None] = {}
    parameters: dict[str, None] = {}
    drives: dict[str, None] = {}

    def visit(leaf: Any, where: str) -> None:
        if isinstance(leaf, Parameter):
            parameters[leaf.name] = None
        elif isinstance(leaf, Input):
            inputs[leaf.name] = None
        elif isinstance(leaf, Drive):
            inside = leaf.objects()
            for inner in inside:
                visit(inner, where)
            if not is_fixed(leaf) and not any(isinstance(inner, (Input, Parameter, Drive)) for inner in inside):
                drives[f"{where} ({type(leaf).__name__})"] = None

    for element in elements:
        for field, spec in element.specs().items():
            for leaf in spec.objects(getattr(element, field)):
                visit(leaf, f"{element.name}.{field}")
    return tuple(inputs), tuple(parameters), tuple(drives)


def _freedom(numbers: _Start, segment: Segment) -> FreedomView:
    freedom = segment.freedom
    kinds = {"turn": "turn about", "slide": "slide along", "screw": "screw about"}
    motion = "any rotation" if freedom.kind == "ball" else f"{kinds[freedom.kind]} {'xyz'[freedom.axis]}"
    q = tuple(range(segment.q, segment.q + freedom.coordinates)) if segment.drive is None else ()
    s = tuple(range(segment.v, segment.v + freedom.speeds)) if segment.free else ()
    if segment.drive is None:
        value = [float(numbers.coordinates[k]) for k in q]
    else:
        value = [segment.scale * numbers.signal(segment.drive, 0) + segment.offset]
    if segment.free:
        speed = [float(numbers.speeds[k]) for k in s]
    else:
        drive, order = (segment.drive, 1) if segment.rate is None else (segment.rate, 0)
        speed = [segment.scale * numbers.signal(drive, order)]
    follows = segment.prescriber if segment.prescriber is not None else segment.joint
    return FreedomView(
        name=segment.name,
        label=freedom.name,
        motion=motion,
        unit=freedom.unit,
        speed_unit=freedom.speed_unit,
        q=q,
        s=s,
        value=tuple(value),
        speed=tuple(speed),
        follows="" if segment.free or follows is None else follows.name,
    )


# ---- in words
def places(letter: str, numbers: Sequence[int]) -> str:
    """Places of an array as Python writes them: "s[6]", "s[0:3, 6]"; empty for none."""
    parts: list[str] = []
    for k in numbers:
        if parts and (last := parts[-1].split(":"))[-1] == str(k if len(last) == 2 else k - 1):
            parts[-1] = f"{last[0]}:{k + 1}"
        else:
            parts.append(str(k))
    return f"{letter}[{', '.join(parts)}]" if parts else ""


def kilograms(mass: float) -> str:
    """A mass with its unit."""
    return f"{mass:.4g} kg"


def _numbers(values: Sequence[float], unit: str) -> str:
    shown = [f"{0.0 if abs(x) < 5e-16 else x:.4g}" for x in values]
    text = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
    return text if unit == "1" else f"{text} {unit}"


def _page(view: TreeView) -> list[str]:
    tree, model = view.tree, view.tree.model
    stands = [f"floats, described from {', '.join(view.floats)}"] if view.floats else []
    stands += [f"stands on {', '.join(view.bases)}"] if view.bases else []
    summary = {
        "freedom": f"{tree.speeds} degrees of freedom, {tree.coordinates} coordinates",
        "base": "; ".join(stands),
        "bodies": f"{len(tree.bodies)} on {len(view.blocks)} nodes, {kilograms(view.mass)}",
        "states": f"{len(view.states)} scalar: {', '.join(view.states)}" if view.states else "none",
        "inputs": ", ".join(f"{name} [{unit or '-'}]" for name, unit in view.inputs.items()),
        "operations": f"{view.operations} of one forward dynamics",
        "cut": f"{', '.join(view.cut)}: not in the tree" if view.cut else "",
        "beside": ", ".join(f"{name} ({kind})" for name, kind in view.beside.items()),
    }
    lines = [f"{model.name}: {model.description}" if model.description else model.name]
    lines += [line for name, text in summary.items() if text for line in _row(name, text)]
    return [*lines, "", *_outline(view), *(line for block in view.blocks for line in ["", *_in_words(block)])]


def _outline(view: TreeView) -> list[str]:
    """A line for each node, indented as the tree branches."""
    names = ["  " * (block.depth + 1) + block.node for block in view.blocks]
    joints = [f"{b.joint} ({b.joint_type})" if b.joint else "floats" for b in view.blocks]
    wide, wider = max(map(len, names), default=0), max(map(len, joints), default=0)
    lines = []
    for block, name, joint in zip(view.blocks, names, joints, strict=True):
        free = places("s", [k for freedom in block.freedoms for k in freedom.s]) or "-"
        lines.append(f"{name:{wide}}  {joint:{wider}}  {free}")
    return lines


def _in_words(block: BlockView) -> list[str]:
    """A block: what it is, what goes in, what comes out."""
    motion, own_speeds = "pose, twist, acceleration", [k for freedom in block.freedoms for k in freedom.s]
    own = f"{kilograms(block.mass)} ({', '.join(block.bodies)}), centre of mass {_numbers(block.com, 'm')}"
    reads = [
        f"{what} {', '.join(names)}"
        for what, names in (
            ("inputs", block.inputs),
            ("states", block.states),
            ("drives", block.drives),
            ("parameters", block.parameters),
        )
        if names
    ]
    rows = [
        ("hangs on", f"{block.hangs_on}, from {block.parent}" if block.joint else block.hangs_on),
        *(("freedom" if k == 0 else "", _freedom_in_words(f)) for k, f in enumerate(block.freedoms)),
        ("body", own if block.bodies else "none: no mass of its own"),
        ("in", f"{motion} of {block.parent}" if block.joint else "nothing of a parent"),
        ("", f"efforts along {places('s', own_speeds)}" if own_speeds else ""),
        *(("", f"load {name} ({kind})") for name, kind in block.loads.items()),
        *(("", f"reads {text}") for text in reads),
        ("out", f"{motion} to {', '.join(block.children)}" if block.children else "nothing hangs on it"),
        ("", f"H_i, h_i in {places('s', block.support)}" if block.mass and block.support else ""),
        ("", f"wrench to {block.parent}" if block.joint else ""),
    ]
    if not block.freedoms:
        rows.insert(1, ("freedom", "none: it is fixed there"))
    return [block.node, *(line for name, text in rows if text for line in _row(name, text))]


def _row(name: str, text: str) -> list[str]:
    """A name and what belongs to it, in as many lines as it takes."""
    first, rest = f"  {name:12}", " " * 14
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _freedom_in_words(freedom: FreedomView) -> str:
    value, speed = _numbers(freedom.value, freedom.unit), _numbers(freedom.speed, freedom.speed_unit)
    if freedom.follows and not freedom.q:
        return f"{freedom.name}: {freedom.motion}, follows {freedom.follows}: {value}, {speed}"
    where = f"{places('q', freedom.q)} = {value}"
    if freedom.follows:
        return f"{freedom.name}: {freedom.motion}, {where}, its rate follows {freedom.follows}: {speed}"
    return f"{freedom.name}: {freedom.motion}, {where}, {places('s', freedom.s)} = {speed}"
