"""Static solution: the pose in which all forces balance, at rest; at once, or by steps of the loads or of time."""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from samara.model import ArgumentError, Drive, Junction, Model, arguments
from samara.model.arguments import finite, fraction, one_of, whole
from samara.results import Recorder, Results, RunAttrs
from samara.solve.assemble import assemble
from samara.solve.at_rest import AtRest, at_rest, followers, move, remains, sizes, undetermined
from samara.solve.carrier import drop
from samara.solve.codes import Counter, Memory
from samara.solve.conserved import ROUNDS, make_good
from samara.solve.errors import Diverged, SingularModel, SolveError
from samara.solve.given import simulation_of
from samara.solve.growth import growth
from samara.solve.march import record
from samara.solve.measures import chosen
from samara.solve.parts import floating
from samara.solve.relax import drift, relax, restless
from samara.solve.release import renewed, share_reactions
from samara.solve.settling import can_settle, settle_in_time
from samara.solve.simulation import Simulation
from samara.solve.stability import Stability, stability
from samara.solve.tangent import LARGEST_TANGENT, tangent
from samara.solve.unharmed import unharmed
from samara.solve.wording import some
from samara.system.blocks import ETA
from samara.system.system import System

#: Smallest part of a load step that is tried before giving up.
SMALLEST = 2.0**-10
#: Disturbance of an unstable balance, of the sizes of its coordinates.
TIPPED = 0.01
#: What to do about an equilibrium that is not stable.
REMEDIES = {
    "neutral": "the pose is one of many; hold or spring it",
    "unstable": "no stable one was reached; start elsewhere, or give stable=False if this one is meant",
}


def static(
    model: Model | System | Simulation,
    *,
    time: float = 0.0,
    steps: int = 1,
    along: Literal["loads", "time"] = "loads",
    outputs: str | tuple[str, ...] = ("*",),
    tolerance: float = 1e-10,
    iterations: int = 100,
    stable: bool = True,
) -> Results:
    """Stable equilibrium at rest, reached in load steps; one sample of the chosen outputs per step.

    time:      at which drives are taken [s]. The time of the simulation stays as it was: a run that follows begins
               there, with its drives as they are then.
    steps:     number of load steps, each recorded.
    along:     what grows in equal parts: "loads", a factor from 0 to 1 on all forces, couples and weights, recorded in
               place of time; or "time", from 0 to `time`, where the drives say what happens (loads given as ramps).
    tolerance: of the last correction, relative to the size of the mechanism and in rad.
    iterations: bound on Newton iterations in each attempt.
    stable:    whether an equilibrium that Newton's method finds is left again if it is unstable (`stability`), and a
               stable one is looked for; False: whatever equilibrium is near the initial pose is taken.

    A step whose iterations fail is halved, down to a thousandth, and lengthened again when they succeed. Within the
    iterations a correction longer than a quarter of the mechanism, or than 0.25 rad, is shortened. Where Newton's
    method finds nothing, or nothing stable, states go their own way from where the step began, in steps of time that
    grow (`settling`), and the mechanism relaxes, downhill as if it moved in honey (`relax`).
    `results.attrs.stability` says whether what was found is "stable", "neutral" or "unstable"; with `stable` there is a
    warning unless it is the first. What ties rates (gears, locks, shafts that wind up) ties the changes of the pose
    from where it starts (`samara.solve.at_rest`). Where there is no equilibrium, the error says which joint or node
    moves on, and along which direction nothing holds it. The simulation is left in the pose that was found: pass a
    `Simulation` to go on from there with `transient`. After an error it is as it was, bit by bit.
    """
    time, steps = finite("static: time", time), whole("static: steps", steps)
    tolerance, iterations = fraction("static: tolerance", tolerance), whole("static: iterations", iterations)
    if one_of("static: along", along, ("loads", "time")) == "time" and time == 0.0:
        raise ArgumentError("static: along='time' runs from 0 to `time`: give a time other than 0")
    patterns = arguments.outputs("static: outputs", outputs)
    sim = simulation_of("static", model)
    with sim.alone(), unharmed(sim):
        path = _Path(sim, time, along == "time", tolerance, iterations, stable)
        results = _solved(path, steps, patterns)
    if stable:
        for words in (*_sticking(sim), *_doubtful(path.stability)):
            warnings.warn(f"model {sim.model.name!r}: {words}", stacklevel=2)
    return results


def _doubtful(found: Stability) -> list[str]:
    """A sentence on an equilibrium that is not stable."""
    return [f"the equilibrium is {found}; {REMEDIES[found.verdict]}"] if found.verdict in REMEDIES else []


def _sticking(sim: Simulation) -> list[str]:
    """Sentences on elements that may stick or slide."""
    layout, first = sim.system.layout, 6 * len(sim.system.layout.free)
    if not followers(sim).size:
        return []
    with sim.state.kept():
        loose = {layout.states[k - first].name for k in at_rest(sim).loose}
    return [
        f"{e.name!r} ({type(e).__name__}) sticks or slides: what it carries at rest is not determined, for it depends "
        "on the way there; here it carries what it did at the start. Hold what must not move by a joint or a Lock, or "
        "let a damped transient settle"
        for e in sim.model.elements.values()
        if loose & {state.name for state in e.owned.values()}
    ]


def _solved(path: _Path, steps: int, patterns: tuple[str, ...]) -> Results:
    sim = path.sim
    s = sim.system
    drop(sim)
    s.state.twists, s.state.accelerations = 0.0, 0.0
    assemble(sim, balance=False)
    s.state.twists, s.state.accelerations = 0.0, 0.0
    path.begin()
    channels, columns = chosen(s, patterns)
    recorder = Recorder(channels, expected_rows=steps)
    message = ""
    for k in range(1, steps + 1):
        message = path.go(k / steps, 1.0 / steps) or path.keep() or _below_floor(sim)
        times, rows = recorder.room(1)
        record(sim.machine, sim.memory, columns, times, rows, 0)
        share_reactions(sim, columns, rows[0])
        rows[0, columns == s.arrays.out.size - 1] = _gap(sim)
        times[0] = path.time if steps == 1 else path.at * path.time if path.along_time else path.at
        recorder.commit(1)
        if message:
            break
    if not message and not path.stable:
        path.stability = stability(sim)
    results = Results.from_recorder(recorder, _attrs(path, steps, message))
    sim.memory[[Memory.STARTED, Memory.STEP, Memory.FACTORED_FOR]] = 0.0  # what follows starts anew from here
    if message:
        raise Diverged(message, results)
    return results


def _gap(sim: Simulation) -> float:
    """Largest violation of a constraint of poses: a rate that is prescribed is none at rest."""
    rows = remains(sim)[sim.system.layout.coordinates :]
    if sim.system.releases is not None:
        rows = rows + sim.system.releases.give * sim.state.multipliers
    return float(np.abs(rows).max(initial=0.0))


def _below_floor(sim: Simulation) -> str:
    """Which state would have to be below its floor, and what the element says of it; empty for none."""
    values = zip(sim.system.layout.states, sim.state.values, strict=True)
    below = [(x, x.floor, float(value)) for x, value in values if x.floor is not None and value < x.floor.lower]
    if not below:
        return ""
    state, floor, value = min(below, key=lambda found: found[2] - found[1].lower)
    return (
        f"model {sim.model.name!r}: {state.name!r} would be at {value:.6g} {state.unit} at rest, below "
        f"{floor.lower:.6g}, where the equations of {floor.element!r} end: {floor.words}"
    )


def _attrs(path: _Path, steps: int, message: str) -> RunAttrs:
    model, done = path.sim.model, int(path.sim.counters[Counter.ITERATIONS])
    return RunAttrs(
        model=model.name,
        parameters=path.sim.system.parameters.recorded(),
        integrator="static",
        options={
            "tolerance": path.tolerance,
            "steps": steps,
            "along": "time" if path.along_time else "loads",
            "stable": path.stable,
        },
        counters={"iterations": done, "halvings": path.halvings, "relaxations": path.relaxed, "settled": path.settled},
        analyses=("static",),
        status="failed" if message else "completed",
        message=message,
        stability="" if message else path.stability.verdict,
        stand_in=model.stand_in,
    )


class _Path:
    """A way from no load to the whole one, in pieces that Newton's method can follow, or downhill where it cannot."""

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
        for _ in range(ROUNDS if followers(sim).size else 0):
            change = make_good(sim, self._origin)
            if change == 0.0:
                break
            moved = True
            if not np.isfinite(change) or _balance(sim, self.tolerance, self.iterations):
                return f"model {sim.model.name!r}: no balance was found that keeps what is stored; start nearer to it"
        if moved and self.stable:
            self.stability = stability(sim)
        return ""

    def go(self, target: float, step: float) -> str:
        """On to this part of the whole; empty when it got there, else why not."""
        state = self.sim.state
        start, error, message = state.copy(), None, ""
        try:
            message = self._follow(target, step)
        except SolveError as stop:
            error = stop
        if error is None and not message:
            if self.stable:
                self.stability = stability(self.sim)
            if self.stability.verdict != "unstable":
                return ""
        found, by_states = state.copy(), bool(error or message) or np.isfinite(self.stability.growth)
        if by_states and self._settle(target, start):
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

    def _follow(self, target: float, step: float) -> str:
        """In pieces, by Newton's method."""
        state = self.sim.state
        while self.at < target:
            saved, piece = state.copy(), min(self._piece * step, target - self.at)
            to = target if target - self.at - piece < 1e-9 * step else self.at + piece
            message = self._attempt(to)
            if not message:
                self.at, self._piece = to, min(1.0, 2.0 * self._piece)
                continue
            state.restore(saved)
            if 0.5 * self._piece < SMALLEST or (self.at == 0.0 and not self._can_part()):
                return message
            state.restore(saved)
            self._piece, self.halvings = 0.5 * self._piece, self.halvings + 1
        return ""

    def _settle(self, target: float, start: np.ndarray) -> bool:
        """States lead the way, with the loads of the target; whether that ended in a balance that is not unstable."""
        sim, kept = self.sim, self.stability
        if not can_settle(sim) or sim.system.layout.coordinates > LARGEST_TANGENT:
            return False
        sim.state.restore(start)
        self._load(target)
        for _ in range(2):
            if not settle_in_time(sim) or _balance(sim, self.tolerance, self.iterations):
                break
            self.stability = stability(sim)
            if self.stability.verdict != "unstable" or not self.stable:
                self.at, self.settled = target, self.settled + 1
                return True
            if not _tip(sim):
                break
        self.stability = kept
        return False

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
        if followers(sim).size and _balance(sim, self.tolerance, self.iterations):  # states that carry, as reactions do
            sim.state.restore(relaxed)
        self.at = target
        self.stability = stability(sim, found.tangent)
        return ""

    def _restless(self) -> str:
        """Why states by themselves found no balance."""
        rest = at_rest(self.sim)
        self.endless = bool(rest.endless)
        if rest.endless:
            return restless(rest.endless)
        left = np.abs(rest.rows) / np.maximum(abs(rest.matrix) @ sizes(self.sim), 1e-300)  # there are no multipliers
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
            return _balance(sim, self.tolerance, self.iterations)
        except SolveError as error:
            if self.at == 0.0:
                raise  # not even the first step: smaller loads would not help
            return str(error)


def _tip(sim: Simulation) -> bool:
    """Moves a little along the disturbance that grows fastest by states; whether there is one."""
    change = growth(sim).change
    if change is None:
        return False
    sim.state.move(TIPPED * change / np.abs(change / sizes(sim)).max())
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
        drives |= {id(drive): drive for drive in element.load_drives()}
    return list(drives.values())


def _balance(sim: Simulation, tolerance: float, iterations: int) -> str:
    """Newton's method on the pose; empty when it converged, else why not."""
    s, name = sim.system, sim.model.name
    sim.state.weigh(1.0, 0.0, 0.0, moving=0.0)
    renewed(sim, sim.matrix_values())  # what is released suits the pose
    worst, size = 0, np.inf
    for _ in range(iterations):
        rest = at_rest(sim)
        try:
            x = splu(csc_matrix(rest.matrix)).solve(rest.rows)
        except RuntimeError:
            _require_determined(sim, rest)
            return f"model {name!r}: a motion meets no stiffness"
        sim.counters[Counter.ITERATIONS] += 1
        size, worst = move(sim, x)
        if not np.isfinite(size):
            break
        if size < tolerance:
            return f"model {name!r}: {restless(rest.endless)}" if rest.endless else ""
    return (
        f"model {name!r}: no equilibrium after {iterations} iterations; the pose still changes by {size:.2g} "
        f"at {s.unknowns.owner(worst)}; start nearer to it, or let a damped transient settle"
    )
