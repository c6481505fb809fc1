"""Loads, stores and fences between processes and threads, as native code: the basis of lock-free mailboxes.

A location is the address [bytes] of eight aligned bytes. Words are exchanged whole (half a number is never seen), and
the order in which another processor sees them is specified: on x86 all but the fences cost nothing, on ARM
they compile to the instructions it needs. The memory model is that of C11, which LLVM shares
(https://llvm.org/docs/Atomics.html): whatever was stored before a *release* is visible to anyone who has read it with
*acquire*; *relaxed* words are unordered by themselves, and are ordered by fences.
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
    """An intrinsic that reads a word, or a real number from the bits of one."""

    def codegen(context, builder, sig, args):
        word = builder.load_atomic(_place(builder, args[0]), order, _ALIGNED)
        return builder.bitcast(word, _REAL) if real else word

    @intrinsic
    def load(typingctx, address):
        return (types.float64 if real else types.int64)(types.int64), codegen

    return load


def _store(order: str, real: bool):
    """An intrinsic that writes a word, or a real number as the bits of one."""

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


#: relaxed: whole words, unordered
load_word = _load("monotonic", real=False)
load_real = _load("monotonic", real=True)
store_word = _store("monotonic", real=False)
store_real = _store("monotonic", real=True)
#: nothing after the load moves before it; nothing before the store moves after it
load_acquire = _load("acquire", real=False)
store_release = _store("release", real=False)
#: earlier loads stay before what follows; whatever precedes it stays before later stores
fence_acquire = _fence("acquire")
fence_release = _fence("release")
