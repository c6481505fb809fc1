"""Calls from Newton's method to the substructured solver, by address, so that undivided models never compile it."""

from __future__ import annotations

from samara.solve.linear.schur.corrections import GAIN, extend, keep
from samara.solve.linear.schur.team import hands
from samara.solve.native.call_by_address import caller
from samara.solve.native.kernels import walk
from samara.tracing.driver.driver_cache import inner

#: Places of the functions among the addresses.
CORRECTION, FACTORS, MOTION = range(3)
#: What is taken of the corrections of a hand's nodes: all that was found, or by a gain; from there on a walk of them:
#: PREDICT, CORRECT and so on.
KEEP, EXTEND, WALK = range(5, 8)
_call = caller("int64", "float64")


@inner
def correction_by_parts(work, own):
    """x from the equations: own: evaluated by the parts, else those in `res`; see `solver.correct`."""
    _call(work.schur.calls[CORRECTION], work, (own,))


@inner
def factors_by_parts(work):
    """New factors of all parts; the worst health, see `solver.renew`."""
    return _call(work.schur.calls[FACTORS], work, (0,))


@inner
def walk_together(work, which):
    """A walk of all nodes and states, by all hands where several are at work."""
    if hands(work.schur.team) != 0:
        _call(work.schur.calls[MOTION], work, (WALK + which,))
    else:
        walk(work.machine, which)


@inner
def keep_together(work):
    """Corrections are taken as they were found."""
    if hands(work.schur.team) != 0:
        _call(work.schur.calls[MOTION], work, (KEEP,))
    else:
        keep(work.machine, 0, work.machine.x.size)


@inner
def extend_together(work, gain):
    """And with a gain."""
    if hands(work.schur.team) != 0:
        work.schur.looks[GAIN] = gain
        _call(work.schur.calls[MOTION], work, (EXTEND,))
    else:
        extend(work.machine, gain, 0, work.machine.x.size)
