"""From one function of the driver into another by its address, so that whoever never calls it never compiles it."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic


@intrinsic
def call_with_work(typing, address, work, what):
    """Calls a function of the driver that takes a `Work` and an integer, and returns a number."""
    arguments = (work, types.int64)

    def emit(context, builder, signature, args):
        kind = context.call_conv.get_function_type(types.float64, arguments)
        function = builder.inttoptr(args[0], kind.as_pointer())
        _, result = context.call_conv.call_function(builder, function, types.float64, arguments, args[1:])
        return result

    return types.float64(types.int64, *arguments), emit
