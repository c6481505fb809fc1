"""The pattern of the Jacobian, and where each entry of each element goes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from samara.model import Element
from samara.system.distinct import distinct
from samara.system.groups import FUNCTIONS, Group
from samara.system.layout import Layout
from samara.system.unknowns import Unknowns


class Pattern:
    """Compressed sparse rows in the order of the linear solver; entries of kernels are bound to places in a storage.

    nnz:      stored entries.
    diagonal: where those of nodes and states lie: each has one, room for the weights of an assembly.
    """

    def __init__(self, layout: Layout, unknowns: Unknowns, groups: Sequence[Group]) -> None:
        self._width, self._groups = layout.width, groups
        size, dense = unknowns.size, unknowns.dense
        keys = []
        for group in groups:
            r, c = (dense[rows_of_entries(group, side, unknowns, layout.width)] for side in (0, 1))
            keys.append(np.where((r >= 0) & (c >= 0), r * size + c, -1))
        diagonal = np.arange(layout.coordinates) * (size + 1)
        unique = distinct(np.concatenate([*(key[key >= 0] for key in keys), diagonal]))
        self.nnz = unique.size
        self.indices = (unique % size).astype(np.int32)
        self.indptr = np.searchsorted(unique, np.arange(size + 1) * size).astype(np.int32)
        self.diagonal = np.searchsorted(unique, diagonal)
        self._own: dict[int, np.ndarray] = {}  # indices of the groups with entries in the order of the pattern
        for group in groups:
            key = keys.pop(0)
            entries = np.where(key >= 0, np.searchsorted(unique, key), self.nnz).astype(np.uint32)
            self._own[id(group)] = np.concatenate([group.idx, entries], axis=1)
            group.idx = np.concatenate([group.idx, np.zeros_like(entries)], axis=1)
        self._apart: dict[tuple[int, int], np.ndarray] = {}

    def entries(self, group: Group) -> np.ndarray:
        """Where the entries of a group lie in the pattern [groups, entries, W]; nnz for those without a place."""
        return self._own[id(group)][:, group.kind.slots :, :]

    def matrix(self, values: np.ndarray) -> csr_matrix:
        """Entries in the order of the pattern as a sparse matrix."""
        size = self.indptr.size - 1
        return csr_matrix((values, self.indices, self.indptr), (size, size))

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


def rows_of_entries(group: Group, side: int, unknowns: Unknowns, width: int) -> np.ndarray:
    """Row (side 0) or column (1) of every Jacobian entry of every instance."""
    slots = group.kind.places
    slot = {"node": slots.row, "state": slots.state_row, "lam": lambda _: slots.multiplier_rows}
    result = np.empty((group.count, len(group.kind.entries), width), dtype=np.int64)
    for e, entry in enumerate(group.kind.entries):
        what, i, c = entry[side]
        base = group.idx[:, slot[what](i), :].astype(np.int64)
        result[:, e, :] = np.where(base >= unknowns.trash, unknowns.trash, base + c * (width if what == "node" else 1))
    return result
