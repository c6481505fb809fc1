"""Loads, stores and fences between processes and threads, as native code: what a lock-free mailbox stands on.

A place is an address [bytes] of eight aligned bytes. Words are exchanged whole (no half of a number is ever seen), and
the order in which another processor sees them is stated, not hoped for: on x86 all but the fences cost nothing, on ARM
they become the instructions that it needs. The memory model is that of C11, which LLVM shares
(https://llvm.org/docs/Atomics.html): what was stored before a *release* is seen by whoever has read it with *acquire*;
*relaxed* words have no order of their own, and get it from fences.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)
_REAL = ir.DoubleType()
_ALIGNED = 8


def _place(builder, address):
    return builder.inttoptr(address, _WORD.as_pointer())


def _load(order: str, real: bool):
    """An intrinsic that reads a word, or a real in the bits of one."""

    def codegen(context, builder, sig, args):
        word = builder.load_atomic(_place(builder, args[0]), order, _ALIGNED)
        return builder.bitcast(word, _REAL) if real else word

    @intrinsic
    def load(typingctx, address):
        return (types.float64 if real else types.int64)(types.int64), codegen

    return load


def _store(order: str, real: bool):
    """An intrinsic that writes a word, or a real in the bits of one."""

    def codegen(context, builder, sig, args):
        word = builder.bitcast(args[1], _WORD) if real else args[1]
        builder.store_atomic(word, _place(builder, args[0]), order, _ALIGNED)
        return context.get_dummy_value()

    @intrinsic
    def store(typingctx, address, value):
        return types.void(types.int64, types.float64 if real else types.int64), codegen

    return store


def _fence(order: str):
    def codegen(context, builder, sig, args):
        builder.fence(order)
        return context.get_dummy_value()

    @intrinsic
    def fence(typingctx):
        return types.void(), codegen

    return fence


#: relaxed: whole words, in no order
load_word = _load("monotonic", real=False)
load_real = _load("monotonic", real=True)
store_word = _store("monotonic", real=False)
store_real = _store("monotonic", real=True)
#: nothing after the load comes before it; nothing before the store comes after it
load_acquire = _load("acquire", real=False)
store_release = _store("release", real=False)
#: loads before it stay before what follows; what precedes it stays before stores after it
fence_acquire = _fence("acquire")
fence_release = _fence("release")
