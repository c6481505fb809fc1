"""The dense work inside one supernode, on columns of vectors.

Each function is specialised on the height of its block in vectors, so that a column stays in registers, and is called
with the height as first argument; blocks taller than the tallest specialisation use a plain loop.
"""

import functools

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from samara.tracing.driver.driver_cache import address_of, inner, linked, routine
from samara.tracing.driver.libraries import PartCompiler
from samara.tracing.driver.native_call import emit_call

from .lanes import (
    WIDTH,
    add,
    add_scaled,
    cleared,
    dot,
    first,
    get,
    load,
    magnitude,
    put,
    replaced,
    scale,
    stacked,
    store,
    vectors,
    zero,
)

POINTER = types.CPointer(types.float64)
#: Numba's options for functions made by functions: parts of those that call them, which Python never calls.
INSIDE = {
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": PartCompiler,
}


def specialised(**numbers):
    """njit for a function made by a function, under a name that tells its constants.

    Numba numbers compiled functions by process. Two that share their name could be taken for each other where files of
    the cache come from two processes.
    """

    return lambda function: njit(**INSIDE)(_named(function, **numbers))


def _named(function, **numbers):
    suffix = "".join(f"_{name}_{value}" for name, value in numbers.items())
    function.__name__ += suffix
    function.__qualname__ += suffix
    return function


def _by_height(make, below, otherwise):
    """A function f(blocks, *arguments): make(blocks) for the three heights above `below`, and `otherwise` beyond."""
    one, two, three = make(below + 1), make(below + 2), make(below + 3)

    @specialised(of=make.__name__, above=below)
    def choose(blocks, *arguments):
        if blocks <= below + 1:
            return one(*arguments)
        if blocks == below + 2:
            return two(*arguments)
        if blocks == below + 3:
            return three(*arguments)
        return otherwise(blocks, *arguments)

    return choose


def _make_columns(upper, lower):
    """Reading and writing of a column of a panel as one value, its two parts so many vectors high."""
    height, stride, low_stride = upper + lower, WIDTH * upper, WIDTH * lower

    if lower == 0:

        @specialised(upper=upper, lower=lower)
        def read(v, panel, low, j):
            return load(v, panel + j * stride, upper)

        @specialised(upper=upper, lower=lower)
        def write(v, panel, low, j, column):
            store(v, panel + j * stride, column)

    else:

        @specialised(upper=upper, lower=lower)
        def read(v, panel, low, j):
            return stacked(load(v, panel + j * stride, upper), load(v, low + j * low_stride, lower))

        @specialised(upper=upper, lower=lower)
        def write(v, panel, low, j, column):
            store(v, panel + j * stride, vectors(column, 0, upper))
            store(v, low + j * low_stride, vectors(column, upper, height))

    return read, write


def _make_sweep(upper, lower):
    height, stride = upper + lower, WIDTH * upper
    read, write = _make_columns(upper, lower)

    def sweep(blocks, v, panel, low, k, program, at, inverses, weights, weight):
        """Invert D in the panel [D; L] by Gauss-Jordan steps on its columns, two pivots at a time: [D^-1; -L D^-1].

        The pivots are taken in the order listed in the program; the inverses of the pivots are written, and the sum of
        the multipliers, weighed by row scales, is returned.
        """
        growth, inverse_weights = zero(height), weight + WIDTH * height
        for step in range(0, k - 1, 2):
            p, q = get(program, at + step), get(program, at + step + 1)
            left, right = panel + p * stride, panel + q * stride
            pivot_p, across, under = get(v, left + p), get(v, right + p), get(v, left + q)
            determinant = pivot_p * get(v, right + q) - across * under
            inverse_p, inverse_q = 1.0 / pivot_p, pivot_p / determinant
            down = -inverse_p * under
            by_p = scale(read(v, panel, low, p), -inverse_p)
            growth = add_scaled(growth, magnitude(by_p), get(weights, inverse_weights + p))
            by_p = replaced(by_p, p, inverse_p)
            by_q = scale(add_scaled(replaced(read(v, panel, low, q), p, 0.0), by_p, across), -inverse_q)
            growth = add_scaled(growth, magnitude(by_q), get(weights, inverse_weights + q))
            by_p, by_q = replaced(by_p, q, 0.0), replaced(by_q, q, inverse_q)
            for j in range(k):
                other = panel + j * stride
                factor_p = get(v, other + p)
                factor_q = get(v, other + q) + factor_p * down
                column = cleared(read(v, panel, low, j), p, q)
                write(v, panel, low, j, add_scaled(add_scaled(column, by_p, factor_p), by_q, factor_q))
            write(v, panel, low, p, add_scaled(by_p, by_q, down))
            write(v, panel, low, q, by_q)
            put(v, inverses + p, inverse_p)
            put(v, inverses + q, inverse_q)
        if k % 2:
            p = get(program, at + k - 1)
            inverse = 1.0 / get(v, panel + p * stride + p)
            by_p = scale(read(v, panel, low, p), -inverse)
            growth = add_scaled(growth, magnitude(by_p), get(weights, inverse_weights + p))
            by_p = replaced(by_p, p, inverse)
            for j in range(k):
                column = replaced(read(v, panel, low, j), p, 0.0)
                write(v, panel, low, j, add_scaled(column, by_p, get(v, panel + j * stride + p)))
            write(v, panel, low, p, by_p)
            put(v, inverses + p, inverse)
        return dot(growth, load(weights, weight, height))

    return routine(_named(sweep, upper=upper, lower=lower))


@routine
def _sweep_tall(blocks, v, panel, low, k, program, at, inverses, weights, weight):
    """The same for a panel of any height with its parts together, one pivot at a time."""
    stride, growth = WIDTH * blocks, 0.0
    for step in range(k):
        p = get(program, at + step)
        own = panel + p * stride
        inverse = 1.0 / get(v, own + p)
        for b in range(0, stride, WIDTH):
            by_p = scale(load(v, own + b, 1), -inverse)
            growth += dot(magnitude(by_p), load(weights, weight + b, 1)) * get(weights, weight + stride + p)
            store(v, own + b, by_p)
        put(v, own + p, inverse)
        for j in range(k):
            if j != p:
                other = panel + j * stride
                factor = get(v, other + p)
                put(v, other + p, 0.0)
                for b in range(0, stride, WIDTH):
                    store(v, other + b, add_scaled(load(v, other + b, 1), load(v, own + b, 1), factor))
        put(v, inverses + p, inverse)
    return growth


def _make_update(height):
    @specialised(height=height)
    def add_to(v, to, result, length):
        store(v, to, add(load(v, to, height), first(result, length)))

    @specialised(height=height)
    def update(v, program, at, skip, low, stride, length, above, wing_stride, columns, k):
        """Add (-L D^-1) U on a segment of rows and a group of columns, four columns at a time.

        The program lists from `at` on where each column goes; `skip` rows of the segment were done before.
        """
        a, t = above, at
        while t + 4 <= at + columns:
            r0, r1, r2, r3 = zero(height), zero(height), zero(height), zero(height)
            b, c, d = a + wing_stride, a + 2 * wing_stride, a + 3 * wing_stride
            for p in range(k):
                column = load(v, low + p * stride, height)
                r0 = add_scaled(r0, column, get(v, a + p))
                r1 = add_scaled(r1, column, get(v, b + p))
                r2 = add_scaled(r2, column, get(v, c + p))
                r3 = add_scaled(r3, column, get(v, d + p))
            add_to(v, get(program, t) + skip, r0, length)
            add_to(v, get(program, t + 1) + skip, r1, length)
            add_to(v, get(program, t + 2) + skip, r2, length)
            add_to(v, get(program, t + 3) + skip, r3, length)
            a, t = a + 4 * wing_stride, t + 4
        while t < at + columns:
            r0 = zero(height)
            for p in range(k):
                r0 = add_scaled(r0, load(v, low + p * stride, height), get(v, a + p))
            add_to(v, get(program, t) + skip, r0, length)
            a, t = a + wing_stride, t + 1

    return update


_update_one, _update_two, _update_three = _make_update(1), _make_update(2), _make_update(3)


@linked
def update_block(v, program, at, low, stride, length, above, wing_stride, columns, k):
    """The same for a segment of any length, in tiles of three vectors."""
    for skip in range(0, length, 3 * WIDTH):
        left = length - skip
        if left <= WIDTH:
            _update_one(v, program, at, skip, low + skip, stride, left, above, wing_stride, columns, k)
        elif left <= 2 * WIDTH:
            _update_two(v, program, at, skip, low + skip, stride, left, above, wing_stride, columns, k)
        else:
            _update_three(v, program, at, skip, low + skip, stride, left, above, wing_stride, columns, k)


def _make_multiply(height):
    @specialised(height=height)
    def multiply(v, block, stride, k, y, start, to):
        """y[to:] = block @ y[start:start+k], for k columns `stride` apart."""
        result = zero(height)
        for p in range(k):
            result = add_scaled(result, load(v, block + p * stride, height), get(y, start + p))
        store(y, to, result)

    return multiply


@linked
def _multiply_tall(blocks, v, block, stride, k, y, start, to):
    for b in range(0, blocks * WIDTH, WIDTH):
        result = zero(1)
        for p in range(k):
            result = add_scaled(result, load(v, block + p * stride + b, 1), get(y, start + p))
        store(y, to + b, result)


def _make_reduce(height):
    @specialised(height=height)
    def reduce(v, wing, y, start, program, at, count, to):
        """y[to:] = y[start:] - U y_beside, the places of y_beside being listed from `at` on."""
        result = load(y, start, height)
        for c in range(count):
            column = load(v, wing + c * (WIDTH * height), height)
            result = add_scaled(result, column, -get(y, get(program, at + c)))
        store(y, to, result)

    return reduce


@linked
def _reduce_tall(blocks, v, wing, y, start, program, at, count, to):
    for b in range(0, blocks * WIDTH, WIDTH):
        result = load(y, start + b, 1)
        for c in range(count):
            column = load(v, wing + c * (WIDTH * blocks) + b, 1)
            result = add_scaled(result, column, -get(y, get(program, at + c)))
        store(y, to + b, result)


#: Height from which on a panel is swept by a plain loop.
TALL = 10
_SWEEP = types.float64(
    types.int64, POINTER, types.int64, types.int64, types.int64, types.CPointer(types.uint32), types.int64, types.int64,
    POINTER, types.int64,
)  # fmt: skip


@functools.cache
def _sweep_at(upper, lower):
    return address_of(_make_sweep(upper, lower) if upper < TALL else _sweep_tall, _SWEEP.args)


def sweeps_for(heights):
    """Addresses of the sweeps of panels, by the heights of their parts; those not asked for are not compiled."""
    addresses = np.zeros((TALL + 1, TALL), np.int64)
    for upper, lower in {(min(int(upper), TALL), int(lower)) for upper, lower in heights}:
        addresses[upper, lower] = _sweep_at(upper, lower)
    return addresses.ravel()


@intrinsic
def _call_sweep(typing, address, blocks, v, panel, low, k, program, at, inverses, weights, weight):
    """Calls the sweep at an address."""

    def emit(context, builder, signature, args):
        return emit_call(context, builder, args[0], _SWEEP, args[1:])[1]

    return _SWEEP.return_type(types.int64, *_SWEEP.args), emit


@inner
def sweep_panel(sweeps, upper, lower, v, panel, low, k, program, at, inverses, weights, weight):
    """Invert D in a panel by the sweep of its heights."""
    address = get(sweeps, (upper if upper < TALL else TALL) * TALL + lower)
    return _call_sweep(address, upper, v, panel, low, k, program, at, inverses, weights, weight)


multiply_columns = _by_height(_make_multiply, 0, _by_height(_make_multiply, 3, _multiply_tall))
reduce_columns = _by_height(_make_reduce, 0, _by_height(_make_reduce, 3, _reduce_tall))
