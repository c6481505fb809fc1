"""How steps are taken, in one record: whoever runs a model takes it, and it is checked here alone."""

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
    """How steps are taken. Frozen: `dataclasses.replace(method, tolerance=1e-8)` makes another one.

    formulation: "redundant", six unknowns per node and constraints by multipliers, for any model; or "recursive", the
                degrees of freedom of a tree of rigid bodies alone (`samara.recursive`).
    integrator: a name, "two-step:0.8" (`samara.method.integrators`), or the integrator itself, `TwoStep(0.8)`, which is
                kept by its name if it has one. By default the usual one of the formulation: `TwoStep(0.6)`; of trees
                `RungeKutta4()`, with an accuracy `DormandPrince()`, with contacts `MoreauJean()`.
    tolerance:  of Newton's method: largest correction of a twist relative to the largest speed and spin of the model;
                reactions to a hundred times that, of the largest of them. Constraints then hold to 1e-11 m or so by
                default, far below the error of any practical step.
    ceiling:    largest last correction with which a step is accepted, and counted, that stops converging; by default a
                hundred times the tolerance.
    iterations: bound on Newton iterations per step.
    sweeps:     bound on those over contacts with friction, each time that their impulses are looked for. What is left
                then, below 1e-5 of the speeds of approach, is counted as "contacts_unconverged".
    substeps:   bound on those that a fixed step is taken in that fails, halves of halves: counted as "divided".
    stabilise:  whether every step ends with velocities on the constraints, and accelerations and reactions from the
                equations of motion; by default where rho_inf = 1, for reactions would ring without end otherwise, and
                where steps follow an accuracy, for they would ring with every change of the step.
                It costs a Jacobian and some two iterations per step.
    cut:        names of joints that close loops, of the recursive formulation.
    partition:  substructures that are solved by themselves and joined by what they share (`samara.solve.linear.schur`):
                a `Partition`, a number of parts, or "blades"; by default the model is solved as a whole.
    backend:    who works on them: "lanes" of vectors, "threads", or the processes of "mpi"; threads: how many.
    lanes:      of vectors, as wide as the machine has them by default.
    """

    formulation: str = setting(
        "redundant", CHOICE, "of the equations: redundant for any model, recursive for trees of rigid bodies",
        choices=FORMULATIONS,
    )  # fmt: skip
    integrator: Any = setting(
        None, OWN, f"the integration scheme, with its numbers: {', '.join(INTEGRATORS)}; such as two-step:0.8",
        metavar="NAME[:NUMBER]",
    )  # fmt: skip
    tolerance: float = setting(1e-10, FRACTION, "of Newton's method, relative to the largest speed [-]", metavar="T")
    ceiling: float | None = setting(
        None, FRACTION, "largest last correction with which a step is accepted that stops converging [-]", metavar="C"
    )
    iterations: int = setting(20, COUNT, "bound on Newton iterations per step", metavar="N")
    sweeps: int = setting(2000, COUNT, "bound on sweeps over contacts with friction per iteration", metavar="N")
    substeps: int = setting(
        1024, COUNT, "bound on the substeps that a step is taken in that fails; 1: it is not divided", metavar="N"
    )
    stabilise: bool | None = setting(None, FLAG, "whether every step ends with velocities put on the constraints")
    cut: tuple[str, ...] = setting(
        (), NAMES, "joints that close loops, which a tree leaves out and holds by their constraints", metavar="JOINT"
    )
    partition: Any = setting(None, OWN, "solve in parts: each blade one, or N parts by METIS", metavar="blades|N")
    backend: str = setting("lanes", CHOICE, "who works on the parts (mpi: start by mpirun)", choices=BACKENDS)
    threads: int = setting(1, COUNT, "that work on the parts, with backend threads", metavar="N")
    lanes: int | None = setting(None, COUNT, "of vectors", metavar="N")
    who: InitVar[str] = "Method"

    def __post_init__(self, who: str) -> None:
        from samara.arguments import ArgumentError

        check(self, who)
        if self.integrator is not None:
            object.__setattr__(self, "integrator", _checked_integrator(who, self.integrator, self.formulation))
        if self.formulation == "recursive" and self.partition is not None:
            raise ArgumentError(f"{who}: a partition is for the redundant formulation: leave one of them out")
        if self.formulation != "recursive" and self.cut:
            raise ArgumentError(f"{who}: cut is for trees: give formulation='recursive' too, or leave it out")
        if self.threads > 1 and self.backend != "threads":
            raise ArgumentError(f'{who}: threads={self.threads} belongs to backend="threads", not to {self.backend!r}')
        if self.partition is None and self.backend != BACKENDS[0]:
            raise ArgumentError(
                f"{who}: backend={self.backend!r} is who works on parts, and the model is not cut into any: give a "
                'partition, such as partition="blades" or partition=4, or leave it out'
            )

    def scheme(self) -> Scheme | None:
        """The integrator; None where it is left to the model."""
        return integrators.integrator(self.integrator) if isinstance(self.integrator, str) else self.integrator

    def with_integrator(self, scheme: Scheme) -> Method:
        """The same with this one, which suits it."""
        return dataclasses.replace(self, integrator=scheme)

    def with_fields(self, given: Mapping[str, Any], who: str = "Method") -> Method:
        """The same with those of these values that are its fields, and that are not None.

        In another formulation it takes the usual integrator of that one, and cuts nothing, unless they are given.
        """
        chosen = fields_of(Method, given)
        if chosen.get("formulation", self.formulation) != self.formulation:
            chosen = {"integrator": None, "cut": (), **chosen}
        return dataclasses.replace(self, who=who, **chosen)

    def in_real_time(self) -> Method:
        """The same within what a period has time for: a step that fails takes less than the watchdog bears."""
        return dataclasses.replace(self, **REAL_TIME)

    def for_accuracy(self) -> Method:
        """The same for steps that follow an accuracy: trees then have another usual integrator."""
        usual = self.integrator is None and self.formulation == "recursive"
        return dataclasses.replace(self, integrator="dormand-prince") if usual else self

    def described(self) -> dict[str, Any]:
        """Plain values by name, without what is left to the model: `Method(**described)` is the same again.

        Of an integrator or a partition of the user's own a text stands there.
        """
        found = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        if isinstance(self.integrator, Scheme):
            found["integrator"] = self.integrator.name
        if not isinstance(self.partition, (str, int, type(None))):
            found["partition"] = f"{len(self.partition.parts)} parts by {self.partition.by}"
        return {name: list(v) if isinstance(v, tuple) else v for name, v in found.items() if v not in (None, ())}


def _checked_integrator(who: str, given: Any, formulation: str) -> Any:
    """The name of an integrator, or the integrator itself where it has none; refuses what the formulation has not."""
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
            f"{who}: integrator of the {formulation} formulation must be {usual} or another one, got {given!r}{remedy}"
        )
    if formulation == "redundant":
        raise ArgumentError(f"{who}: {label} is for trees: give formulation='recursive', or another integrator")
    raise ArgumentError(f"{who}: {label} is for the redundant formulation: trees take {usual}")
