"""Subnormal numbers are flushed to zero while the driver runs.

Values that decay by the same factor every step become subnormal, below 1e-308, and arithmetic with those is many times
slower. The processor can treat them as zero; this mode is set at the start of a march and reset at its end.
"""

from __future__ import annotations

import platform

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from samara.tracing.driver.numba_internals import cgutils

X86 = platform.machine().lower() in ("x86_64", "amd64")
#: bits of the control register: flush results to zero, take operands as zero
FLUSH = 0x8040


@intrinsic
def control_word(typingctx):
    """The control register of the floating-point unit; 0 on processors other than x86-64."""

    def codegen(context, builder, signature, args):
        word = ir.IntType(32)
        if not X86:
            return ir.Constant(word, 0)
        place = cgutils.alloca_once(builder, word)
        pointer = builder.bitcast(place, ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
        builder.call(_function(builder, kind, "llvm.x86.sse.stmxcsr"), [pointer])
        return builder.load(place)

    return types.uint32(), codegen


@intrinsic
def set_control_word(typingctx, value):
    """Sets it."""

    def codegen(context, builder, signature, args):
        if X86:
            place = cgutils.alloca_once(builder, ir.IntType(32))
            builder.store(args[0], place)
            pointer = builder.bitcast(place, ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
            builder.call(_function(builder, kind, "llvm.x86.sse.ldmxcsr"), [pointer])
        return context.get_dummy_value()

    return types.void(types.uint32), codegen


def _function(builder, kind, name: str):
    module = builder.module
    return module.globals.get(name) or ir.Function(module, kind, name)
