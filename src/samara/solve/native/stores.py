"""Numbers written to an address: into rows of indices and parameters that kernels read."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def store_index(typingctx: Any, address: Any, value: Any) -> Any:
    """An unsigned integer of 32 bits."""
    signature = types.void(types.int64, types.int64)

    def codegen(context, builder, sig, args):
        word = ir.IntType(32)
        builder.store(builder.trunc(args[1], word), builder.inttoptr(args[0], word.as_pointer()))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def store_number(typingctx: Any, address: Any, value: Any) -> Any:
    """A double."""
    signature = types.void(types.int64, types.float64)

    def codegen(context, builder, sig, args):
        builder.store(args[1], builder.inttoptr(args[0], ir.DoubleType().as_pointer()))
        return context.get_dummy_value()

    return signature, codegen
