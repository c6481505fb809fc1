"""Steps that tunnel through an obstacle undetected: they fail and are divided.

A force law detects an overlap only at the end of a step, and time stepping only where it predicts one. A body in front
of another at the start of a step and behind it at the end would therefore go undetected. Nodes are checked along the
chords of their step (`solve.contact.paths`), that is, along the motion that results from the forces, including a
bounce, because a chord never penetrates deeper than its ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from samara.solve.contact.paths import (
    SIGNATURES,
    close_path,
    first_contact,
    gap_along,
    gap_names,
    keep_motions,
    open_path,
)
from samara.solve.native.call_by_address import bind
from samara.solve.native.codes import OK
from samara.solve.native.kernels import TIME
from samara.solve.native.verbs import publish
from samara.system.memory.blocks import POSITION
from samara.tracing.driver.driver_cache import inner, routine

if TYPE_CHECKING:
    from samara.solve.simulation import Simulation

#: Depth below both ends, of the way of a step, that is let pass where one of them is outside, and where none is: there
#: the chord of a path around something round goes a little deeper.
DEPTH_FROM_OUTSIDE, DEPTH_FROM_WITHIN = 1e-2, 0.2
#: Way, of the distance of nodes, below which they go along with each other.
SMALLEST_WAY = 1e-9
#: Change of the rate of a gap that closes, of the way of a step: what goes in forwards is not to be pushed sideways.
SIDEWAYS_CHANGE = 0.5


@routine
def keep(work):
    """Motions as a step begins."""
    publish(work)
    keep_motions(work.machine, work.memory.clock.time)
    return OK


@routine
def passed(work):
    """1 where something was passed through in the step that is over."""
    publish(work)
    m = work.machine
    return 1 if _passed(m, m.coef[TIME] - m.paths.step[0]) else 0


@inner
def _passed(m, h):
    """Whether something was passed through in the step that is over."""
    for k in range(m.paths.watched.size):
        i = m.paths.watched[k]
        open_path(m, i, h)
        through = _is_passed(m, i)
        close_path(m, i)
        m.paths.passed[0] = i + 1 if through else 0
        if through:
            return True
    return False


@inner
def _is_passed(m, i):
    """Whether a gap was far smaller within the step than at its ends, and closed; or its normal turned as it closed."""
    apart, way = _way(m, i)
    g_0, u_0 = gap_along(m, i, 0.0, True)
    g_1, u_1 = gap_along(m, i, 1.0, True)
    way = max(way, abs(u_0), abs(u_1))
    if min(g_0, g_1) > way or not way > SMALLEST_WAY * apart:
        return False
    lowest = min(g_0, g_1)
    if g_0 > 0.0 and lowest < 0.0 and u_1 - u_0 > SIDEWAYS_CHANGE * way:
        return True
    level = min(lowest, 0.0) - (DEPTH_FROM_OUTSIDE if max(g_0, g_1) > 0.0 else DEPTH_FROM_WITHIN) * way
    return 0.0 <= first_contact(m, i, level, True) <= 1.0


@inner
def _way(m, i):
    """How far the two nodes of an element are apart, and how far they have moved against each other [m]."""
    paths, apart, way = m.paths, 0.0, 0.0
    a, b = paths.pairs[i, 0], paths.pairs[i, 1]
    for k in range(POSITION, POSITION + 3):
        before, after = paths.begin[b, k] - paths.begin[a, k], paths.end[1, k] - paths.end[0, k]
        apart += before**2
        way += (after - before) ** 2
    return np.sqrt(apart), np.sqrt(way)


def look_for_passing(work: Any) -> None:
    """Puts the addresses of the verbs where the driver finds them, compiled where they are not yet."""
    bind(work.machine.paths.verbs, SIGNATURES, work, {"keep": keep, "passed": passed})


def passed_through(sim: Simulation, h: float | None) -> str:
    """Says where a step could not be divided any further."""
    remedy = "tighten the accuracy" if h is None else f"take a shorter step than {h:g} s, or let it be divided"
    if sim.machine.paths.passed[0] == 0:  # parts that fly anew after impacts
        return (
            f"model {sim.model.name!r}: bodies that have hit cross each other's way within a step at t = "
            f"{sim.time:g} s; {remedy}"
        )
    element = sim.model.elements[gap_names(sim.system)[int(sim.machine.paths.passed[0]) - 1]]
    a, b = (node.name for node in element.nodes())
    return (
        f"model {sim.model.name!r}: node {b!r} passes through node {a!r} within a step at t = {sim.time:g} s, and "
        f"element {element.name!r} does not see it; {remedy}"
    )
