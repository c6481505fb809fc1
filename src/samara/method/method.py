"""How time steps are taken: one record, accepted by every function that runs a model and validated here only."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from typing import Any

from samara.method import integrators
from samara.method.fields import CHOICE, COUNT, FLAG, FRACTION, NAMES, OWN, check, fields_of, setting
from samara.method.integrators import FORMULATIONS, INTEGRATORS, Scheme

#: What a model that is solved whole does not take: a loop in real time solves it so.
OF_PARTS = ("partition", "backend", "threads")
#: Who works on the parts of a partition.
BACKENDS = ("lanes", "threads", "mpi")
#: Bounds in real time: corrections to a millionth of the largest speed, accepted below a thousandth.
REAL_TIME: dict[str, Any] = {"tolerance": 1e-6, "ceiling": 1e-3, "sweeps": 200, "substeps": 64}


@dataclass(frozen=True, kw_only=True)
class Method:
    """How time steps are taken. Frozen: use `dataclasses.replace(method, tolerance=1e-8)` to change it.

    formulation: "redundant": six unknowns per node and Lagrange multipliers for the constraints, for any model; or
                "recursive": only the degrees of freedom of a tree of rigid bodies (`samara.recursive`).
    integrator: a name such as "two-step:0.8" (`samara.method.integrators`), or an integrator such as `TwoStep(0.8)`,
                which is stored by name if it has one. The default depends on the formulation: `TwoStep(0.6)`; for trees
                `RungeKutta4()`, with an accuracy `DormandPrince()`, with contacts `MoreauJean()`.
    tolerance:  of Newton's method: largest correction of a twist relative to the largest linear and angular velocity of
                the model; reactions converge to a hundred times this value, relative to the largest reaction. With the
                default, constraints hold to about 1e-11 m, far below the error of any practical step.
    ceiling:    if Newton's method stops converging, the step is still accepted (and counted) when its last correction
                is below this value; by default a hundred times the tolerance.
    iterations: maximum number of Newton iterations per step.
    sweeps:     maximum number of sweeps over contacts with friction for each solution for their impulses. A residual
                that remains, below 1e-5 of the approach speeds, is counted as "contacts_unconverged".
    substeps:   maximum number of sub-steps, by repeated halving, for a fixed step that fails; counted as "divided".
    stabilise:  whether every step ends by projecting velocities onto the constraints and solving the equations of
                motion for accelerations and reactions; by default with rho_inf = 1, where reactions would otherwise
                oscillate without decay, and with adaptive steps, where they would oscillate after every change of the
                step. Costs one Jacobian and about two iterations per step.
    cut:        names of the joints at which closed loops are cut, in the recursive formulation.
    partition:  substructures that are factorised separately and coupled through their shared unknowns
                (`samara.solve.linear.schur`): a `Partition`, a number of parts, or "blades"; by default the model is
                solved as a whole.
    backend:    how the parts are processed: "lanes" (SIMD), "threads" or "mpi" processes; threads: number of threads.
    lanes:      number of SIMD lanes; by default the vector width of the machine.
    """

    formulation: str = setting(
        "redundant", CHOICE, "form of the equations: redundant for any model, recursive for trees of rigid bodies",
        choices=FORMULATIONS,
    )  # fmt: skip
    integrator: Any = setting(
        None, OWN, f"integration scheme and its parameters, such as two-step:0.8: {', '.join(INTEGRATORS)}",
        metavar="NAME[:NUMBER]",
    )  # fmt: skip
    tolerance: float = setting(
        1e-10, FRACTION, "tolerance of Newton's method, relative to the largest speed [-]", metavar="T"
    )
    ceiling: float | None = setting(
        None, FRACTION, "largest last correction with which a step that stops converging is accepted [-]", metavar="C"
    )
    iterations: int = setting(20, COUNT, "maximum number of Newton iterations per step", metavar="N")
    sweeps: int = setting(
        2000, COUNT, "maximum number of sweeps over contacts with friction per iteration", metavar="N"
    )
    substeps: int = setting(
        1024, COUNT, "maximum number of sub-steps for a failed step; 1: do not divide it", metavar="N"
    )
    stabilise: bool | None = setting(None, FLAG, "project the velocities onto the constraints at the end of every step")
    cut: tuple[str, ...] = setting(
        (), NAMES, "joints at which closed loops are cut; they are enforced by constraints", metavar="JOINT"
    )
    partition: Any = setting(None, OWN, "solve in parts: one per blade, or N parts found by METIS", metavar="blades|N")
    backend: str = setting("lanes", CHOICE, "how the parts are processed (mpi: start with mpirun)", choices=BACKENDS)
    threads: int = setting(1, COUNT, "number of threads, with backend threads", metavar="N")
    lanes: int | None = setting(None, COUNT, "number of SIMD lanes", metavar="N")
    who: InitVar[str] = "Method"

    def __post_init__(self, who: str) -> None:
        from samara.arguments import ArgumentError

        check(self, who)
        if self.integrator is not None:
            object.__setattr__(self, "integrator", _checked_integrator(who, self.integrator, self.formulation))
        if self.formulation == "recursive" and self.partition is not None:
            raise ArgumentError(
                f"{who}: partition applies to the redundant formulation only: omit it, or omit formulation='recursive'"
            )
        if self.formulation != "recursive" and self.cut:
            raise ArgumentError(
                f"{who}: cut applies to the recursive formulation only: give formulation='recursive' too, or omit cut"
            )
        if self.threads > 1 and self.backend != "threads":
            raise ArgumentError(
                f'{who}: threads={self.threads} requires backend="threads", got backend={self.backend!r}'
            )
        if self.partition is None and self.backend != BACKENDS[0]:
            raise ArgumentError(
                f"{who}: backend={self.backend!r} requires a partition: give one, "
                'such as partition="blades" or partition=4, or omit backend'
            )

    def scheme(self) -> Scheme | None:
        """The integrator; None if the model's default applies."""
        return integrators.integrator(self.integrator) if isinstance(self.integrator, str) else self.integrator

    def with_integrator(self, scheme: Scheme) -> Method:
        """A copy with this integrator, which must suit the formulation."""
        return dataclasses.replace(self, integrator=scheme)

    def with_fields(self, given: Mapping[str, Any], who: str = "Method") -> Method:
        """A copy with these values; names that are not fields, and None, are ignored.

        If the formulation changes, the integrator is reset to its default and `cut` is emptied, unless they are given.
        """
        chosen = fields_of(Method, given)
        if chosen.get("formulation", self.formulation) != self.formulation:
            chosen = {"integrator": None, "cut": (), **chosen}
        return dataclasses.replace(self, who=who, **chosen)

    def in_real_time(self) -> Method:
        """A copy with limits for real time: a failed step ends before the watchdog acts."""
        return dataclasses.replace(self, **REAL_TIME)

    def for_accuracy(self) -> Method:
        """A copy for adaptive steps, for which trees have another default integrator."""
        usual = self.integrator is None and self.formulation == "recursive"
        return dataclasses.replace(self, integrator="dormand-prince") if usual else self

    def described(self) -> dict[str, Any]:
        """Plain values by name, without the defaults left to the model; `Method(**described)` recreates the record.

        User-defined integrators and partitions are given as text.
        """
        found = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        if isinstance(self.integrator, Scheme):
            found["integrator"] = self.integrator.name
        if not isinstance(self.partition, (str, int, type(None))):
            found["partition"] = f"{len(self.partition.parts)} parts by {self.partition.by}"
        return {name: list(v) if isinstance(v, tuple) else v for name, v in found.items() if v not in (None, ())}


def _checked_integrator(who: str, given: Any, formulation: str) -> Any:
    """The name of an integrator, or the integrator itself if unnamed; rejects one that does not suit "
    "the formulation."""
    from samara.arguments import ArgumentError

    text = given if isinstance(given, str) else integrators.name_of(given)
    if text is not None:
        try:
            named = INTEGRATORS[integrators.split(text)[0]]
        except ValueError as error:
            raise ArgumentError(f"{who}: {error}") from None
        label, served = named.spelling, named.formulations
    elif isinstance(given, Scheme):
        given.check()
        label, served = given.name, given.formulations
    else:
        label, served = "", ()
    if formulation in served:
        return text or given
    usual = ", ".join(INTEGRATORS[name].spelling for name in integrators.names(formulation))
    if not served:
        remedy = f": write {given.__name__}()" if isinstance(given, type) else ""
        raise ArgumentError(
            f"{who}: integrator of the {formulation} formulation must be {usual} or a user-defined one, "
            f"got {given!r}{remedy}"
        )
    if formulation == "redundant":
        raise ArgumentError(
            f"{who}: {label} is for the recursive formulation: give formulation='recursive', or another integrator"
        )
    raise ArgumentError(f"{who}: {label} is for the redundant formulation: the recursive one takes {usual}")
