"""The contract of an element: nodes, numbers, and one method that formulates its equations."""

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
    """An output of an element, recorded as ``element.name``.

    unit: as text, "N m". value: a number, or several. components: their names, ("x", "y", "z"); () for a scalar.
    description: in a few words.
    """

    name: str
    unit: str
    value: Any
    components: tuple[str, ...] = ()
    description: str = ""


class Measure(Protocol):
    """Functions of the frames' poses (coordinates), with the generalised forces from virtual work."""

    value: np.ndarray
    rate: np.ndarray
    #: the part of the rate that drives make while the nodes rest; of quasi-velocities, their value at rest
    drift: np.ndarray

    def wrenches(self, efforts) -> list[np.ndarray]:
        """Generalised forces of sum effort_k d(value_k): six numbers per node, (force, moment) at the "
        "node in its axes."""
        ...

    def balances(self, efforts) -> np.ndarray:
        """The same for the element's states: one number for each state that is not only read."""
        ...


class Site(Protocol):
    """The kinematics an element sees in `formulate`: frames of its nodes, relative to the last one, and its states.

    A function of coordinates depends on the states, the world and the drives only if it reads them itself: use
    ``site.states``, ``site.world`` and ``self.field`` inside that function.
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
        """Equation of a `tied` state: state = value, a function of others; rate: its time derivative.

        In a step the values are equal, so that a store conserves its content even if it is nonlinear; at the start, and
        in minimal coordinates, the rates are equal. gap: an optional residual that is zero if the values are equal and
        increases with the state, if it suits Newton's method better than state - value.
        """
        ...


@dataclasses.dataclass(frozen=True)
class Touch:
    """A unilateral contact: the multipliers of its element are forces that act on `speeds`, the normal one first.

        0 <= gap,     force_n >= 0,     |force_t| <= friction force_n,     u_n(+) = -restitution u_n(-) in impacts

    gap: [m or rad]. speeds: its rate and, if there are three, the slip velocities along two tangents; one multiplier
    for each. friction, restitution: coefficients. passable: whether a body that has penetrated may emerge on the far
    side.
    """

    gap: Any
    speeds: Any
    friction: Any = 0.0
    restitution: Any = 0.0
    passable: bool = True


@dataclasses.dataclass
class Contribution:
    """The contribution of an element to the equations of motion, ``inertia + reactions - loads = 0`` at every node.

    wrenches:     six numbers per node, added to the node's equations (in its own axes, at its origin).
    constraints:  g(poses, t) = 0, one per multiplier.
    rates:        f(poses, twists, t) = 0, one per multiplier, after the constraints.
    touch:        a unilateral contact instead of constraints; a complementarity solver finds its multipliers.
    clearance:    (gap [m], its rate) of a force law that acts once the gap is closed, where a long step might pass
                  through the body: such a step is divided.
    balances:     one number per state, added to the state's equation; none for states that are only read.
    kinetic, potential: energies [J]; dissipated: dissipated power [W]; supplied: external power [W].
    outputs:      quantities to record, a list of `Output`.
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
    """Base of all elements. An element declares its nodes and numbers and defines `formulate`; families simplify that.

    Features of some elements only are roles: `samara.model.roles`.
    """

    _instead = "create the element with the new value, or use a Parameter for a number that is to change"
    #: set when the element joins a model
    name: ClassVar[str] = ""
    #: how firmly it keeps its nodes together
    grip: ClassVar[Grip] = Grip.NONE

    def formulate(self, site: Site) -> Contribution:
        """The element's equations on plain or traced numbers."""
        raise ModelError(f"{type(self).__name__} has no equations: define a method formulate(site)")

    def nodes(self) -> list[Node]:
        """The nodes in order; equations are written in the axes of the last one."""
        return [getattr(self, name) for name in self.marked(NODE)]

    def states(self) -> list[State]:
        """The scalar states in order: shared ones, those it only reads, then its own."""
        return [*(getattr(self, name) for name in self.marked(STATE)), *self.readings(), *self.owned.values()]

    def readings(self) -> list[State]:
        """The states that it only reads: it contributes no balance to them."""
        specs = self.specs()
        found: list[State] = []
        for name in self.marked(READS):
            given = getattr(self, name)
            one_by_one = given if isinstance(given, (tuple, list)) else (given,)
            found += [s for s in one_by_one if name not in specs or isinstance(s, State)]
        return found

    def received(self, site: Site, name: str) -> Any:
        """The present value of a field declared with `signal`, `signals` or `reads`: a number or a list of numbers."""
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
        """The element's own states, by label; they are added to the model as ``element.label``."""
        found = self.own_states()
        if not isinstance(found, dict) or not all(isinstance(state, State) for state in found.values()):
            raise ModelError(f"{type(self).__name__}: own_states must return {{label: State}}, got {found!r}")
        return found

    def own_states(self) -> dict[str, State]:
        """Creates the element's own states, {label: state}; none by default."""
        return {}

    def join(self, name: str) -> None:
        """Called when the element joins a model: checks nodes, states and fields under its name."""
        require_members(self, name)
        object.__setattr__(self, "name", name)
        self.freeze(f"element {name!r}")

    def unit_of(self, output: Output) -> str:
        """The unit of an output, if it differs between instances of the class."""
        return output.unit

    def prepare(self) -> None:
        """Computes fields that follow from others, before the checks."""

    def examine(self) -> None:
        """Checks the whole element, after its fields; raises ValueError."""
