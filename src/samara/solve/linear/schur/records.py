"""The arrays that native code takes of a system in parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from samara.solve.linear.lu import LU
from samara.solve.linear.lu.lanes import WIDTH
from samara.solve.linear.schur.local_rows import LocalRows
from samara.solve.linear.schur.part import NativePart
from samara.solve.linear.schur.ranks import Ranks
from samara.solve.linear.schur.solver import Schur
from samara.solve.linear.schur.substructures import Bundle, Substructures
from samara.solve.linear.schur.team import LINE
from samara.system.layout.batches import SHARED
from samara.system.layout.groups import FUNCTIONS
from samara.tracing.driver.reference import refer

#: Operations of elements that a number of the factors costs as much as.
WORK_OF_A_FACTOR = 10.0


@dataclass(frozen=True)
class Divided:
    """What an analysis leaves: factors of the interface, storage of all, places of all entries, and the parts.

    local: where parts that evaluate their own elements add them up; none where they do not.
    alive: what native code knows by address.
    """

    lu: LU
    storage: np.ndarray
    slots: np.ndarray
    schur: Schur
    parts: list[NativePart]
    local: list[LocalRows]
    alive: list[np.ndarray]


@dataclass(frozen=True)
class _Exchange:
    """Numbers of all bundles in one vector, the place of each bundle, and how many each process finds."""

    numbers: np.ndarray
    places: list[slice]
    counts: list[int]

    def of(self, bundle: int) -> np.ndarray:
        """A view of those of a bundle."""
        return self.numbers[self.places[bundle]]


class PartRecords:
    """Makes the records of all parts.

    apart:       whether parts evaluate their own elements.
    words:       by which threads understand each other, and hands: how many these are.
    """

    def __init__(
        self, sub: Substructures, *, apart: bool, words: np.ndarray, hands: int, ranks: Ranks | None = None
    ) -> None:
        self.sub, self.ranks, self.words, self.hands = sub, ranks, words, hands
        cut, names, bundles = sub.cut, list(sub.cut.parts), sub.bundles
        self.local = [LocalRows(sub.system, cut, name) for name in names] if apart else []
        elements = [sum(cut.shares[names[k]].work for k in bundle.parts) for bundle in bundles]
        self.work = [x + WORK_OF_A_FACTOR * b.size for x, b in zip(elements, bundles, strict=True)]
        self.processes = 1 if ranks is None else ranks.count
        self.process = _one_after_the_other(self.work, self.processes)
        self.sums = self._exchange([b.border.size for b in bundles])
        self.found = self._exchange([b.own.size if self.processes > 1 else 0 for b in bundles])
        self.kept = self._exchange([b.border.shape[1] ** 2 * b.lanes + 1 for b in bundles])  # and their health
        self.storage = sub.new_storage()

    def _exchange(self, sizes: list[int]) -> _Exchange:
        ends = np.cumsum([0, *sizes]).tolist()
        counts = np.bincount(self.process, sizes, self.processes).astype(int).tolist()
        return _Exchange(np.zeros(ends[-1]), [slice(*pair) for pair in pairwise(ends)], counts)

    def divided(self) -> Divided:
        """All of them."""
        sub, lu = self.sub, self.sub.lu
        parts = [self._part(k, bundle) for k, bundle in enumerate(sub.bundles)]
        number = np.zeros(sub.owner.size, np.int64)
        number[sub.shared] = np.arange(sub.shared.size)
        borders = [number[bundle.border.T.ravel()] for bundle in sub.bundles]
        order, starts = self._assigned()
        several = self.ranks is not None and self.processes > 1
        schur = Schur(
            number=len(parts),
            apart=int(bool(self.local)),
            parts=addresses(parts),
            like=parts[0],
            order=order,
            starts=starts,
            shared=np.zeros((0, 3 + len(FUNCTIONS)), np.int64),
            rows=sub.system.unknowns.rows[sub.shared].astype(np.uint32),
            storage=self.storage[: lu.size + 1],
            sums=self.sums.numbers,
            sum_to=lu.row_place[np.concatenate(borders)],
            kept=self.kept.numbers,
            kept_to=np.concatenate([np.append(sub.places_of_shares(k), lu.size) for k in range(len(parts))]).astype(
                np.uint32
            ),
            health=np.array([place.stop - 1 for place in self.kept.places], np.int64),
            found=self.found.numbers,
            rows_of=np.concatenate([part.rows[: part.found.size] for part in parts]),
            team=self.words if self.hands > 1 else np.zeros(0, np.int64),
            calls=np.zeros(3, np.int64),
            looks=np.zeros(LINE * (len(parts) + 1) if self.local else 0),
            between=sub.system.layout.groups_of.get(SHARED, (0, 0))[1],
            ranks=self._words_of_ranks() if several else np.zeros(0, np.int64),
        )
        return Divided(lu, self.storage, sub.slots(), refer(schur), parts, self.local, [])

    def _words_of_ranks(self) -> np.ndarray:
        assert self.ranks is not None
        return self.ranks.words([(x.numbers, x.counts) for x in (self.sums, self.found, self.kept)])

    def _assigned(self) -> tuple[np.ndarray, np.ndarray]:
        """Bundles of this process by hands, and where each hand's begin."""
        rank = 0 if self.ranks is None else self.ranks.rank
        mine = [k for k, process in enumerate(self.process) if process == rank]
        load = np.zeros(self.hands)
        load[0] = self.sub.cut.shares[SHARED].work
        hand: dict[int, int] = {}
        for k in sorted(mine, key=lambda k: -self.work[k]):  # the largest first, to the one with least to do
            hand[k] = int(np.argmin(load))
            load[hand[k]] += self.work[k]
        order = sorted(mine, key=lambda k: hand[k])
        starts = np.searchsorted([hand[k] for k in order], np.arange(self.hands + 1))
        return np.array(order, np.int64), starts.astype(np.int64)

    def _part(self, k: int, bundle: Bundle) -> NativePart:
        sub, lu, size, start = self.sub, bundle.factors.lu, bundle.pattern.size, self.sub.starts[k]
        own, border, rows = bundle.own.T.ravel(), bundle.border.T.ravel(), sub.system.unknowns.rows
        local, res = np.zeros(sub.owner.size, np.int64), np.zeros(0)
        first = end = 0
        if self.local:
            local, res = self.local[k].each, np.zeros(self.local[k].size)
            first, end = sub.system.layout.groups_of.get(list(sub.cut.parts)[k], (0, 0))
        return refer(
            NativePart(
                lu=lu,
                factors=self.storage[start : start + bundle.size],
                program=np.zeros((0, 3 + len(FUNCTIONS)), np.int64),
                res=res,
                rows=rows[own].astype(np.uint32),
                own_rows=local[own].astype(np.uint32),
                row_place=bundle.places(lu.row_place[:size]),
                column_place=bundle.places(lu.column_place[:size]),
                border_rows=rows[border].astype(np.uint32),
                border_own_rows=local[border].astype(np.uint32),
                border_row_place=bundle.places(lu.row_place[size:]),
                border_column_place=bundle.places(lu.column_place[size:]),
                kept_from=bundle.places(lu.slot[bundle.pattern.corner]),
                kept=self.kept.of(k),
                sums=self.sums.of(k),
                found=self.found.of(k),
                lanes=bundle.lanes,
                near=_side_by_side(rows[bundle.own.T]),
                first=first,
                groups=end - first,
            )
        )


def _side_by_side(rows: np.ndarray) -> int:
    """How many of the first numbers lie side by side, a row for each unknown and as many as a vector has lanes."""
    if rows.shape[1] < WIDTH:
        return 0
    near = (np.diff(rows, axis=1) == 1).all(axis=1)
    return rows.size if near.all() else int(np.argmin(near)) * WIDTH


def addresses(parts: list[NativePart]) -> np.ndarray:
    """Where native code finds parts."""
    return np.array([part.address for part in parts], np.int64)  # type: ignore[attr-defined]


def _one_after_the_other(work: list[float], processes: int) -> list[int]:
    """Which process works on what: in order, so that what each finds lies together."""
    middles = np.cumsum(work) - 0.5 * np.array(work)
    return np.minimum((middles / np.sum(work) * processes).astype(int), processes - 1).tolist()
