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

from itertools import chain

import numpy as np

from .lanes import WIDTH

#: Numbers of a supernode in the factor program, before the sequence of its pivots.
HEADER = 7


def work_places(shape, pad=WIDTH):
    """Place of each pivot in the work vector, and the vector's length without scratch."""
    pivots = np.diff(shape.first)
    padded = -(-pivots // pad) * pad
    start = np.concatenate([[0], np.cumsum(padded)])
    return np.arange(shape.node_of.size) + np.repeat(start[:-1] - shape.first[:-1], pivots), int(start[-1])


def factor_program(shape, place, find, sequence, pad=WIDTH):
    """What `refactor` does, and where the passage of each supernode starts, and the end."""
    program: list[int] = []
    starts: list[int] = []
    pivots, places = np.diff(shape.first).tolist(), zip(*(array.tolist() for array in place[:6]))
    sequences = np.split(sequence, shape.first[1:-1])
    heights = np.column_stack(place.heights(pad)).tolist()
    for k, height, (panel, _, low, _, wing, wing_stride), turn, rows, columns in zip(
        pivots, heights, places, sequences, shape.below, shape.beside
    ):
        starts.append(len(program))
        updates = list(_updates(shape, find, rows, columns))
        program += [k, *height, panel, low, wing_stride, len(updates), *turn.tolist()]
        for top, bottom, left, right, targets in updates:
            program += [low + top, bottom - top, wing + left * wing_stride, right - left, *targets]
    return np.array(program, np.uint32), [*starts, len(program)]


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
    forward: list[int] = []
    backward: list[list[int]] = []
    pivots, places = np.diff(shape.first).tolist(), zip(*(array.tolist() for array in place[:5]))
    starts = work_place[shape.first[:-1]].tolist()
    for k, (panel, stride, low, low_stride, wing), start, rows, columns in zip(
        pivots, places, starts, shape.below, shape.beside
    ):
        forward += [k, low, low_stride, start, rows.size, *work_place[rows].tolist()]
        backward.append([k, panel, stride, wing, start, columns.size, *work_place[columns].tolist()])
    return np.array(forward, np.uint32), np.array(list(chain.from_iterable(reversed(backward))), np.uint32)
