"""Coefficients of a step in native code: compiled once for a scheme, called by their address."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from samara.solve.integrators.integrator import MOST_NUMBERS, Functions, Integrator
from samara.tracing.driver_cache import address_of, linked, routine

_NUMBERS = types.CPointer(types.float64)
_SIGNATURE = types.void(_NUMBERS, _NUMBERS, types.float64, types.float64)
#: Positions of the addresses.
BEGIN, RESTART, ESTIMATE = range(len(Functions._fields))


def addresses_of(scheme: Integrator) -> np.ndarray:
    """Of its functions, in the order of `Functions`."""
    if type(scheme) not in _ADDRESSES:
        _ADDRESSES[type(scheme)] = _compile(scheme)
    return np.array(_ADDRESSES[type(scheme)], np.int64)


#: By the class of a scheme.
_ADDRESSES: dict[type, tuple[int, ...]] = {}


def _compile(scheme: Integrator) -> tuple[int, ...]:
    kind = type(scheme)
    own = re.sub(r"\W", "_", f"{kind.__module__}_{kind.__qualname__}")

    def named(function: Any) -> Any:
        """Two functions of one name could be taken for each other in the cache: those made here tell their scheme."""
        if function.__closure__ is not None:
            function.__qualname__ = function.__name__ = f"{function.__name__}_{own}"
        return function

    made = scheme.functions(lambda function: linked(named(function)))
    return tuple(address_of(_compiled(named(function)), _SIGNATURE.args) for function in made)


@functools.cache
def _compiled(function: Any) -> Any:
    return routine(function)


def numbers_of(scheme: Integrator) -> np.ndarray:
    """The numbers of a scheme, with zeros behind them."""
    if len(scheme.numbers) > MOST_NUMBERS:
        raise ValueError(f"integrator {scheme.name!r} has {len(scheme.numbers)} numbers: give {MOST_NUMBERS} at most")
    return np.array([*scheme.numbers, *[0.0] * (MOST_NUMBERS - len(scheme.numbers))])


@intrinsic
def call_coefficients(typing, address, c, numbers, h, old):
    """Calls the function at an address, on the first entries of two arrays."""

    def emit(context, builder, signature, args):
        kinds = signature.args
        first = [context.make_array(kinds[i])(context, builder, args[i]).data for i in (1, 2)]
        kind = context.call_conv.get_function_type(_SIGNATURE.return_type, _SIGNATURE.args)
        function = builder.inttoptr(args[0], kind.as_pointer())
        context.call_conv.call_function(builder, function, _SIGNATURE.return_type, _SIGNATURE.args, [*first, *args[3:]])
        return context.get_dummy_value()

    return types.void(types.int64, c, numbers, types.float64, types.float64), emit
