"""Groups: batches of elements packed into lanes, as their kernels read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from samara.model import Element, Parameter
from samara.system.kernels.contribution import TOTALS
from samara.system.kernels.kinds import Kind
from samara.system.layout.batches import Batch
from samara.system.layout.layout import Layout
from samara.system.layout.unknowns import Unknowns
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.memory.numbers import ParameterPlaces
from samara.tracing import Curve, Surface
from samara.tracing.kernels import native

#: Native functions of a kind, in the order of the columns of a program after [groups, indices, parameters].
FUNCTIONS = ("residual", "jacobian", "velocity", "acceleration", "outputs", "touch")


@dataclass
class Group:
    """All instances of a kind in one part, packed into lanes."""

    kind: Kind
    part: str
    elements: Sequence[Element]
    addresses: dict[str, int]
    idx: np.ndarray  # uint32 [groups, slots + entries, W]
    par: np.ndarray  # float64 [groups, parameters, W]
    multiplier: np.ndarray  # first multiplier of each element
    output: np.ndarray  # first output of each element
    pooled: bool = False  # whether they are slots of a pool (`layout.batches`)

    @property
    def count(self) -> int:
        """Groups of W."""
        return self.idx.shape[0]

    def program(self, functions: Sequence[str] = FUNCTIONS) -> list[int]:
        """Arguments of the native code: count, addresses of indices and parameters, and functions, 0 for none."""
        addresses = (self.addresses.get(f, 0) if f in functions else 0 for f in FUNCTIONS)
        return [self.count, self.idx.ctypes.data, self.par.ctypes.data, *addresses]

    def places(self) -> Iterator[tuple[Element, int, int]]:
        """Each element with its group of W and its lane."""
        width = self.idx.shape[2]
        for k, element in enumerate(self.elements):
            yield element, *divmod(k, width)


class Packer:
    """Packs batches into lanes one after the other; multipliers and outputs are numbered in that order."""

    def __init__(
        self, layout: Layout, unknowns: Unknowns, numbers: ParameterPlaces, kernels: list[native.Loaded]
    ) -> None:
        self._layout, self._unknowns, self._numbers, self._kernels = layout, unknowns, numbers, kernels
        self._multiplier, self._output = 0, len(TOTALS)

    def pack(self, batch: Batch) -> Group:
        """Indices and parameters of all instances; the last instance is repeated in unused lanes, without effect."""
        kind, w, total = batch.kind, self._layout.width, len(batch.elements)
        count = -(-total // w)
        loaded = native.load(kind.name, kind.functions, w, kind.shape, kind.key(w))
        self._kernels.append(loaded)
        multiplier = self._multiplier + kind.multiplier_count * np.arange(total)
        output = self._output + kind.output_width * np.arange(total)
        self._multiplier += kind.multiplier_count * total
        self._output += kind.output_width * total
        columns = self._indices(batch, multiplier, output)
        left = np.repeat(columns[-1:], count * w - total, axis=0)  # unused lanes: copies of the last
        self._discard(left, kind)
        idx = np.ascontiguousarray(np.concatenate([columns, left]).reshape(count, w, kind.slots).swapaxes(1, 2))
        return Group(
            kind, batch.part, batch.elements, loaded.addresses, idx, self._parameters(batch, count), multiplier, output,
            batch.pooled,
        )  # fmt: skip

    def _indices(self, batch: Batch, multiplier: np.ndarray, output: np.ndarray) -> np.ndarray:
        """Where each instance reads and writes, of shape [instances, slots]."""
        layout, unknowns, kind, slots = self._layout, self._unknowns, batch.kind, batch.kind.places
        columns = np.zeros((len(batch.elements), kind.slots), np.uint32)
        for i, nodes in enumerate(zip(*(element.nodes() for element in batch.elements), strict=True)):
            columns[:, slots.node(i)] = layout.blocks(nodes)
            columns[:, slots.row(i)] = unknowns.first_rows(nodes)
        columns[:, slots.multipliers] = layout.multiplier_base + multiplier
        columns[:, slots.multiplier_rows] = unknowns.multiplier_rows + multiplier
        columns[:, slots.outputs] = output
        for k, states in enumerate(zip(*(element.states() for element in batch.elements), strict=True)):
            columns[:, slots.state(k)] = [layout.state_block(state) for state in states]
            columns[:, slots.state_row(k)] = [unknowns.state_row(state.name) for state in states]
        if kind.signal_leaves:
            leaves = [element.leaves() for element in batch.elements]
            for s, leaf in enumerate(kind.signal_leaves):
                columns[:, slots.signal(s)] = [layout.signal(own[leaf]) for own in leaves]
        return columns

    def _discard(self, columns: np.ndarray, kind: Kind) -> None:
        """Redirects what unused lanes write to where nothing reads it."""
        slots, trash, outputs = kind.places, self._unknowns.trash, self._layout.output_size
        columns[:, [slots.row(i) for i in range(slots.nodes)]] = trash
        columns[:, [slots.state_row(k) for k in range(slots.states)]] = trash
        columns[:, slots.multiplier_rows] = trash
        columns[:, slots.outputs], columns[:, slots.totals] = outputs + len(TOTALS), outputs

    def _parameters(self, batch: Batch, count: int) -> np.ndarray:
        """Parameters of all instances; unused lanes repeat the last."""
        kind, w, elements = batch.kind, self._layout.width, batch.elements
        par = aligned_zeros((count, len(kind.parameter_leaves), w))
        if not kind.parameter_leaves:
            return par
        plain, numbers = False, [0.0]
        for k in range(count * w):
            element, (group, lane) = elements[min(k, len(elements) - 1)], divmod(k, w)
            if k and batch.pooled and plain:
                par[group, :, lane] = numbers
                continue
            leaves = element.leaves()
            numbers = [leaves[leaf] for leaf in kind.parameter_leaves]
            plain = not any(isinstance(leaf, (Parameter, Curve, Surface)) for leaf in element.objects())
            if not plain:
                numbers = [self._numbers.place(leaf, par, (group, p, lane)) for p, leaf in enumerate(numbers)]
            par[group, :, lane] = numbers
        return par
