"""Refactorisation and solution on a fixed pivot sequence, supernode by supernode.

Both follow a program: a flat list of unsigned integers, written by the analysis (`programs`) and read from end to end.

The dense work is specialised on the height of a block in vectors, so that a column stays in registers; `_by_height`
generates the specialisations and selects among them. Taller blocks use a plain loop.
"""

import numpy as np

from samara.tracing.driver.driver_cache import driver, linked, routine

from .dense import multiply_columns, reduce_columns, sweep_panel, update_block
from .lanes import WIDTH, get, larger, load, magnitude, pointer, product, put, store, zero
from .programs import HEADER, LOWER, PIVOTS, PROGRAM, REACH, UPPER, WEIGHTS


@driver
def refactor(lu, v):
    """Factor in place the matrix that was assembled in v; returns its health, 1 for the analysed sample.

    The health is the largest of two ratios to what was normal in the analysis: how much the sum of the multipliers of
    a supernode (rows scaled as in the analysis) has grown, and how much a pivot has shrunk. It is infinite or not a
    number when a pivot vanishes. Above GROWTH_LIMIT the pivot sequence no longer fits the values.
    """
    refactor_head(lu, v)
    return refactor_tail(lu, v)


@routine
def refactor_head(lu, v):
    """The first part of `refactor`: all supernodes before the tail. Keeps the tail as it is then.

    Entries between late unknowns may be added after this and before `refactor_tail`, which factors the tail alone;
    `restore_tail` makes ready for others.
    """
    program, tail = pointer(lu.factor_program), lu.tail
    eliminate(pointer(lu.sweeps), pointer(v), program, 0, tail.program, lu.inverse, lu.growth, pointer(lu.weight), 0)
    for i in range(lu.kept.size):
        lu.kept[i] = v[tail.start + i]


@routine
def restore_tail(lu, v):
    """The tail as `refactor_head` left it: without what was added since."""
    for i in range(lu.kept.size):
        v[lu.tail.start + i] = lu.kept[i]


@routine
def refactor_tail(lu, v):
    """The second part of `refactor`: the supernodes of the tail; returns the health of all."""
    program, size, tail = pointer(lu.factor_program), lu.factor_program.size, lu.tail
    inverse, growth = lu.inverse + tail.pivots, lu.growth + tail.nodes
    weights = pointer(lu.weight)
    eliminate(pointer(lu.sweeps), pointer(v), program, tail.program, size, inverse, growth, weights, tail.weights)
    return _health(lu, v, 0, 0)


@linked
def _health(lu, v, node, pivot):
    """Of the supernodes and pivots from these on."""
    grown, dropped = worst_growth(lu, v, node), worst_drop(lu, v, pivot)
    return dropped if dropped > grown else grown


@routine
def refactor_from(lu, v, node):
    """`refactor` of a supernode and all after it, whose entries were assembled anew; returns their health.

    What those before add to them is added again.
    """
    program, passages, whole = pointer(lu.factor_program), lu.passages, pointer(v)
    first = np.int64(passages[node, PIVOTS])
    for s in range(node):
        if passages[s, REACH] >= node:
            pass_on(whole, program, np.int64(passages[s, PROGRAM]), passages[node, LOWER], passages[node, UPPER])
    eliminate(
        pointer(lu.sweeps), whole, program, np.int64(passages[node, PROGRAM]), lu.factor_program.size,
        lu.inverse + first, lu.growth + node, pointer(lu.weight), np.int64(passages[node, WEIGHTS]),
    )  # fmt: skip
    return _health(lu, v, node, first)


@linked
def pass_on(v, program, at, lower, upper):
    """Adds a supernode's (-L D^-1) U to what lies in a part of the storage."""
    k, height, low_height = get(program, at), get(program, at + 1), get(program, at + 2)
    wing_stride, count = get(program, at + 5), get(program, at + 6)
    at += HEADER + k
    stride = WIDTH * (height if low_height == 0 else low_height)
    for _ in range(count):
        left, length = get(program, at), get(program, at + 1)
        above, columns = get(program, at + 2), get(program, at + 3)
        if lower <= get(program, at + 4) < upper:
            update_block(v, program, at + 4, left, stride, length, above, wing_stride, columns, k)
        at += 4 + columns


@routine
def eliminate(sweeps, v, program, at, size, inverse, growth, weights, weight):
    """Supernode by supernode: [D; L] becomes [D^-1; -L D^-1], and (-L D^-1) U is added to what comes later."""
    at, weight = np.int64(at), np.int64(weight)
    while at < size:
        k, upper, lower = get(program, at), get(program, at + 1), get(program, at + 2)
        panel, low = get(program, at + 3), get(program, at + 4)
        wing_stride, count = get(program, at + 5), get(program, at + 6)
        at += HEADER
        put(v, growth, sweep_panel(sweeps, upper, lower, v, panel, low, k, program, at, inverse, weights, weight))
        at += k
        stride = WIDTH * (upper if lower == 0 else lower)
        for _ in range(count):
            left, length = get(program, at), get(program, at + 1)
            above, columns = get(program, at + 2), get(program, at + 3)
            update_block(v, program, at + 4, left, stride, length, above, wing_stride, columns, k)
            at += 4 + columns
        inverse, growth, weight = inverse + k, growth + 1, weight + 2 * WIDTH * (upper + lower)


@linked
def worst_growth(lu, v, node):
    """How much the multipliers of a supernode, from one on, have grown since the analysis, at most; NaN if any is."""
    worst = 0.0
    for s in range(node, lu.growth_reference.size):
        growth = get(pointer(v), lu.growth + s) / lu.growth_reference[s]
        if not growth <= worst:
            worst = growth
        if worst != worst:
            break
    return worst


@linked
def worst_drop(lu, v, pivot):
    """How much the pivot, from one on, that has decreased most has decreased since the analysis."""
    inverses, references, drop = pointer(v), pointer(lu.pivot_reference), zero(1)
    for p in range(pivot - pivot % WIDTH, lu.pivot_reference.size, WIDTH):
        drop = larger(product(magnitude(load(inverses, lu.inverse + p, 1)), load(references, p, 1)), drop)
    store(pointer(lu.work), lu.scratch, drop)
    worst = 0.0
    for lane in range(WIDTH):
        worst = max(worst, lu.work[lu.scratch + lane])
    return worst


@driver
def worst_pivot(lu, v):
    """Column, in the original numbering, of the pivot that has decreased most since the analysis."""
    worst, place = 0.0, 0
    for p in range(lu.n):
        drop = lu.pivot_reference[p] * abs(v[lu.inverse + p])
        if not drop <= worst:
            worst, place = drop, p
            if drop != drop:
                break
    return lu.column_order[place]


@driver
def solve(lu, v, b, x):
    """x = A^-1 b with the factors in v; b and x in the original numbering, and they may be the same array."""
    y = lu.work
    for i in range(lu.n):
        y[lu.row_place[i]] = b[i]
    substitute(lu, v)
    for j in range(lu.n):
        x[j] = y[lu.column_place[j]]


@routine
def substitute(lu, v):
    """The heart of `solve`: right-hand side in `lu.work` (at `row_place`) to unknowns (at `column_place`)."""
    y = pointer(lu.work)
    forward(pointer(v), y, pointer(lu.forward_program), lu.forward_program.size, lu.scratch)
    backward(pointer(v), y, pointer(lu.backward_program), lu.backward_program.size, lu.scratch)


@routine
def forward(v, y, program, size, scratch):
    """Supernode by supernode: y_below -= L D^-1 y_s."""
    at = 0
    while at < size:
        k, low, stride = get(program, at), get(program, at + 1), get(program, at + 2)
        start, count = get(program, at + 3), get(program, at + 4)
        multiply_columns((count + WIDTH - 1) // WIDTH, v, low, stride, k, y, start, scratch)
        at += 5
        for i in range(count):
            row = get(program, at + i)
            put(y, row, get(y, row) + get(y, scratch + i))
        at += count


@routine
def backward(v, y, program, size, scratch):
    """Supernode by supernode, from the last: y_s = D^-1 (y_s - U y_beside)."""
    at = 0
    while at < size:
        k, panel, stride = get(program, at), get(program, at + 1), get(program, at + 2)
        wing, start, count = get(program, at + 3), get(program, at + 4), get(program, at + 5)
        blocks = (k + WIDTH - 1) // WIDTH
        reduce_columns(blocks, v, wing, y, start, program, at + 6, count, scratch)
        multiply_columns(blocks, v, panel, stride, k, y, scratch, start)
        at += 6 + count
