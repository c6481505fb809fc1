"""Elimination of identical substructures in lanes: each vector lane is one substructure.

The programs are those of `samara.solve.linear.lu`, for a storage without padding; each number of it is a vector here,
with one lane for each of WIDTH substructures that share their pattern and their pivots. Nothing is masked or shuffled,
and the length of a block may be any.
"""

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.linear.lu.dense import specialised
from samara.solve.linear.lu.lanes import (
    WIDTH,
    add,
    add_scaled,
    get,
    load,
    magnitude,
    pointer,
    product,
    quotient,
    scale,
    spread,
    store,
    zero,
)
from samara.solve.linear.lu.programs import HEADER
from samara.tracing.driver.driver_cache import inner, linked, routine


@inner
def _add_column(v, to, of, factor, rows):
    """column[to] += factor column[of]."""
    r = 0
    while r + 4 <= rows:
        at = r * WIDTH
        store(v, to + at, add_scaled(load(v, to + at, 4), load(v, of + at, 4), factor))
        r += 4
    while r < rows:
        at = r * WIDTH
        store(v, to + at, add_scaled(load(v, to + at, 1), load(v, of + at, 1), factor))
        r += 1


@inner
def _add_columns(v, to, one, by_one, other, by_other, rows):
    """column[to] += by_one column[one] + by_other column[other]."""
    r = 0
    while r + 4 <= rows:
        at = r * WIDTH
        column = add_scaled(load(v, to + at, 4), load(v, one + at, 4), by_one)
        store(v, to + at, add_scaled(column, load(v, other + at, 4), by_other))
        r += 4
    while r < rows:
        at = r * WIDTH
        column = add_scaled(load(v, to + at, 1), load(v, one + at, 1), by_one)
        store(v, to + at, add_scaled(column, load(v, other + at, 1), by_other))
        r += 1


@inner
def _scale_column(v, column, factor, rows):
    """column *= factor."""
    for r in range(rows):
        store(v, column + r * WIDTH, scale(load(v, column + r * WIDTH, 1), factor))


@linked
def _invert(v, stride, panel, k, program, at, inverses):
    """D in the panel [D; L] becomes D^-1, by Gauss-Jordan steps on its columns, two pivots at a time."""
    one = spread(1.0)
    for step in range(0, k - 1, 2):
        p, q = get(program, at + step), get(program, at + step + 1)
        left, right = (panel + p * stride) * WIDTH, (panel + q * stride) * WIDTH
        in_p, in_q = p * WIDTH, q * WIDTH
        pivot, across, under = load(v, left + in_p, 1), load(v, right + in_p, 1), load(v, left + in_q, 1)
        determinant = add_scaled(product(pivot, load(v, right + in_q, 1)), product(across, under), -1.0)
        inverse_p, inverse_q = quotient(one, pivot), quotient(pivot, determinant)
        minus_p, minus_q = scale(inverse_p, -1.0), scale(inverse_q, -1.0)
        down = product(minus_p, under)
        _scale_column(v, left, minus_p, k)
        store(v, left + in_p, inverse_p)
        store(v, right + in_p, zero(1))
        _add_column(v, right, left, across, k)
        _scale_column(v, right, minus_q, k)
        store(v, left + in_q, zero(1))
        store(v, right + in_q, inverse_q)
        for j in range(k):
            if j != p and j != q:
                other = (panel + j * stride) * WIDTH
                factor_p = load(v, other + in_p, 1)
                factor_q = add_scaled(load(v, other + in_q, 1), factor_p, down)
                store(v, other + in_p, zero(1))
                store(v, other + in_q, zero(1))
                _add_columns(v, other, left, factor_p, right, factor_q, k)
        _add_column(v, left, right, down, k)
        store(v, (inverses + p) * WIDTH, inverse_p)
        store(v, (inverses + q) * WIDTH, inverse_q)
    if k % 2:
        p = get(program, at + k - 1)
        own, in_p = (panel + p * stride) * WIDTH, p * WIDTH
        inverse = quotient(one, load(v, own + in_p, 1))
        _scale_column(v, own, scale(inverse, -1.0), k)
        store(v, own + in_p, inverse)
        for j in range(k):
            if j != p:
                other = (panel + j * stride) * WIDTH
                factor = load(v, other + in_p, 1)
                store(v, other + in_p, zero(1))
                _add_column(v, other, own, factor, k)
        store(v, (inverses + p) * WIDTH, inverse)


def _products(height):
    """Products of some rows of a block with one, two or four columns, added to what is given."""

    @specialised(of="one", height=height)
    def one(source, block, stride, k, v, column, a):
        for p in range(k):
            a = add_scaled(a, load(source, (block + p * stride) * WIDTH, height), load(v, (column + p) * WIDTH, 1))
        return a

    @specialised(of="two", height=height)
    def two(source, block, stride, k, v, left, right, a, b):
        for p in range(k):
            x = load(source, (block + p * stride) * WIDTH, height)
            a = add_scaled(a, x, load(v, (left + p) * WIDTH, 1))
            b = add_scaled(b, x, load(v, (right + p) * WIDTH, 1))
        return a, b

    @specialised(of="four", height=height)
    def four(source, block, stride, k, v, column, step, a, b, c, d):
        for p in range(k):
            x, at = load(source, (block + p * stride) * WIDTH, height), column + p
            a = add_scaled(a, x, load(v, at * WIDTH, 1))
            b = add_scaled(b, x, load(v, (at + step) * WIDTH, 1))
            c = add_scaled(c, x, load(v, (at + 2 * step) * WIDTH, 1))
            d = add_scaled(d, x, load(v, (at + 3 * step) * WIDTH, 1))
        return a, b, c, d

    return one, two, four


_one_8, _, _ = _products(8)
_one_4, _two_4, _ = _products(4)
_one_2, _, _four_2 = _products(2)
_one_1, _, _four_1 = _products(1)


@inner
def _put(v, column, r, value):
    """Rows of a column."""
    store(v, (column + r) * WIDTH, scale(value, -1.0))


@linked
def _multiply(v, stride, panel, k, room):
    """L in the panel [D^-1; L] becomes -L D^-1, some rows at a time; `room` takes their copy."""
    r = k
    while r + 4 <= stride:
        for p in range(k):
            store(room, 4 * p * WIDTH, load(v, (panel + p * stride + r) * WIDTH, 4))
        for j in range(0, k - 1, 2):
            at = panel + j * stride
            a, b = _two_4(room, 0, 4, k, v, at, at + stride, zero(4), zero(4))
            _put(v, at, r, a)
            _put(v, at + stride, r, b)
        if k % 2:
            at = panel + (k - 1) * stride
            _put(v, at, r, _one_4(room, 0, 4, k, v, at, zero(4)))
        r += 4
    while r + 2 <= stride:
        for p in range(k):
            store(room, 2 * p * WIDTH, load(v, (panel + p * stride + r) * WIDTH, 2))
        for j in range(0, k - 3, 4):
            at = panel + j * stride
            e, f, g, h = _four_2(room, 0, 2, k, v, at, stride, zero(2), zero(2), zero(2), zero(2))
            _put(v, at, r, e)
            _put(v, at + stride, r, f)
            _put(v, at + 2 * stride, r, g)
            _put(v, at + 3 * stride, r, h)
        for j in range(k - k % 4, k):
            at = panel + j * stride
            _put(v, at, r, _one_2(room, 0, 2, k, v, at, zero(2)))
        r += 2
    if r < stride:
        for p in range(k):
            store(room, p * WIDTH, load(v, (panel + p * stride + r) * WIDTH, 1))
        for j in range(k):
            at = panel + j * stride
            _put(v, at, r, _one_1(room, 0, 1, k, v, at, zero(1)))


@linked
def _growth(v, stride, panel, k, weights, weight):
    """Sum of the sizes of L D^-1, weighed by the scales of rows and pivots."""
    growth = zero(1)
    for j in range(k):
        total, other = zero(1), zero(1)
        for r in range(k, stride - 1, 2):
            at = (panel + j * stride + r) * WIDTH
            total = add_scaled(total, magnitude(load(v, at, 1)), get(weights, weight + r))
            other = add_scaled(other, magnitude(load(v, at + WIDTH, 1)), get(weights, weight + r + 1))
        if (stride - k) % 2:
            at = (panel + (j + 1) * stride - 1) * WIDTH
            total = add_scaled(total, magnitude(load(v, at, 1)), get(weights, weight + stride - 1))
        growth = add_scaled(growth, add(total, other), get(weights, weight + stride + j))
    return growth


def _update_of(height, one, four):
    """The same on `height` rows from r on, four columns at a time."""

    @specialised(height=height)
    def update(v, program, at, low, stride, above, wing_stride, columns, k, r):
        for c in range(0, columns - 3, 4):
            to, to_2 = (get(program, at + c) + r) * WIDTH, (get(program, at + c + 1) + r) * WIDTH
            to_3, to_4 = (get(program, at + c + 2) + r) * WIDTH, (get(program, at + c + 3) + r) * WIDTH
            e, f, g, h = load(v, to, height), load(v, to_2, height), load(v, to_3, height), load(v, to_4, height)
            e, f, g, h = four(v, low + r, stride, k, v, above + c * wing_stride, wing_stride, e, f, g, h)
            store(v, to, e)
            store(v, to_2, f)
            store(v, to_3, g)
            store(v, to_4, h)
        for c in range(columns - columns % 4, columns):
            to = (get(program, at + c) + r) * WIDTH
            store(v, to, one(v, low + r, stride, k, v, above + c * wing_stride, load(v, to, height)))

    return update


_update_2, _update_1 = _update_of(2, _one_2, _four_2), _update_of(1, _one_1, _four_1)


@linked
def _update(v, program, at, low, stride, length, above, wing_stride, columns, k):
    """Adds (-L D^-1) U on a segment of rows and a group of columns; the program lists where each column goes."""
    r = 0
    while r + 4 <= length:
        for c in range(0, columns - 1, 2):
            left = above + c * wing_stride
            to, other = (get(program, at + c) + r) * WIDTH, (get(program, at + c + 1) + r) * WIDTH
            a, b = _two_4(v, low + r, stride, k, v, left, left + wing_stride, load(v, to, 4), load(v, other, 4))
            store(v, to, a)
            store(v, other, b)
        if columns % 2:
            left, to = above + (columns - 1) * wing_stride, (get(program, at + columns - 1) + r) * WIDTH
            store(v, to, _one_4(v, low + r, stride, k, v, left, load(v, to, 4)))
        r += 4
    if r + 2 <= length:
        _update_2(v, program, at, low, stride, above, wing_stride, columns, k, r)
        r += 2
    if r < length:
        _update_1(v, program, at, low, stride, above, wing_stride, columns, k, r)


@routine
def eliminate_wide(v, program, size, inverse, growth, weights, room):
    """As `lu.kernels.eliminate`, for as many substructures as a vector has lanes; `room` for four rows of a panel."""
    at, weight = 0, 0
    while at < size:
        k, rows, panel = get(program, at), get(program, at + 1), get(program, at + 3)
        wing_stride, count = get(program, at + 5), get(program, at + 6)
        _invert(v, rows, panel, k, program, at + HEADER, inverse)
        _multiply(v, rows, panel, k, room)
        store(v, growth * WIDTH, _growth(v, rows, panel, k, weights, weight))
        at += HEADER + k
        for _ in range(count):
            low, length = get(program, at), get(program, at + 1)
            above, columns = get(program, at + 2), get(program, at + 3)
            _update(v, program, at + 4, low, rows, length, above, wing_stride, columns, k)
            at += 4 + columns
        inverse, growth, weight = inverse + k, growth + 1, weight + 2 * rows


def _beside(height):
    """Some rows of y[start:] - U y_beside, the places of y_beside being listed from `at` on."""

    @specialised(of="beside", height=height)
    def beside(v, wing, k, y, start, program, at, count):
        result = load(y, start * WIDTH, height)
        for c in range(count):
            x = scale(load(y, get(program, at + c) * WIDTH, 1), -1.0)
            result = add_scaled(result, load(v, (wing + c * k) * WIDTH, height), x)
        return result

    return beside


_beside_8, _beside_4, _beside_1 = map(_beside, (8, 4, 1))


@linked
def _put_times(v, block, stride, k, y, start, rows, to):
    """y[to:] = block @ y[start:]."""
    i = 0
    while i + 8 <= rows:
        store(y, (to + i) * WIDTH, _one_8(v, block + i, stride, k, y, start, zero(8)))
        i += 8
    while i + 4 <= rows:
        store(y, (to + i) * WIDTH, _one_4(v, block + i, stride, k, y, start, zero(4)))
        i += 4
    while i < rows:
        store(y, (to + i) * WIDTH, _one_1(v, block + i, stride, k, y, start, zero(1)))
        i += 1


@routine
def forward_wide(v, y, program, size, scratch):
    """Supernode by supernode: y_below -= L D^-1 y_s."""
    at = 0
    while at < size:
        k, low, stride = get(program, at), get(program, at + 1), get(program, at + 2)
        start, count = get(program, at + 3), get(program, at + 4)
        _put_times(v, low, stride, k, y, start, count, scratch)
        at += 5
        for i in range(count):
            row = get(program, at + i) * WIDTH
            store(y, row, add(load(y, row, 1), load(y, (scratch + i) * WIDTH, 1)))
        at += count


@routine
def backward_wide(v, y, program, size, scratch):
    """Supernode by supernode, from the last: y_s = D^-1 (y_s - U y_beside)."""
    at = 0
    while at < size:
        k, panel, stride = get(program, at), get(program, at + 1), get(program, at + 2)
        wing, start, count = get(program, at + 3), get(program, at + 4), get(program, at + 5)
        i = 0
        while i + 8 <= k:
            store(y, (scratch + i) * WIDTH, _beside_8(v, wing + i, k, y, start + i, program, at + 6, count))
            i += 8
        while i + 4 <= k:
            store(y, (scratch + i) * WIDTH, _beside_4(v, wing + i, k, y, start + i, program, at + 6, count))
            i += 4
        while i < k:
            store(y, (scratch + i) * WIDTH, _beside_1(v, wing + i, k, y, start + i, program, at + 6, count))
            i += 1
        _put_times(v, panel, stride, k, y, scratch, k, start)
        at += 6 + count


@linked
def worst_health_wide(lu, v):
    """The larger of growth of multipliers and decrease of a pivot since the analysis, over all lanes; NaN if any is."""
    worst, values = 0.0, pointer(v)
    for s in range(lu.tail.nodes):
        for lane in range(WIDTH):
            growth = get(values, (lu.growth + s) * WIDTH + lane) / max(lu.growth_reference[s], LEAST_DIVISOR)
            if not growth <= worst:
                worst = growth
            if worst != worst:
                return worst
    for p in range(lu.tail.pivots):
        for lane in range(WIDTH):
            drop = abs(get(values, (lu.inverse + p) * WIDTH + lane)) * lu.pivot_reference[p]
            if not drop <= worst:
                worst = drop
    return worst
