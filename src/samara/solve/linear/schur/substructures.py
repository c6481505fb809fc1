"""Builds the parts for native code from a system, its partition and a sample Jacobian.

Identical parts share one analysis and are factored together in lanes if requested. Unknowns that a part cannot
determine alone, such as the reactions of a joint that its other joints make redundant, move to the interface; so do
those that turning elements act on, because that part of the factors is renewed separately
(`samara.solve.redundant.renewal`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from samara.solve.linear.lu import LU, SingularMatrix, analyse
from samara.solve.linear.lu.analysis import equilibrate
from samara.solve.linear.lu.lanes import WIDTH
from samara.solve.linear.schur.bordered import (
    BorderedFactors,
    BorderedPattern,
    Undetermined,
    analyse_bordered,
    storage_size,
)
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.memory.distinct import distinct
from samara.system.partition import Partition
from samara.system.system import System

#: Owner of what is on the interface, among the numbers of parts.
INTERFACE = -1
#: Least size of a pivot there, relative to its column: it is nearly full, so that large pivots cost nothing.
INTERFACE_THRESHOLD = 0.1


@dataclass(frozen=True)
class Bundle:
    """Parts that are factored abreast, mostly one alone.

    parts:         their numbers.
    own, border:   numbers of their unknowns and of those of the interface that they see, a row for each part.
    pattern:       of the matrix of each, own unknowns first.
    factors:       pivots and storage.
    """

    parts: list[int]
    own: np.ndarray
    border: np.ndarray
    pattern: BorderedPattern
    factors: BorderedFactors

    @property
    def lanes(self) -> int:
        return len(self.parts)

    @property
    def size(self) -> int:
        """Of the storage, the last place included, to which goes what is not wanted."""
        return storage_size(self.factors.lu, self.lanes > 1)

    def places(self, numbers: np.ndarray) -> np.ndarray:
        """Places in a storage or work vector of all lanes, side by side for each number."""
        if self.lanes == 1:
            return numbers.astype(np.uint32)
        return (numbers[:, None] * np.int64(WIDTH) + np.arange(self.lanes)).ravel().astype(np.uint32)


class Substructures:
    """A system cut into parts, each with its factors, and the interface with its own.

    bundles: parts, several abreast where they are identical and `abreast` says so.
    shared:  numbers of the unknowns of the interface, in the order of its linear solver.
    lu:      of the interface.
    """

    def __init__(
        self, system: System, cut: Partition, values: np.ndarray, late: np.ndarray, *, abreast: bool = False
    ) -> None:
        self.system, self.cut, self.abreast = system, cut, abreast
        pattern = system.pattern
        self.rows = np.repeat(np.arange(system.unknowns.size), np.diff(pattern.indptr))
        self.columns = pattern.indices
        self.owner = _owners(system, cut)
        self.owner[late] = INTERFACE
        self._scales = equilibrate(system.unknowns.size, self.rows, self.columns, values[None])
        self._sees = [self._seen_by(part) for part in cut.parts]
        self.bundles = self._analysed(values)
        self.shared = np.flatnonzero(self.owner == INTERFACE)
        self.lu: LU = self._interface(values, late)

    # ---- parts
    def _seen_by(self, part: str) -> np.ndarray:
        """Numbers of all unknowns that the elements of a part act on."""
        elements = [self.system.model.elements[name] for name in self.cut.parts[part]]
        return np.unique(np.concatenate([self.system.unknowns_of(e) for e in elements]))

    def _analysed(self, values: np.ndarray) -> list[Bundle]:
        """Parts with their factors; what they cannot determine alone has moved to the interface."""
        if not (self.owner == INTERFACE).any():
            self._release(np.flatnonzero(self.owner == 0)[:1])  # something must join them
        while True:
            try:
                return [self._bundle(parts, values) for parts in self._alike()]
            except _Moved:
                continue

    def _alike(self) -> list[list[int]]:
        """Numbers of parts that are factored together."""
        if not self.abreast:
            return [[k] for k in range(len(self._sees))]
        found: list[tuple[BorderedPattern, list[int]]] = []
        for k in range(len(self._sees)):
            pattern = self._pattern(k)[2]
            for other, parts in found:
                if len(parts) < WIDTH and pattern.same(other):
                    parts.append(k)
                    break
            else:
                found.append((pattern, [k]))
        return [parts for _, parts in found]

    def _pattern(self, k: int) -> tuple[np.ndarray, np.ndarray, BorderedPattern, np.ndarray]:
        """Own unknowns of a part, its border, its pattern, and which entries of the system's pattern are its own."""
        own = np.flatnonzero(self.owner == k)
        border = self._sees[k][self.owner[self._sees[k]] == INTERFACE]
        inside = (self.owner[self.rows] == k) | (self.owner[self.columns] == k)
        local = np.full(self.owner.size, -1, np.int64)
        local[own], local[border] = np.arange(own.size), own.size + np.arange(border.size)
        total, edge = own.size + border.size, own.size + np.arange(border.size)
        keys = local[self.rows[inside]] * total + local[self.columns[inside]]
        corner = (edge[:, None] * total + edge).ravel()
        pattern = BorderedPattern(own.size, border.size, distinct(np.concatenate([keys, corner])))
        return own, border, pattern, np.flatnonzero(inside)

    def _bundle(self, parts: list[int], values: np.ndarray) -> Bundle:
        owns, borders, patterns, insides = zip(*(self._pattern(k) for k in parts), strict=True)
        samples = np.zeros((len(parts), patterns[0].keys.size))
        for row, k, inside in zip(samples, parts, insides, strict=True):
            row[self._local_entries(k, patterns[0])[inside]] = values[inside]
        first = np.concatenate([owns[0], borders[0]])
        scales, together = tuple(scale[first] for scale in self._scales), self.system.unknowns.together[first]
        try:
            factors = analyse_bordered(patterns[0], samples, scales, together, wide=len(parts) > 1)
        except Undetermined as error:
            self._release(np.concatenate([own[error.numbers] for own in owns]))
            raise _Moved from None
        return Bundle(parts, np.array(owns), np.array(borders), patterns[0], factors)

    def _local_entries(self, k: int, pattern: BorderedPattern) -> np.ndarray:
        """Number in a part's pattern of every entry of the system's that it may hold; -1 for others."""
        own, border = self._pattern(k)[:2]
        local = np.full(self.owner.size, -1, np.int64)
        local[own], local[border] = np.arange(own.size), own.size + np.arange(border.size)
        r, c = local[self.rows], local[self.columns]
        keys = r * pattern.total + c
        at = np.minimum(np.searchsorted(pattern.keys, keys), pattern.keys.size - 1)
        return np.where((r >= 0) & (c >= 0) & (pattern.keys[at] == keys), at, -1)

    def _release(self, numbers: np.ndarray) -> None:
        """Unknowns to the interface, with all of their node or of their joint."""
        nodes = 6 * len(self.system.layout.free)
        for number in numbers:
            if number < nodes:
                self.owner[number // 6 * 6 : number // 6 * 6 + 6] = INTERFACE
            else:
                name = self.system.unknowns.holder(int(number))
                same = [number] if name is None else self.system.layout.coordinates + self._multipliers[name]
                self.owner[same] = INTERFACE

    @cached_property
    def _multipliers(self) -> dict[str, np.ndarray]:
        return {e.name: self.system.multipliers(e) for e in self.system.holding}

    # ---- the interface
    def _interface(self, values: np.ndarray, late: np.ndarray) -> LU:
        """Its factors, from a sample of its matrix: what is left of the parts included."""
        size = self.shared.size
        number = np.full(self.owner.size, -1, np.int64)
        number[self.shared] = np.arange(size)
        between = (number[self.rows] >= 0) & (number[self.columns] >= 0)
        own = number[self.rows[between]] * size + number[self.columns[between]]
        self._cliques = [[self._clique(number[border]) for border in bundle.border] for bundle in self.bundles]
        self.keys = distinct(np.concatenate([own, *(keys for lanes in self._cliques for keys in lanes)]))
        sample = np.zeros(self.keys.size)
        np.add.at(sample, np.searchsorted(self.keys, own), values[between])
        for bundle, lanes in zip(self.bundles, self._cliques, strict=True):
            for keys, left in zip(lanes, bundle.factors.left, strict=True):
                np.add.at(sample, np.searchsorted(self.keys, keys), left)
        indptr = np.searchsorted(self.keys, np.arange(size + 1) * size)
        together = self.system.unknowns.together[self.shared]
        try:
            return analyse(
                size, indptr, self.keys % size, sample,
                late=late[self.shared], together=together, threshold=INTERFACE_THRESHOLD,
            )  # fmt: skip
        except SingularMatrix as error:
            raise SingularMatrix(self.shared[error.rows], self.shared[error.columns]) from None

    def _clique(self, border: np.ndarray) -> np.ndarray:
        return (border[:, None] * self.shared.size + border).ravel()

    def places_of_shares(self, bundle: int) -> np.ndarray:
        """Places in the interface's storage of what a bundle adds to it, side by side for its lanes."""
        slots = [self.lu.slot[np.searchsorted(self.keys, keys)] for keys in self._cliques[bundle]]
        return np.array(slots).T.ravel()

    # ---- storage
    @cached_property
    def starts(self) -> list[int]:
        """Where the storage of each bundle begins, after that of the interface, and the end."""
        found = [-(-(self.lu.size + 1) // 8) * 8]
        for bundle in self.bundles:
            found.append(-(-(found[-1] + bundle.size) // 8) * 8)
        return found

    def new_storage(self) -> np.ndarray:
        """Zeros for the matrices and factors of all."""
        return aligned_zeros(self.starts[-1])

    def slots(self) -> np.ndarray:
        """Places of the entries of the system's pattern, and last of what is not wanted: for shared elements in the
        first row, then for the elements of each part."""
        size, count = self.rows.size, len(self._sees)
        found = np.zeros((count + 1, size + 1), np.uint32)
        number = np.full(self.owner.size, -1, np.int64)
        number[self.shared] = np.arange(self.shared.size)
        r, c = number[self.rows], number[self.columns]
        at = np.searchsorted(self.keys, np.where((r >= 0) & (c >= 0), r * self.shared.size + c, 0))
        found[0, :size] = np.where((r >= 0) & (c >= 0), self.lu.slot[np.minimum(at, self.keys.size - 1)], self.lu.size)
        found[0, size] = self.lu.size
        for start, bundle in zip(self.starts, self.bundles, strict=False):
            step, last, lu = (WIDTH if bundle.lanes > 1 else 1), start + bundle.size - 1, bundle.factors.lu
            for lane, k in enumerate(bundle.parts):
                entries = self._local_entries(k, bundle.pattern)
                places = start + lu.slot[np.maximum(entries, 0)].astype(np.int64) * step + lane
                found[k + 1, :size] = np.where(entries >= 0, places, last)
                found[k + 1, size] = last
        return found


class _Moved(Exception):  # noqa: N818
    """Unknowns have moved to the interface: begin again."""


def _owners(system: System, cut: Partition) -> np.ndarray:
    """Number of the part of every unknown of the linear solver."""
    number: dict[str, Any] = {part: k for k, part in enumerate(cut.parts)} | {"": INTERFACE}
    layout = system.layout
    owner = np.full(system.unknowns.size, INTERFACE)
    owner[: 6 * len(layout.free)] = np.repeat([number[cut.nodes[node.name]] for node in layout.free], 6)
    states = 6 * len(layout.free) + np.arange(len(layout.states))
    owner[states] = [number[cut.states[state.name]] for state in layout.states]
    for element in system.holding:
        owner[layout.coordinates + system.multipliers(element)] = number[cut.multipliers[element.name]]
    return owner
