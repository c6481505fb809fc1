"""What an element is to the framework: nodes, numbers, and one method that formulates its equations."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, ClassVar, Protocol

import numpy as np

from samara.arguments import ModelError
from samara.model.frames.kinematics import Frame
from samara.model.frames.node import Node
from samara.model.membership import require_members
from samara.model.quantities.state import State, StateMotion
from samara.model.schema.fields import NODE, READS, STATE
from samara.model.schema.record import KeywordRecord


@dataclasses.dataclass(frozen=True)
class Output:
    """A measure of an element, recorded by name: ``element.name``.

    unit: as a text, "N m". value: a number, or several. components: their names, ("x", "y", "z"); () for one number.
    description: what it is, in a few words.
    """

    name: str
    unit: str
    value: Any
    components: tuple[str, ...] = ()
    description: str = ""


class Measure(Protocol):
    """Functions of the frames' poses (coordinates), with what virtual work makes of them."""

    value: np.ndarray
    rate: np.ndarray
    #: the part of the rate that drives make while the nodes rest; of quasi-velocities, their value at rest
    drift: np.ndarray

    def wrenches(self, efforts) -> list[np.ndarray]:
        """Sum of effort_k d(value_k): six numbers per node, (force, moment) at the node in its own axes."""
        ...

    def balances(self, efforts) -> np.ndarray:
        """The same virtual work by the element's states: one number a state that is not only read."""
        ...


class Site(Protocol):
    """Where an element stands while it is formulated: frames of its nodes, seen from the last one, and its states.

    A measure follows the states, the world and the drives where its function asks for them: read ``site.states``,
    ``site.world`` and ``self.field`` inside that function.
    """

    frames: list[Frame]
    states: list[StateMotion]
    world: Frame
    time: Any

    def measure(self, function: Callable[..., Sequence]) -> Measure:
        """Coordinates: a function of the frames' poses."""
        ...

    def measure_rates(self, function: Callable[..., Sequence]) -> Measure:
        """Quasi-velocities: a function of the frames' poses, linear in their twists."""
        ...

    def multipliers(self, count: int) -> np.ndarray:
        """New algebraic unknowns of the element."""
        ...

    def tied(self, state: StateMotion, value: Any, rate: Any, gap: Any = None) -> Any:
        """Equation of a state that is made `tied`: state = value, a function of others; rate: its time derivative.

        In a step the values are equal, so that what flows into a store is never lost, however it bends; at a start, and
        in minimal coordinates, the rates are. gap: zero where the values are equal, and rising with the state, if that
        suits Newton's method better than state - value.
        """
        ...


@dataclasses.dataclass(frozen=True)
class Touch:
    """A unilateral contact: the multipliers of its element are forces that act on `speeds`, along the normal first.

        0 <= gap,     force_n >= 0,     |force_t| <= friction force_n,     u_n(+) = -restitution u_n(-) in impacts

    gap: [m or rad]. speeds: rates of it, and of the slip along two tangents where there are three; each multiplier
    works on one. friction, restitution: numbers. passable: whether something may come out behind it that went in.
    """

    gap: Any
    speeds: Any
    friction: Any = 0.0
    restitution: Any = 0.0
    passable: bool = True


@dataclasses.dataclass
class Contribution:
    """What an element adds to the equations of motion, ``inertia + reactions - loads = 0`` at every node.

    wrenches:     six numbers per node, added to the node's equations (in its own axes, at its origin).
    constraints:  g(poses, t) = 0, one a multiplier.
    rates:        f(poses, twists, t) = 0, one a multiplier, after those of the constraints.
    touch:        a unilateral contact in the place of constraints; its multipliers are forces that a solver of
                  complementarity problems finds.
    clearance:    (gap [m], its rate) of a force law that sets in where the gap closes, of something that a long step
                  might pass through: such a step is taken in parts.
    balances:     one number a state, added to the state's equation; none for states that are only read.
    kinetic, potential: energies [J]; dissipated: power turned into heat [W]; supplied: power from outside [W].
    outputs:      measures to record, an `Output` each.
    """

    wrenches: list[np.ndarray]
    constraints: Any = ()
    rates: Any = ()
    touch: Touch | None = None
    clearance: tuple[Any, Any] | None = None
    balances: Any = ()
    kinetic: Any = 0.0
    potential: Any = 0.0
    dissipated: Any = 0.0
    supplied: Any = 0.0
    outputs: list[Output] = dataclasses.field(default_factory=list)


class Grip(IntEnum):
    """How firmly an element keeps its nodes together: what goes along when a joint's start moves a part."""

    NONE = 0  # it only looks at them, or is of an unknown kind
    FORCE = 1  # along a coordinate: a spring, a damper, an actuator
    ELASTIC = 2  # in several directions at once: an elastic joint
    JOINT = 3  # by constraints
    SOLID = 4  # in all directions: they are of one piece, rigid or flexible


class Element(KeywordRecord):
    """Base of all elements. An element lists its nodes and numbers and gives `formulate`; families make that easy.

    What only some have or say is a role: `samara.model.roles`.
    """

    _instead = "make the element with it, or let a Parameter stand for a number that is to change"
    #: set when the element joins a model
    name: ClassVar[str] = ""
    #: how firmly it keeps its nodes together
    grip: ClassVar[Grip] = Grip.NONE

    def formulate(self, site: Site) -> Contribution:
        """The element's equations on plain or traced numbers."""
        raise ModelError(f"{type(self).__name__} has no equations: give it a method formulate(site)")

    def nodes(self) -> list[Node]:
        """The nodes in order; the last one's axes are the element's own."""
        return [getattr(self, name) for name in self.marked(NODE)]

    def states(self) -> list[State]:
        """The scalar states in order: those it shares, those it only reads, then its own."""
        return [*(getattr(self, name) for name in self.marked(STATE)), *self.readings(), *self.owned.values()]

    def readings(self) -> list[State]:
        """Those of its states that it only reads: it gives no balance for them."""
        specs = self.specs()
        found: list[State] = []
        for name in self.marked(READS):
            given = getattr(self, name)
            one_by_one = given if isinstance(given, (tuple, list)) else (given,)
            found += [s for s in one_by_one if name not in specs or isinstance(s, State)]
        return found

    def received(self, site: Site, name: str) -> Any:
        """What comes in by a field made by `signal`, `signals` or `reads`: a number, or a list of them."""
        motions = iter(site.states[len(self.marked(STATE)) :])
        for field in self.marked(READS):
            given, many = getattr(self, field), isinstance(getattr(self, field), tuple)
            values = [
                next(motions).value if field not in self.specs() or isinstance(one, State) else one
                for one in (given if many else (given,))
            ]
            if field == name:
                return values if many else values[0]
        raise ModelError(f"{type(self).__name__} has no signal {name!r}")

    @functools.cached_property
    def owned(self) -> dict[str, State]:
        """States of the element's own, by label; they join the model with it as ``element.label``."""
        found = self.own_states()
        if not isinstance(found, dict) or not all(isinstance(state, State) for state in found.values()):
            raise ModelError(f"{type(self).__name__}: own_states must return {{label: State}}, got {found!r}")
        return found

    def own_states(self) -> dict[str, State]:
        """New states that the element brings along, {label: state}; none by default."""
        return {}

    def join(self, name: str) -> None:
        """Called when the element joins a model: checks nodes, states and fields under its name."""
        require_members(self, name)
        object.__setattr__(self, "name", name)
        self.freeze(f"element {name!r}")

    def unit_of(self, output: Output) -> str:
        """The unit of an output, where instances of a kind differ in it."""
        return output.unit

    def prepare(self) -> None:
        """Fills in what follows from other fields, before the checks."""

    def examine(self) -> None:
        """Checks of the whole element, after those of its fields; raise ValueError."""
