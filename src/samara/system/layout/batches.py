"""Elements sorted by kind and part: the elements of a batch share native functions and are adjacent in lanes."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from samara.arguments import names
from samara.elements.sensors.node_motion import NodeMotion
from samara.elements.sensors.state_value import StateValue
from samara.model import ArgumentError, Element, Model, ModelError, Node, Pooled, State
from samara.model.schema.user_attributes import as_structure, built_in
from samara.system.kernels.kinds import Kind, make_kind
from samara.tracing.expressions.expr import hint

#: Part of whatever is not assigned to one, or is shared by several.
SHARED = ""
#: Owner of the lanes that parts share when they are laid out abreast.
ABREAST = "abreast"


@dataclass(frozen=True)
class Batch:
    """Elements of one kind and one part.

    pooled: whether they are slots of a pool: one element repeated for each slot, on different nodes in each step.
    """

    kind: Kind
    part: str
    elements: list[Element] = field(default_factory=list)
    pooled: bool = False


class Parts:
    """The part of every element and node.

    The user names a part and lists its elements. A node belongs to the part of all elements that act on it; if they
    belong to different parts, the node belongs to none and is on the interface.

    abreast: whether parts share lanes: the first element or node of each part, then the second of each, and so on.
    """

    def __init__(self, model: Model, given: Mapping[str, Iterable[str]], abreast: bool = False) -> None:
        self._elements: dict[str, str] = {}
        self.abreast = abreast
        if not isinstance(given, Mapping):
            raise ArgumentError(f"System: parts must be {{part: names of elements}}, got {given!r}")
        for part, listed in given.items():
            for name in names(f"System: part {part!r}", listed, "name the elements of the part, or leave it out"):
                if name not in model.elements:
                    raise ModelError(f"part {part!r}: model {model.name!r} has no element {name!r}")
                if self._elements.setdefault(name, part) != part:
                    raise ModelError(f"element {name!r} cannot be in part {part!r} and in {self._elements[name]!r}")
        self._nodes: dict[str, str] = {}
        for element in model.elements.values():
            part = self.of(element)
            for node in element.nodes():
                self._nodes[node.name] = part if self._nodes.get(node.name, part) == part else SHARED
        self._turns = _turns(self._elements, model.elements)
        self._turns_of_nodes = _turns(self._nodes, model.nodes)

    def of(self, element: Element) -> str:
        """Part of an element of the model."""
        return self._elements.get(element.name, SHARED)

    def of_node(self, node: Node) -> str:
        """Part of a node."""
        return self._nodes.get(node.name, SHARED)

    def lanes(self, part: str) -> str:
        """Owner of the lanes of a part: the part itself, or the shared owner if parts are abreast."""
        return ABREAST if self.abreast and part != SHARED else part

    def turn(self, element: Element) -> int:
        """Position of an element within its part where parts share lanes; zero where they have their own."""
        return self._turns.get(element.name, 0) if self.abreast else 0

    def turn_of_node(self, node: Node) -> int:
        """Position of a node within its part, likewise."""
        return self._turns_of_nodes.get(node.name, 0) if self.abreast else 0


def _turns(owner: Mapping[str, str], names: Iterable[str]) -> dict[str, int]:
    """Index of each name within its part."""
    count: Counter[str] = Counter()
    found = {}
    for name in names:
        part = owner.get(name, SHARED)
        if part != SHARED:
            found[name] = count[part]
            count[part] += 1
    return found


def sort_elements(model: Model, parts: Parts) -> list[Batch]:
    """Sorts all elements of a model, and a sensor for each node and state, into batches."""
    nodes = sorted((n for n in model.nodes.values() if n.kind != "ground"), key=lambda n: not n.free)
    members: list[tuple[Element, str]] = [(e, parts.of(e)) for e in model.elements.values()]
    members += [(_sensor(NodeMotion(n), n), parts.of_node(n)) for n in nodes]
    members += [(_sensor(StateValue(state), state), SHARED) for state in model.states.values()]
    batches: dict[tuple, Batch] = {}
    for element, part in sorted(members, key=lambda member: parts.turn(member[0])):
        # elements of one structure may still differ in the number of nodes and states, as where a field is a list
        structure, part = (element.structure(), len(element.nodes()), len(element.states())), parts.lanes(part)
        if (structure, part) not in batches:
            batches[structure, part] = Batch(_kind(structure, element), part)
        batches[structure, part].elements.append(element)
    return [*batches.values(), *_pools(model)]


def _pools(model: Model) -> Iterator[Batch]:
    """Slots of elements that find their nodes themselves. They have forces, but no entries in the matrix of a step."""
    for element in (e for e in model.elements.values() if isinstance(e, Pooled)):
        for slot, count in element.pool(model):
            whole = _kind((slot.structure(), 2, 0), slot)
            functions = [function for function in whole.functions if function.name != "jacobian"]
            kind = replace(whole, entries=[], functions=functions, _keys={})
            yield Batch(kind, SHARED, [slot] * count, pooled=True)


#: Most recently traced kinds, keyed by their structure and by the contents of their classes, which fully determine the
#: equations: the next model with the same elements need not trace them again. User-written elements may depend on more,
#: such as a number outside the class, and are not kept.
_traced: OrderedDict[tuple, Kind] = OrderedDict()
#: The ready models need some 90 kinds in all.
_KEPT_KINDS = 128


def _kind(structure: tuple, element: Element) -> Kind:
    if not _built_in(structure):
        return _make_kind(element)
    key = (structure, *(_made_of(cls) for cls in dict.fromkeys(_classes(structure))))
    if key not in _traced:
        _traced[key] = _make_kind(element)
        if len(_traced) > _KEPT_KINDS:
            _traced.popitem(last=False)
    _traced.move_to_end(key)
    return _traced[key]


def _built_in(structure: object) -> bool:
    """Whether all classes and functions in a structure are part of Samara."""
    if isinstance(structure, tuple):
        return all(map(_built_in, structure))
    return not callable(structure) or built_in(structure)


def _classes(structure: object) -> Iterator[type]:
    """All classes in a structure."""
    if isinstance(structure, tuple):
        for part in structure:
            yield from _classes(part)
    elif isinstance(structure, type):
        yield structure


def _made_of(cls: type) -> tuple:
    """Functions and constants of a class and its bases, any of which may be replaced while Python runs."""
    return tuple(
        (name, as_structure(value))
        for base in cls.__mro__
        for name, value in vars(base).items()
        if name == "__call__" or not name.startswith("__")
    )


def _sensor(sensor: Element, of: Node | State) -> Element:
    sensor.join(of.name)
    return sensor


def _make_kind(element: Element) -> Kind:
    """Traces an element; an error names the element."""
    try:
        return make_kind(element)
    except ModelError as error:
        raise ModelError(f"element {element.name!r}: {error}") from None
    except Exception as error:
        said = "; ".join(str(part) for part in (error, hint(error)) if part)
        said = f"element {element.name!r} ({type(element).__name__}): {said}"
        error.args = (said,)
        if said not in str(error):  # an exception with its own wording
            raise ModelError(said) from error
        raise
