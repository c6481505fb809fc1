"""Stability of an equilibrium at rest: the least stiffness against small motions, and the influence of states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from samara.solve.as_simulation import require_simulation
from samara.solve.constraints.gaps import open_joint
from samara.solve.mechanism.tangent_space import LARGEST_TANGENT, Tangent, tangent
from samara.solve.report.wording import in_words, motion
from samara.solve.simulation import Simulation
from samara.solve.start.present_loads import as_told, reacting
from samara.solve.statics.growth import growth

Verdict = Literal["stable", "neutral", "unstable", "not examined"]

#: Imaginary part of a rate, of its size, that is rounding.
NO_TURN = 1e-9


@dataclass(frozen=True)
class Stability:
    """Stability of an equilibrium.

    verdict:   "stable": every motion is resisted; "neutral": one is not; "unstable": one is driven further, directly or
               through scalar states.
    stiffness: the least stiffness, rotations weighted by the size of the mechanism [N/m].
    reason:    description of that motion; or why stability was not examined.
    growth:    eigenvalue of the fastest-growing disturbance due to scalar states [1/s]; nan if there is none.
    """

    verdict: Verdict
    stiffness: float = np.nan
    reason: str = ""
    growth: complex = complex(np.nan)

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict


def stability(sim: Simulation) -> Stability:
    """Stability of a simulation in equilibrium at rest, with drives at the present parameters and inputs.

    If first-order states take part, as in filters, valves and regulators, the eigenvalues of the coupled system are
    examined as well (`samara.solve.statics.growth`). Follower loads may cause flutter although every small displacement
    is resisted: without such states this is not detected.
    """
    with as_told(require_simulation("stability", sim)):
        if error := open_joint(sim):
            raise error
        return _stability(sim, None)


def stability_under_load(sim: Simulation, about: Tangent | None = None) -> Stability:
    """The same with drives as they are, on the way of `static`; `about` is the tangent, if it is known."""
    with reacting(sim):
        return _stability(sim, about)


def _stability(sim: Simulation, about: Tangent | None) -> Stability:
    s = sim.system
    if s.layout.coordinates > LARGEST_TANGENT:
        return Stability("not examined", reason=f"{s.layout.coordinates} coordinates, more than {LARGEST_TANGENT}")
    with s.state.kept():
        here = tangent(sim) if about is None else about
    least, y = here.softest()
    verdict: Verdict = "stable" if least > here.noise else "neutral" if least >= -here.noise else "unstable"
    by_states = _by_states(sim, least) if verdict != "unstable" else None
    if by_states is not None and (verdict == "stable" or by_states.verdict == "unstable"):
        return by_states
    if not np.isfinite(least):
        return Stability("stable", np.inf, "the model has no degrees of freedom")
    words = in_words(motion(sim, here.change(y)))
    idle = here.idle() if verdict == "neutral" else 0
    if idle > 1:
        words = f"{idle} motions are not resisted, one of them: {words}"
    return Stability(verdict, least, words)


def _by_states(sim: Simulation, least: float) -> Stability | None:
    """What states make of a balance in which every motion meets resistance; None where they change nothing."""
    found = growth(sim)
    if found.why:
        return Stability("not examined", least, found.why)
    if found.change is None:
        return None
    layout = sim.system.layout
    sizes = np.abs(found.change[6 * len(layout.free) :]) / sim.state.scales
    most = layout.states[int(np.argmax(sizes))].name
    turns = f", {found.rate.imag:.3g} rad/s" if abs(found.rate.imag) > NO_TURN * abs(found.rate) else ""
    words = f"a disturbance grows by e in {1.0 / found.rate.real:.3g} s{turns}, with state {most!r}"
    if np.abs(found.change[: 6 * len(layout.free)]).max(initial=0.0) > 0.0:
        words += f"; {in_words(motion(sim, found.change))}"
    return Stability("unstable", least, words, found.rate)
