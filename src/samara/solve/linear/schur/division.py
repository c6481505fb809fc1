"""A simulation in parts: how it is partitioned, and which workers get which parts."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.method.method import Method
from samara.model import ArgumentError, Model, ModelError
from samara.solve.linear.lu import LU, analyse, new_storage
from samara.solve.linear.schur.agreement import Agreement
from samara.solve.linear.schur.ranks import Ranks
from samara.solve.linear.schur.records import Divided, PartRecords, addresses
from samara.solve.linear.schur.solver import Schur, serve, undivided
from samara.solve.linear.schur.substructures import Substructures
from samara.solve.linear.schur.team import Team
from samara.system.layout.batches import SHARED
from samara.system.layout.groups import FUNCTIONS, Group
from samara.system.partition import Partition, partition
from samara.system.system import System

if TYPE_CHECKING:
    from samara.solve.simulation import Simulation
    from samara.solve.work import Work


class Division:
    """How a model is partitioned and which workers get which parts.

    cut:     a `Partition`, a number of parts, or "blades".
    backend: "lanes" factors identical parts abreast, in the lanes of vectors; "threads" gives parts to threads,
             "mpi" to the processes that `mpirun` has started, equations of elements included.
    threads: how many, for "threads".
    """

    is_whole = False

    def __init__(self, model: Model, cut: Partition | int | str, backend: str, threads: int) -> None:
        if model.redundant != "refuse":
            raise ModelError(
                f"model {model.name!r} has redundant={model.redundant!r}, which cannot be partitioned: "
                f"omit the partition"
            )
        self.cut, self.backend = _cut(model, cut), backend
        self.ranks = Ranks() if backend == "mpi" else None
        self.team = Team(min(threads, len(self.cut.parts)))
        self._agreement: Agreement | None = None

    @property
    def apart(self) -> bool:
        """Whether each part evaluates its own elements."""
        return self.backend != "lanes"

    @property
    def signature(self) -> str:
        """What tells divisions apart that must not be mixed up."""
        return f" {self.backend} {self.cut.parts}"

    @property
    def leads(self) -> bool:
        """Whether this is the first process, or the only one."""
        return self.ranks is None or self.ranks.rank == 0

    def agreed(self, number: int) -> int:
        """A number that processes may see differently, the same for all of them: the largest."""
        return number if self.ranks is None else self.ranks.agreed(number)

    def require_same(self, sim: Simulation, step: float) -> None:
        """Refuses to go on where processes have different models, parameters, settings or runs; step of the run [s]."""
        if self.ranks is None or self.ranks.count == 1:
            return
        if self._agreement is None:
            self._agreement = Agreement(sim, self.cut)
        self.ranks.require_same(self._agreement, step)

    def described(self) -> dict[str, int | str]:
        """Words for the record of a run."""
        found: dict[str, int | str] = {
            "partition": f"{len(self.cut.parts)} parts by {self.cut.by}",
            "interface": self.cut.interface,
            "backend": self.backend,
        }
        if self.team.size > 1:
            found["threads"] = self.team.size
        if self.ranks is not None:
            found["ranks"] = self.ranks.count
        return found

    def system(self, model: Model, lanes: int | None) -> System:
        """The compiled model: parts own their lanes, or lie in them side by side."""
        return System(model, lanes, self.cut.parts, abreast=not self.apart)

    def require(self, system: System) -> None:
        """Refuses a system that was compiled for other parts."""
        if self.apart and {g.part for g in system.groups} - {SHARED} != set(self.cut.parts):
            raise ArgumentError(
                f"Simulation: the System of model {system.model.name!r} was not compiled for these parts: give the "
                "model, or System(model, parts=partition.parts)"
            )

    def at_work(self, work: Work) -> AbstractContextManager[None]:
        """Threads that help while native code runs."""
        return self.team.at_work(serve, work)

    def analyse(self, system: System, values: np.ndarray, late: np.ndarray) -> Divided:
        """Pivots of all parts and of the interface for matrices like this one; late: unknowns of turning elements."""
        sub = Substructures(system, self.cut, values, late, abreast=self.backend == "lanes")
        team = self.team
        return PartRecords(sub, apart=self.apart, words=team.words, hands=team.size, ranks=self.ranks).divided()

    def bind(self, system: System, divided: Divided, apart: list[tuple[Group, int]]) -> tuple[np.ndarray, Schur]:
        """Points all entries at their places; the program of the elements that are left apart, and the parts."""
        number = {part: k + 1 for k, part in enumerate(self.cut.parts)} | {SHARED: 0}
        turning = system.pattern.bind_in_parts(divided.slots, lambda element: number[self.cut.of(element)], apart)
        if not self.apart:
            return turning, divided.schur
        divided.alive.clear()
        for k, name in enumerate(self.cut.parts):
            program, indices = divided.local[k].program(system, name)
            divided.parts[k] = divided.parts[k]._replace(program=program)
            divided.alive.extend(indices)
        shared = np.array([g.program() for g in system.groups if g.part == SHARED], np.int64)
        schur = divided.schur._replace(
            parts=addresses(divided.parts), like=divided.parts[0], shared=shared.reshape(-1, 3 + len(FUNCTIONS))
        )
        return turning, schur


def division(model: Model, method: Method) -> Division | Undivided:
    """Of a model; undivided where no cut is asked for."""
    cut = method.partition
    return Undivided() if cut is None else Division(model, cut, method.backend, method.threads)


class Whole(NamedTuple):
    """Factors of a system that is solved as a whole, as `Divided`."""

    lu: LU
    storage: np.ndarray


class Undivided:
    """A model that is solved as a whole, by one thread: what `Division` is for others."""

    ranks, leads, is_whole, signature = None, True, True, ""

    def agreed(self, number: int) -> int:
        return number

    def require_same(self, sim: Simulation, step: float) -> None:
        pass

    def described(self) -> dict[str, int | str]:
        return {}

    def system(self, model: Model, lanes: int | None) -> System:
        return System(model, lanes)

    def require(self, system: System) -> None:
        pass

    def at_work(self, work: Work) -> AbstractContextManager[None]:
        return nullcontext()

    def analyse(self, system: System, values: np.ndarray, late: np.ndarray) -> Whole:
        """Pivots for matrices like this one; late: unknowns of turning elements."""
        size, pattern, together = system.unknowns.size, system.pattern, system.unknowns.together
        lu = analyse(size, pattern.indptr, pattern.indices, values, late=late, together=together)
        return Whole(lu, new_storage(lu))

    def bind(self, system: System, found: Whole, apart: list[tuple[Group, int]]) -> tuple[np.ndarray, Schur]:
        """Points all entries at their places; the program of the elements that are left apart."""
        return system.pattern.bind(found.lu.slot, found.lu.size, apart), undivided()


def _cut(model: Model, cut: Partition | int | str) -> Partition:
    if isinstance(cut, Partition):
        if cut.model is not model:
            raise ArgumentError(
                f"Simulation: the partition belongs to another model, {cut.model.name!r}: create one of this model"
            )
        cut.require_current()
        return cut
    return partition(model, by=cut) if isinstance(cut, str) else partition(model, cut)
