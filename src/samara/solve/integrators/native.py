"""Coefficients of a step in native code: compiled once per scheme, called by address."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from samara.solve.errors import in_one_line
from samara.solve.integrators.contract import plain_functions
from samara.solve.integrators.integrator import Functions, Integrator
from samara.solve.integrators.plain import MOST_NUMBERS, plain, refuse
from samara.tracing.driver.driver_cache import address_of, linked, routine
from samara.tracing.driver.native_call import emit_call
from samara.tracing.driver.numba_internals import NumbaError

_NUMBERS = types.CPointer(types.float64)
_SIGNATURE = types.void(_NUMBERS, _NUMBERS, types.float64, types.float64)
_PACKAGE = Path(__file__).parents[2]
#: Positions of the addresses.
BEGIN, RESTART, ESTIMATE = range(len(Functions._fields))


def addresses_of(scheme: Integrator) -> np.ndarray:
    """Of its functions, in the order of `Functions`."""
    made_of = tuple(map(_made_of, plain_functions(scheme)))
    key = type(scheme), made_of
    if key not in _ADDRESSES:
        _ADDRESSES[key] = _compile(scheme, made_of)
    return np.array(_ADDRESSES[key], np.int64)


#: By the class of a scheme, and what its functions are made of.
_ADDRESSES: dict[tuple[type, tuple], tuple[int, ...]] = {}


def _made_of(function: Any, within: tuple = ()) -> tuple:
    """Code of a function, and the same of functions that it was made with; other values that it was made with."""
    if function in within:  # it calls itself
        return ()
    values = [plain(cell.cell_contents) for cell in function.__closure__ or ()]
    within = (*within, function)
    return function.__code__, *(_made_of(v, within) if isinstance(v, FunctionType) else repr(v) for v in values)


def _own_values(made_of: tuple) -> list[str]:
    """Values that functions were made with."""
    nested = [_own_values(part) if isinstance(part, tuple) else [part] for part in made_of]
    return [value for values in nested for value in values if isinstance(value, str)]


def _compile(scheme: Integrator, made_of: tuple) -> tuple[int, ...]:
    kind = type(scheme)
    own = re.sub(r"\W", "_", f"{kind.__module__}_{kind.__qualname__}")
    if values := _own_values(made_of):
        own += f"_{hashlib.sha256(repr(values).encode()).hexdigest()[:8]}"

    def named(function: Any) -> Any:
        """Two functions of one name could be taken for each other in the cache: those made here tell their scheme."""
        function = plain(function)
        if function.__closure__ is not None:
            function.__qualname__ = function.__name__ = f"{function.__name__}_{own}"
        return function

    try:
        made = scheme.functions(lambda function: linked(named(function)))
        return tuple(address_of(_compiled(named(function)), _SIGNATURE.args) for function in made)
    except NumbaError as error:
        said = in_one_line(error)
    # outside of the handler, whose error would be shown in full
    refuse(
        scheme,
        f"{', '.join(_written_outside(made_of))} cannot be compiled ({said}): write plain arithmetic, without "
        "texts, lists, dicts or objects, and pass functions that are called through `compiled`",
    )


def _written_outside(made_of: tuple) -> dict[str, None]:
    """Names of functions that do not belong to the package."""
    names: dict[str, None] = {}
    for part in made_of:
        if isinstance(part, tuple):
            names |= _written_outside(part)
        elif isinstance(part, CodeType) and not Path(part.co_filename).is_relative_to(_PACKAGE):
            names[part.co_name] = None
    return names


@functools.cache
def _compiled(function: Any) -> Any:
    return routine(function)


def numbers_of(scheme: Integrator) -> np.ndarray:
    """The numbers of a scheme, with zeros behind them."""
    return np.array([*scheme.numbers, *[0.0] * (MOST_NUMBERS - len(scheme.numbers))])


@intrinsic
def call_coefficients(typing, address, c, numbers, h, old):
    """Calls the function at an address, on the first entries of an array, and on a struct of numbers."""

    def emit(context, builder, signature, args):
        array = context.make_array(c)(context, builder, args[1]).data
        first = array, builder.bitcast(args[2], array.type)
        emit_call(context, builder, args[0], _SIGNATURE, [*first, *args[3:]])
        return context.get_dummy_value()

    return types.void(types.int64, c, numbers, types.float64, types.float64), emit
