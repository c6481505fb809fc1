"""Structure of the factors by supernodes, and where everything is stored.

Supernode s eliminates the consecutive pivots first[s]..first[s+1]; below[s] are the later rows in which its columns
have entries, beside[s] the later columns of its rows (sorted, and different where the matrix is unsymmetric).
Everything is stored by columns:

    panel   [D; L], (k + rows below) x k, each column padded to whole vectors
    wing     U,      k x columns beside,  each column padded to whole vectors

An entry (i, j) with i and j in different supernodes belongs to the panel or to the wing of the lower one.
"""

from typing import NamedTuple

import numpy as np

from samara.system.distinct import distinct, distinct_sorted

from .lanes import WIDTH


class Structure(NamedTuple):
    """The supernodes of one permuted matrix."""

    first: np.ndarray
    node_of: np.ndarray
    below: list[np.ndarray]
    beside: list[np.ndarray]


class FactorLayout(NamedTuple):
    """Where the supernodes lie in the factor storage; `size` is the room they take."""

    panel: np.ndarray
    panel_stride: np.ndarray
    wing: np.ndarray
    wing_stride: np.ndarray
    size: int


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


def layout(shape, pad=WIDTH):
    """Panels and wings one after the other, in the order of elimination; columns padded to multiples of `pad`."""
    pivots = np.diff(shape.first)
    low = np.array([rows.size for rows in shape.below])
    wide = np.array([columns.size for columns in shape.beside])
    panel_stride, wing_stride = (-(-x // pad) * pad for x in (pivots + low, pivots))
    lengths = np.column_stack([panel_stride * pivots, wing_stride * wide]).ravel()
    start = np.concatenate([[0], np.cumsum(lengths)])
    return FactorLayout(start[:-1:2], panel_stride, start[1::2], wing_stride, int(start[-1]))


class Finder:
    """Position in the storage of entries (i, j) given in pivot order."""

    def __init__(self, shape, place):
        self.shape, self.place = shape, place
        self.n, self.pivots = shape.node_of.size, np.diff(shape.first)
        self.keys, self.starts = [], []
        for lists in (shape.below, shape.beside):
            self.starts.append(np.concatenate([[0], np.cumsum([x.size for x in lists])]))
            self.keys.append(np.concatenate([s * self.n + x for s, x in enumerate(lists)]))

    def _rank(self, side, s, index):
        """Rank of `index` among the later rows (side 0) or columns (side 1) of supernode s."""
        return np.searchsorted(self.keys[side], s * self.n + index) - self.starts[side][s]

    def __call__(self, i, j):
        first, node_of = self.shape.first, self.shape.node_of
        s, t = node_of[i], node_of[j]
        row = np.where(s == t, i - first[t], self.pivots[t] + self._rank(0, t, i))
        in_panel = self.place.panel[t] + (j - first[t]) * self.place.panel_stride[t] + row
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
        in_panel += (columns - columns[column_first][at_column]) * self.place.panel_stride[t]
        in_wing = self(rows[row_first][:, None], columns)[at_row]
        in_wing += (rows - rows[row_first][at_row])[:, None]
        return np.where(s[:, None] < t, in_wing, in_panel)

    def _runs(self, indices):
        """For indices in ascending order the number of the supernode of each, from 0 on, and where each one begins."""
        new = np.diff(self.shape.node_of[indices]) != 0
        return np.concatenate([[0], np.cumsum(new)]), np.concatenate([[0], 1 + np.flatnonzero(new)])
