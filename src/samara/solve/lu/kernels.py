"""Refactorisation and solution on a fixed pivot sequence, supernode by supernode.

Both follow a program: a flat list of unsigned integers, written by the analysis and read from end to end.

The dense work is specialised on the height of a block in vectors (1 to TALLEST), so that a column lives in registers;
`_by_height` makes the specialisations and the choice among them. Taller blocks take a plain loop.
"""

from numba import njit

from .lanes import (
    WIDTH, add, add_scaled, cleared, dot, first, get, load, magnitude, pointer, put, replaced, scale, store, zero,
)  # fmt: skip
from .options import OPTIONS

TALLEST = 6


def _by_height(make, otherwise):
    """A kernel f(blocks, *arguments) that runs make(blocks) for up to TALLEST blocks, and `otherwise` beyond."""
    chosen = otherwise
    for height in range(TALLEST, 0, -1):
        chosen = _choice(height, make(height), chosen)
    return chosen


def _choice(height, kernel, others):
    @njit(**OPTIONS)
    def choose(blocks, *arguments):
        if blocks == height:
            return kernel(blocks, *arguments)
        return others(blocks, *arguments)

    return choose


def _make_sweep(height):
    """Gauss-Jordan elimination of all the columns of a panel, two pivots at a time; returns the growth."""

    @njit(**OPTIONS)
    def sweep(blocks, v, panel, k, program, at, pivots, weights, weight):
        stride, growth = WIDTH * height, zero(height)
        for step in range(0, k - 1, 2):
            p, q = get(program, at + step), get(program, at + step + 1)
            left, right = panel + p * stride, panel + q * stride
            pivot_p, across, under = get(v, left + p), get(v, right + p), get(v, left + q)
            determinant = pivot_p * get(v, right + q) - across * under
            inverse_p, inverse_q = 1.0 / pivot_p, pivot_p / determinant
            down = -inverse_p * under
            by_p = scale(load(v, left, height), -inverse_p)
            growth = add_scaled(growth, magnitude(by_p), 1.0 / get(weights, weight + p))
            by_p = replaced(by_p, p, inverse_p)
            by_q = scale(add_scaled(replaced(load(v, right, height), p, 0.0), by_p, across), -inverse_q)
            growth = add_scaled(growth, magnitude(by_q), 1.0 / get(weights, weight + q))
            by_p, by_q = replaced(by_p, q, 0.0), replaced(by_q, q, inverse_q)
            for j in range(k):
                other = panel + j * stride
                factor_p = get(v, other + p)
                factor_q = get(v, other + q) + factor_p * down
                column = cleared(load(v, other, height), p, q)
                store(v, other, add_scaled(add_scaled(column, by_p, factor_p), by_q, factor_q))
            store(v, left, add_scaled(by_p, by_q, down))
            store(v, right, by_q)
            put(v, pivots + p, pivot_p)
            put(v, pivots + q, inverse_p * determinant)
        if k % 2:
            p = get(program, at + k - 1)
            own = panel + p * stride
            pivot = get(v, own + p)
            by_p = scale(load(v, own, height), -1.0 / pivot)
            growth = add_scaled(growth, magnitude(by_p), 1.0 / get(weights, weight + p))
            by_p = replaced(by_p, p, 1.0 / pivot)
            for j in range(k):
                other = panel + j * stride
                column = replaced(load(v, other, height), p, 0.0)
                store(v, other, add_scaled(column, by_p, get(v, other + p)))
            store(v, own, by_p)
            put(v, pivots + p, pivot)
        return dot(growth, load(weights, weight, height))

    return sweep


@njit(**OPTIONS)
def _sweep_any(blocks, v, panel, k, program, at, pivots, weights, weight):
    """The same for a panel of any height, one pivot at a time."""
    stride, growth = WIDTH * blocks, 0.0
    for step in range(k):
        p = get(program, at + step)
        own = panel + p * stride
        pivot = get(v, own + p)
        inverse = 1.0 / pivot
        for b in range(0, stride, WIDTH):
            by_p = scale(load(v, own + b, 1), -inverse)
            growth += dot(magnitude(by_p), load(weights, weight + b, 1)) / get(weights, weight + p)
            store(v, own + b, replaced(by_p, p - b, inverse))
        for j in range(k):
            if j != p:
                other = panel + j * stride
                factor = get(v, other + p)
                for b in range(0, stride, WIDTH):
                    column = replaced(load(v, other + b, 1), p - b, 0.0)
                    store(v, other + b, add_scaled(column, load(v, own + b, 1), factor))
        put(v, pivots + p, pivot)
    return growth


_sweep = _by_height(_make_sweep, _sweep_any)


@njit(**OPTIONS)
def _update(v, program, at, low, stride, length, above, wing_stride, columns, k):
    """Add (-L D^-1) U on one segment of rows and one group of columns, four columns at a time; targets at `at`."""
    for b in range(0, length, WIDTH):
        rows, left = length - b, low + b
        a, t = above, at
        while t + 4 <= at + columns:
            r0, r1, r2, r3 = zero(1), zero(1), zero(1), zero(1)
            for p in range(k):
                column = load(v, left + p * stride, 1)
                r0 = add_scaled(r0, column, get(v, a + p))
                r1 = add_scaled(r1, column, get(v, a + wing_stride + p))
                r2 = add_scaled(r2, column, get(v, a + 2 * wing_stride + p))
                r3 = add_scaled(r3, column, get(v, a + 3 * wing_stride + p))
            _add_to(v, get(program, t) + b, r0, rows)
            _add_to(v, get(program, t + 1) + b, r1, rows)
            _add_to(v, get(program, t + 2) + b, r2, rows)
            _add_to(v, get(program, t + 3) + b, r3, rows)
            a, t = a + 4 * wing_stride, t + 4
        while t < at + columns:
            r0 = zero(1)
            for p in range(k):
                r0 = add_scaled(r0, load(v, left + p * stride, 1), get(v, a + p))
            _add_to(v, get(program, t) + b, r0, rows)
            a, t = a + wing_stride, t + 1


@njit(**OPTIONS)
def _add_to(v, to, result, length):
    store(v, to, add(load(v, to, 1), first(result, length)))


@njit(**OPTIONS)
def refactor(lu, v):
    """Factor in place the matrix that was assembled in v; returns its health, 1 for the analysed sample.

    The health is the largest of two ratios to what was normal in the analysis: how much the sum of the multipliers of
    a supernode (rows scaled as in the analysis) has grown, and how much a pivot has shrunk. It is infinite or not a
    number when a pivot vanishes. Above GROWTH_LIMIT the pivot sequence no longer fits the values.
    """
    _factor(pointer(v), pointer(lu.factor_program), lu.factor_program.size, lu.pivot, lu.growth, pointer(lu.weight))
    return max(_worst_growth(lu, v), _worst_drop(lu, v)[0])


@njit(**OPTIONS)
def _factor(v, program, size, pivot, growth, weights):
    at, weight = 0, 0
    while at < size:
        k, blocks, panel = get(program, at), get(program, at + 1), get(program, at + 2)
        wing_stride, count = get(program, at + 3), get(program, at + 4)
        put(v, growth, _sweep(blocks, v, panel, k, program, at + 5, pivot, weights, weight))
        at += 5 + k
        for _ in range(count):
            low, length = get(program, at), get(program, at + 1)
            above, columns = get(program, at + 2), get(program, at + 3)
            _update(v, program, at + 4, low, blocks * WIDTH, length, above, wing_stride, columns, k)
            at += 4 + columns
        pivot, growth, weight = pivot + k, growth + 1, weight + blocks * WIDTH


@njit(**OPTIONS)
def _worst_growth(lu, v):
    """How much the multipliers of a supernode have grown since the analysis, at most."""
    worst, growths = 0.0, v[lu.growth :]
    for s in range(lu.growth_reference.size):
        growth = growths[s] / lu.growth_reference[s]
        worst = worst if growth <= worst else growth
    return worst


@njit(**OPTIONS)
def _worst_drop(lu, v):
    """How much the pivot that has decreased most has decreased since the analysis, and which one it is."""
    worst, place, pivots = 0.0, 0, v[lu.pivot : lu.growth]
    for p in range(lu.n):
        drop = lu.pivot_reference[p] / abs(pivots[p])
        if not drop <= worst:
            worst, place = drop, p
    return worst, place


@njit(**OPTIONS)
def worst_pivot(lu, v):
    """Column, in the original numbering, of the pivot that has decreased most since the analysis."""
    return lu.column_order[_worst_drop(lu, v)[1]]


def _make_forward(height):
    """scratch = (-L D^-1) y_s."""

    @njit(**OPTIONS)
    def forward(blocks, v, low, stride, k, y, start, scratch):
        result = zero(height)
        for p in range(k):
            result = add_scaled(result, load(v, low + p * stride, height), get(y, start + p))
        store(y, scratch, result)

    return forward


@njit(**OPTIONS)
def _forward_any(blocks, v, low, stride, k, y, start, scratch):
    for b in range(0, blocks * WIDTH, WIDTH):
        result = zero(1)
        for p in range(k):
            result = add_scaled(result, load(v, low + b + p * stride, 1), get(y, start + p))
        store(y, scratch + b, result)


_multiply = _by_height(_make_forward, _forward_any)


def _make_reduce(height):
    """scratch = y_s - U y_beside."""

    @njit(**OPTIONS)
    def reduce(blocks, v, wing, y, start, program, at, count, scratch):
        result = load(y, start, height)
        for c in range(count):
            column = load(v, wing + c * (WIDTH * height), height)
            result = add_scaled(result, column, -get(y, get(program, at + c)))
        store(y, scratch, result)

    return reduce


@njit(**OPTIONS)
def _reduce_any(blocks, v, wing, y, start, program, at, count, scratch):
    for b in range(0, blocks * WIDTH, WIDTH):
        result = load(y, start + b, 1)
        for c in range(count):
            column = load(v, wing + c * (WIDTH * blocks) + b, 1)
            result = add_scaled(result, column, -get(y, get(program, at + c)))
        store(y, scratch + b, result)


_reduce = _by_height(_make_reduce, _reduce_any)


@njit(**OPTIONS)
def solve(lu, v, b, x):
    """x = A^-1 b with the factors in v; b and x in the original numbering, and they may be the same array."""
    y = lu.work
    for i in range(lu.n):
        y[lu.row_place[i]] = b[i]
    _forward(pointer(v), pointer(y), pointer(lu.forward_program), lu.forward_program.size, lu.scratch)
    _backward(pointer(v), pointer(y), pointer(lu.backward_program), lu.backward_program.size, lu.scratch)
    for j in range(lu.n):
        x[j] = y[lu.column_place[j]]


@njit(**OPTIONS)
def _forward(v, y, program, size, scratch):
    """Supernode by supernode: y_below -= L D^-1 y_s."""
    at = 0
    while at < size:
        k, low, stride = get(program, at), get(program, at + 1), get(program, at + 2)
        start, count = get(program, at + 3), get(program, at + 4)
        _multiply((count + WIDTH - 1) // WIDTH, v, low, stride, k, y, start, scratch)
        at += 5
        for i in range(count):
            row = get(program, at + i)
            put(y, row, get(y, row) + get(y, scratch + i))
        at += count


@njit(**OPTIONS)
def _backward(v, y, program, size, scratch):
    """Supernode by supernode, from the last: y_s = D^-1 (y_s - U y_beside)."""
    at = 0
    while at < size:
        k, panel, stride = get(program, at), get(program, at + 1), get(program, at + 2)
        wing, start, count = get(program, at + 3), get(program, at + 4), get(program, at + 5)
        blocks = (k + WIDTH - 1) // WIDTH
        _reduce(blocks, v, wing, y, start, program, at + 6, count, scratch)
        _multiply(blocks, v, panel, stride, k, y, scratch, start)
        at += 6 + count

