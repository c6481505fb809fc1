"""The model: nodes, elements and declarations, by name."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from samara.arguments import ArgumentError, ModelError, named, text, yes_or_no
from samara.model.declarations.declared_rotor import DeclaredRotor, check_blades
from samara.model.declarations.ornament import Ornament
from samara.model.declarations.sticks import Stick, Sticks
from samara.model.element import Element
from samara.model.equations import check_states
from samara.model.frames.node import Motion, Node, NodeKind
from samara.model.junction import ABSTRACT, ELECTRIC, HYDRAULIC, THERMAL, Domain, Junction, made_junction
from samara.model.membership import check as check_element
from samara.model.membership import stranger
from samara.model.networks import check_networks
from samara.model.quantities.parameters import Parameter
from samara.model.quantities.placement import Placement, as_placement
from samara.model.quantities.state import Order, State
from samara.model.roles.inertia import FeelsGravity, Inertial
from samara.model.roles.rotor import RotorDeclaration
from samara.model.roles.survey import Surveying
from samara.model.schema.drives import Drive, Input, as_drives

E = TypeVar("E", bound=Element)
Redundant = Literal["refuse", "least-squares"]
#: Pressure of the air at sea level [Pa] (ISO 2533).
ATMOSPHERE = 101325.0
#: Names become parts of the names of recorded channels.
_NAME = re.compile(r"\w[^\s/*?]*")


class Model:
    """Nodes and elements of a mechanism.

    gravity: acceleration of gravity in world axes [m/s^2]: three numbers, parameters or drives.
    redundant: treatment of redundant constraints: "refuse" raises an error that names the joints; "least-squares" runs
             the model with the minimum-norm reactions.

    >>> model = Model("pendulum", gravity=(0, 0, -9.81))
    >>> bob = model.node("bob", position=(1, 0, 0))
    """

    def __init__(
        self,
        name: str,
        gravity=(0.0, 0.0, 0.0),
        description: str = "",
        stand_in: str = "",
        redundant: Redundant = "refuse",
    ) -> None:
        self.name, self.description, self.stand_in = text("Model: name", name), description, stand_in
        self.redundant = redundant
        if not hasattr(gravity, "__len__") or len(gravity) != 3:
            raise ModelError(f"model {name!r}: gravity must have 3 components in world axes, got {gravity!r}")
        self._gravity = as_drives(gravity, "m/s^2", f"model {name!r}: gravity")
        for drive in self._gravity:
            drive.freeze(f"gravity of model {name!r}")
        self.nodes: dict[str, Node] = {}
        self.elements: dict[str, Element] = {}
        self.states: dict[str, State] = {}
        self.ornaments: dict[str, Ornament] = {}
        self.followed: dict[str, Node] = {}
        self._rotors: dict[str, DeclaredRotor] = {}
        self._sticks: Sticks | None = None
        self.ground = Node("ground", "ground", Placement())
        self.nodes["ground"] = self.ground

    @property
    def redundant(self) -> Redundant:
        """Treatment of redundant constraints; read when the model is compiled."""
        return self._redundant

    @redundant.setter
    def redundant(self, choice: Redundant) -> None:
        if choice not in get_args(Redundant):
            raise ModelError(f"model {self.name!r}: redundant must be 'refuse' or 'least-squares', got {choice!r}")
        self._redundant = choice

    @property
    def gravity(self) -> tuple[Drive, ...]:
        """Acceleration of gravity in world axes [m/s^2]."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        raise ModelError(
            f"model {self.name!r}: set gravity when creating the model, Model(..., "
            f"gravity=...): its elements already use it"
        )

    def claim(self, name: str) -> str:
        """The name, if it is valid and unused."""
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name == "model":
            raise ModelError(
                f"model {self.name!r}: {name!r} is not a valid name: start with a letter or digit, "
                f"without spaces, '/', "
                "'*' or '?' ('model' is reserved)"
            )
        if name in self.nodes or name in self.elements or name in self.states:
            raise ModelError(f"model {self.name!r} already has an item named {name!r}: choose another name")
        return name

    # ---- nodes
    def node(
        self,
        name: str,
        position=(0.0, 0.0, 0.0),
        rotation=None,
        *,
        velocity=(0.0, 0.0, 0.0),
        angular_velocity=(0.0, 0.0, 0.0),
        static: bool = False,
        frame: Placement | Node | None = None,
    ) -> Node:
        """Adds a node with unknowns.

        position, rotation: reference pose [m], relative to `frame` (a placement or another node) or to the world. The
            node starts there unless the `start` of a joint moves it.
        velocity, angular_velocity: initial motion in world axes [m/s, rad/s], before any `start` is applied.
        static: True for a node without inertia.
        """
        kind: NodeKind = "static" if yes_or_no(f"node {name!r}: static", static) else "dynamic"
        place = self._place(name, position, rotation, frame)
        node = Node(self.claim(name), kind, place, velocity, angular_velocity)
        self.nodes[name] = node
        return node

    def prescribed(self, name: str, motion: Motion, position=(0.0, 0.0, 0.0), rotation=None, *, frame=None) -> Node:
        """Adds a node with prescribed motion; it has no unknowns."""
        if not isinstance(motion, Motion):
            raise ModelError(f"node {name!r}: give a Motion(position=..., rotation=...), got {motion!r}")
        place = self._place(name, position, rotation, frame)
        node = Node(self.claim(name), "prescribed", place, motion=motion)
        self.nodes[name] = node
        return node

    def _place(self, name: str, position, rotation, frame) -> Placement:
        try:
            place = Placement(position, np.eye(3) if rotation is None else rotation)
        except ValueError as error:
            raise ModelError(f"node {name!r}: {error}") from None
        if frame is None:
            return place
        within = frame.place if isinstance(frame, Node) else frame
        if not isinstance(within, Placement):
            raise ModelError(f"node {name!r}: frame must be a Placement or another node, got {frame!r}")
        return within @ place

    def follow(self, node: Node) -> None:
        """Integrates the motion of a part relative to the velocity of this node, not of its centre of mass.

        See `samara.solve.redundant.carrier`. The choice affects results only through the error of the time step, which
        is smallest for a node relative to which a spinning part does not translate.
        """
        if not self.member(node, "follow").free:
            raise ModelError(f"follow: node {node.name!r} is {node.kind}, so no part can follow it: give a dynamic one")
        self.followed[node.name] = node

    def member(self, node: Any, what: str) -> Node:
        """The node, if it is one of this model; `what` names it in the error, such as "beam 'wing': root"."""
        if not isinstance(node, Node):
            raise ModelError(f"{what} must be a node, got {node!r}: use the object returned by model.node(...)")
        if self.nodes.get(node.name) is not node:
            raise ModelError(f"{what}: node {node.name!r} does not belong to model {self.name!r}")
        return node

    # ---- states
    def state(
        self,
        name: str,
        order: Order = 1,
        *,
        value: float = 0.0,
        rate: float = 0.0,
        unit: str = "1",
        scale: float = 1.0,
        description: str = "",
        settled: bool = False,
    ) -> State:
        """Adds a scalar unknown that elements share, such as a pressure; see `State`."""
        state = State(order, value=value, rate=rate, unit=unit, scale=scale, description=description, settled=settled)
        return self._take(self.claim(name), state)

    def junction(
        self, name: str, domain: Domain = ABSTRACT, value: float = 0.0, scale: float | None = None
    ) -> Junction:
        """Adds a junction of a network of this domain, such as `HYDRAULIC`; shorthands: `pressure`, "
        "`potential`, `temperature`."""
        junction = made_junction(name, domain, value, scale)
        self._take(self.claim(name), junction)
        return junction

    def pressure(self, name: str, value: float = ATMOSPHERE, scale: float | None = None) -> Junction:
        """Adds a junction of pipes; value: initial absolute pressure, scale: typical pressure, by default 1e5 [Pa]."""
        return self.junction(name, HYDRAULIC, value, scale)

    def potential(self, name: str, value: float = 0.0, scale: float | None = None) -> Junction:
        """Adds a junction of wires; value: initial potential (a guess unless a capacitor holds it), "
        "scale: typical, 1 [V]."""
        return self.junction(name, ELECTRIC, value, scale)

    def temperature(self, name: str, value: float = 293.15, scale: float | None = None) -> Junction:
        """Adds a junction of heat flows; value: initial temperature, scale: typical difference, by default 1 [K]."""
        return self.junction(name, THERMAL, value, scale)

    def _take(self, name: str, state: State) -> State:
        state.join(name)
        self.states[name] = state
        return state

    # ---- elements
    def add(self, name: str, element: E) -> E:
        """Adds an element under a unique name and returns it."""
        if not isinstance(element, Element):
            raise ModelError(f"{name!r}: {element!r} is not an element")
        if element.name:
            raise ModelError(f"element {element.name!r} cannot be added again as {name!r}: create a second one")
        self.claim(name)
        for node in element.nodes():
            if isinstance(node, Node) and self.nodes.get(node.name) is not node:
                raise stranger(element, name, node, self.name)
        if isinstance(element, FeelsGravity) and element.gravity is None:
            object.__setattr__(element, "gravity", self.gravity)
        element.join(name)
        owned = list(element.owned.values())
        for state in element.states():
            if state not in owned and self.states.get(state.name) is not state:
                raise stranger(element, name, state, self.name)
        for label, state in element.owned.items():
            self._take(self.claim(f"{name}.{label}"), state)
        self.elements[name] = element
        return element

    def adorn(self, name: str, node: Node, rings: Any) -> None:
        """Adds a shape for drawings of a part, see `Ornament`. It does not affect the equations."""
        if name in self.ornaments:
            raise ModelError(f"model {self.name!r} has an ornament {name!r} already")
        try:
            self.ornaments[name] = Ornament(self.member(node, f"ornament {name!r}"), rings)
        except ModelError as error:
            raise ModelError(f"ornament {name!r}: {error}") from None

    # ---- rotors
    def declare_rotor(
        self,
        name: str,
        *,
        hub: Node,
        blades: Sequence[str],
        radius: float,
        sense: int = 1,
        craft: Node | None = None,
        disk: Placement | None = None,
    ) -> DeclaredRotor:
        """Declares the blades of a rotor without aerodynamics; with aerodynamics use `Rotor(blades=...)`.

        craft: the node that carries the shaft, by default the ground. disk: frame of the disk in the craft; by default
        at the hub in its reference pose, with z along the hub's z axis. Other arguments are those of `DeclaredRotor`.
        The declaration does not affect the equations.
        """
        if text("declare_rotor: name", name) in self.rotors:
            raise ModelError(f"model {self.name!r} already has a rotor {name!r}: choose another name")
        craft = self.ground if craft is None else craft
        for node in (hub, craft):
            self.member(node, f"rotor {name!r}: hub and craft")
        if hub is self.ground or hub is craft:
            raise ModelError(f"rotor {name!r}: hub must be a node that rotates relative to the craft, got {hub!r}")
        disk = craft.local(hub.place) if disk is None else as_placement(disk, f"rotor {name!r}: disk")
        rotor = DeclaredRotor(name, craft, hub, disk, radius, sense, blades)
        self._rotors[name] = rotor
        return rotor

    @property
    def rotors(self) -> dict[str, DeclaredRotor]:
        """The rotors whose blades are declared, by name."""
        with_air = [e.declared_rotor() for e in self.elements.values() if isinstance(e, RotorDeclaration)]
        return {rotor.name: rotor for rotor in with_air if rotor is not None} | self._rotors

    def rotor(self, name: str | None = None) -> DeclaredRotor:
        """A declared rotor by its name; without a name, the only one."""
        known = self.rotors
        if not known:
            raise ModelError(
                f"model {self.name!r} declares no rotor: name its blades with Rotor(..., blades=(...)) "
                f"or, without aerodynamics, with model.declare_rotor(...)"
            )
        if name is None and len(known) == 1:
            return next(iter(known.values()))
        if not isinstance(name, str) or name not in known:
            what = "several rotors: give the name of one" if name is None else f"there is no rotor {name!r}"
            raise ModelError(f"model {self.name!r}: {what} (it has: {', '.join(known)})")
        return known[name]

    # ---- sticks
    def declare_sticks(
        self,
        *,
        craft: Node,
        roll: Stick | None = None,
        pitch: Stick | None = None,
        yaw: Stick | None = None,
        collective: Stick | None = None,
        forward: Any = (-1.0, 0.0, 0.0),
        up: Any = (0.0, 0.0, 1.0),
        ground: float = 0.0,
    ) -> Sticks:
        """Declares the inputs that the pilot's sticks drive and the node of the craft, for piloted runs: see `Sticks`.

        Axes that are not given have no stick. The declaration does not affect the equations.
        """
        if self._sticks is not None:
            raise ModelError(f"model {self.name!r} already has sticks: declare them once only")
        axes = {"roll": roll, "pitch": pitch, "yaw": yaw, "collective": collective}
        given = {axis: stick for axis, stick in axes.items() if stick is not None}
        node = self.member(craft, "sticks: craft")
        if node is self.ground:
            raise ModelError("sticks: craft must be a node that moves, not the ground")
        self._sticks = Sticks(node, given, forward, up, ground)
        return self._sticks

    @property
    def sticks(self) -> Sticks | None:
        """The pilot's sticks, if declared."""
        return self._sticks

    def __getitem__(self, name: str) -> Node | Element | State:
        if not isinstance(name, str):
            raise ModelError(f"model {self.name!r}: nodes, elements and states are looked up by name, got {name!r}")
        found = self.nodes.get(name) or self.elements.get(name) or self.states.get(name)
        if found is None:
            named(f"model {self.name!r}", "node, element or state", name, [*self.nodes, *self.elements, *self.states])
        return found  # type: ignore[return-value]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """All named parameters that elements and drives refer to."""
        found: dict[str, Parameter] = {}
        for leaf in self._leaves():
            if isinstance(leaf, Parameter) and found.setdefault(leaf.name, leaf) is not leaf:
                raise ModelError(f"two parameters of model {self.name!r} are called {leaf.name!r}: rename one")
        return found

    @property
    def inputs(self) -> list[Input]:
        """All inputs that elements and drives refer to."""
        return list(dict.fromkeys(leaf for leaf in self._leaves() if isinstance(leaf, Input)))

    def _leaves(self) -> Iterator[Any]:
        """All that elements and drives refer to and is more than a plain number; drives are looked into."""

        def inside(leaf: Any) -> Iterator[Any]:
            if isinstance(leaf, Drive) and not isinstance(leaf, Input):
                for inner in leaf.objects():
                    yield from inside(inner)
            else:
                yield leaf

        for element in self.elements.values():
            for leaf in element.objects():
                yield from inside(leaf)
        for node in self.nodes.values():
            for drive in node.motion.drives if node.motion else ():
                yield from inside(drive)

    def check(self) -> None:
        """Raises an error if the model cannot be simulated: nodes or states without equations, "
        "duplicate parameter names."""
        self._check_parts()
        _ = self.parameters
        for element in self.elements.values():
            if isinstance(element, Surveying):
                check_element(element, element.name, functools.partial(element.survey, self.elements.values()))
        for rotor in self.rotors.values():
            check_blades(rotor, self.nodes, self.elements.values(), lambda node: node.place)
        if self._sticks is not None:
            self._sticks.check(self.inputs)
        used: dict[str, list[Element]] = {name: [] for name in self.nodes}
        for element in self.elements.values():
            for node in element.nodes():
                used[node.name].append(element)
        for name, node in self.nodes.items():
            if node.free and not used[name]:
                raise ModelError(
                    f"node {name!r} of model {self.name!r} has nothing attached: add an element or remove it"
                )
            has_inertia = any(isinstance(element, Inertial) for element in used[name])
            if node.kind == "dynamic" and not has_inertia:
                raise ModelError(f"node {name!r} is dynamic but has no inertia: add a Body, or make it static=True")
        check_networks(self.name, self.elements.values())
        check_states(self.name, self.states, self.elements.values())
        if not self.states and not any(node.free for node in self.nodes.values()):
            raise ModelError(f"model {self.name!r} has no node that can move: add one with model.node(...)")

    def _check_parts(self) -> None:
        """Refuses elements that were put in by hand, and those whose nodes were taken out."""
        for name, element in self.elements.items():
            if not isinstance(element, Element) or element.name != name:
                raise ModelError(f"element {name!r} of model {self.name!r} was not added properly: use model.add(...)")
            for node in element.nodes():
                if self.nodes.get(node.name) is not node:
                    raise ModelError(
                        f"element {name!r} is on node {node.name!r}, which was removed from model "
                        f"{self.name!r}: remove the element too"
                    )

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.nodes) - 1} nodes, {len(self.elements)} elements)"

    def _repr_html_(self) -> str:
        """For notebooks: a drawing, with expandable tables of the contents."""
        from samara.model.picture import html_of  # notebooks alone

        return html_of(self)


def require_model(what: str, given: Any, others: str = "") -> None:
    """Rejects anything but a model; `others` names what else is allowed, such as " or a System"."""
    if isinstance(given, Model):
        return
    hint = f"; samara.models.find({given!r}).make() builds a ready model" if isinstance(given, str) else ""
    raise ArgumentError(f"{what}: the model must be a Model{others}, got {given!r}{hint}")
