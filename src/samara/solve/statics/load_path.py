"""Paths to static equilibrium: Newton's method in load increments, pseudo-transient states, or descent."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from samara.model import Drive, ExternalLoads, Junction
from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.errors import SingularModel, SolveError
from samara.solve.mechanism.at_rest import (
    AtRest,
    at_rest,
    followers,
    move,
    multipliers,
    reactions,
    remains,
    sizes,
    undetermined,
)
from samara.solve.mechanism.tangent_space import LARGEST_TANGENT, tangent
from samara.solve.native.codes import Counter
from samara.solve.report.wording import some
from samara.solve.simulation import Simulation
from samara.solve.start.accelerations import LEAST_DECREASE
from samara.solve.statics.conserved import MOST_CORRECTIONS, make_good
from samara.solve.statics.growth import growth
from samara.solve.statics.pseudo_transient import can_settle, settle_in_time
from samara.solve.statics.relaxation import drift, relax, restless
from samara.solve.statics.stability import Stability, stability_under_load
from samara.solve.step.newton import EPSILON
from samara.solve.topology.parts import floating
from samara.system.memory.blocks import ETA
from samara.system.system import System

#: Smallest part of a load step that is tried before giving up.
SMALLEST_LOAD_STEP = 2.0**-10
#: How often a correction that leads off is halved; what is left of an equation, of its terms, that is rounding.
MOST_HALVINGS, EQUATION_ROUNDING = 12, 1e-13
#: Rounding of a term, and what of it reaches all reactions, which are found together: of the largest term.
TERM_ROUNDING, SHARED_ROUNDING = 4.0 * EPSILON, 1e-4
#: Part of a load step by which a piece may miss the end of the way.
END_MISS = 1e-9
#: Disturbance of an unstable balance, of the sizes of its coordinates.
TIPPING_MOVE = 0.01
#: Correction of a pose, of the mechanism's size and in rad, beyond which the stiffness that it divides by is rounding.
NO_STIFFNESS = 1e9


class LoadPath:
    """A path from zero to full load, in increments that Newton's method can follow, or by descent where it cannot."""

    def __init__(
        self, sim: Simulation, time: float, along_time: bool, tolerance: float, iterations: int, stable: bool
    ) -> None:
        self.sim, self.time, self.along_time = sim, time, along_time
        self.tolerance, self.iterations, self.stable = tolerance, iterations, stable
        self.at, self.halvings, self.relaxed, self.settled = 0.0, 0, 0, 0
        self.endless = False  # nothing holds what does not come to rest
        self.stability = Stability("not examined")  # the last balance
        self._loads = _load_signals(sim.system)
        self._piece = 1.0  # as a part of a load step
        self._origin = sim.state.copy()

    def begin(self) -> None:
        """From the present pose: what is conserved is as much as there is here."""
        self._origin = self.sim.state.copy()

    def keep(self) -> str:
        """Makes good what the way has lost of what is conserved; empty when that was done, else why not."""
        sim, moved = self.sim, False
        for _ in range(MOST_CORRECTIONS if followers(sim).size or multipliers(sim)[1].size else 0):
            change = make_good(sim, self._origin)
            if change == 0.0:
                break
            moved = True
            if not np.isfinite(change) or balance(sim, self.tolerance, self.iterations):
                return f"model {sim.model.name!r}: no balance was found that keeps what is stored; start nearer to it"
        if moved and self.stable:
            self.stability = stability_under_load(sim)
        return ""

    def go(self, target: float, step: float) -> str:
        """On to this part of the whole; empty when it got there, else why not."""
        state = self.sim.state
        start, error, message = state.copy(), None, ""
        if self._rests(target):
            return ""
        state.restore(start)
        try:
            message = self._follow(target, step)
        except SolveError as stop:
            error = stop
        if error is None and not message:
            if self.stable:
                self.stability = stability_under_load(self.sim)
            if self.stability.verdict != "unstable":
                return ""
        found, by_states = state.copy(), bool(error or message) or np.isfinite(self.stability.growth)
        if by_states and self._by_states(target, start):
            return ""
        state.restore(start)
        failure = self._relax(target)
        if not failure:
            return ""
        state.restore(found)
        if error is not None:
            error.add_note(failure)
            raise error
        if not message:
            return ""
        message = f"model {self.sim.model.name!r}: no equilibrium was found: {failure}"
        if self.endless:
            raise SingularModel(message)
        return message

    def _rests(self, target: float) -> bool:
        """Whether it is in balance already with the loads of the target, where it may stay: no pose is changed."""
        sim = self.sim
        self._load(target)
        if sim.system.layout.coordinates > LARGEST_TANGENT or floating(sim.model):
            return False
        if not in_balance(sim, self.tolerance):
            return False
        _require_determined(sim, at_rest(sim))
        if not self._is_accepted():
            return False
        self.at = target
        return True

    def _follow(self, target: float, step: float) -> str:
        """In pieces, by Newton's method."""
        state = self.sim.state
        while self.at < target:
            saved, piece = state.copy(), min(self._piece * step, target - self.at)
            to = target if target - self.at - piece < END_MISS * step else self.at + piece
            message = self._attempt(to)
            if not message:
                self.at, self._piece = to, min(1.0, 2.0 * self._piece)
                continue
            state.restore(saved)
            if 0.5 * self._piece < SMALLEST_LOAD_STEP or (self.at == 0.0 and not self._can_part()):
                return message
            state.restore(saved)
            self._piece, self.halvings = 0.5 * self._piece, self.halvings + 1
        return ""

    def _by_states(self, target: float, start: np.ndarray) -> bool:
        """With shorter corrections, then as states lead, with the loads of the target; whether that was the way."""
        sim, kept = self.sim, self.stability
        if not followers(sim).size or sim.system.layout.coordinates > LARGEST_TANGENT:
            return False
        for way in (self._halved, self._in_time):
            sim.state.restore(start)
            self._load(target)
            try:
                if way():
                    self.at = target
                    return True
            except SolveError:  # not finite on the way
                continue
        self.stability = kept
        return False

    def _halved(self) -> bool:
        """Newton's method with corrections that are halved where they lead off."""
        return not balance(self.sim, self.tolerance, self.iterations, MOST_HALVINGS) and self._is_accepted()

    def _in_time(self) -> bool:
        """States go their own way."""
        for _ in range(2 if can_settle(self.sim) else 0):
            if not settle_in_time(self.sim) or balance(self.sim, self.tolerance, self.iterations):
                return False
            if self._is_accepted():
                self.settled += 1
                return True
            if not _tip(self.sim):
                return False
        return False

    def _is_accepted(self) -> bool:
        self.stability = stability_under_load(self.sim)
        return self.stability.verdict != "unstable" or not self.stable

    def _relax(self, target: float) -> str:
        """Downhill, with the loads of the target; empty when a balance was reached, else why not, and what may help."""
        sim = self.sim
        if sim.system.layout.coordinates > LARGEST_TANGENT:
            count = sim.system.layout.coordinates
            return f"it has too many coordinates to relax ({count}, more than {LARGEST_TANGENT}); start nearer"
        self._load(target)
        if nodes := floating(sim.model):
            self.endless = True
            return f"nothing ties node {nodes[0].name!r} to the ground{drift(sim)}; hold it by a joint or a spring"
        if not (sim.system.layout.free or any(x.order == 2 for x in sim.system.layout.states)):
            return self._restless()
        found = relax(sim, self.tolerance)
        self.relaxed, self.endless = self.relaxed + found.steps, found.endless
        if found.message:
            return found.message
        _require_determined(sim, at_rest(sim))
        relaxed = sim.state.copy()
        if followers(sim).size and balance(sim, self.tolerance, self.iterations):  # states that carry, as reactions do
            sim.state.restore(relaxed)
        self.at = target
        self.stability = stability_under_load(sim, found.tangent)
        return ""

    def _restless(self) -> str:
        """Why states by themselves found no balance."""
        rest = at_rest(self.sim)
        self.endless = bool(rest.endless)
        if rest.endless:
            return restless(self.sim.model, rest.endless)
        usual = abs(rest.matrix) @ sizes(self.sim)  # there are no multipliers
        left = np.abs(rest.rows) / np.maximum(usual, LEAST_DIVISOR)
        name = self.sim.system.layout.states[int(np.argmax(left))].name
        return f"states do not settle, the equation of state {name!r} is farthest from it; start nearer to a balance"

    def _can_part(self) -> bool:
        """Whether less of the load is easier: not if a motion meets no stiffness but that of the loads themselves."""
        if not (self.along_time or len(self._loads)):
            return False
        sim = self.sim
        if sim.system.layout.coordinates > LARGEST_TANGENT:
            return True
        self._load(0.0)
        here = tangent(sim)
        return here.definite(-here.noise)

    def _load(self, to: float) -> None:
        """Drives, prescribed nodes and loads as they are at this part of the whole."""
        sim = self.sim
        sim.state.set_time(to * self.time if self.along_time else self.time)
        for node in sim.system.layout.held:  # prescribed nodes stand where they are at that time
            sim.state.write(node, ETA, np.zeros(12))
        if not self.along_time:
            sim.system.write_fixed_drives()  # whole again
            for drive in self._loads:
                sim.state.drive(drive)[:] *= to

    def _attempt(self, to: float) -> str:
        sim = self.sim
        self._load(to)
        try:
            return balance(sim, self.tolerance, self.iterations)
        except SolveError as error:
            if self.at == 0.0:
                raise  # not even the first step: smaller loads would not help
            return str(error)


def _tip(sim: Simulation) -> bool:
    """Moves a little along the disturbance that grows fastest by states; whether there is one."""
    change = growth(sim).change
    if change is None:
        return False
    sim.state.move(TIPPING_MOVE * change / np.abs(change / sizes(sim)).max())
    return True


def _require_determined(sim: Simulation, rest: AtRest) -> None:
    """Refuses states that have no value at rest, by name."""
    names = undetermined(sim, rest)
    if not names:
        return
    first = sim.model.states[names[0]]
    remedy = "tie it to what has a value"
    if isinstance(first, Junction):
        remedy = f"lead it to {first.domain.holder}, open what is shut there, or let something keep what flows in"
    which = f"state {names[0]!r}" if len(names) == 1 else f"states {some(list(map(repr, names)))}"
    raise SingularModel(f"model {sim.model.name!r}: nothing determines {which} at rest; {remedy}")


def _load_signals(s: System) -> list[Drive]:
    """The drives of loads and weights."""
    drives: dict[int, Drive] = {}
    for element in s.model.elements.values():
        if isinstance(element, ExternalLoads):
            drives |= {id(drive): drive for drive in element.load_drives()}
    return list(drives.values())


def in_balance(sim: Simulation, tolerance: float) -> bool:
    """Whether the pose is one of balance; reactions become those that balance what joints hold."""
    tangent(sim)
    rest = at_rest(sim)
    if rest.endless or not _is_rounding(sim, rest, tolerance):
        return False
    n, carried = sim.system.layout.coordinates, reactions(sim)
    try:
        x = splu(csc_matrix(rest.matrix)).solve(rest.rows)
    except RuntimeError:
        return True
    own = np.setdiff1d(np.arange(n), carried)
    if np.abs(x[own] / sizes(sim)[own]).max(initial=0.0) < tolerance:  # without rounding of what is stiff
        x[own] = 0.0
        move(sim, x)
    return True


def _is_rounding(sim: Simulation, rest: AtRest, tolerance: float) -> bool:
    """Whether nothing but rounding is left of the equations.

    That of places, angles and values, of their sizes, times their stiffness; of reactions likewise. Along a motion that
    meets no stiffness Newton's method would divide it by rounding. Joints may be open by the tolerance.
    """
    size, nodes = np.append(sizes(sim), np.abs(sim.state.multipliers)), 6 * len(sim.system.layout.free)
    terms = abs(rest.matrix)[:, : size.size] @ size
    terms[:nodes] += SHARED_ROUNDING * terms[:nodes].max(initial=0.0)
    allowed = np.full(rest.rows.size, TERM_ROUNDING)
    allowed[rest.held] = tolerance
    return bool((np.abs(rest.rows) <= allowed * terms).all())


def balance(sim: Simulation, tolerance: float, iterations: int, tries: int = 0) -> str:
    """Newton's method on the pose; empty when it converged, else why not.

    tries: how often a correction that leads off is halved.
    """
    s, name, nodes = sim.system, sim.model.name, 6 * len(sim.system.layout.free)
    sim.state.weigh(1.0, 0.0, 0.0)
    if sim.redundancy is not None:
        sim.redundancy.suited(sim, sim.matrix_values())  # what is released suits the pose
    worst, size = 0, np.inf
    for _ in range(iterations):
        rest = at_rest(sim)
        try:
            x = splu(csc_matrix(rest.matrix)).solve(rest.rows)
        except RuntimeError:
            x = None
        if x is None or np.abs(x[:nodes] / sizes(sim)[:nodes]).max(initial=0.0) > NO_STIFFNESS:
            _require_determined(sim, rest)
            return f"model {name!r}: a motion meets no stiffness"
        sim.counters[Counter.ITERATIONS] += 1
        size, worst = _moved(sim, x, rest, tries)
        if not np.isfinite(size):
            break
        if size < tolerance:
            return f"model {name!r}: {restless(sim.model, rest.endless)}" if rest.endless else ""
    rest = at_rest(sim)
    if np.isfinite(size) and not rest.endless and _is_rounding(sim, rest, tolerance):
        return ""  # corrections divide rounding by hardly any stiffness
    return (
        f"model {name!r}: no equilibrium after {iterations} iterations; the pose still changes by {size:.2g} "
        f"at {s.unknowns.owner(worst)}; start nearer to it, or let a damped transient settle"
    )


def _moved(sim: Simulation, x: np.ndarray, rest: AtRest, tries: int) -> tuple[float, int]:
    """A correction, or a part of it where all of it would lead further off, as past a square root: (size, where)."""
    if not tries:
        return move(sim, x)
    usual = abs(rest.matrix)[:, : sim.system.layout.coordinates] @ sizes(sim) + np.finfo(float).tiny
    last, before, part = _largest(rest.rows, usual), sim.state.copy(), 1.0
    for _ in range(tries):
        size, where = move(sim, part * x)
        rows = remains(sim)
        left = _largest(rows - rest.sums.T @ (rest.sums @ rows), usual)
        if left < (1.0 - LEAST_DECREASE * part) * last or left <= EQUATION_ROUNDING:
            return size / part, where
        sim.state.restore(before)
        part *= 0.5
    return move(sim, x)


def _largest(rows: np.ndarray, usual: np.ndarray) -> float:
    """Of what is left of equations, by their terms; beyond all numbers where they have hardly any, as air at rest."""
    with np.errstate(over="ignore"):
        return float((np.abs(rows) / usual).max(initial=0.0))
