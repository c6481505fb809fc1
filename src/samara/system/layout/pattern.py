"""The pattern of the Jacobian, and where each entry of each element goes."""

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

#: Key of an entry in a row or column that is no unknown's.
NOWHERE = -1
#: Groups of elements that are looked at together: each takes some tens of kilobytes meanwhile.
GROUPS_AT_ONCE = 256


class Pattern:
    """Compressed sparse rows in the order of the linear solver; entries of kernels are bound to places in a storage.

    nnz:      stored entries.
    diagonal: where those of nodes and states lie: each has one, room for the weights of an assembly.
    """

    def __init__(self, layout: Layout, unknowns: Unknowns, groups: Sequence[Group]) -> None:
        self._width, self._groups = layout.width, groups
        self._own: dict[int, np.ndarray] = {}  # indices of the groups with entries in the order of the pattern
        size = unknowns.size
        diagonal = np.arange(layout.coordinates) * (size + 1)
        unique = distinct_sorted(_sorted_keys(groups, unknowns, layout.width, diagonal))
        unique = unique[np.searchsorted(unique, 0) :]  # without those that are nowhere
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
        """Where the entries of a group lie in the pattern [groups, entries, W]; nnz for those without a place."""
        return self._own[id(group)][:, group.kind.slots :, :]

    def matrix(self, values: np.ndarray, filled: bool = False) -> csr_matrix:
        """Entries in the order of the pattern as a sparse matrix; filled: without those that are zero."""
        size = self.indptr.size - 1
        if not filled:
            return csr_matrix((values, self.indices, self.indptr), (size, size))
        kept = np.flatnonzero(values)
        return csr_matrix((values[kept], self.indices[kept], np.searchsorted(kept, self.indptr)), (size, size))

    @functools.cached_property
    def islands(self) -> np.ndarray:
        """A number for each unknown, the same for those that equations tie together, directly or through others."""
        from scipy.sparse.csgraph import connected_components  # few models ask

        return connected_components(self.matrix(np.ones(self.nnz)), directed=False)[1]

    def program(self) -> np.ndarray:
        """What adds the Jacobian up in the order of the pattern itself, whatever entries are bound to."""
        rows = [
            [group.count, self._own[id(group)].ctypes.data, group.par.ctypes.data, *group.program(["jacobian"])[3:]]
            for group in self._groups
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 3 + len(FUNCTIONS))

    def bind(self, slot: np.ndarray, trash: int, apart: Sequence[tuple[Group, int]] = ()) -> np.ndarray:
        """Points every entry at its place in a storage, that of a factorisation or of the pattern itself.

        apart: elements, as group and number, that are left out and served by a program of their own: it is returned.
        """
        extended = np.append(np.asarray(slot, np.uint32), np.uint32(trash))
        return self.bind_in_parts(extended[None], lambda element: 0, apart)

    def bind_in_parts(
        self, slots: np.ndarray, part: Callable[[Element], int], apart: Sequence[tuple[Group, int]] = ()
    ) -> np.ndarray:
        """The same where elements of one part have places of their own.

        slots: place of every entry, and last of what is not wanted, in a row for each part.
        part:  number of the row that an element takes; those left apart take the first.
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
        self._apart = own  # the program knows them by address
        return np.array(program, dtype=np.int64).reshape(-1, 3 + len(FUNCTIONS))


def _keys(group: Group, unknowns: Unknowns, width: int) -> Iterator[tuple[slice, np.ndarray]]:
    """Some groups of W elements after the other: which, and row * size + column of their entries, or NOWHERE."""
    for first in range(0, group.count, GROUPS_AT_ONCE):
        some = slice(first, first + GROUPS_AT_ONCE)
        r, c = (unknowns.dense[rows_of_entries(group, side, unknowns, width, some)] for side in (0, 1))
        yield some, np.where((r >= 0) & (c >= 0), r * unknowns.size + c, NOWHERE)


def _sorted_keys(groups: Sequence[Group], unknowns: Unknowns, width: int, more: np.ndarray) -> np.ndarray:
    """Those of all groups, and more, in ascending order, some of them more than once."""
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
    """Row (side 0) or column (1) of every Jacobian entry of every instance, or of some groups of W."""
    slots, idx = group.kind.places, group.idx[some]
    slot = {"node": slots.row, "state": slots.state_row, "lam": lambda _: slots.multiplier_rows}
    ends = [entry[side] for entry in group.kind.entries]
    rows = np.array([slot[what](i) for what, i, _ in ends], np.intp)
    steps = np.array([c * (width if what == "node" else 1) for what, _, c in ends], np.int64)
    base = idx[:, rows, :].astype(np.int64)
    return np.where(base >= unknowns.trash, unknowns.trash, base + steps[:, None])
