"""From one function of the driver into another by its address, so that whoever never calls it never compiles it."""

from __future__ import annotations

from typing import Any

from numba import typeof, types
from numba.extending import intrinsic

from samara.tracing.driver_cache import address_of, inner
from samara.tracing.numba_internals import cgutils


def caller(*takes: str) -> Any:
    """Native: calls an address with a record and a tuple of numbers, converted to what is taken there; the last of
    `takes` is what it returns.

    Types are given by their names: the digest of a compiled function holds the text of a string, not that of a type.
    """

    @intrinsic
    def call(typing, address, record, numbers):
        *given, result = (getattr(types, kind) for kind in takes)
        arguments = (record, *given)

        def emit(context, builder, signature, args):
            kind = context.call_conv.get_function_type(result, arguments)
            function = builder.inttoptr(args[0], kind.as_pointer())
            unpacked = cgutils.unpack_tuple(builder, args[2], len(given))
            _, value = context.call_conv.call_function(builder, function, result, arguments, [args[1], *unpacked])
            return value

        return result(types.int64, record, types.Tuple(given)), emit

    return call


def address(function: Any, record: Any, *takes: str) -> int:
    """Of a function for `caller(*takes)`, compiled where it is not yet; one that returns another type is refused."""
    *given, result = (getattr(types, kind) for kind in takes)
    arguments = (typeof(record), *given)
    found = address_of(function, arguments)
    returned = types.unliteral(function.overloads[arguments].signature.return_type)
    if returned != result:
        raise TypeError(f"{function.__name__} returns {returned}, and is called for {result}")
    return found


_call_with_work = caller("int64", "float64")


@inner
def call_with_work(address, work, what):
    """Calls a function of the driver that takes a `Work` and an integer, and returns a number."""
    return _call_with_work(address, work, (what,))
