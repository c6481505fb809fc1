"""Accepted inputs where a simulation is needed."""

from __future__ import annotations

from typing import Any

from samara.method.method import Method
from samara.model import ArgumentError, Model
from samara.model.model import require_model
from samara.solve.sampling import refuse_opaque, refuse_sampling
from samara.solve.simulation import Simulation
from samara.system.system import System


def as_simulation(
    who: str,
    model: Model | System | Simulation,
    method: Method | None = None,
    *,
    trees: bool = False,
    runs: bool = False,
    sampled: bool = False,
) -> Simulation:
    """The simulation given, or a new one of a model or a compiled system; `who` asks, in errors.

    trees: whether it may be of the recursive formulation. runs: whether it is for steps in time, which contacts with
    impacts are for. sampled: whether discrete laws are looked after.
    """
    if not isinstance(model, Simulation):
        if not isinstance(model, System):
            require_model(who, model, ", a System or a Simulation")
        made = Simulation(model, method=method)
        return made if runs else without_contacts(who, made, sampled)
    if method is not None:
        raise ArgumentError(
            f"{who}: a Simulation has its own method (formulation, integrator, tolerance, ...): give "
            f"these options when creating it"
        )
    return require_simulation(who, model, trees=trees, runs=runs, sampled=sampled)


def without_contacts(who: str, sim: Simulation, sampled: bool = False) -> Simulation:
    """The simulation, if nothing in it can hit or samples: an analysis would look through it as if it were not."""
    refuse_opaque(who, sim)
    if not sampled:
        refuse_sampling(who, sim)
    touching = [group.elements[0].name for group in sim.system.groups if group.kind.touches]
    if touching:
        raise ArgumentError(
            f"{who}: model {sim.model.name!r} has contacts with impacts, such as {touching[0]!r}, which only "
            f"runs in time support: remove them, or use a PenaltyContact, or a Torsion with a StopLaw"
        )
    return sim


def require_simulation(
    who: str, given: Any, *, trees: bool = False, runs: bool = False, sampled: bool = False
) -> Simulation:
    """The simulation, if it is one and may go on. trees, runs, sampled: as of `as_simulation`."""
    if not isinstance(given, Simulation):
        raise ArgumentError(f"{who}: give a Simulation, such as Simulation(model), got {given!r}")
    if given.tree is not None and not trees:
        raise ArgumentError(
            f"{who}: it needs the redundant formulation: give the model itself, or a Simulation without "
            f"formulation='recursive'"
        )
    given.claim()
    return given if runs else without_contacts(who, given, sampled)
