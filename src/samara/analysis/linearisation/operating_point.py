"""A state of rest for linearisation: static equilibrium, or the initial state of an unconstrained model."""

from __future__ import annotations

import warnings

import numpy as np

from samara.analysis.linearisation.linear import small_motions, with_dense
from samara.analysis.linearisation.prescribed_motion import STILL, NotConstant, astray
from samara.analysis.linearisation.sparse_modes import is_few, slowest
from samara.analysis.linearisation.time_invariance import steady
from samara.solve import Simulation, SingularModel, SolveError, assemble
from samara.solve.linear_systems.first_order import first_order
from samara.solve.mechanism.at_rest import sizes
from samara.solve.statics.load_path import LoadPath
from samara.solve.statics.static import equilibrium

#: Way to an unstable equilibrium, of the mechanism's size and in rad, that is no more than a deflection by the loads.
NEAR = 0.25
#: What is said of a model that stands where it was put, and what to do where nothing is at rest.
STANDING = "rest at the start, where it is free to move"
HINT = "it does not rest at the start either: hold it, or give it a start that is in balance"


def at_rest(sim: Simulation, frozen: bool = False) -> str:
    """Brings a simulation to rest; returns a description of that state.

    A driven model, or one that starts in steady motion, is rejected unless `frozen`.
    """
    if not frozen:
        _require_still(sim)
    try:
        found = _equilibrium(sim)
    except SingularModel as error:
        sim.system.reset()
        assemble(sim)
        moving = np.concatenate([sim.state.twists, sim.state.accelerations])
        if np.abs(moving).max(initial=0.0) > STILL:
            raise SingularModel(f"{error}; {HINT}") from None
        return STANDING
    verdict = found.stability.verdict
    if verdict == "neutral" and not found.relaxed:
        return STANDING
    words = {"neutral": "a static equilibrium, where it is free to move", "unstable": "an unstable equilibrium"}
    return words.get(verdict, "static equilibrium")


def _equilibrium(sim: Simulation) -> LoadPath:
    """Brings a simulation to the intended equilibrium: an unstable one only if the model starts there.

    An inverted pendulum stays up, even on soft supports. From farther away, Newton's method may end at any of several
    equilibria, depending on small differences of the start: then the stable one downhill is intended.
    """
    start = sim.state.copy()
    found = equilibrium(sim, stable=False)
    if found.stability.verdict != "unstable" or _way(sim, start) <= NEAR:
        return found
    sim.system.reset()
    found = equilibrium(sim, stable=True)
    if found.stability.verdict == "unstable":
        warnings.warn(
            f"model {sim.model.name!r}: no stable equilibrium was found; modes are about one that is "
            f"{found.stability}; start elsewhere, or pass a simulation in the desired state",
            stacklevel=4,
        )
    return found


def _way(sim: Simulation, start: np.ndarray) -> float:
    """Displacement and rotation of nodes since the start, by mechanism size and in rad; otherwise of states."""
    way, nodes = np.abs(sim.state.difference(start) / sizes(sim)), 6 * len(sim.system.layout.free)
    return float(way[: nodes or None].max(initial=0.0))


def _require_still(sim: Simulation) -> None:
    who = f"model {sim.model.name!r}"
    ways = (
        "for small motions about that motion pass a simulation, modes(steady_rotation(model, speed)), or a rotor's "
        "periodic motion, modes(periodic(model, period, step)), or take floquet(...); frozen=True stops it first"
    )
    sim.state.set_time(sim.state.time)
    if told := astray(sim, stopped=True):
        raise NotConstant(f"{who} is not at rest at its start, {told} has a prescribed motion: {ways}")
    if np.abs(sim.state.twists).max(initial=0.0) > STILL and _steady(sim):
        raise NotConstant(f"{who} starts in a steady motion: {ways}; modes(Simulation(model)) keeps that motion")


def _steady(sim: Simulation) -> bool:
    """Whether the initial motion has time-invariant equations of small motions."""
    try:
        assemble(sim)
        if is_few(sim, 1):
            steady(sim, small_motions(sim), lambda lin: slowest(lin, 1))
        else:
            steady(sim, with_dense(sim), first_order)
    except SolveError:
        return False
    finally:
        sim.system.reset()
    return True
