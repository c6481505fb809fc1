"""Calls of kernels, the native code of traced functions, from functions of the driver."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def call_kernel(typingctx, address, n, state, idx, par, coef, tables, res, val):
    """Calls native code at an address; unlike a ctypes pointer it leaves the caller cacheable."""
    signature = types.void(*[types.int64] * 9)

    def codegen(context, builder, sig, args):
        word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        function_type = ir.FunctionType(ir.VoidType(), [word] + [pointer] * 7)
        function = builder.inttoptr(args[0], function_type.as_pointer())
        builder.call(function, [args[1]] + [builder.inttoptr(a, pointer) for a in args[2:]])
        return context.get_dummy_value()

    return signature, codegen
