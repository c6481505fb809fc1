"""Sparsity pattern of the Jacobian, and the place of every entry of each element."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from samara.model import Element
from samara.system.layout.groups import FUNCTIONS, Group
from samara.system.layout.layout import Layout
from samara.system.layout.unknowns import Unknowns
from samara.system.memory.distinct import distinct_sorted

#: Key of an entry whose row or column is not an unknown.
NOWHERE = -1
#: Groups of elements processed together, each of which temporarily needs some tens of kilobytes.
GROUPS_AT_ONCE = 256


class Pattern:
    """Compressed sparse rows in the linear solver's order; entries of kernels are bound to places in a storage.

    nnz:      stored entries.
    diagonal: positions of the diagonal entries of nodes and states: each has one, with room for assembly weights.
    """

    def __init__(self, layout: Layout, unknowns: Unknowns, groups: Sequence[Group]) -> None:
        self._width, self._groups = layout.width, groups
        self._own: dict[int, np.ndarray] = {}  # entries of the groups as indices, in the order of the pattern
        size = unknowns.size
        diagonal = np.arange(layout.coordinates) * (size + 1)
        unique = distinct_sorted(_sorted_keys(groups, unknowns, layout.width, diagonal))
        unique = unique[np.searchsorted(unique, 0) :]  # without entries that have no place
        self.nnz = unique.size
        self.indices = (unique % size).astype(np.int32)
        self.indptr = np.searchsorted(unique, np.arange(size + 1) * size).astype(np.int32)
        self.diagonal = np.searchsorted(unique, diagonal)
        for group in groups:
            slots = group.kind.slots
            own = np.zeros((group.count, slots + len(group.kind.entries), layout.width), np.uint32)
            own[:, :slots] = group.idx
            for some, key in _keys(group, unknowns, layout.width):
                own[some, slots:] = np.where(key >= 0, np.searchsorted(unique, key), self.nnz)
            self._own[id(group)], group.idx = own, own.copy()
        self._apart: dict[tuple[int, int], np.ndarray] = {}

    def entries(self, group: Group) -> np.ndarray:
        """Positions of a group's entries in the pattern [groups, entries, W]; nnz for entries without a place."""
        return self._own[id(group)][:, group.kind.slots :, :]

    def matrix(self, values: np.ndarray, filled: bool = False) -> csr_matrix:
        """Sparse matrix from entries in the order of the pattern; filled: without zero entries."""
        size = self.indptr.size - 1
        if not filled:
            return csr_matrix((values, self.indices, self.indptr), (size, size))
        kept = np.flatnonzero(values)
        return csr_matrix((values[kept], self.indices[kept], np.searchsorted(kept, self.indptr)), (size, size))

    @functools.cached_property
    def islands(self) -> np.ndarray:
        """A number for each unknown, equal for unknowns that are coupled by equations, directly or through others."""
        from scipy.sparse.csgraph import connected_components  # rarely needed

        return connected_components(self.matrix(np.ones(self.nnz)), directed=False)[1]

    def program(self) -> np.ndarray:
        """Program that assembles the Jacobian in the order of the pattern, whatever the entries are bound to."""
        rows = [
            [group.count, self._own[id(group)].ctypes.data, group.par.ctypes.data, *group.program(["jacobian"])[3:]]
            for group in self._groups
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 3 + len(FUNCTIONS))

    def bind(self, slot: np.ndarray, trash: int, apart: Sequence[tuple[Group, int]] = ()) -> np.ndarray:
        """Binds every entry to its place in a storage, that of a factorisation or of the pattern itself.

        apart: elements, as group and number, to leave out here; the program that serves them is returned.
        """
        extended = np.append(np.asarray(slot, np.uint32), np.uint32(trash))
        return self.bind_in_parts(extended[None], lambda element: 0, apart)

    def bind_in_parts(
        self, slots: np.ndarray, part: Callable[[Element], int], apart: Sequence[tuple[Group, int]] = ()
    ) -> np.ndarray:
        """Binds entries where the elements of one part have places of their own.

        slots: place of every entry, and last the place for unwanted ones, in a row for each part.
        part:  row number for each element; elements left apart take the first row.
        """
        extended, trash = slots[0], slots[0, -1]
        for group in self._groups:
            entries = self.entries(group)
            if len(slots) == 1:
                group.idx[:, group.kind.slots :, :] = extended[entries]
                continue
            rows = np.zeros(group.count * self._width, np.int64)
            rows[: len(group.elements)] = [part(element) for element in group.elements]
            group.idx[:, group.kind.slots :, :] = slots[rows.reshape(group.count, 1, self._width), entries]
        own: dict[tuple[int, int], np.ndarray] = {}
        program = []
        for group, k in apart:
            g, lane = divmod(k, self._width)
            if (id(group), g) not in own:
                idx = own[id(group), g] = group.idx[g : g + 1].copy()
                idx[0, group.kind.slots :, :] = trash
                program.append([1, idx.ctypes.data, group.par[g : g + 1].ctypes.data, *group.program(["jacobian"])[3:]])
            own[id(group), g][0, group.kind.slots :, lane] = extended[self.entries(group)[g, :, lane]]
            group.idx[g, group.kind.slots :, lane] = trash
        self._apart = own  # the program refers to them by address
        return np.array(program, dtype=np.int64).reshape(-1, 3 + len(FUNCTIONS))


def _keys(group: Group, unknowns: Unknowns, width: int) -> Iterator[tuple[slice, np.ndarray]]:
    """Batches of groups of W elements: which groups, and row * size + column of their entries, or NOWHERE."""
    for first in range(0, group.count, GROUPS_AT_ONCE):
        some = slice(first, first + GROUPS_AT_ONCE)
        r, c = (unknowns.dense[rows_of_entries(group, side, unknowns, width, some)] for side in (0, 1))
        yield some, np.where((r >= 0) & (c >= 0), r * unknowns.size + c, NOWHERE)


def _sorted_keys(groups: Sequence[Group], unknowns: Unknowns, width: int, more: np.ndarray) -> np.ndarray:
    """Keys of all groups and any others in ascending order, some of them repeated."""
    count = sum(group.count * len(group.kind.entries) * width for group in groups)
    keys, at = np.empty(count + more.size, np.int64), more.size
    keys[:at] = more
    for group in groups:
        for _, key in _keys(group, unknowns, width):
            keys[at : at + key.size] = key.ravel()
            at += key.size
    keys.sort()
    return keys


def rows_of_entries(group: Group, side: int, unknowns: Unknowns, width: int, some: slice = slice(None)) -> np.ndarray:
    """Row (side 0) or column (1) of every Jacobian entry of every instance, or of some groups of W only."""
    slots, idx = group.kind.places, group.idx[some]
    slot = {"node": slots.row, "state": slots.state_row, "lam": lambda _: slots.multiplier_rows}
    ends = [entry[side] for entry in group.kind.entries]
    rows = np.array([slot[what](i) for what, i, _ in ends], np.intp)
    steps = np.array([c * (width if what == "node" else 1) for what, _, c in ends], np.int64)
    base = idx[:, rows, :].astype(np.int64)
    return np.where(base >= unknowns.trash, unknowns.trash, base + steps[:, None])
