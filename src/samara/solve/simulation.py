"""A model in motion: its system, factorisation, and the memory of the integrator."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Unpack

import numpy as np
from scipy.sparse import csr_matrix

from samara.method.given import SimulationFields, method_of
from samara.method.integrators import Scheme
from samara.method.method import Method
from samara.model import Model
from samara.model.model import require_model
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.tree import Tree
from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.contact.pool import rebind, refuse_pools
from samara.solve.errors import SingularModel, SolveError
from samara.solve.impacts.flights import spare_factors
from samara.solve.linear.culprits import require_finite, singular
from samara.solve.linear.lu import SingularMatrix
from samara.solve.linear.schur.division import division
from samara.solve.linear.schur.solver import calls_for, undivided
from samara.solve.machine import Machine, elements_that_turn, in_one_block, make_machine, note_sizes, with_tree
from samara.solve.native.codes import Counter, Status
from samara.solve.native.ownership import marked
from samara.solve.native.records import StepLimits, StepMemory
from samara.solve.redundant.reactions import weigh_reactions
from samara.solve.redundant.scheme import POSE, predict, prepare
from samara.solve.redundant.spans import no_spans, spans_of
from samara.solve.settings.formulation import bind_formulation, fitting_integrator, scheme_of
from samara.solve.settings.step import step_settings
from samara.solve.start_report import Adjusted
from samara.solve.step.step import undo_attempt
from samara.solve.tree.schemes import TreeIntegrator
from samara.solve.work import Work
from samara.system.memory.aligned_arrays import return_free_memory
from samara.system.state.state import SystemState
from samara.system.system import System
from samara.tracing.driver.reference import refer

if TYPE_CHECKING:
    from samara.solve.constraints.release import Released
    from samara.solve.sampling import Sampling

#: Analyses of the pivots without a step in between before a step is given up.
RENEWALS = 3
#: Motion beyond which a linearisation says nothing [sizes of the mechanism, rad].
LONGEST_MOVE = 0.25


class Advance(NamedTuple):
    """Outcome of the requested steps.

    status: OK if nothing failed. steps: number completed. unsuited: whether the pivots are unsuitable for the next
    step; singular: why there are no pivots at all, if so.
    """

    status: Status
    steps: int
    unsuited: bool = False
    singular: SingularModel | None = None


class Simulation:
    """State and solver of one run.

    model:      a `Model`, or a compiled `System`, which is reset and belongs to this simulation from now on.
    method:     how steps are taken, see `samara.Method`; or its fields by name, `Simulation(model, TwoStep(0.8),
                tolerance=1e-8)`; or both, where fields by name take precedence. `integrator` is one of them.
    """

    def __init__(
        self,
        model: Model | System,
        integrator: Scheme | str | None = None,
        *,
        method: Method | None = None,
        **given: Unpack[SimulationFields],
    ) -> None:
        method = method_of(Simulation, method, {"integrator": integrator, **given}) or Method()
        if not isinstance(model, System):
            require_model("Simulation", model, " or a System")
        in_tree = method.formulation == "recursive"
        self.model = model.model if isinstance(model, System) else model
        self.division = division(self.model, method)
        if in_tree:
            refuse_pools(self.model)
        self.system = model if isinstance(model, System) else self.division.system(model, method.lanes)
        self.system.require_current()
        self.division.require(self.system)
        self.system.user = self
        self._thread = threading.RLock()  # held by the thread that uses it
        self.system.reset(inputs=False)
        self.tree = CompiledTree(Tree(self.model, cut=method.cut), self.system) if in_tree else None
        self.integrator = fitting_integrator(self.system, method.scheme(), in_tree, self.division.ranks is not None)
        self.method = method.with_integrator(self.integrator)
        constrained = self.system.layout.multiplier_count > 0
        self.scheme, stabilise = scheme_of(self.integrator, method.stabilise, constrained)
        self.machine: Machine = make_machine(self.system, self.scheme, in_tree)
        self.counters = np.zeros(len(Counter), np.int64)
        self.length = note_sizes(self.machine, self.system, in_tree)
        if self.tree is not None:
            formulas = self.integrator if isinstance(self.integrator, TreeIntegrator) else self.scheme
            self.machine = with_tree(self.machine, self.tree, formulas, self.length)
        self.machine, self.owned = in_one_block(self.machine, self.system, self.tree)
        self.memory = StepMemory.over(self.owned.arrays["memory"])
        self.limits = StepLimits.over(self.owned.arrays["limits"])
        self.settings = step_settings(self.scheme, self.length, method, stabilise)
        self.redundancy: Released | None = None  # constraints that repeat each other, where that is allowed
        if self.system.releases is not None:
            self.system.releases.give = np.zeros(self.system.layout.multiplier_count)
        self.adjusted = Adjusted()  # what the assembly had to change of the start
        self.turning: tuple[str, ...] = ()  # names of the elements whose part of the factors is renewed on its own
        self.sampling: Sampling | None = None  # its discrete laws, once they are bound to their code
        self.settles = True  # whether an assembly settles states that start so
        self.schur = undivided()
        self.factored: Any = None  # what `division.analyse` leaves, once pivots have been chosen
        self._work: Work | None = None

    def take_steps_of(self, step: float | None) -> None:
        """Makes ready for steps of one size, or (None) for those that follow an accuracy."""
        rings = self.scheme.radius == 1.0 or step is None
        wanted = rings if self.method.stabilise is None else self.method.stabilise
        self.settings.project = wanted and self.system.layout.multiplier_count > 0

    def claim(self) -> None:
        """Refuses to go on with arrays that another simulation has taken over, or with a model that has changed."""
        self.system.require_current()
        if self.system.user is not self:
            raise SolveError(
                f"the system of model {self.model.name!r} belongs to a newer Simulation: create a System for each"
            )
        with self.alone():
            pass

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other threads from this simulation meanwhile: native code of two at once would ruin its arrays."""
        if not self._thread.acquire(blocking=False):
            raise SolveError(
                f"the Simulation of model {self.model.name!r} is in use by another thread: create one for each thread"
            )
        try:
            yield
        finally:
            self._thread.release()

    def __reduce__(self) -> NoReturn:
        raise SolveError(
            f"the Simulation of model {self.model.name!r} cannot be copied or pickled, since native "
            f"code holds pointers to its arrays: copy the model, create a Simulation of it, and transfer the "
            f"state by a checkpoint"
        )

    @property
    def work(self) -> Work:
        """What the native driver takes: a record of the present arrays, made anew where one of them was replaced."""
        numbers = (self.settings, self.memory, self.counters, self.limits)
        parts = (self.machine, self.lu, self.v, self.spare, *numbers, self.schur)
        if self._work is None or any(a is not b for a, b in zip(self._work, parts, strict=True)):
            self._work = refer(Work(*parts))
        return self._work

    def step_state(self) -> np.ndarray:
        """A copy of what a step owns."""
        return self.owned.block.copy()

    def put_step_state(self, kept: np.ndarray) -> None:
        """Puts it back; carriers that a start has made since stay."""
        self.owned.block[:] = kept
        rebind(self.machine)

    def solver_state(self) -> dict[str, np.ndarray]:
        """What the linear solver keeps from step to step, by name, once there is one."""
        kept = dict(marked(self.machine, "Solver"))
        if self.factored is not None:
            kept |= dict(marked(self.lu, "Solver", "lu.")) | {"factors": self.v, "impact_factors": self.spare}
        return kept

    def undo(self) -> None:
        """Back to where the last attempt of a step began, which failed or was not taken."""
        undo_attempt(self.work)

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
        """The last accepted step [s]; 0 before the first step and after an event."""
        return float(self.memory.clock.step)

    @property
    def state(self) -> SystemState:
        """The present state: read it, set it, move it, differentiate it. Not accessible to other threads during a
        run."""
        with self.alone():
            return self.system.state

    def move(self, x: np.ndarray) -> tuple[float, int]:
        """Newton's correction of poses, states and multipliers, in the order of the unknowns; (largest change, where).

        Changes are relative to the size of the mechanism or of the state, and in rad. Beyond `LONGEST_MOVE` a motion is
        shortened, for the linearisation is only good nearby; one that is not finite is not made.
        """
        s, nodes = self.system, 6 * len(self.system.layout.free)
        size_of_state = s.state.scales + np.abs(s.state.values)
        weight = np.concatenate([np.tile([1.0 / self.length] * 3 + [1.0] * 3, len(s.layout.free)), 1.0 / size_of_state])
        change = np.abs(x[: s.layout.coordinates]) * weight
        where, size = int(np.argmax(change)), float(change.max())
        if np.isfinite(size):
            part = min(1.0, LONGEST_MOVE / max(change[:nodes].max(initial=0.0), LEAST_DIVISOR))
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
        require_finite(self.system, values, self.time)
        return self.system.pattern.matrix(values)

    def _bind(self) -> None:
        apart, is_whole = [self.system.find(self.model.elements[name]) for name in self.turning], self.division.is_whole
        turning, self.schur = self.division.bind(self.system, self.factored, apart)
        spans = no_spans()
        if is_whole and self.lu.passages.size and not self.machine.contacts.status.size:
            spans = spans_of(self.system.groups, self.lu.passages)
        self.machine = self.machine._replace(
            turning=self.machine.turning._replace(program=turning, elements=len(self.turning), spans=spans)
        )
        if not is_whole:
            self.schur = self.schur._replace(calls=calls_for(self.work))
        bind_formulation(self.work, self.tree is not None, self.scheme.solutions)

    def analyse(self, values: np.ndarray, turning: tuple[str, ...] = ()) -> None:
        """Pivot sequence for matrices like this one; entries are bound to their places in the factors.

        turning: names of elements whose unknowns are eliminated last, see `turning_elements`.
        """
        s = self.system
        require_finite(s, values, self.time)
        if self.redundancy is not None:
            values = self.redundancy.suited(self, values)
        late = np.zeros(s.unknowns.size, bool)
        for name in turning:
            late[s.unknowns_of(s.model.elements[name])] = True
        try:
            self.factored = self.division.analyse(s, values, late)
        except SingularMatrix as error:
            raise SingularModel(singular(s, error, self.time)) from None
        self.lu, self.v = self.factored.lu, self.factored.storage
        is_whole = self.division.is_whole
        self.spare = spare_factors(self.machine.contacts.flights, self.v) if is_whole else np.zeros(0)
        self.analysed = values
        weigh_reactions(self.machine.reactions, s, values, self.length, self.machine.coef[POSE])
        self.turning = turning
        self._bind()
        trust = self.memory.trust
        trust.factored_for = trust.wear = trust.phase = trust.late_steps = 0.0
        self.counters[Counter.ANALYSES] += 1
        return_free_memory(s.unknowns.size)

    @property
    def leads(self) -> bool:
        """Whether this process prints and writes files: of those that `mpirun` has started, one does."""
        return self.division.leads

    def analyse_for(self, step: float) -> None:
        """Pivot sequence for steps of this size, from the present state."""
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
            self.division.require_same(self, self.last_step if step is None else step)
            with self.division.at_work(self.work):  # threads that work on parts meanwhile
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
        """Those that turn so far in a step [s] that their part of the factors is renewed on its own."""
        return elements_that_turn(self.machine, self.system, self.settings.turn / step)
