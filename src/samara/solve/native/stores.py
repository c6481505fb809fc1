"""Numbers written to an address: into rows of indices and parameters that kernels read."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _store(taken: str, bits: int | None) -> Any:
    """Native: writes a number of that type to an address, an integer as so many bits."""

    @intrinsic
    def store(typingctx, address, value):
        def codegen(context, builder, sig, args):
            number = args[1] if bits is None else builder.trunc(args[1], ir.IntType(bits))
            builder.store(number, builder.inttoptr(args[0], number.type.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.int64, getattr(types, taken)), codegen

    return store


store_index = _store("int64", 32)
store_number = _store("float64", None)
