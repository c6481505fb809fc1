"""Supernodal structure of the factors and their storage layout.

Supernode s eliminates the consecutive pivots first[s]..first[s+1]; below[s] are the later rows in which its columns
have entries, beside[s] the later columns of its rows (sorted, and different where the matrix is unsymmetric).
Everything is stored by columns:

    panel   [D; L], (k + rows below) x k, each column padded to whole vectors
    wing     U,      k x columns beside,  each column padded to whole vectors

Large factors store D and L separately, each padded, all L first: forward substitution reads L, backward substitution
reads D and U, and whatever does not fit into the caches is read from memory.

An entry (i, j) with i and j in different supernodes belongs to the panel or to the wing of the lower one.
"""

from typing import NamedTuple

import numpy as np

from samara.system.memory.distinct import distinct, distinct_sorted

from .dense import TALL
from .lanes import WIDTH

#: Numbers in the factors beyond which L lies apart from D: 1 MiB, what a core has of cache for itself.
LARGE = 2**17
#: Entries that are looked up at once: each takes some hundred bytes meanwhile.
AT_ONCE = 2**15


class Structure(NamedTuple):
    """The supernodes of one permuted matrix."""

    first: np.ndarray
    node_of: np.ndarray
    below: list[np.ndarray]
    beside: list[np.ndarray]


class FactorLayout(NamedTuple):
    """Where the supernodes lie in the factor storage; `size` is the room they take; `apart` where L has its own."""

    panel: np.ndarray
    panel_stride: np.ndarray
    low: np.ndarray
    low_stride: np.ndarray
    wing: np.ndarray
    wing_stride: np.ndarray
    apart: np.ndarray
    tail: int
    size: int

    @property
    def strides(self):
        """Heights of the panels with L, padded."""
        return self.panel_stride + self.apart * self.low_stride

    def heights(self, pad=WIDTH):
        """Of the panels and of L apart from them, in vectors; 0 where it is not."""
        return self.panel_stride // pad, self.apart * (self.low_stride // pad)


def structure(rows, columns, first):
    """Structure that holds the entries (rows, columns), in pivot order, and all their fill.

    Supernode s passes what is beside it on to all in whose rows it has entries, and what is below it likewise. Where
    the first of these is the same for both, that one passes it on to the others (Eisenstat and Liu, SIAM J. Matrix
    Anal. 13, 1992).
    """
    count = first.size - 1
    node_of = np.repeat(np.arange(count), np.diff(first))
    below = _gathered(node_of[columns], node_of[rows], rows, count)
    beside = _gathered(node_of[rows], node_of[columns], columns, count)
    for s in range(count):
        low = below[s] = _merged(below[s])
        wide = beside[s] = _merged(beside[s])
        heirs = [distinct_sorted(node_of[low]), distinct_sorted(node_of[wide])]
        if heirs[0].size and heirs[1].size and heirs[0][0] == heirs[1][0]:
            heirs = [nodes[:1] for nodes in heirs]
        for nodes, passed, to in ((heirs[0], wide, beside), (heirs[1], low, below)):
            for t, start in zip(nodes.tolist(), np.searchsorted(passed, first[nodes + 1]).tolist()):
                if start < passed.size:
                    to[t].append(passed[start:])
    return Structure(first, node_of, below, beside)


def _gathered(nodes, others, indices, count):
    """For each supernode a list with one array: the indices of its entries that belong to later supernodes."""
    later = nodes < others
    order = np.argsort(nodes[later], kind="stable")
    ends = np.cumsum(np.bincount(nodes[later], minlength=count))
    return [[piece] for piece in np.split(indices[later][order], ends[:-1])]


def _merged(pieces):
    """All numbers of some arrays, each once, in order."""
    return distinct(pieces[0] if len(pieces) == 1 else np.concatenate(pieces))


def layout(shape, heads, pad=WIDTH):
    """All in the order in which a solution reads it; columns are padded to multiples of `pad`.

    heads: how many supernodes come before the tail, which lies at the end, whole.
    """
    pivots = np.diff(shape.first)
    below = np.array([rows.size for rows in shape.below])
    wide = np.array([columns.size for columns in shape.beside])
    together, own, alone = (-(-x // pad) * pad for x in (pivots + below, pivots, below))
    large = pad == WIDTH and (together * pivots + own * wide).sum() > LARGE
    apart = large & (below > 0) & (own + alone < TALL * WIDTH)
    panel_stride, low_stride = np.where(apart, own, together), np.where(apart, alone, together)
    panels, lows, wings = panel_stride * pivots, np.where(apart, alone, 0) * pivots, own * wide
    first, second = slice(heads), slice(heads, None)
    lengths = [lows[first], _backward(wings[first], panels[first]), _backward(wings[second], panels[second])]
    start = np.cumsum([0, *np.concatenate([*lengths, lows[second]])])
    low, rest, tail = start[first], start[heads : 3 * heads], start[3 * heads : heads + 2 * pivots.size]
    low = np.concatenate([low, start[heads + 2 * pivots.size : -1]])
    wing, panel = (np.concatenate([rest[k::2][::-1], tail[k::2][::-1]]) for k in range(2))
    low = np.where(apart, low, panel + pivots)
    return FactorLayout(panel, panel_stride, low, low_stride, wing, own, apart, int(start[3 * heads]), int(start[-1]))


def _backward(wings, panels):
    """Lengths in the order in which a solution reads them on its way back."""
    return np.column_stack([wings, panels])[::-1].ravel()


class Finder:
    """Position in the storage of entries (i, j) given in pivot order."""

    def __init__(self, shape, place):
        self.shape, self.place = shape, place
        self.n, self.pivots = shape.node_of.size, np.diff(shape.first)
        self.keys, self.starts = [], []
        for lists in (shape.below, shape.beside):
            self.starts.append(np.concatenate([[0], np.cumsum([x.size for x in lists])]))
            self.keys.append(
                np.repeat(np.arange(len(lists)) * self.n, np.diff(self.starts[-1])) + np.concatenate(lists)
            )

    def _rank(self, side, s, index):
        """Rank of `index` among the later rows (side 0) or columns (side 1) of supernode s."""
        return np.searchsorted(self.keys[side], s * self.n + index) - self.starts[side][s]

    def many(self, i, j):
        """The same for long lists, some at a time, as short integers."""
        found = np.empty(i.size, np.uint32)
        for at in range(0, i.size, AT_ONCE):
            found[at : at + AT_ONCE] = self(i[at : at + AT_ONCE], j[at : at + AT_ONCE])
        return found

    def __call__(self, i, j):
        first, node_of = self.shape.first, self.shape.node_of
        s, t = node_of[i], node_of[j]
        place, column = self.place, j - first[t]
        inside = place.panel[t] + column * place.panel_stride[t] + i - first[t]
        below = place.low[t] + column * place.low_stride[t] + self._rank(0, t, i)
        in_panel = np.where(s == t, inside, below)
        in_wing = self.place.wing[s] + self._rank(1, s, j) * self.place.wing_stride[s] + i - first[s]
        return np.where(s < t, in_wing, in_panel)

    def grid(self, rows, columns):
        """Positions of all (i, j) with i of some rows and j of some columns, both in ascending order.

        Inside a supernode they go on regularly: in a panel from column to column, in a wing from row to row. So the
        first column, or the first row, of each is looked up.
        """
        (at_row, row_first), (at_column, column_first) = self._runs(rows), self._runs(columns)
        s, t = self.shape.node_of[rows], self.shape.node_of[columns]
        in_panel = self(rows[:, None], columns[column_first])[:, at_column]
        stride = np.where(s[:, None] == t, self.place.panel_stride[t], self.place.low_stride[t])
        in_panel += (columns - columns[column_first][at_column]) * stride
        in_wing = self(rows[row_first][:, None], columns)[at_row]
        in_wing += (rows - rows[row_first][at_row])[:, None]
        return np.where(s[:, None] < t, in_wing, in_panel)

    def _runs(self, indices):
        """For indices in ascending order the number of the supernode of each, from 0 on, and where each one begins."""
        new = np.diff(self.shape.node_of[indices]) != 0
        return np.concatenate([[0], np.cumsum(new)]), np.concatenate([[0], 1 + np.flatnonzero(new)])
