"""Short vectors of doubles for Numba: a value of `blocks` x `<W x double>` is an ordinary local variable.

LLVM's loop vectoriser gives up on the short trip counts of a sparse factorisation (5 to 20), so the kernels vectorise
explicitly: a `Lanes` value occupies `blocks` registers, and the functions below are the few operations the LU needs.
LLVM splits vectors wider than the hardware's, so the code is correct on any machine. `blocks` must be a compile-time
constant: a literal or a closure variable.

They work on raw pointers, which are passed between functions in a register, whereas an array is seven values and a
reference count. There are no bounds checks; a negative index reads before the array.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from samara.tracing.driver.numba_internals import cgutils

WIDTH = 4
"""Lanes of one vector: 8 was not faster with AVX-512, since the blocks are small."""

_DOUBLE = ir.DoubleType()
_INTEGER = ir.IntType(32)
_VECTOR = ir.VectorType(_DOUBLE, WIDTH)
_INTEGERS = ir.VectorType(_INTEGER, WIDTH)
_ZERO = ir.Constant(_VECTOR, [0.0] * WIDTH)
_CONTRACT = ("contract",)


class Lanes(types.Type):
    """The Numba type of `blocks` vectors."""

    def __init__(self, blocks):
        self.blocks = blocks
        super().__init__(name=f"Lanes({blocks} x {WIDTH})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, numba_type):
        super().__init__(manager, numba_type, ir.ArrayType(_VECTOR, numba_type.blocks))


def _pack(builder, vectors):
    value = ir.Constant(ir.ArrayType(_VECTOR, len(vectors)), ir.Undefined)
    for block, vector in enumerate(vectors):
        value = builder.insert_value(value, vector, block)
    return value


def _unpack(builder, value):
    return [builder.extract_value(value, block) for block in range(value.type.count)]


def _vector_pointer(builder, pointer, index):
    return builder.bitcast(builder.gep(pointer, [index]), _VECTOR.as_pointer())


def _spread(builder, scalar, vector_type):
    blank = ir.Constant(vector_type, ir.Undefined)
    single = builder.insert_element(blank, scalar, ir.Constant(_INTEGER, 0))
    return builder.shuffle_vector(single, blank, ir.Constant(_INTEGERS, [0] * WIDTH))


def _where(builder, operator, position, block):
    """Mask of the lanes of one block whose number compares so with `position`."""
    numbers = ir.Constant(_INTEGERS, [block * WIDTH + lane for lane in range(WIDTH)])
    return builder.icmp_signed(operator, numbers, _spread(builder, builder.trunc(position, _INTEGER), _INTEGERS))


@intrinsic
def pointer(typing, array):
    """Address of the first entry of a contiguous array: what the functions below read and write."""

    def emit(context, builder, signature, args):
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), emit


@intrinsic
def pointer_at(typing, address):
    """The same of unsigned integers at an address."""

    def emit(context, builder, signature, args):
        return builder.inttoptr(args[0], _INTEGER.as_pointer())

    return types.CPointer(types.uint32)(types.int64), emit


@intrinsic(prefer_literal=True)
def load(typing, start, index, blocks):
    """The entries from `index` on."""
    if not isinstance(blocks, types.IntegerLiteral):
        return None
    count = blocks.literal_value

    def emit(context, builder, signature, args):
        first = _vector_pointer(builder, args[0], args[1])
        parts = [builder.gep(first, [ir.Constant(_INTEGER, block)]) for block in range(count)]
        return _pack(builder, [builder.load(part, align=8) for part in parts])

    return Lanes(count)(start, types.intp, blocks), emit


@intrinsic
def store(typing, start, index, value):
    """Write the entries from `index` on."""

    def emit(context, builder, signature, args):
        first = _vector_pointer(builder, args[0], args[1])
        for block, vector in enumerate(_unpack(builder, args[2])):
            builder.store(vector, builder.gep(first, [ir.Constant(_INTEGER, block)]), align=8)
        return context.get_dummy_value()

    return types.none(start, types.intp, value), emit


@intrinsic
def get(typing, start, index):
    """One entry; an unsigned integer comes back as a signed one."""
    kept = isinstance(start.dtype, types.Float)

    def emit(context, builder, signature, args):
        value = builder.load(builder.gep(args[0], [args[1]]))
        return value if kept else builder.zext(value, ir.IntType(64))

    return (start.dtype if kept else types.int64)(start, types.intp), emit


@intrinsic
def put(typing, start, index, value):
    """Write one double."""

    def emit(context, builder, signature, args):
        builder.store(args[2], builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.none(start, types.intp, types.float64), emit


@intrinsic
def stacked(typing, upper, lower):
    """The vectors of two values, one after the other."""
    found = Lanes(upper.blocks + lower.blocks)

    def emit(context, builder, signature, args):
        return _pack(builder, [*_unpack(builder, args[0]), *_unpack(builder, args[1])])

    return found(upper, lower), emit


@intrinsic(prefer_literal=True)
def vectors(typing, value, start, stop):
    """Some of the vectors of a value."""
    if not isinstance(start, types.IntegerLiteral) or not isinstance(stop, types.IntegerLiteral):
        return None
    chosen = slice(start.literal_value, stop.literal_value)

    def emit(context, builder, signature, args):
        return _pack(builder, _unpack(builder, args[0])[chosen])

    return Lanes(chosen.stop - chosen.start)(value, start, stop), emit


@intrinsic(prefer_literal=True)
def zero(typing, blocks):
    """Zeros."""
    if not isinstance(blocks, types.IntegerLiteral):
        return None
    count = blocks.literal_value
    return Lanes(count)(blocks), lambda context, builder, signature, args: _pack(builder, [_ZERO] * count)


def _factor(builder, kind, factor):
    """A factor of vectors as a vector: a number in all lanes, or one of its own in each."""
    return _spread(builder, factor, _VECTOR) if kind == types.float64 else _unpack(builder, factor)[0]


@intrinsic
def spread(typing, scalar):
    """One vector with the number in all lanes."""
    return Lanes(1)(types.float64), lambda context, builder, signature, args: _pack(
        builder, [_spread(builder, args[0], _VECTOR)]
    )


@intrinsic
def scale(typing, value, factor):
    """factor * value; the factor is a number, or one vector with a number for each lane."""
    kind = factor if isinstance(factor, Lanes) else types.float64

    def emit(context, builder, signature, args):
        factor = _factor(builder, kind, args[1])
        return _pack(builder, [builder.fmul(vector, factor) for vector in _unpack(builder, args[0])])

    return value(value, kind), emit


@intrinsic
def add_scaled(typing, start, value, factor):
    """start + factor * value, one instruction where the processor has it; the factor as in `scale`."""
    kind = factor if isinstance(factor, Lanes) else types.float64

    def emit(context, builder, signature, args):
        factor = _factor(builder, kind, args[2])
        pairs = zip(_unpack(builder, args[0]), _unpack(builder, args[1]))
        sums = [builder.fadd(a, builder.fmul(b, factor, flags=_CONTRACT), flags=_CONTRACT) for a, b in pairs]
        return _pack(builder, sums)

    return value(value, value, kind), emit


def _by_lane(emit_one):
    """What is done to two values, lane by lane."""

    @intrinsic
    def operation(typing, a, b):
        def emit(context, builder, signature, args):
            pairs = zip(_unpack(builder, args[0]), _unpack(builder, args[1]))
            return _pack(builder, [emit_one(builder, x, y) for x, y in pairs])

        return a(a, b), emit

    return operation


add = _by_lane(lambda builder, x, y: builder.fadd(x, y))
product = _by_lane(lambda builder, x, y: builder.fmul(x, y))
quotient = _by_lane(lambda builder, x, y: builder.fdiv(x, y))
#: the larger of the two
larger = _by_lane(lambda builder, x, y: builder.select(builder.fcmp_ordered(">", x, y), x, y))


@intrinsic
def magnitude(typing, value):
    """|value|, lane by lane."""

    def emit(context, builder, signature, args):
        name, kind = f"llvm.fabs.v{WIDTH}f64", ir.FunctionType(_VECTOR, [_VECTOR])
        fabs = cgutils.get_or_insert_function(builder.module, kind, name)
        return _pack(builder, [builder.call(fabs, [vector]) for vector in _unpack(builder, args[0])])

    return value(value), emit


@intrinsic
def dot(typing, a, b):
    """Sum over the lanes of a * b."""

    def emit(context, builder, signature, args):
        total = _ZERO
        for x, y in zip(_unpack(builder, args[0]), _unpack(builder, args[1])):
            total = builder.fadd(total, builder.fmul(x, y, flags=_CONTRACT), flags=_CONTRACT)
        half = WIDTH // 2
        while half:
            fold = ir.Constant(_INTEGERS, [(lane + half) % WIDTH for lane in range(WIDTH)])
            total = builder.fadd(total, builder.shuffle_vector(total, total, fold))
            half //= 2
        return builder.extract_element(total, ir.Constant(_INTEGER, 0))

    return types.float64(a, b), emit


@intrinsic
def first(typing, value, count):
    """The first `count` lanes, and zeros after them."""

    def emit(context, builder, signature, args):
        vectors = enumerate(_unpack(builder, args[0]))
        return _pack(builder, [builder.select(_where(builder, "<", args[1], block), x, _ZERO) for block, x in vectors])

    return value(value, types.intp), emit


@intrinsic
def replaced(typing, value, lane, scalar):
    """The value with `scalar` in one lane; nothing changes when `lane` is outside."""

    def emit(context, builder, signature, args):
        value, lane, scalar = args
        scalar, vectors = _spread(builder, scalar, _VECTOR), enumerate(_unpack(builder, value))
        return _pack(builder, [builder.select(_where(builder, "!=", lane, block), x, scalar) for block, x in vectors])

    return value(value, types.intp, types.float64), emit


@intrinsic
def cleared(typing, value, one, other):
    """The value with zeros in two lanes."""

    def emit(context, builder, signature, args):
        value, one, other = args
        kept = []
        for block, vector in enumerate(_unpack(builder, value)):
            mask = builder.and_(_where(builder, "!=", one, block), _where(builder, "!=", other, block))
            kept.append(builder.select(mask, vector, _ZERO))
        return _pack(builder, kept)

    return value(value, types.intp, types.intp), emit
