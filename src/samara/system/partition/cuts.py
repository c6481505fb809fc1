"""Cuts a model into parts: by METIS, which minimises the interface and balances the work, or by symmetry."""

from __future__ import annotations

import importlib.util
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from samara.arguments import whole
from samara.model import ArgumentError, Element, Model, ModelError
from samara.model.declarations.declared_rotor import belongs
from samara.model.model import require_model
from samara.system.partition.partition import NODE_UNKNOWNS, Partition

#: What an element acts on: "node" or "state", and its name.
_Unknown = tuple[str, str]
#: Number of unknowns of each.
UNKNOWNS = {"node": NODE_UNKNOWNS, "state": 1}
#: Number of elements on one state above which the state is always shared, such as a rotor's load, so that it does not
#: keep them in one part; number of trial cuts of each sort.
MANY, SEEDS = 8, 4


def partition(
    model: Model, parts: int | Mapping[str, Iterable[str]] | None = None, *, by: str | None = None
) -> Partition:
    """Substructures of a model.

    parts: how many, cut by METIS (Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998) where the fewest unknowns are
           shared, with the same work in each; or {name: names of its elements}.
    by:    "blades": each blade of the declared rotors is a part, and the rest of the model is shared.

    Give one of the two.
    """
    require_model("partition", model)
    if (parts is None) == (by is None):
        raise ArgumentError('partition: give parts, such as parts=4, or by="blades"')
    if by is not None:
        if by != "blades":
            raise ArgumentError(f'partition: by must be "blades", got {by!r}')
        return by_blades(model)
    if isinstance(parts, Mapping):
        return Partition(model, parts)
    return by_metis(model, whole("partition: parts", parts))


def by_blades(model: Model) -> Partition:
    """Makes each blade of the declared rotors a part, with all elements that bear its name."""
    rotors = model.rotors.values()
    if not rotors:
        raise ModelError(
            f"model {model.name!r} has no rotor whose blades are declared: name them (Rotor(..., blades=[...]) or "
            "model.declare_rotor), or give a number of parts"
        )
    found = {
        blade: [name for name in model.elements if belongs(name, blade)] for rotor in rotors for blade in rotor.blades
    }
    for blade, elements in found.items():
        if not elements:
            raise ModelError(f"blade {blade!r} of model {model.name!r} has no elements: their names begin with its own")
    return Partition(model, found, "blades")


def by_metis(model: Model, count: int) -> Partition:
    """Cuts the graph of nodes, states and elements into a given number of parts.

    Element weights are their cost; edge weights are the cost of sharing the node or state at their end: its unknowns.
    """
    if importlib.util.find_spec("pymetis") is None:
        raise ModelError("partition: METIS is not installed: pip install 'samara[parallel]', or cut by=\"blades\"")
    whole_model = Partition(model, {"all": [*model.elements]})
    vertices = [e for e in model.elements.values() if any(n.free for n in e.nodes()) or e.states()]
    free = [node.name for node in model.nodes.values() if node.free]
    if count > len(free) + len(model.states):
        raise ModelError(
            f"model {model.name!r} cannot be cut into {count} parts: it has {len(free)} free nodes and "
            f"{len(model.states)} states; take fewer parts"
        )
    work = [max(1, whole_model.work(e)) for e in vertices]
    home = _best_cut(vertices, work, count)
    if home is None:
        raise ModelError(f"model {model.name!r} cut into {count} parts leaves one empty: take fewer parts")
    found: dict[str, list[str]] = {f"part_{k + 1}": [] for k in range(count)}
    for element, k in zip(vertices, home, strict=True):
        found[f"part_{k + 1}"].append(element.name)
    return Partition(model, found, "METIS")


def _best_cut(elements: list[Element], work: list[int], count: int) -> list[int] | None:
    """Part of each element in the trial cut with the smallest interface; None if every cut leaves a part empty."""
    acting: dict[_Unknown, list[int]] = {}
    for k, element in enumerate(elements):
        for what in _acts_on(element):
            acting.setdefault(what, []).append(k)
    best, least = None, math.inf
    for most in (MANY, len(elements)):
        joined = {what: on for what, on in acting.items() if what[0] == "node" or len(on) <= most}
        for home in _cuts(elements, work, joined, count):
            owners = {what: {home[k] for k in on} for what, on in acting.items()}
            own = {part for found in owners.values() if len(found) == 1 for part in found}
            interface = sum(UNKNOWNS[what[0]] for what, found in owners.items() if len(found) > 1)
            if len(own) == count and interface < least:
                best, least = home, interface
    return best


def _cuts(
    elements: list[Element], work: list[int], joined: dict[_Unknown, list[int]], count: int
) -> Iterator[list[int]]:
    """Part of each element, by METIS. An element that acts on a single node joins the part of that node."""
    import pymetis

    number = {what: k for k, what in enumerate(joined, len(elements))}
    nodes = [[what for what in _acts_on(element) if what[0] == "node"] for element in elements]
    vertex = [number[on[0]] if len(on) == 1 else k for k, on in enumerate(nodes)]
    weights = np.bincount(vertex, work, len(elements) + len(joined)).astype(int).tolist()
    starts, adjacent, edges = _graph(len(elements), joined)
    graph = pymetis.CSRAdjacency(starts, adjacent)
    for recursive, seed in itertools.product((True, False), range(SEEDS)):
        options = pymetis.Options(seed=seed)
        _, parts = pymetis.part_graph(
            count, graph, vweights=weights, eweights=edges, recursive=recursive, options=options
        )
        yield [parts[k] for k in vertex]


def _acts_on(element: Element) -> list[_Unknown]:
    """Free nodes and states that an element acts on."""
    nodes = dict.fromkeys(("node", node.name) for node in element.nodes() if node.free)
    return [*nodes, *(("state", state.name) for state in element.states())]


def _graph(count: int, joined: dict[_Unknown, list[int]]) -> tuple[list[int], list[int], list[int]]:
    """Compressed adjacency of elements, followed by what they act on, and the edge weights."""
    edges = []
    for number, (what, on) in enumerate(joined.items(), count):
        for k in on:
            edges += [(k, number, UNKNOWNS[what[0]]), (number, k, UNKNOWNS[what[0]])]
    table = np.array(sorted(edges), np.int64).reshape(-1, 3)
    starts = np.searchsorted(table[:, 0], np.arange(count + len(joined) + 1))
    return starts.tolist(), table[:, 1].tolist(), table[:, 2].tolist()
