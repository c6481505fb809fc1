"""What an element is to the framework: nodes, numbers, and one method that formulates its equations."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from samara.arguments import ModelError
from samara.model.frames.kinematics import Frame
from samara.model.frames.node import Node
from samara.model.junction import Connection
from samara.model.quantities.freezing import preparing
from samara.model.quantities.placement import Placement
from samara.model.quantities.state import State, StateMotion
from samara.model.schema.drives import Drive
from samara.model.schema.fields import NODE, READS, STATE
from samara.model.schema.record import KeywordRecord
from samara.model.sketch import Sketch

if TYPE_CHECKING:
    from samara.model.declarations.declared_rotor import DeclaredRotor
    from samara.model.sampled import SampledLaw


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
    """Base of all elements. An element lists its nodes and numbers and gives `formulate`; families make that easy."""

    _instead = "make the element with it, or let a Parameter stand for a number that is to change"
    #: set when the element joins a model
    name: ClassVar[str] = ""
    #: whether it gives its nodes mass
    inertial: ClassVar[bool] = False
    #: whether it gives a flexible part its shape, which assembly keeps while joints are closed
    elastic: ClassVar[bool] = False
    #: whether it vibrates faster than explicit integrators can follow
    stiff: ClassVar[bool] = False
    #: how firmly it keeps its nodes together
    grip: ClassVar[Grip] = Grip.NONE

    #: whether it is a joint that may say where its nodes start, with `start`, `constraint` and `rate_constraint`
    starting: ClassVar[bool] = False
    #: whether it holds its nodes after a whole turn as before; a screw does not
    returning: ClassVar[bool] = False

    # ---- what others ask it
    def tie(self) -> Any:
        """The drive that keeps its two nodes together while it is above 1/2; None where none does."""
        return None

    def engagement(self) -> Any:
        """The drive of a lock, which holds while it is above 1/2; None for what always acts."""
        return None

    def rubs(self) -> bool:
        """Whether it has friction that depends on its reaction."""
        return False

    def total_mass(self) -> float:
        """What it adds to the mass of the model [kg]; give it where `inertial` is true."""
        return 0.0

    def rigid_inertia(self) -> tuple[Any, Any, Any] | None:
        """(mass, centre of mass, inertia about it) in axes of its node, if it is a rigid body; None for all else."""
        return None

    def flow_channels(self) -> tuple[str, str] | None:
        """Channels of the angle of attack [rad] and of the Mach number at its stations; None without air."""
        return None

    def connections(self) -> list[Connection]:
        """How it connects junctions of networks; not at all by default."""
        return []

    def pool(self, model: Any) -> list[tuple[Element, int]]:
        """Elements that are bound to other nodes of the model in each step, and how many of each; none by default."""
        return []

    def sampling(self) -> SampledLaw | None:
        """The discrete law that is to be called at sample instants; None for what is continuous."""
        return None

    def load_drives(self) -> list[Drive]:
        """Drives of what acts from outside, its weight included: a static solution brings them on in parts."""
        return list(getattr(self, "gravity", None) or ())

    def doubts(self, results: Any) -> list[str]:
        """Sentences on a run in which it was asked for more than its theory knows, from the channels in `results`."""
        return []

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

    def governed(self) -> list[int]:
        """Places in `states` of those that it gives a balance for."""
        read = {id(state) for state in self.readings()}
        return [k for k, state in enumerate(self.states()) if id(state) not in read]

    def defines(self) -> list[State]:
        """Those of its states that it says the value of by itself: no other element has a part in their equations."""
        return []

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
        members = self.nodes()
        for member in members:
            if not isinstance(member, Node):
                given = f"{self.argument(member)}{member!r}"
                raise ModelError(f"element {name!r}: {given} is not a node; use what model.node(...) returned")
            if members.count(member) > 1:
                raise ModelError(f"element {name!r}: node {member.name!r} is given twice: it would act on itself")
        for field in self.marked(READS):
            given = getattr(self, field)
            if field not in self.specs() and not isinstance(given, State):
                raise ModelError(
                    f"element {name!r}: {type(self).__name__}: {field} must be one state, such as regulator.output: "
                    f"{given!r} is not a state"
                )
        self._check(name, self.prepare, self.validate, self.examine, self.states)
        for shared in self.states():
            if not isinstance(shared, State):
                given = f"{self.argument(shared)}{shared!r}"
                raise ModelError(f"element {name!r}: {given} is not a state; use what model.state(...) returned")
        for shared in (getattr(self, field) for field in self.marked(STATE)):
            if shared in self.readings():
                raise ModelError(f"element {name!r}: state {shared.name!r} is given twice, once only to be read")
        object.__setattr__(self, "name", name)
        self.freeze(f"element {name!r}")

    def argument(self, given: Any) -> str:
        """Which argument it was given as, such as "a: "; nothing where none is it."""
        fields = (*self.marked(NODE), *self.marked(STATE), *self.marked(READS))
        return next((f"{field}: " for field in fields if getattr(self, field, None) is given), "")

    def stranger(self, name: str, given: Node | State, model: str) -> ModelError:
        """The error of a node or state from elsewhere."""
        kind = "node" if isinstance(given, Node) else "state"
        which = f"{self.argument(given)}{kind} {given.name!r}"
        return ModelError(f"element {name!r}: {which} does not belong to model {model!r}")

    def recheck(self) -> None:
        """Checks the element again, after a named parameter changed."""
        self._check(self.name, self.validate, self.examine)

    def check_among(self, elements: Iterable[Element]) -> None:
        """Checks the element among all others, when the model is complete."""
        if type(self).survey is not Element.survey:
            self._check(self.name, lambda: self.survey(elements))

    def _check(self, name: str, *stages: Callable[[], Any]) -> None:
        try:
            with preparing():
                for stage in stages:
                    stage()
        except ValueError as error:
            raise ModelError.within(f"element {name!r}", type(self).__name__, self.field_names(), error) from None

    def heft(self) -> float:
        """Mass of a body [kg], none of others."""
        return 0.0

    def reach(self, among: float = 0.0) -> list[np.ndarray]:
        """Points in the world where it acts, in the reference pose [m]: what the size of a mechanism is made of.

        among: mass of all bodies of the mechanism [kg].

        Where it is placed on the ground or on a prescribed node counts only for what lies along the line of its points:
        the frame of a plane, an axis or an elastic joint may be anywhere there, with another offset.
        """
        return self._points(held=False)

    def _points(self, held: bool) -> list[np.ndarray]:
        """Places on its nodes in the world [m]; held: also on those without unknowns."""
        points = []
        for name in self.marked(NODE):
            node = getattr(self, name)
            place = getattr(self, "place" if name == "n" else f"place_{name}", None)
            if node.free or held:
                points.append(node.place.point(place.position if isinstance(place, Placement) else np.zeros(3)))
        return points

    # ---- what it looks like
    def polyline(self) -> list[tuple[Node, np.ndarray]]:
        """(node, point in its axes [m]) from one end to the other: what a line drawing of it joins."""
        names = self.marked(NODE)
        return [(getattr(self, name), _point(getattr(self, f"place_{name}", None))) for name in names]

    def draw(self, sketch: Sketch) -> None:
        """Shows its shape; nothing by default."""

    def carried(self) -> list[tuple[float, Node, Placement]]:
        """Sections along a span in the reference pose: x, the node that carries it, its frame there; or none."""
        return []

    def declared_rotor(self) -> DeclaredRotor | None:
        """The rotor that it is, with its blades; None for all else."""
        return None

    def unit_of(self, output: Output) -> str:
        """The unit of an output, where instances of a kind differ in it."""
        return output.unit

    def prepare(self) -> None:
        """Fills in what follows from other fields, before the checks."""

    def examine(self) -> None:
        """Checks of the whole element, after those of its fields; raise ValueError."""

    def survey(self, elements: Iterable[Element]) -> None:
        """Checks the element among all those of a complete model; raise ValueError."""


def _point(place: Any) -> np.ndarray:
    """Where a place of an element is, one that may be a frame, a point, or not given."""
    if place is None:
        return np.zeros(3)
    return np.asarray(place.position if isinstance(place, Placement) else place, float)
