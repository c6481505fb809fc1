"""Supernodes that each group of elements contributes to, and assembly of the Jacobian for the last of them only.

Elements of one kind are grouped in W lanes (`samara.system.layout.groups`). A group whose entries all lie in the part
of the storage being reassembled runs unchanged; of a group with entries on both sides, those outside are discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samara.solve.linear.lu.lanes import get, pointer_at
from samara.solve.linear.lu.programs import LOWER, UPPER
from samara.solve.native.kernels import GROUPS, INDICES, JACOBIAN, PARAMETERS, call_native
from samara.system.layout.groups import Group
from samara.tracing.driver.driver_cache import inner

#: Groups that are looked at together: each takes some kilobytes meanwhile.
GROUPS_AT_ONCE = 256
#: Columns of `Spans.sizes`: bytes of the indices and of the parameters of a group, numbers of its indices, those of
#: them before the entries, and where its kind begins in `first` and `end`.
INDEX_BYTES, PARAMETER_BYTES, WORDS, SLOTS, START = range(5)


class Spans(NamedTuple):
    """Of all groups, kind after kind."""

    sizes: np.ndarray  # [kinds, 5]
    first: np.ndarray  # the first supernode that a group of W adds to, and
    end: np.ndarray  # the one after the last
    row: np.ndarray  # room for the indices of a group


def no_spans() -> Spans:
    """Of a system that has not been analysed, or is always factored as a whole."""
    index = np.zeros(0, np.uint32)
    return Spans(np.zeros((0, 5), np.int64), index, index, index)


def spans_of(groups: Sequence[Group], passages: np.ndarray) -> Spans:
    """Of groups whose entries are bound to factors with these passages (`lu.programs`)."""
    sizes, none = np.zeros((len(groups), 5), np.int64), passages.shape[0]
    ends = np.cumsum([0, *(group.count for group in groups)])
    first, end = (np.zeros(ends[-1], np.uint32) for _ in range(2))
    for k, group in enumerate(groups):
        idx, slots, start = group.idx, group.kind.slots, int(ends[k])
        sizes[k] = idx[0].nbytes, group.par[0].nbytes, idx[0].size, slots * idx.shape[2], start
        for g in range(0, group.count, GROUPS_AT_ONCE):
            nodes = _nodes(idx[g : g + GROUPS_AT_ONCE, slots:, :], passages)
            some = slice(start + g, start + g + nodes.shape[0])
            first[some] = np.where(nodes < 0, none, nodes).min(axis=(1, 2), initial=none)
            end[some] = nodes.max(axis=(1, 2), initial=-1) + 1
    return Spans(sizes, first, end, np.zeros(int(sizes[:, WORDS].max(initial=0)), np.uint32))


def _nodes(entries: np.ndarray, passages: np.ndarray) -> np.ndarray:
    """Supernodes that places in the storage belong to; -1 for those outside."""
    lower, upper = passages[:, LOWER], passages[:, UPPER]
    low = np.searchsorted(lower, entries, side="right") - 1
    high = passages.shape[0] - 1 - np.searchsorted(upper[::-1], entries, side="right")
    return np.where(entries < lower[-1], low, np.where(entries < upper[0], high, -1))


@inner
def add_late_entries(m, v, node, lower, upper):
    """Jacobian entries of supernodes from `node` on, whose part of the storage is from `lower` to `upper`."""
    spans, trash = m.turning.spans, v.size - 1
    for k in range(m.plan.program.shape[0]):
        if m.plan.program[k, JACOBIAN] != 0:
            g, count, start = 0, m.plan.program[k, GROUPS], spans.sizes[k, START]
            while g < count:
                stop = g
                while stop < count and spans.first[start + stop] >= node and spans.end[start + stop] > node:
                    stop += 1
                if stop > g:
                    _run(m, v, k, m.plan.program[k, INDICES] + g * spans.sizes[k, INDEX_BYTES], g, stop - g)
                elif spans.end[start + g] > node:
                    _confine(m, k, g, lower, upper, trash)
                    _run(m, v, k, spans.row.ctypes.data, g, 1)
                g = max(stop, g + 1)


@inner
def _confine(m, k, g, lower, upper, trash):
    """Indices of a group with entries outside of a part of the storage thrown away, in `spans.row`."""
    sizes, row = m.turning.spans.sizes, m.turning.spans.row
    given = pointer_at(m.plan.program[k, INDICES] + g * sizes[k, INDEX_BYTES])
    for i in range(sizes[k, WORDS]):
        index = get(given, i)
        row[i] = index if i < sizes[k, SLOTS] or lower <= index < upper else trash


@inner
def _run(m, v, k, indices, g, count):
    """The Jacobian of some groups of a kind from one on, added to `v` where those indices say."""
    parameters = m.plan.program[k, PARAMETERS] + g * m.turning.spans.sizes[k, PARAMETER_BYTES]
    call_native(
        m.plan.program[k, JACOBIAN], count, m.state.ctypes.data, indices, parameters, m.coef.ctypes.data,
        m.plan.tables.ctypes.data, m.scratch.res.ctypes.data, v.ctypes.data,
    )  # fmt: skip
