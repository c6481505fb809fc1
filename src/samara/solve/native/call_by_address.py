"""Calls from one driver function to another by address, so that a function that is never called is never compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import typeof, types
from numba.extending import intrinsic

from samara.tracing.driver.driver_cache import address_of
from samara.tracing.driver.native_call import emit_call
from samara.tracing.driver.numba_internals import cgutils

#: What functions of a table take beside a record, and what each returns last, as names of types; by their names.
Signatures = Mapping[str, tuple[str, ...]]


def caller(*takes: str) -> Any:
    """Native: calls an address with a record and a tuple of numbers, converted to what is taken there; the last of
    `takes` is what it returns.

    Types are given by their names: the digest of a compiled function holds the text of a string, not that of a type.
    """

    @intrinsic
    def call(typing, address, record, numbers):
        *given, result = (getattr(types, kind) for kind in takes)
        called = result(record, *given)

        def emit(context, builder, signature, args):
            unpacked = cgutils.unpack_tuple(builder, args[2], len(given))
            return emit_call(context, builder, args[0], called, [args[1], *unpacked])[1]

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


def bind(addresses: np.ndarray, signatures: Signatures, record: Any, table: Mapping[str, Any]) -> None:
    """Puts the addresses of a table of functions where native code finds them, in the order of their signatures.

    0 for those that the table leaves out.
    """
    for k, (name, takes) in enumerate(signatures.items()):
        addresses[k] = address(table[name], record, *takes) if name in table else 0
