"""A partition of a model: every element in one part or none, and the resulting owners of nodes, states, multipliers."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.model import ArgumentError, Element, Model, ModelError
from samara.model.inventory import Inventory, changed, inventory
from samara.model.model import require_model
from samara.system.layout.batches import SHARED, Parts, sort_elements

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Unknowns of a free node.
NODE_UNKNOWNS = 6


@dataclass(frozen=True)
class Share:
    """Share of one part: elements, own unknowns, other unknowns in its equations, work."""

    elements: int
    unknowns: int
    border: int
    work: int  # arithmetic operations in one residual and one Jacobian of its elements


@dataclass(frozen=True)
class Partition:
    """Elements assigned to parts by name; elements in no part are shared.

    A node or a state belongs to the part of all elements that act on it, and to the interface where these differ. Nodes
    and states with shared elements only are on the interface. A joint's multipliers belong to its part, or
    to the interface
    if none of its free nodes belongs to the part, which alone could not determine them. Nodes without mass
    follow the same rule: a massless node on a cut is on the interface as it is, and needs no inertia.

    parts: {name: names of its elements}.
    by:    description of how it was made.
    """

    model: Model
    parts: Mapping[str, Iterable[str]]
    by: str = "names"
    _owners: Parts = field(init=False, repr=False, compare=False)
    _made_of: Inventory = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_model("Partition", self.model)
        if isinstance(self.parts, Mapping):  # any other value is rejected below
            object.__setattr__(self, "parts", {part: _listed(part, names) for part, names in self.parts.items()})
        object.__setattr__(self, "_owners", Parts(self.model, self.parts))
        object.__setattr__(self, "_made_of", inventory(self.model, ()))
        if not self.parts:
            raise ModelError(f"a partition of model {self.model.name!r} needs at least one part")
        for part in self.parts:
            if not self.shares[part].unknowns:
                raise ModelError(
                    f"part {part!r} of model {self.model.name!r} is empty: others act on everything that its elements "
                    "act on; take fewer parts, or give it more elements"
                )

    def require_current(self) -> None:
        """Raises an error if nodes, elements or states of the model have changed since it was cut."""
        what = changed(self._made_of, inventory(self.model, ())._replace(begun=self._made_of.begun))
        if what:
            raise ModelError(f"model {self.model.name!r} has changed since it was cut into parts: {what}; cut it again")

    def __copy__(self) -> Partition:
        return Partition(self.model, self.parts, self.by)

    def __deepcopy__(self, memo: dict[int, Any]) -> Partition:
        return Partition(copy.deepcopy(self.model, memo), self.parts, self.by)

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            pickle.dumps(self.model)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise ModelError(
                f"the partition of model {self.model.name!r} cannot be pickled, for its model cannot ({error}): send "
                "its `parts`, and make partition(model, parts) of them where the model is built"
            ) from None
        return Partition, (self.model, self.parts, self.by)

    # ---- ownership
    def of(self, element: Element) -> str:
        """Part of an element; empty if it is shared."""
        return self._owners.of(element)

    @cached_property
    def nodes(self) -> dict[str, str]:
        """Part of every free node; empty for the interface."""
        return {node.name: self._owners.of_node(node) for node in self.model.nodes.values() if node.free}

    @cached_property
    def states(self) -> dict[str, str]:
        """Part of every scalar state; empty for the interface."""
        found: dict[str, str] = {}
        for element in self.model.elements.values():
            part = self.of(element)
            for state in element.states():
                found[state.name] = part if found.get(state.name, part) == part else SHARED
        return {name: found.get(name, SHARED) for name in self.model.states}

    @cached_property
    def multipliers(self) -> dict[str, str]:
        """Part of the multipliers of every element that has any; empty for the interface."""
        return {
            element.name: self.of(element) if self._holds(element) else SHARED
            for element in self.model.elements.values()
            if self._kinds[element.name][0]
        }

    def _holds(self, element: Element) -> bool:
        """Whether the element acts on a node or state of its own part."""
        part = self.of(element)
        own = [self.nodes[node.name] == part for node in element.nodes() if node.free]
        return any([*own, *(self.states[state.name] == part for state in element.states())])

    # ---- sizes
    @cached_property
    def _kinds(self) -> dict[str, tuple[int, int]]:
        """Multipliers and operations of every element."""
        found: dict[str, tuple[int, int]] = {}
        for batch in sort_elements(self.model, Parts(self.model, {})):
            work = sum(
                f.graph.operations(node for _, node in f.outputs)
                for f in batch.kind.functions
                if f.name in ("residual", "jacobian")
            )
            found |= {element.name: (batch.kind.multiplier_count, work) for element in batch.elements}
        return found

    def work(self, element: Element) -> int:
        """Arithmetic operations of an element's residual and Jacobian."""
        return self._kinds[element.name][1]

    @cached_property
    def shares(self) -> dict[str, Share]:
        """Share of every part, and under the empty name the shared elements with the interface."""
        elements, unknowns, work = (dict.fromkeys([*self.parts, SHARED], 0) for _ in range(3))
        for part in self.nodes.values():
            unknowns[part] += NODE_UNKNOWNS
        for part in self.states.values():
            unknowns[part] += 1
        for name, part in self.multipliers.items():
            unknowns[part] += self._kinds[name][0]
        for element in self.model.elements.values():
            elements[self.of(element)] += 1
            work[self.of(element)] += self.work(element)
        return {part: Share(elements[part], unknowns[part], self._border(part), work[part]) for part in unknowns}

    def _border(self, part: str) -> int:
        """Interface unknowns in the equations of a part's elements."""
        if part == SHARED:
            return 0
        nodes, states, multipliers = set(), set(), 0
        for element in (self.model.elements[name] for name in self.parts[part]):
            nodes |= {n.name for n in element.nodes() if n.free and self.nodes[n.name] == SHARED}
            states |= {s.name for s in element.states() if self.states[s.name] == SHARED}
            if self.multipliers.get(element.name, part) == SHARED:
                multipliers += self._kinds[element.name][0]
        return NODE_UNKNOWNS * len(nodes) + len(states) + multipliers

    @property
    def interface(self) -> int:
        """Unknowns that are solved for together: those of the interface, and those that no part owns."""
        return self.shares[SHARED].unknowns

    @property
    def balance(self) -> float:
        """Work of the largest part divided by the mean of all parts; 1 is ideal."""
        work = [self.shares[part].work for part in self.parts]
        return max(work) * len(work) / max(sum(work), 1)

    # ---- views
    def __str__(self) -> str:
        rows = [("part", "elements", "unknowns", "border", "operations")]
        for part, share in self.shares.items():
            border = str(share.border) if part else "-"
            rows.append((part or "shared", str(share.elements), str(share.unknowns), border, str(share.work)))
        width = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        table = [[cell.rjust(w) for cell, w in zip(row, width, strict=True)] for row in rows]
        for line, row in zip(table, rows, strict=True):
            line[0] = row[0].ljust(width[0])
        head = f"model {self.model.name!r} in {len(self.parts)} parts by {self.by}"
        end = f"interface: {self.interface} unknowns; largest part over the mean: {self.balance:.2f}"
        return "\n".join([head, *map("  ".join, table), end])

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots the nodes and their connections, coloured by part; saved if a file is given."""
        from samara.system.partition.drawing import draw

        figure = draw(self)
        if path is not None:
            figure.savefig(path)
        return figure


def _listed(part: Any, names: Any) -> Any:
    """Names of a part's elements as a tuple; anything but a list of names is left for `Parts` to reject."""
    if not isinstance(part, str) or part == SHARED:
        raise ArgumentError(f"partition: a part must have a name, which is a text, got {part!r}")
    if isinstance(names, str):
        raise ArgumentError(f"partition: part {part!r} must be a list of names, got a text: write [{names!r}]")
    return tuple(names) if isinstance(names, Iterable) else names
