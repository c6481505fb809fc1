"""The programs of the kernels: flat lists of unsigned integers, one passage per supernode.

    factor     pivots, heights of the panel's parts in vectors (0 for L within the panel), panel, L, wing stride, number
               of updates, sequence of the pivots; then for each update left factor, rows, right factor, columns, and
               where the first row goes in each column
    forward    pivots, L, its stride, place of its unknowns, number of rows below, their places
    backward   pivots, panel, panel stride, wing, place of its unknowns, number of columns beside, their places;
               from the last supernode to the first

A supernode's update (-L D^-1) U is cut in segments of rows and groups of columns so that each column of a segment goes
to consecutive storage. The unknowns of each supernode start on a vector boundary of the solver's work vector.
"""

from array import array

import numpy as np

from .lanes import WIDTH

#: Type of the numbers of a program, as Python's arrays call it: 32 bits, unsigned.
WORD = "I"
#: Numbers of a supernode in the factor program, before the sequence of its pivots.
HEADER = 7
#: Columns of the passages: what lies before a supernode in the factor program, of pivots and of weights; the part of
#: the storage that it and all later ones take; and the last supernode that its update goes to.
PROGRAM, PIVOTS, WEIGHTS, LOWER, UPPER, REACH = range(6)


def work_places(shape, pad=WIDTH):
    """Place of each pivot in the work vector, and the vector's length without scratch."""
    pivots = np.diff(shape.first)
    padded = -(-pivots // pad) * pad
    start = np.concatenate([[0], np.cumsum(padded)])
    return np.arange(shape.node_of.size) + np.repeat(start[:-1] - shape.first[:-1], pivots), int(start[-1])


def factor_program(shape, place, find, sequence, pad=WIDTH):
    """What `refactor` does, and where the passage of each supernode starts, and the end."""
    program = array(WORD)
    starts: list[int] = []
    pivots, places = np.diff(shape.first).tolist(), zip(*(array.tolist() for array in place[:6]))
    sequences = np.split(sequence, shape.first[1:-1])
    heights = np.column_stack(place.heights(pad)).tolist()
    for k, height, (panel, _, low, _, wing, wing_stride), turn, rows, columns in zip(
        pivots, heights, places, sequences, shape.below, shape.beside
    ):
        starts.append(len(program))
        updates = list(_updates(shape, find, rows, columns))
        program.extend([k, *height, panel, low, wing_stride, len(updates), *turn.tolist()])
        for top, bottom, left, right, targets in updates:
            program.extend([low + top, bottom - top, wing + left * wing_stride, right - left, *targets])
    return np.array(program), [*starts, len(program)]


def passages(shape, place, starts):
    """For each supernode, and the end, where it begins in all that `refactor` goes through: see `PROGRAM`.

    A supernode and all after it take one piece of the storage, for L of the last is followed by its U and D.
    """
    pivots, strides = np.diff(shape.first), place.strides
    lows, panels = place.apart * place.low_stride * pivots, place.panel_stride * pivots
    found = np.zeros((pivots.size + 1, 6), np.uint32)
    found[:, PROGRAM], found[:, PIVOTS] = starts, shape.first
    found[1:, WEIGHTS], found[1:, LOWER] = 2 * np.cumsum(strides), np.cumsum(lows)
    found[:-1, UPPER], found[-1, UPPER] = place.panel + panels, found[-1, LOWER]
    reach = [(s if not (a.size and b.size) else min(a[-1], b[-1])) for s, (a, b) in enumerate(_sides(shape))]
    found[:-1, REACH] = reach
    return found


def _sides(shape):
    """For each supernode those of the rows below and of the columns beside it."""
    return ((shape.node_of[rows], shape.node_of[columns]) for rows, columns in zip(shape.below, shape.beside))


def _updates(shape, find, rows, columns):
    """Segments (top, bottom) of rows x groups (left, right) of columns, with the targets of the first row."""
    if rows.size and columns.size:
        position = find.grid(rows, columns)
        groups = list(_pieces(np.diff(shape.node_of[columns]) != 0))
        cut = np.logical_or.reduceat(np.diff(position, axis=0) != 1, [left for left, _ in groups], axis=1)
        for k, (left, right) in enumerate(groups):
            for top, bottom in _pieces(cut[:, k]):
                yield top, bottom, left, right, position[top, left:right].tolist()


def _pieces(cut):
    """Ranges of a list that is cut after the items where `cut` is true."""
    after = (1 + np.flatnonzero(cut)).tolist()
    return zip([0, *after], [*after, cut.size + 1])


def solve_programs(shape, place, work_place):
    """What the two halves of `solve` do."""
    forward, backward = array(WORD), array(WORD)
    pivots, places = np.diff(shape.first).tolist(), zip(*(array.tolist() for array in place[:5]))
    starts = work_place[shape.first[:-1]].tolist()
    for k, (panel, stride, low, low_stride, wing), start, rows, columns in zip(
        pivots, places, starts, shape.below, shape.beside
    ):
        forward.extend([k, low, low_stride, start, rows.size, *work_place[rows].tolist()])
        # from the last to the first: turned round as a whole at the end
        backward.extend([*work_place[columns[::-1]].tolist(), columns.size, start, wing, stride, panel, k])
    return np.array(forward), np.array(backward)[::-1].copy()
