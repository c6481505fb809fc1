"""Formulations and their integrators: those available, and those suited to the elements of a model."""

from __future__ import annotations

from samara.method.integrators import Scheme
from samara.model import ArgumentError, Stiff
from samara.solve.impacts.contacts import bind_contacts
from samara.solve.impacts.passing import look_for_passing
from samara.solve.integrators import Integrator, TwoStep
from samara.solve.native.verbs import bind_verbs
from samara.solve.redundant import formulation as redundant
from samara.solve.redundant import look_ahead
from samara.solve.tree import formulation as trees
from samara.solve.tree.schemes import EXPLICIT, SEMI_IMPLICIT, MoreauJean, RungeKutta4, TreeIntegrator
from samara.solve.work import Work
from samara.system.system import System

#: Tables of the redundant formulation, by how often an integrator solves in a step.
REDUNDANT = {1: redundant.VERBS, 2: look_ahead.VERBS}


def fitting_integrator(s: System, given: Scheme | None, in_tree: bool, processes: bool) -> Scheme:
    """The one that was given, where it suits the elements of the model; else the usual one for them.

    processes: whether parts are solved on several.
    """
    touching = [g.elements[0].name for g in s.groups if g.kind.touches]
    stiff = [e for e in s.model.elements.values() if isinstance(e, Stiff)]
    if touching:
        _require_impacts(s, given, touching[0], in_tree, processes)
    if given is None:
        explicit = in_tree and (touching or not stiff)
        return (MoreauJean() if touching else RungeKutta4()) if explicit else TwoStep()
    if stiff and isinstance(given, TreeIntegrator) and given.method in (EXPLICIT, SEMI_IMPLICIT):
        raise ArgumentError(
            f"element {stiff[0].name!r} ({type(stiff[0]).__name__}) is too stiff for {given.name}, "
            f"which is explicit: use the redundant formulation, or integrator=TwoStep(0.6)"
        )
    return given


def _require_impacts(s: System, given: Scheme | None, touching: str, in_tree: bool, processes: bool) -> None:
    """Refuses what cannot go through the impacts of a model."""
    contacts = f"model {s.model.name!r} has contacts with impacts, such as {touching!r}"
    if in_tree and not (given is None or isinstance(given, MoreauJean)):
        raise ArgumentError(
            f"{contacts}: in the recursive formulation use integrator=MoreauJean(), or a PenaltyContact"
        )
    if processes:
        raise ArgumentError(
            f'{contacts}, which backend="mpi" does not support: use backend="threads", or a PenaltyContact'
        )
    if isinstance(given, Integrator) and given.solutions > 1:
        raise ArgumentError(
            f"{contacts}, which {given.name} does not support: use samara.TwoStep(rho_inf), or a PenaltyContact"
        )


def scheme_of(integrator: Scheme, stabilise: bool | None, constrained: bool) -> tuple[Integrator, bool]:
    """Whose formulas are taken, and whether every step ends on the constraints: by default where rho_inf = 1."""
    scheme = integrator if isinstance(integrator, Integrator) else TwoStep()
    stabilise = constrained and (scheme.radius == 1.0 if stabilise is None else stabilise)
    return scheme.stabilised() if stabilise else scheme, stabilise


def bind_formulation(work: Work, in_tree: bool, solutions: int) -> None:
    """Gives steps the functions of their formulation; solutions: how often the integrator solves in a step."""
    machine = work.machine
    bind_verbs(work, trees.VERBS[machine.tree.plan.method] if in_tree else REDUNDANT[solutions])
    if machine.contacts.status.size and not in_tree:
        bind_contacts(work)
    if machine.paths.watched.size:
        look_for_passing(work)
