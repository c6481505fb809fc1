"""Diagnosis of a failed run: which element, when, and the last states on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from samara.model import State
from samara.recursive.argument_checks import not_finite_message
from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.contact.pool import too_many
from samara.solve.files import write_arrays
from samara.solve.impacts.passing import passed_through
from samara.solve.linear.culprits import not_finite
from samara.solve.native.codes import Counter, Status
from samara.solve.redundant.reactions import OF_REACTION, REACTION_TOLERANCE, row_of_worst
from samara.solve.report.algebraic_loops import loop_through
from samara.solve.report.contacts import closed_contacts
from samara.solve.report.floors import below_floor
from samara.solve.simulation import Simulation
from samara.solve.step.events import KNOWN_LARGEST, KNOWN_VALUE
from samara.solve.step.march import UNRECORDED, march
from samara.solve.tree.long import SINGULAR_JOINT
from samara.solve.tree.rows import owner_of_row, singular_joint
from samara.solve.tree.schemes import EXPLICIT, SEMI_IMPLICIT, TIME_STEPPING
from samara.system.memory.blocks import ACC, ETA, POSITION, ROTATION

KEPT = 100
#: Contacts that are named at most.
MOST_NAMES = 20
#: Step by which the cause of a failure is looked for, in shortest steps.
TRIAL_STEP = 10.0


def explain(sim: Simulation, status: Status, h: float | None) -> str:
    """One sentence: what happened, at which element, at which time, and what may help."""
    if status == Status.BELOW_FLOOR:
        remedy = "" if h is None else "; or use a shorter step"
        return below_floor(sim, "fell to", f"at t = {sim.time:g} s", remedy=remedy)
    if status == Status.TOO_MANY_PAIRS:
        return f"{too_many(sim.system, sim.machine.contacts.pool)} (at t = {sim.time:g} s)"
    if status == Status.UNRESOLVED:
        return (
            f"model {sim.model.name!r}: a motion is too fast for {sim.scheme.name} at t = {sim.time:g} "
            f"s, even with sub-steps of a step of {h:g} s, such as a mass on a stiff spring far from "
            f"equilibrium; use a smaller step, start near equilibrium, or use samara.TwoStep(rho_inf), which "
            f"damps unresolved frequencies"
        )
    if status == Status.PASSED_THROUGH:
        return passed_through(sim, h)
    if status == Status.LAW_FAILED and sim.sampling is not None:
        return str(sim.sampling.failure(sim))
    s = sim.system
    if h is None:
        h = float(TRIAL_STEP * sim.limits.smallest)
        if sim.tree is None:  # see what the shortest step meets; a tree has noted it
            again = march(sim.work, h, 1, 1, 0, *UNRECORDED)
            if again[0] != Status.OK:
                status = Status.NOT_FINITE if not_finite(sim.system) else Status.NOT_CONVERGED
    when = f"at t = {sim.memory.clock.goal or sim.time + h:g} s"
    if not np.isfinite(sim.memory.trust.correction):
        status = Status.NOT_FINITE
    if status == Status.NOT_FINITE:
        if sim.tree is not None and not np.isfinite(sim.tree.rates).all():
            return f"{not_finite_message(sim.tree.tree, sim.tree.rates)} ({when})"
        remedy = "use a smaller step"
        if sim.machine.tree.plan.method in (EXPLICIT, SEMI_IMPLICIT):
            remedy += f", which {sim.integrator.name} needs for stiff springs and dampers, or TwoStep(0.6)"
        return (
            f"model {s.model.name!r}: the motion is not finite {when}, first found at {not_finite_at(sim)}; "
            f"check for a division by zero or a square root of a negative number there, or {remedy}"
        )
    closed, left = closed_contacts(sim)
    if status == Status.CONTRADICTION:
        return (
            f"model {s.model.name!r}: no contact impulses satisfy the constraints {when}; closed contacts: "
            f"{_listed(closed)}; they contradict each other or the joints (a body squeezed between two planes?)"
        )
    if status == Status.NOT_CONVERGED and closed and left > sim.settings.contact_ceiling:
        return (
            f"model {s.model.name!r}: the contact impulses did not converge within "
            f"{sim.settings.sweeps:.0f} sweeps {when}, residual {left:.2g}; closed contacts: {_listed(closed)}; "
            f"they may contradict each other; otherwise use a smaller step, or more sweeps"
        )
    if status == Status.STEP_TOO_SMALL:
        return f"model {s.model.name!r}: the step became too small {when} at {_owner(sim)}; loosen the accuracy"
    if status == Status.SINGULAR:
        if sim.tree is not None and sim.machine.tree.status[SINGULAR_JOINT] >= 0:
            return singular_joint(sim.tree, int(sim.machine.tree.status[SINGULAR_JOINT]), when)
        return (
            f"model {s.model.name!r}: Newton's matrix is singular {when}: with a step of {h:g} s {sim.integrator.name} "
            "does not determine the motion; use a smaller step, or check for a load that grows with the "
            "motion it causes"
        )
    jump = _jump(sim)
    remedy = "use a smaller step, or check for a discontinuous law there"
    if status == Status.NOT_CONVERGED and sim.machine.tree.plan.method != TIME_STEPPING and _is_worst_at_state(sim):
        most = int(sim.settings.max_iterations)
        remedy += f", or allow more than {most} iterations: Simulation(model, iterations={3 * most})"
    if jump:
        remedy = f"{jump}; make it change over a finite time, as with a Ramp or a Cosine, or by less"
    return f"model {s.model.name!r}: {_unconverged(sim, when)}; {remedy}"


def _unconverged(sim: Simulation, when: str) -> str:
    """What has not converged, and where it is furthest from that."""
    size, of = sim.memory.trust.correction, "model's speed"
    if sim.machine.tree.plan.method == TIME_STEPPING:
        found = f"{sim.integrator.name} found no speeds consistent with their forces {when}"
        if sim.memory.trust.worst_row < 0:
            return f"{found}: a contact rotates too far within the step"
        return f"{found}; the largest residual ({size:.2g} of the speeds) is at {_owner(sim)}"
    if sim.tree is not None:
        of = "number itself"
    if sim.memory.trust.worst_row == OF_REACTION:
        size, of = REACTION_TOLERANCE * size, "largest reaction"
    return (
        f"Newton's method did not converge {when}; the largest correction ({size:.2g} of the {of}) is at {_owner(sim)}"
    )


def _listed(names: list[str]) -> str:
    """Some of them, by name."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return (", ".join(map(repr, names[:MOST_NAMES])) or "none") + more


def _jump(sim: Simulation) -> str:
    """What has jumped at the event after which a step failed; nothing where there was none."""
    s, m = sim.system, sim.machine
    if not sim.memory.clock.event or not s.drives.restless:
        after = sim.memory.clock.step == 0.0 and sim.counters[Counter.EVENTS]
        return "a drive, an input or a parameter jumped just before" if after else ""
    watched = [s.drives.all[k] for k in s.drives.restless]
    values = np.array([s.state.drive(drive)[0] for drive in watched])
    gaps = values - m.jumps.known[:, KNOWN_VALUE]
    worst = int(np.argmax(np.abs(gaps) / (LEAST_DIVISOR + np.maximum(np.abs(values), m.jumps.known[:, KNOWN_LARGEST]))))
    drive = watched[worst]
    driven = [f"element {e.name!r}" for e in s.model.elements.values() if any(leaf is drive for leaf in e.leaves())]
    driven += [f"node {n.name!r}" for n in s.layout.held if n.motion and any(d is drive for d in n.motion.drives)]
    return f"the drive of {driven[0]} jumps there by {gaps[worst]:.3g}" if driven and gaps[worst] else ""


def _owner(sim: Simulation) -> str:
    """Where the worst correction is."""
    if sim.tree is None:
        return owner(sim, int(sim.system.unknowns.dense[_worst_row(sim)]))
    worst = owner_of_row(sim.tree, int(sim.memory.trust.worst_row))
    if worst is None:
        return "an unknown place"
    touching = [e.name for e in sim.model.elements.values() if worst.part in (*e.nodes(), *e.states())]
    return _with(worst.name, [name for name in touching if worst.name != f"joint {name!r}"])


def not_finite_at(sim: Simulation) -> str:
    """The element, or else the joint, node or state, where a motion was first seen to be no longer finite."""
    return not_finite(sim.system) or _owner(sim)


def _worst_row(sim: Simulation) -> int:
    row = int(sim.memory.trust.worst_row)
    return row_of_worst(sim.machine) if row == OF_REACTION else row


def _is_worst_at_state(sim: Simulation) -> bool:
    """Whether a step is furthest from its end at a scalar state."""
    if sim.tree is None:
        return _worst_row(sim) >= sim.machine.layout.state_rows
    found = owner_of_row(sim.tree, int(sim.memory.trust.worst_row))
    return found is not None and isinstance(found.part, State)


def owner(sim: Simulation, number: int) -> str:
    """Whose an unknown of the linear solver is: of a joint, or of a node or a state and what is attached to it."""
    s = sim.system
    name = s.unknowns.owner(number) if number >= 0 else "an unknown place"
    attached = [
        e.name
        for e in s.model.elements.values()
        if name in (*(f"node {n.name!r}" for n in e.nodes()), *(f"state {x.name!r}" for x in e.states()))
    ]
    state = next((x for x in s.layout.states if x.order == 0 and name == f"state {x.name!r}"), None)
    loop = loop_through(s.model, state) if state is not None else []
    in_loop = f", behind or in the algebraic loop of {', '.join(map(repr, loop))}" if len(loop) > 1 else ""
    return _with(name, attached, in_loop)


def _with(name: str, attached: list[str], more: str = "") -> str:
    """A name, and some of what is attached there."""
    return f"{name} (with {', '.join(map(repr, attached[:4]))}{more})" if attached else name


def dump_states(sim: Simulation, again: Callable[[], bool], path: Path, until: float) -> Path:
    """Runs on from the present state to the failure and writes the last 100 states as an .npz file.

    again: takes one more step and tells whether it succeeded. until: when it failed [s]; a run that goes on beyond it,
    since it begins anew with other factors, ends there. The last state is the one that failed, unless the step
    was taken back. Arrays by step: time, position, rotation, twist, acceleration of every node (in the order of
    `nodes`), value and rate of every scalar state (in the order of `states`), multipliers.
    """
    s = sim.system
    states = [(sim.time, s.state.copy())]
    while sim.time <= until and again():
        states.append((sim.time, s.state.copy()))
        del states[:-KEPT]
    if not np.array_equal(s.state.copy(), states[-1][1]):
        states = [*states, (s.state.time, s.state.copy())][-KEPT:]
        sim.undo()  # a run that goes on from here starts at the last good state
    nodes = list(s.model.nodes.values())

    def gather(first: int, count: int) -> np.ndarray:
        return of_each(lambda: np.array([s.state.read(n, first, count) for n in nodes]))

    def of_each(read: Callable[[], np.ndarray]) -> np.ndarray:
        found = []
        with s.state.kept():
            for _, state in states:
                s.state.restore(state)
                found.append(read())
        return np.array(found)

    scalars = 6 * len(s.layout.free)
    found = {
        "time": np.array([t for t, _ in states]),
        "nodes": np.array([n.name for n in nodes]),
        "position": gather(POSITION, 3),
        "rotation": gather(ROTATION, 9),
        "twist": gather(ETA, 6),
        "acceleration": gather(ACC, 6),
        "states": np.array([state.name for state in s.layout.states]),
        "value": of_each(lambda: s.state.values),
        "rate": of_each(lambda: s.state.twists[scalars:]),
        "multipliers": of_each(lambda: s.state.multipliers.copy()),
    }
    return write_arrays(path, found)
