"""Groups: batches of elements packed in lanes, as their kernels read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from samara.model import Element
from samara.system.batches import Batch
from samara.system.contribution import TOTALS
from samara.system.kinds import Kind
from samara.system.layout import Layout
from samara.system.memory import aligned_zeros
from samara.system.numbers import ParameterPlaces
from samara.system.unknowns import Unknowns
from samara.tracing import native

#: Native functions of a kind, in the order of the columns of a program after [groups, indices, parameters].
FUNCTIONS = ("residual", "jacobian", "velocity", "acceleration", "outputs")


@dataclass
class Group:
    """All instances of a kind in one part, packed in lanes."""

    kind: Kind
    part: str
    elements: Sequence[Element]
    addresses: dict[str, int]
    idx: np.ndarray  # uint32 [groups, slots + entries, W]
    par: np.ndarray  # float64 [groups, parameters, W]
    multiplier: np.ndarray  # first multiplier of each element
    output: np.ndarray  # first output of each element

    @property
    def count(self) -> int:
        """Groups of W."""
        return self.idx.shape[0]

    def program(self, functions: Sequence[str] = FUNCTIONS) -> list[int]:
        """What native code takes: how many, where indices and parameters lie, and the functions; 0 for none."""
        addresses = (self.addresses.get(f, 0) if f in functions else 0 for f in FUNCTIONS)
        return [self.count, self.idx.ctypes.data, self.par.ctypes.data, *addresses]

    def places(self) -> Iterator[tuple[Element, int, int]]:
        """Each element with its group of W and its lane."""
        width = self.idx.shape[2]
        for k, element in enumerate(self.elements):
            yield element, *divmod(k, width)


class Packer:
    """Puts batches into lanes, one after the other: multipliers and outputs are numbered in that order."""

    def __init__(
        self, layout: Layout, unknowns: Unknowns, numbers: ParameterPlaces, kernels: list[native.Loaded]
    ) -> None:
        self._layout, self._unknowns, self._numbers, self._kernels = layout, unknowns, numbers, kernels
        self._multiplier, self._output = 0, len(TOTALS)

    def pack(self, batch: Batch) -> Group:
        """Indices and parameters of all instances; the last one fills the lanes that are left, without effect."""
        kind, w, total = batch.kind, self._layout.width, len(batch.elements)
        count = -(-total // w)
        loaded = native.load(kind.name, kind.functions, w, kind.shape)
        self._kernels.append(loaded)
        multiplier = self._multiplier + kind.multiplier_count * np.arange(total)
        output = self._output + kind.output_width * np.arange(total)
        self._multiplier += kind.multiplier_count * total
        self._output += kind.output_width * total
        idx = np.zeros((count, kind.slots, w), np.uint32)
        par = aligned_zeros((count, len(kind.parameter_leaves), w))
        for k in range(count * w):
            e = min(k, total - 1)
            group, lane = divmod(k, w)
            self._fill_indices(idx[group, :, lane], kind, batch.elements[e], (int(multiplier[e]), int(output[e])))
            if k >= total:
                self._discard(idx[group, :, lane], kind, batch.elements[e])
            leaves = batch.elements[e].leaves()
            for p, leaf in enumerate(kind.parameter_leaves):
                par[group, p, lane] = self._numbers.place(leaves[leaf], par, (group, p, lane))
        return Group(kind, batch.part, batch.elements, loaded.addresses, idx, par, multiplier, output)

    def _fill_indices(self, column: np.ndarray, kind: Kind, element: Element, first: tuple[int, int]) -> None:
        layout, unknowns, slots = self._layout, self._unknowns, kind.places
        for i, node in enumerate(element.nodes()):
            column[slots.node(i)] = layout.block(node)
            column[slots.row(i)] = unknowns.row(node)
        multiplier, output = first
        column[slots.multipliers] = layout.multiplier_base + multiplier
        column[slots.multiplier_rows] = unknowns.multiplier_rows + multiplier
        column[slots.outputs] = output
        column[slots.totals] = 0
        for k, state in enumerate(element.states()):
            column[slots.state(k)] = layout.state_block(state)
            column[slots.state_row(k)] = unknowns.state_row(state.name)
        leaves = element.leaves()
        for s, leaf in enumerate(kind.signal_leaves):
            column[slots.signal(s)] = layout.signal(leaves[leaf])

    def _discard(self, column: np.ndarray, kind: Kind, element: Element) -> None:
        """A lane that is left writes where nobody reads."""
        slots, trash, outputs = kind.places, self._unknowns.trash, self._layout.output_size
        column[[slots.row(i) for i in range(slots.nodes)]] = trash
        column[[slots.state_row(k) for k in range(slots.states)]] = trash
        column[slots.multiplier_rows] = trash
        column[slots.outputs], column[slots.totals] = outputs + len(TOTALS), outputs
