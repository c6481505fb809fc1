"""Formulations and their integrators: which there are, and which suit the elements of a model."""

from __future__ import annotations

from collections.abc import Sequence

from samara.model import ArgumentError
from samara.solve.impacts.contacts import bind_contacts
from samara.solve.impacts.passing import look_for_passing
from samara.solve.integrators import Integrator, TwoStep
from samara.solve.integrators.contract import check_scheme
from samara.solve.native.verbs import bind_verbs
from samara.solve.redundant import formulation as redundant
from samara.solve.redundant import look_ahead
from samara.solve.tree import formulation as trees
from samara.solve.tree.schemes import EXPLICIT, SEMI_IMPLICIT, MoreauJean, RungeKutta4, TreeIntegrator
from samara.solve.work import Work
from samara.system.system import System

#: What a model's equations of motion may be written in.
FORMULATIONS = ("redundant", "recursive")
#: Tables of the redundant formulation, by how often an integrator solves in a step.
REDUNDANT = {1: redundant.VERBS, 2: look_ahead.VERBS}


def checked_formulation(given: str, partition: object, cut: Sequence[str]) -> str:
    """The formulation, if it is one, and allows what else was chosen."""
    if not isinstance(given, str) or given not in FORMULATIONS:
        raise ArgumentError(f"Simulation: formulation must be {' or '.join(map(repr, FORMULATIONS))}, got {given!r}")
    if not isinstance(cut, (str, Sequence)):
        raise ArgumentError(f"Simulation: cut must be names of joints, such as ('hinge',), got {cut!r}")
    if given == "recursive" and partition is not None:
        raise ArgumentError("Simulation: a partition is for the redundant formulation: leave one of them out")
    if given != "recursive" and cut:
        raise ArgumentError("Simulation: cut is for the recursive formulation, which has no closed loops of its own")
    return given


def checked_integrator(
    integrator: Integrator | TreeIntegrator | None, formulation: str
) -> Integrator | TreeIntegrator | None:
    """The integrator that was given, if any, and that is one of the formulation."""
    if integrator is None or (formulation == "recursive" and isinstance(integrator, TreeIntegrator)):
        return integrator
    if formulation == "recursive" and not isinstance(integrator, Integrator):
        remedy = f": write {integrator.__name__}()" if isinstance(integrator, type) else ""
        raise ArgumentError(
            "integrator of the recursive formulation must be samara.RungeKutta4(), samara.DormandPrince(), "
            "samara.SemiImplicitEuler(), samara.MoreauJean(), or an implicit one, samara.TwoStep(rho_inf), "
            f"samara.BDF2(), samara.CrankNicolson() or another Integrator, got {integrator!r}{remedy}"
        )
    if isinstance(integrator, TreeIntegrator):
        raise ArgumentError(
            f"Simulation: {integrator.name}() is for trees: give formulation='recursive', or another integrator"
        )
    if not isinstance(integrator, Integrator):
        raise ArgumentError(
            "integrator must be samara.TwoStep(rho_inf), samara.BDF2(), samara.CrankNicolson() or another Integrator, "
            f"got {integrator!r}"
        )
    check_scheme(integrator)
    return integrator


def fitting_integrator(
    s: System, given: Integrator | TreeIntegrator | None, in_tree: bool, processes: bool
) -> Integrator | TreeIntegrator:
    """The one that was given, where it suits the elements of the model; else the usual one for them.

    processes: whether parts are solved on several.
    """
    touching = [g.elements[0].name for g in s.groups if g.kind.touches]
    stiff = [e for e in s.model.elements.values() if e.stiff]
    if touching:
        _require_impacts(s, given, touching[0], in_tree, processes)
    if given is None:
        explicit = in_tree and (touching or not stiff)
        return (MoreauJean() if touching else RungeKutta4()) if explicit else TwoStep(0.6)
    if stiff and isinstance(given, TreeIntegrator) and given.method in (EXPLICIT, SEMI_IMPLICIT):
        raise ArgumentError(
            f"element {stiff[0].name!r} ({type(stiff[0]).__name__}) vibrates too fast for {given.name}, which is "
            "explicit: take the redundant formulation, or integrator=TwoStep(0.6)"
        )
    if in_tree and isinstance(given, Integrator) and given.solutions > 1:
        raise ArgumentError(
            f"Simulation: {given.name} is for the redundant formulation: trees of order four and five take "
            "samara.RungeKutta4() or samara.DormandPrince(), stiff ones samara.TwoStep(rho_inf)"
        )
    return given


def _require_impacts(
    s: System, given: Integrator | TreeIntegrator | None, touching: str, in_tree: bool, processes: bool
) -> None:
    """Refuses what cannot go through the impacts of a model."""
    contacts = f"model {s.model.name!r} has contacts with impacts, such as {touching!r}"
    if in_tree and not (given is None or isinstance(given, MoreauJean)):
        raise ArgumentError(f"{contacts}: trees take integrator=MoreauJean() for them; or take a PenaltyContact")
    if processes:
        raise ArgumentError(
            f'{contacts}, which parts on several processes cannot have: take backend="threads", or a PenaltyContact'
        )
    if isinstance(given, Integrator) and given.solutions > 1:
        raise ArgumentError(
            f"{contacts}, which {given.name} cannot look beyond: take samara.TwoStep(rho_inf), or a PenaltyContact"
        )


def scheme_of(
    integrator: Integrator | TreeIntegrator, stabilise: bool | None, constrained: bool
) -> tuple[Integrator, bool]:
    """Whose formulas are taken, and whether every step ends on the constraints: by default where rho_inf = 1."""
    scheme = integrator if isinstance(integrator, Integrator) else TwoStep(0.6)
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
