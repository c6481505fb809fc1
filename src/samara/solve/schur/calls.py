"""From Newton's method into the solver by parts: by address, so that whoever solves as a whole never compiles it."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from samara.tracing.driver_cache import inner

#: Places of the functions among the addresses.
CORRECTION, FACTORS = range(2)


@intrinsic
def _call(typing, address, work, own):
    """Calls a function of the driver that takes a `Work` and an integer, and returns a number."""
    arguments = (work, types.int64)

    def emit(context, builder, signature, args):
        kind = context.call_conv.get_function_type(types.float64, arguments)
        function = builder.inttoptr(args[0], kind.as_pointer())
        _, result = context.call_conv.call_function(builder, function, types.float64, arguments, args[1:])
        return result

    return types.float64(types.int64, *arguments), emit


@inner
def correction_by_parts(work, own):
    """x from the equations: own: evaluated by the parts, else those in `res`; see `solver.correct`."""
    _call(work.schur.calls[CORRECTION], work, own)


@inner
def factors_by_parts(work):
    """New factors of all parts; the worst health, see `solver.renew`."""
    return _call(work.schur.calls[FACTORS], work, 0)
