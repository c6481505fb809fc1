"""Arrays at a given address, for native code that does not use Numba's memory management."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from samara.tracing.driver.numba_internals import cgutils


def _view(kind, rows_of):
    """An intrinsic that makes an array at an address; rows_of: numbers per row of a table, 0 for a plain array."""

    def emit(context, builder, signature, args):
        made = context.make_array(kind)(context, builder)
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        item = context.get_constant(types.intp, size)
        for name in ("meminfo", "parent"):
            setattr(made, name, cgutils.get_null_value(getattr(made, name).type))
        made.data = builder.inttoptr(args[0], made.data.type)
        made.itemsize = item
        if rows_of:
            width = context.get_constant(types.intp, rows_of)
            made.nitems = builder.mul(args[1], width)
            made.shape = cgutils.pack_array(builder, [args[1], width])
            made.strides = cgutils.pack_array(builder, [context.get_constant(types.intp, rows_of * size), item])
        else:
            made.nitems = args[1]
            made.shape, made.strides = cgutils.pack_array(builder, [args[1]]), cgutils.pack_array(builder, [item])
        return made._getvalue()

    @intrinsic
    def view(typing, address, count):
        return kind(types.int64, types.int64), emit

    return view


#: (address, count): plain arrays in double and single precision.
doubles = _view(types.Array(types.float64, 1, "C"), 0)
singles = _view(types.Array(types.float32, 1, "C"), 0)
#: (address, rows): tables with twelve numbers per row.
double_rows = _view(types.Array(types.float64, 2, "C"), 12)
single_rows = _view(types.Array(types.float32, 2, "C"), 12)
