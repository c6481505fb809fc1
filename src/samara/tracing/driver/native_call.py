"""Calls by address from functions of the driver: kernels, functions in C, and other functions of the driver."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from samara.tracing.driver.numba_internals import cgutils


@intrinsic
def call_native(typingctx, address, *words):
    """Calls native code at an address, with integers and addresses of 64 bits; its return value is ignored.

    Unlike a ctypes pointer, it leaves the caller cacheable.
    """

    def codegen(context, builder, sig, args):
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * len(words))
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), cgutils.unpack_tuple(builder, args[1]))
        return context.get_dummy_value()

    return types.void(types.int64, types.UniTuple(types.int64, len(words))), codegen


def emit_call(context, builder, address, signature, given):
    """Emits a call of a driver function into the LLVM code of a caller: its status, and its return value."""
    kind = context.call_conv.get_function_type(signature.return_type, signature.args)
    function = builder.inttoptr(address, kind.as_pointer())
    return context.call_conv.call_function(builder, function, signature.return_type, signature.args, given)
