"""A model in motion: its system, factorisation, and the memory of the integrator."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np
from scipy.sparse import csr_matrix

from samara.model import ArgumentError, Model
from samara.model.model import require_model
from samara.model.quantities.arguments import fraction, whole, yes_or_no
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.tree import Tree
from samara.solve.contact.impulses import CLOSED, GOOD_ENOUGH, LAST, MOST_SWEEPS
from samara.solve.contact.islands import at_fault
from samara.solve.contact.pool import rebind, refuse_pools
from samara.solve.errors import SingularModel, SolveError
from samara.solve.impacts.contacts import bind_contacts, contact_names
from samara.solve.impacts.flights import spare_factors
from samara.solve.impacts.passing import look_for_passing
from samara.solve.integrators import Integrator, TwoStep
from samara.solve.integrators.contract import check_scheme
from samara.solve.integrators.native import numbers_of
from samara.solve.linear.lu import SingularMatrix, analyse, new_storage
from samara.solve.linear.schur.division import Division, require_undivided
from samara.solve.linear.schur.records import Divided
from samara.solve.linear.schur.solver import calls_for, undivided
from samara.solve.machine import Machine, make_machine, note_motions
from samara.solve.native.codes import OF_CONTACTS, Counter, Status
from samara.solve.native.ownership import marked
from samara.solve.native.records import StepLimits, StepMemory, StepSettings
from samara.solve.native.verbs import bind_verbs
from samara.solve.redundant import formulation as redundant
from samara.solve.redundant import look_ahead
from samara.solve.redundant.reactions import weigh_reactions
from samara.solve.redundant.renewal import turning_pairs
from samara.solve.redundant.scheme import POSE, predict, prepare
from samara.solve.redundant.spans import no_spans, spans_of
from samara.solve.start_report import Adjusted
from samara.solve.step.step import undo_attempt
from samara.solve.topology.parts import parts
from samara.solve.tree import formulation as trees
from samara.solve.tree.machine import tree_machine
from samara.solve.tree.schemes import (
    EXPLICIT,
    IMPLICIT,
    SEMI_IMPLICIT,
    TIME_STEPPING,
    MoreauJean,
    RungeKutta4,
    TreeIntegrator,
)
from samara.solve.work import Work
from samara.system.memory.aligned_arrays import return_free_memory
from samara.system.partition import Partition
from samara.system.state.state import SystemState
from samara.system.system import System
from samara.tracing.driver.reference import refer

if TYPE_CHECKING:
    from samara.solve.constraints.release import Released
    from samara.solve.sampling import Sampling

#: Default of Newton's tolerance: constraints then hold to 1e-11 m or so, far below the error of any practical step.
TOLERANCE = 1e-10
#: Angle per step [rad] beyond which two nodes turn against each other, a turn in 300 steps; and the largest part of all
#: unknowns that is worth to be kept apart for it.
TURN, LARGEST_LATE_PART = 0.02, 0.5
#: A step that stops converging is accepted, and counted, up to this many times the tolerance; one that fails is taken
#: in parts, the shortest 1 / PARTS of it.
ACCEPTED, PARTS = 100.0, 1024.0
#: Analyses of the pivots without a step in between before a step is given up.
RENEWALS = 3
#: What a model's equations of motion may be written in.
FORMULATIONS = ("redundant", "recursive")
#: Tables of the first, by how often an integrator solves in a step.
REDUNDANT = {1: redundant.VERBS, 2: look_ahead.VERBS}


class Advance(NamedTuple):
    """How steps ended that were asked for.

    status: OK where nothing failed. steps: how many were done. unsuited: whether no pivots suit the next one, and
    singular: why there are none at all, if so.
    """

    status: Status
    steps: int
    unsuited: bool = False
    singular: SingularModel | None = None


class Simulation:
    """State and solver of one run; the native driver works on its arrays.

    model:      a `Model`, or a compiled `System`: it starts anew, and belongs to this simulation from now on.
    integrator: `TwoStep(rho_inf)`, `CrankNicolson()`, `BDF2()`, `LookAhead()`.
    tolerance:  of Newton's method: largest correction of a twist relative to the largest speed and spin of the model;
                reactions to a hundred times that, of the largest of them.
    iterations: bound on Newton iterations per step.
    stabilise:  whether every step ends with velocities on the constraints, and accelerations and reactions from the
                equations of motion; by default where rho_inf = 1, for reactions would ring without end otherwise, and
                where steps follow an accuracy, for they would ring with every change of the step.
                It costs a Jacobian and some two iterations per step.
    partition:  substructures that are solved by themselves and joined by what they share (`samara.solve.linear.schur`):
                a `Partition`, a number of parts, or "blades"; by default the model is solved as a whole.
    backend:    who works on them: "lanes" of vectors, "threads", or the processes of "mpi"; threads: how many.
    sweeps:     bound on those over contacts with friction, each time that their impulses are looked for. What is left
                then, below 1e-5 of the speeds of approach, is counted as "contacts_unconverged".
    divide:     whether a fixed step that fails is taken in parts, down to a thousandth; counted as "divided".
    formulation: "redundant", six unknowns per node and constraints by multipliers, for any model; or "recursive", the
                degrees of freedom of a tree of rigid bodies alone (`samara.recursive`), with integrators of its own:
                `RungeKutta4()`, `DormandPrince()`, `SemiImplicitEuler()`, and the implicit ones.
    cut:        names of joints that close loops, of the recursive formulation.
    """

    def __init__(
        self,
        model: Model | System,
        integrator: Integrator | TreeIntegrator | None = None,
        *,
        tolerance: float = TOLERANCE,
        iterations: int = 20,
        sweeps: int = MOST_SWEEPS,
        lanes: int | None = None,
        divide: bool = True,
        stabilise: bool | None = None,
        partition: Partition | int | str | None = None,
        backend: str = "lanes",
        threads: int = 1,
        formulation: str = "redundant",
        cut: Sequence[str] = (),
    ) -> None:
        if not isinstance(model, System):
            require_model("Simulation", model, " or a System")
        self.formulation = _checked_formulation(formulation, partition, cut)
        self._usual = integrator is None
        self.integrator = _checked(integrator, self.formulation)
        tolerance, iterations = (
            fraction("Simulation: tolerance", tolerance),
            whole("Simulation: iterations", iterations),
        )
        sweeps = whole("Simulation: sweeps", sweeps)
        divide = yes_or_no("Simulation: divide", divide)
        stabilise = None if stabilise is None else yes_or_no("Simulation: stabilise", stabilise)
        self.division = None
        if partition is None:
            require_undivided(backend, threads)
        else:
            whole_model = model.model if isinstance(model, System) else model
            self.division = Division(whole_model, partition, backend, threads)
        if self.formulation == "recursive":
            refuse_pools(model.model if isinstance(model, System) else model)
        self.system = model if isinstance(model, System) else self._compiled(model, lanes)
        self.system.require_current()
        if self.division is not None:
            self.division.require(self.system)
        self.system.user = self
        self._thread = threading.RLock()  # held by the thread that uses it
        self.system.reset(inputs=False)
        self.model = self.system.model
        scheme = self.integrator if isinstance(self.integrator, Integrator) else TwoStep(0.6)
        self._stabilise = stabilise
        stabilise = self._stabilises(scheme.radius == 1.0)
        self.scheme = scheme.stabilised() if stabilise else scheme  # whose formulas are taken
        self.tree: CompiledTree | None = None  # of the recursive formulation
        if self.formulation == "recursive":
            self.tree = CompiledTree(Tree(self.model, cut=cut), self.system)
        self._require_time_stepping()
        self._require_implicit()
        self._require_smooth()
        self.machine: Machine = make_machine(self.system, self.scheme, self.tree is not None)
        self.memory = StepMemory()
        self.counters = np.zeros(len(Counter), np.int64)
        self.length = self._length()
        if self.tree is not None:
            explicit = isinstance(self.integrator, TreeIntegrator)
            tree = tree_machine(self.tree, self.integrator if explicit else self.scheme, self.length)
            iterates = tree.method in (IMPLICIT, TIME_STEPPING)
            self.machine = self.machine._replace(tree=tree, iterates=int(iterates), error_order=tree.order)
        self.settings = self._settings(tolerance, iterations, sweeps, divide, stabilise)
        self.redundancy: Released | None = None  # constraints that repeat each other, where that is allowed
        if self.system.releases is not None:
            self.system.releases.give = np.zeros(self.system.layout.multiplier_count)
        self.adjusted = Adjusted()  # what the assembly had to change of the start
        self.turning: tuple[str, ...] = ()  # names of the elements whose part of the factors is renewed on its own
        self.sampling: Sampling | None = None  # its discrete laws, once they are bound to their code
        self.settles = True  # whether an assembly settles states that start so
        self.limits = StepLimits()
        self.schur = undivided()
        self._divided: Divided | None = None
        self._work: Work | None = None
        self._owned: tuple[Machine, dict[str, np.ndarray]] | None = None  # what a step owns of a machine

    def _stabilises(self, rings: bool) -> bool:
        """Whether velocities are put on the constraints, where reactions would ring or not."""
        return (rings if self._stabilise is None else self._stabilise) and self.system.layout.multiplier_count > 0

    def take_steps_of(self, step: float | None) -> None:
        """Makes ready for steps of one size, or (None) for those that follow an accuracy."""
        self.settings.project = self._stabilises(self.scheme.radius == 1.0 or step is None)

    def _require_time_stepping(self) -> None:
        """Contacts of trees take time stepping; parts on several processes cannot have any."""
        touching = [g.elements[0].name for g in self.system.groups if g.kind.touches]
        if touching and self._usual and self.formulation == "recursive":
            self.integrator = MoreauJean()
        if touching and self.formulation == "recursive" and not isinstance(self.integrator, MoreauJean):
            raise ArgumentError(
                f"model {self.model.name!r} has contacts with impacts, such as {touching[0]!r}: trees take "
                "integrator=MoreauJean() for them; or take a PenaltyContact"
            )
        if touching and self.division is not None and self.division.ranks is not None:
            raise ArgumentError(
                f"model {self.model.name!r} has contacts with impacts, such as {touching[0]!r}, which parts on several "
                'processes cannot have: take backend="threads", or a PenaltyContact'
            )

    def _require_implicit(self) -> None:
        """What is stiff takes an integrator that damps what it cannot resolve, in trees too."""
        stiff = [e for e in self.model.elements.values() if e.stiff]
        scheme = self.integrator
        if not stiff or not isinstance(scheme, TreeIntegrator) or scheme.method not in (EXPLICIT, SEMI_IMPLICIT):
            return
        if not self._usual:
            raise ArgumentError(
                f"element {stiff[0].name!r} ({type(stiff[0]).__name__}) vibrates too fast for {scheme.name}, which is "
                "explicit: take the redundant formulation, or integrator=TwoStep(0.6)"
            )
        self.integrator = TwoStep(0.6)

    def _require_smooth(self) -> None:
        """A scheme that looks beyond the step cannot do so through impacts, nor in trees, which have their own."""
        if self.scheme.solutions == 1:
            return
        if self.tree is not None:
            raise ArgumentError(
                f"Simulation: {self.scheme.name} is for the redundant formulation: trees of order four and five take "
                "samara.RungeKutta4() or samara.DormandPrince(), stiff ones samara.TwoStep(rho_inf)"
            )
        touching = [g.elements[0].name for g in self.system.groups if g.kind.touches]
        if touching:
            raise ArgumentError(
                f"model {self.model.name!r} has contacts with impacts, such as {touching[0]!r}, which "
                f"{self.scheme.name} cannot look beyond: take samara.TwoStep(rho_inf), or a PenaltyContact"
            )

    def closed_contacts(self) -> tuple[list[str], float]:
        """Names of the contacts that were closed in the last step, and what was last left of their law.

        Where impulses were not found, of those alone that push each other there.
        """
        if self.tree is None:
            c = self.machine.contacts
            names = contact_names(self.system, c.pool)
            p, islands = c.problem, c.islands
        else:
            p, islands = self.machine.tree.contacts.problem, self.machine.tree.contacts.islands
            names = [e.name for e in self.tree.graph.contacts]
        found = at_fault(islands, p.closed, int(p.counts[CLOSED]))
        return [names[k] for k in found], float(p.bounds[LAST])

    def counted_of_contacts(self, counters: np.ndarray) -> dict[str, int | float]:
        """What was counted of contacts, and what was left of their law at worst; nothing where there are none."""
        if not any(group.kind.touches for group in self.system.groups):
            return {}
        found: dict[str, int | float] = {c.name.lower(): int(counters[c]) for c in OF_CONTACTS}
        return found | {"contact_residual": self.memory.contact_residual}

    def _settings(self, tolerance: float, iterations: int, sweeps: int, divide: bool, stabilise: bool) -> StepSettings:
        """Of the native driver."""
        found = StepSettings()
        found.scheme.words[:] = numbers_of(self.scheme)
        found.tolerance = tolerance
        found.max_iterations = iterations
        found.contraction = 0.4
        found.keep = 6
        found.turn = TURN
        found.speed_floor = 1e-2 * self.length
        found.spin_floor = 1e-2
        found.ceiling = ACCEPTED * tolerance
        found.parts = PARTS if divide else 1.0
        found.project = stabilise
        found.sweeps, found.contact_ceiling = sweeps, GOOD_ENOUGH
        return found

    def _compiled(self, model: Model, lanes: int | None) -> System:
        return System(model, lanes) if self.division is None else self.division.system(model, lanes)

    def _length(self) -> float:
        """Size of the mechanism [m], that of its largest part; those of all nodes' parts go to the driver."""
        found = [1.0]
        for part in parts(self.model):
            length = part.length  # looks at all elements
            found.append(length)
            numbers = [self.system.layout.node_index[node.name] for node in part.nodes]
            self.machine.lengths[numbers] = length
            if self.tree is None:  # the formulas of trees look at them on the way
                note_motions(self.machine, self.system, part.held, length)
        return max(found[1:], default=1.0)

    def claim(self) -> None:
        """Refuses to go on with arrays that another simulation has taken over, or with a model that has changed."""
        self.system.require_current()
        if self.system.user is not self:
            raise SolveError(
                f"the system of model {self.model.name!r} belongs to a newer Simulation: make a System for each"
            )
        with self.alone():
            pass

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other threads from this simulation meanwhile: native code of two at once would ruin its arrays."""
        if not self._thread.acquire(blocking=False):
            raise SolveError(
                f"the Simulation of model {self.model.name!r} is in use by another thread: make one for each thread"
            )
        try:
            yield
        finally:
            self._thread.release()

    def __reduce__(self) -> NoReturn:
        raise SolveError(
            f"the Simulation of model {self.model.name!r} cannot be copied or pickled, for native code knows its "
            "arrays by their places: copy the model, make a Simulation of it, and take the state over by a checkpoint"
        )

    @property
    def work(self) -> Work:
        """What the native driver takes: a record of the present arrays, made anew where one of them was replaced."""
        numbers = (self.settings, self.memory, self.counters, self.limits)
        parts = (self.machine, self.lu, self.v, self.spare, *numbers, self.schur)
        if self._work is None or any(a is not b for a, b in zip(self._work, parts, strict=True)):
            self._work = refer(Work(*parts))
        return self._work

    def step_state(self) -> dict[str, np.ndarray]:
        """What a step owns, by name: the arrays themselves, whose numbers may be kept and put back."""
        if self._owned is None or self._owned[0] is not self.machine:
            self._owned = (self.machine, dict(marked(self.machine, "Owned")))
        return self._owned[1] | {"memory": self.memory.words, "limits": self.limits.words}

    def put_step_state(self, kept: Mapping[str, np.ndarray]) -> None:
        """Puts numbers back that were kept of what a step owns; carriers that a start has made since stay."""
        for name, array in self.step_state().items():
            if array.shape == kept[name].shape:
                array[...] = kept[name]
        rebind(self.machine)

    def solver_state(self) -> dict[str, np.ndarray]:
        """What the linear solver keeps from step to step, by name, once there is one."""
        kept = dict(marked(self.machine, "Solver"))
        if self.is_analysed:
            kept |= dict(marked(self.lu, "Solver", "lu.")) | {"factors": self.v, "impact_factors": self.spare}
        return kept

    @property
    def is_analysed(self) -> bool:
        """Whether pivots have been chosen."""
        return hasattr(self, "lu")

    def undo(self) -> None:
        """Back to where the last attempt of a step began, which failed or was not taken."""
        undo_attempt(self.work)

    def show_between_steps(self) -> None:
        """Makes room for states within a step."""
        if self.machine.shown.size == 0:
            self.machine = self.machine._replace(shown=np.zeros(self.machine.state.size))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self.memory.clock.time)

    @property
    def started(self) -> bool:
        """Whether a step has been accepted since the start, or since the last static solution."""
        return bool(self.memory.clock.started)

    @property
    def last_step(self) -> float:
        """The last accepted step [s], 0 before the first and after an event."""
        return float(self.memory.clock.step)

    @property
    def state(self) -> SystemState:
        """The present state: read it, set it, move it, differentiate it. Other threads have it when nothing runs."""
        with self.alone():
            return self.system.state

    def move(self, x: np.ndarray) -> tuple[float, int]:
        """Newton's correction of poses, states and multipliers, in the order of the unknowns; (largest change, where).

        Changes are relative to the size of the mechanism or of the state, and in rad. A motion longer than 0.25 is
        shortened, for the linearisation is only good nearby; one that is not finite is not made.
        """
        s, nodes = self.system, 6 * len(self.system.layout.free)
        size_of_state = s.state.scales + np.abs(s.state.values)
        weight = np.concatenate([np.tile([1.0 / self.length] * 3 + [1.0] * 3, len(s.layout.free)), 1.0 / size_of_state])
        change = np.abs(x[: s.layout.coordinates]) * weight
        where, size = int(np.argmax(change)), float(change.max())
        if np.isfinite(size):
            part = min(1.0, 0.25 / max(change[:nodes].max(initial=0.0), 1e-300))
            self.state.move(-x * part)
        return size, where

    def matrix_values(self, groups: Sequence[int] | None = None) -> np.ndarray:
        """Jacobian entries at the present state and weights, in the order of the pattern; of some groups, or all."""
        self.claim()
        return self.state.jacobian_values(groups)

    def jacobian(self, pose: float, twist: float, acceleration: float, moving: float = 1.0) -> csr_matrix:
        """Derivatives of all equations by all unknowns, with these weights; the present ones are left as they are."""
        with self.state.weighed(pose, twist, acceleration, moving):
            values = self.matrix_values()
        self.check_finite(values)
        return self.system.pattern.matrix(values)

    def _bind(self) -> None:
        apart = [self.system.find(self.model.elements[name]) for name in self.turning]
        if self.division is None or self._divided is None:
            turning = self.system.pattern.bind(self.lu.slot, self.lu.size, apart)
        else:
            turning, self.schur = self.division.bind(self.system, self._divided, apart)
        spans = no_spans()
        if self.division is None and self.lu.passages.size and not self.machine.contacts.status.size:
            spans = spans_of(self.system.groups, self.lu.passages)
        self.machine = self.machine._replace(
            turning=self.machine.turning._replace(program=turning, elements=len(self.turning), spans=spans)
        )
        if self.division is not None:
            self.schur = self.schur._replace(calls=calls_for(self.work))
        in_tree = self.tree is not None
        bind_verbs(self.work, trees.VERBS[self.machine.tree.method] if in_tree else REDUNDANT[self.scheme.solutions])
        if self.machine.contacts.status.size and self.tree is None:
            bind_contacts(self.work)
        if self.machine.paths.watched.size:
            look_for_passing(self.work)

    def analyse(self, values: np.ndarray, turning: tuple[str, ...] = ()) -> None:
        """Pivot sequence for matrices like this one; entries are bound to their places in the factors.

        turning: names of elements whose unknowns are eliminated last, see `turning_elements`.
        """
        s = self.system
        self.check_finite(values)
        if self.redundancy is not None:
            values = self.redundancy.suited(self, values)
        late = np.zeros(s.unknowns.size, bool)
        for name in turning:
            late[s.unknowns_of(s.model.elements[name])] = True
        try:
            self._factor_structure(values, late)
        except SingularMatrix as error:
            raise SingularModel(self._name_singular(error)) from None
        self.analysed = values
        weigh_reactions(self.machine.reactions, s, values, self.length, self.machine.coef[POSE])
        self.turning = turning
        self._bind()
        trust = self.memory.trust
        trust.factored_for = trust.wear = trust.phase = trust.late_steps = 0.0
        self.counters[Counter.ANALYSES] += 1
        return_free_memory(s.unknowns.size)

    def _factor_structure(self, values: np.ndarray, late: np.ndarray) -> None:
        """Pivots and storage of the whole matrix, or of its parts and of what they share."""
        s = self.system
        if self.division is None:
            pattern = s.pattern
            self.lu = analyse(
                s.unknowns.size, pattern.indptr, pattern.indices, values, late=late, together=s.unknowns.together
            )
            self.v = new_storage(self.lu)
            self.spare = spare_factors(self.machine.contacts.flights, self.v)
        else:
            self._divided = self.division.analyse(s, values, late)
            self.lu, self.v = self._divided.lu, self._divided.storage
            self.spare = np.zeros(0)

    @property
    def leads(self) -> bool:
        """Whether this process prints and writes files: of those that `mpirun` has started, one does."""
        return self.division is None or self.division.leads

    def agreed(self, number: int) -> int:
        """The largest of what the processes have that work on this together: they must decide alike."""
        return number if self.division is None else self.division.agreed(number)

    def helped(self, step: float | None = None) -> AbstractContextManager[None]:
        """Threads that work on parts while native code of the caller runs; processes must be about to do the same.

        step: that the code takes [s]; none where it varies.
        """
        if self.division is None:
            return nullcontext()
        self.division.require_same(self, self.last_step if step is None else step)
        return self.division.at_work(self.work)

    def analyse_for(self, step: float) -> None:
        """Pivot sequence for steps of this size, from the present state."""
        if self.division is not None:
            self.division.require_same(self, step)
        prepare(self.machine, self.settings, self.memory, step)
        self.analyse(self.matrix_values(), self.turning_elements(step))

    def advance(
        self,
        take: Callable[[int], tuple[int, int, int]],
        count: int,
        step: float | None,
        renew: Callable[[], bool] | None = None,
    ) -> Advance:
        """Takes up to `count` steps: the one way to do so from Python.

        take:  native code for so many steps; answers its status, steps that were done, and rows that were written.
        step:  their size [s]; none where it varies.
        renew: pivots where those at hand no longer suit, False where that has failed; by default `renew_pivots`.
        Pivots are renewed as often as steps are made in between, else `RENEWALS` times at most.
        """
        done = renewals = 0
        while True:
            with self.helped(step):
                status, steps, _ = take(count - done)
            done, renewals = done + steps, 0 if steps else renewals
            if status != Status.GROWTH:
                return Advance(Status(status), done)
            renewals += 1
            if renewals > RENEWALS:
                return Advance(Status.NOT_CONVERGED, done, True)
            try:
                size = float(step if step is not None else self.limits.next)
                if not (renew() if renew is not None else self.renew_pivots(size)):
                    return Advance(Status.NOT_FINITE, done, True)
            except SingularModel as error:
                return Advance(Status.NOT_CONVERGED, done, True, error)

    def renew_pivots(self, step: float) -> bool:
        """Takes a step back in its middle; pivots for the Jacobian at its prediction, and for what turns now.

        False where that Jacobian is not finite. Then, and where it is singular, the state is left at the prediction.
        """
        self.undo()
        predict(self.machine, 0.0)
        values = self.matrix_values()
        if not np.isfinite(values).all():
            return False
        self.undo()
        try:
            self.analyse(values, self.turning_elements(step))
        except SingularModel:
            predict(self.machine, 0.0)
            raise
        return True

    def turning_elements(self, step: float) -> tuple[str, ...]:
        """Elements between two free nodes that turn against each other by more than `TURN` a step: bearings of rotors.

        Unknowns are in the axes of the nodes, so that the Jacobian of a rotor stays while it turns. Only that of such
        an element does not, and factors that are kept wear out by it alone.
        """
        s = self.system
        turning_pairs(self.machine, self.settings.turn / step)
        found = [element for element, turns in zip(s.pairs, self.machine.turning.turns, strict=True) if turns]
        late = np.unique(np.concatenate([s.unknowns_of(e) for e in found])) if found else np.zeros(0)
        return tuple(e.name for e in found) if late.size < LARGEST_LATE_PART * s.unknowns.size else ()

    def check_finite(self, values: np.ndarray) -> None:
        """Raises an error that names the culprit if entries of the Jacobian are not finite."""
        if not np.isfinite(values).all():
            raise SolveError(
                f"model {self.model.name!r} has a Jacobian that is not finite at t = {self.time:g} s, first seen at "
                f"{self.not_finite() or 'an unknown place'}; look for a division by zero or a square root of zero there"
            )

    def not_finite(self) -> str | None:
        """The first element whose own equations, or their derivatives, are not finite at the present state."""
        s = self.system
        for k, group in enumerate(s.groups):
            slopes = ~np.isfinite([*self.matrix_values([k]), 0.0])
            bad = ~np.isfinite(s.state.residual([k]))
            for element, g, lane in group.places() if bad.any() or slopes.any() else ():
                if bad[s.unknowns_of(element)].any() or slopes[s.pattern.entries(group)[g, :, lane]].any():
                    return f"element {element.name!r} ({group.kind.name})"
        return None

    def _name_singular(self, error: SingularMatrix) -> str:
        s = self.system
        names = dict.fromkeys(s.unknowns.owner(i) for i in (*error.columns, *error.rows))
        return (
            f"model {self.model.name!r} has a singular Jacobian at t = {self.time:g} s: nothing determines "
            f"{', '.join(names)}; hold or load it, give it inertia, remove a constraint that repeats another, "
            "or take a smaller step"
        )


def _checked_formulation(given: str, partition: object, cut: Sequence[str]) -> str:
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


def _checked(integrator: Integrator | TreeIntegrator | None, formulation: str) -> Integrator | TreeIntegrator:
    """The integrator, or the usual one where none is given."""
    if formulation == "recursive":
        if integrator is None:
            return RungeKutta4()
        if isinstance(integrator, TreeIntegrator):
            return integrator
        if not isinstance(integrator, Integrator):
            remedy = f": write {integrator.__name__}()" if isinstance(integrator, type) else ""
            raise ArgumentError(
                "integrator of the recursive formulation must be samara.RungeKutta4(), samara.DormandPrince(), "
                "samara.SemiImplicitEuler(), samara.MoreauJean(), or an implicit one, samara.TwoStep(rho_inf), "
                f"samara.BDF2(), samara.CrankNicolson() or another Integrator, got {integrator!r}{remedy}"
            )
    if integrator is None:
        return TwoStep(0.6)
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
