"""Families of elements: a joint is defined by its constraint, a coupling by its coordinates and law, a load by its
wrench. Reactions, Jacobian, rates and outputs are derived."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from samara.arguments.plausible import doubt_angle
from samara.elements.geometry.freedoms import JointFreedom
from samara.model import (
    Contribution,
    Drawn,
    Drive,
    EnergyBooks,
    ExternalLoads,
    Frame,
    Grip,
    Measure,
    ModelError,
    Node,
    Output,
    Parameter,
    Placement,
    Site,
    Sketch,
    node,
    placement,
    setting,
)
from samara.model.quantities.placement import as_vector
from samara.model.quantities.returned_values import one_number, several_numbers
from samara.rotations import cross, dot, rotation_from_axes

XYZ = ("x", "y", "z")


class Placed(EnergyBooks):
    """Base of elements between a frame on node a and a frame on node b.

    Give the frames in the nodes by `place_a` and `place_b` (placements or bare points); or both frames together in the
    world, in the reference pose (nodes where `model.node` put them), by `at` (a point), `axis` (the z axis of both
    frames) and `axis_x` (approximate x axis). With `axis` alone the point is the origin of b. Without any of these, the
    frames are those of the nodes.
    """

    a: Node = node(kw_only=False)
    b: Node = node(kw_only=False)
    place_a: Placement | Any = placement(default=None)
    place_b: Placement | Any = placement(default=None)
    at: Any = setting(default=None)
    axis: Any = setting(default=None)
    axis_x: Any = setting(default=None)

    def prepare(self) -> None:
        if self.at is None and self.axis is None and self.axis_x is None:
            return
        if self.place_a is not None or self.place_b is not None:
            raise ValueError("give either at/axis in the world, or place_a/place_b in the nodes, not both")
        point = self.b.position if self.at is None else as_vector(self.at, "at")
        world = Placement(point, frame_about(self.axis, self.axis_x))
        self.place_a, self.place_b = self.a.local(world), self.b.local(world)


def frame_about(axis=None, axis_x=None) -> np.ndarray:
    """A rotation whose z axis is `axis` and whose x axis is near `axis_x` (or anywhere across)."""
    if axis is None and axis_x is None:
        return np.eye(3)
    if axis is None:
        x = as_vector(axis_x, "axis_x")
        return rotation_from_axes(x=x, y=_across(x))
    z = as_vector(axis, "axis")
    if not np.any(z):
        raise ValueError("axis is a direction: it must not be zero")
    return rotation_from_axes(z=z, x=_across(z) if axis_x is None else as_vector(axis_x, "axis_x"))


def _across(v: np.ndarray) -> np.ndarray:
    """A coordinate axis that is not along v, the same for nearby v's of equal ordering."""
    return np.eye(3)[int(np.argmin(np.abs(v)))]


def settle_held_axes(element: Any, what: str) -> None:
    """Checks `hold_position` and `hold_rotation`, three truth values each, of which one at least holds."""
    for name in ("hold_position", "hold_rotation"):
        given = tuple(getattr(element, name))
        if len(given) != 3 or not all(isinstance(held, (bool, np.bool_)) for held in given):
            raise ValueError(f"{name} must be three booleans, got {given}")
        setattr(element, name, tuple(map(bool, given)))
    if not any(element.hold_position + element.hold_rotation):
        raise ValueError(f"hold_position and hold_rotation are all False: the {what} would constrain nothing")


class Held(Placed):
    """Base of joints, which constrain two nodes by reactions; see `Joint` and `RateJoint`.

    Reactions are reported as the force and couple on node b, at b's joint frame and in its axes.
    """

    grip = Grip.JOINT

    def motion(self, a: Frame, b: Frame) -> dict[str, tuple[Any, str]]:
        """Relative coordinates to report, {name: (one number or three, unit)}; their rates are added automatically."""
        return {}

    def freedoms(self) -> tuple[JointFreedom, ...] | None:
        """Its degrees of freedom as elementary motions from frame A to frame B; None if it has no explicit map."""
        return None

    def prescribes(self) -> tuple[str, Drive] | None:
        """("angle", drive) or ("rate", drive) of what it makes a freedom of another joint follow; None if nothing."""
        return None

    def prescribed_angle(self, R_AB: np.ndarray) -> float:
        """The angle that is prescribed, at a rotation of its frame on b against that on a [rad]."""
        raise ModelError(f"{type(self).__name__} prescribes no angle")

    def _hold(self, site: Site, held: Measure, **rows) -> Contribution:
        multipliers = site.multipliers(len(held.value))
        wrenches = held.wrenches(multipliers)
        # drives let power in: what the reactions do while the held measures move by themselves
        power = dot(multipliers, held.drift)
        outputs = [*reactions(wrenches[-1], self.place_b), *_motion(self, site)]
        if self.takes_drives():
            outputs.append(Output("power", "W", power, description="power that the drive puts in"))
        return Contribution(wrenches, balances=held.balances(multipliers), supplied=power, outputs=outputs, **rows)


class Starting(Held):
    """A joint that may define the initial relative pose and motion of its nodes.

    start: {name: value}, with the names of the channels: coordinates as "angle" [rad], their rates as "angle_rate"
           [rad/s]; with a `rotation` vector also "angular_velocity", that of b relative to a in axes of frame B
           [rad/s]. The part beyond the joint, with everything attached to it, is moved there from the reference pose.
           Coordinates not named keep the value of the reference pose; rates not named follow from the velocities given
           to nodes, or are zero. None: the joint moves nothing. See `samara.system.start.start`.
    """

    #: whether it holds its nodes after a whole turn as before; a screw does not
    returning: ClassVar[bool] = False

    start: Any = setting(default=None)

    def constraint(self, a: Frame, b: Frame) -> list:
        """Functions of the two joint frames that vanish; none by default."""
        return []

    def rate_constraint(self, a: Frame, b: Frame) -> list:
        """Functions of the two joint frames and their twists that vanish; none by default."""
        return []

    def validate(self) -> None:
        super().validate()
        if self.start is not None:
            known = self.startable()
            self.start = _checked_start(self.start, known)
            for name, given in self.start.items():
                if self.returning and self.prescribes() is None and known[name][1] == "rad":
                    doubt_angle(f"{type(self).__name__}: start: {name}", float(max(given, key=abs)))

    def startable(self) -> dict[str, tuple[int, str]]:
        """What `start` may name: {name: (how many numbers, unit)}."""
        plain = (float(leaf) if isinstance(leaf, Parameter) else leaf for leaf in self.leaves())
        twin = self.rebuild(iter([0.0 if isinstance(leaf, Drive) else leaf for leaf in plain]))
        frame = Frame(np.eye(3), *np.zeros((5, 3)))
        with np.errstate(all="ignore"):
            motion = twin.motion(frame.at(twin.place_a), frame.at(twin.place_b))
        units = {name: (int(np.size(value)), unit) for name, (value, unit) in motion.items()}
        rates = {f"{name}_rate": (size, f"{unit}/s") for name, (size, unit) in units.items()}
        spin = {"angular_velocity": (3, "rad/s")} if units.get("rotation", (0, ""))[0] == 3 else {}
        return units | rates | spin


def _checked_start(given: Any, known: dict[str, tuple[int, str]]) -> dict[str, np.ndarray]:
    """A start with its numbers as arrays."""
    if not isinstance(given, Mapping):
        raise ValueError(f"start must be a dict such as {{'angle': 0.3, 'angle_rate': 2.0}}, got {given!r}")
    if "rotation_rate" in given and "angular_velocity" in given:
        raise ValueError("start: give either rotation_rate or angular_velocity, not both")
    found = {}
    for name, value in given.items():
        if name not in known:
            names = (
                ", ".join(f"{n} [{unit}]" for n, (_, unit) in known.items()) or "nothing: it has no degrees of freedom"
            )
            raise ValueError(f"start has no {name!r}; it takes {names}")
        size, unit = known[name]
        entries = np.ravel(np.asarray(value, dtype=object))
        if any(isinstance(v, (Parameter, Drive)) for v in entries):
            raise ValueError(f"start: {name} cannot be a Parameter or a drive: give its number [{unit}]")
        real = all(isinstance(v, Real) and not isinstance(v, (bool, np.bool_)) for v in entries)
        numbers = entries.astype(float) if real else np.zeros(0)
        if numbers.shape != (size,) or not np.isfinite(numbers).all():
            wanted = "a finite number" if size == 1 else f"{size} finite numbers"
            raise ValueError(f"start: {name} must be {wanted} [{unit}], got {value!r}")
        found[name] = numbers
    return found


class Joint(Starting, Drawn):
    """Base of joints with position constraints; a subclass defines `constraint`, and `motion` for its free
    coordinates."""

    def constraint(self, a: Frame, b: Frame) -> list:
        """Functions of the two joint frames that vanish."""
        raise ModelError(f"{type(self).__name__}: define a method constraint(a, b)")

    def draw(self, sketch: Sketch) -> None:
        """A joint at its frame on a, and what it does to b."""
        sketch.joint(self.a, self.place_a.position)
        for output in ("force", "couple"):
            sketch.vector(output, self.b, self.place_b)

    def formulate(self, site: Site) -> Contribution:
        def held(a: Frame, b: Frame) -> list:
            return several_numbers(self, "constraint", self.constraint(a.at(self.place_a), b.at(self.place_b)))

        g = site.measure(held)
        return self._hold(site, g, constraints=g.value)


class RateJoint(Starting):
    """Base of non-holonomic joints, which constrain velocities; a subclass defines `rate_constraint`, linear in the
    twists."""

    def rate_constraint(self, a: Frame, b: Frame) -> list:
        """Functions of the two joint frames and their twists that vanish."""
        raise ModelError(f"{type(self).__name__}: define a method rate_constraint(a, b)")

    def formulate(self, site: Site) -> Contribution:
        def held(a: Frame, b: Frame) -> list:
            rates = self.rate_constraint(a.at(self.place_a), b.at(self.place_b))
            return several_numbers(self, "rate_constraint", rates)

        f = site.measure_rates(held)
        return self._hold(site, f, rates=f.value)


def reaction_on_b(wrench_b, place: Placement) -> tuple[np.ndarray, np.ndarray]:
    """Force and couple of a joint on b, at the joint frame and in its axes, from what b's equations receive."""
    force, moment = -wrench_b[:3], -wrench_b[3:] + cross(place.position, wrench_b[:3])
    return place.rotation.T @ force, place.rotation.T @ moment


def reactions(wrench_b, place: Placement) -> list[Output]:
    """The same as outputs."""
    force, couple = reaction_on_b(wrench_b, place)
    return [
        Output("force", "N", force, XYZ, "force on node b at the joint, in the joint's axes on b"),
        Output("couple", "N m", couple, XYZ, "couple on node b, in the joint's axes on b"),
    ]


def _motion(element: Held, site: Site) -> list[Output]:
    def motion(a, b):
        return element.motion(a.at(element.place_a), b.at(element.place_b))

    named = motion(*site.frames)
    if not named:
        return []
    _check_motion(element, named)
    measured = site.measure(lambda a, b: [x for value, _ in motion(a, b).values() for x in np.ravel(value)])
    outputs, first = [], 0
    for name, (shape, unit) in named.items():
        one = np.ndim(shape) == 0
        part = first if one else slice(first, first + 3)
        axes = () if one else XYZ
        outputs.append(Output(name, unit, measured.value[part], axes, f"{name} of b against a"))
        outputs.append(Output(f"{name}_rate", f"{unit}/s", measured.rate[part], axes, f"rate of {name}"))
        first += 1 if one else 3
    return outputs


def _check_motion(element: Held, named: Any) -> None:
    """What `motion` gives is {name: (a number or three, unit)}."""
    for name, given in named.items() if isinstance(named, dict) else [(named, None)]:
        fits = isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], str)
        if given is None or not fits or np.size(np.asarray(given[0], dtype=object)) not in (1, 3):
            raise ModelError(
                f"{type(element).__name__}: motion must return {{name: (one number or three, unit)}}, see {name!r}"
            )


class Coupling(Placed):
    """Base of force elements between two nodes: coordinates q(a, b) and a law for the efforts that oppose them.

    Power is balanced by construction: forces follow from the virtual work of the efforts.
    """

    grip = Grip.FORCE
    #: name, unit of a coordinate and unit of its effort
    coordinate_names: ClassVar[tuple[str, ...]] = ("length",)
    units: ClassVar[tuple[str, str]] = ("m", "N")

    def coordinates(self, a: Frame, b: Frame) -> list:
        """The coordinates on which the efforts act, functions of the two frames."""
        raise ModelError(f"{type(self).__name__}: define a method coordinates(a, b)")

    def effort(self, q, q_rate):
        """Restoring efforts, positive towards smaller q, from coordinates and their rates."""
        raise ModelError(f"{type(self).__name__}: define a method effort(q, q_rate)")

    def potential(self, q):
        """Stored energy [J]."""
        return 0.0

    def dissipation(self, q, q_rate):
        """Dissipated power [W]."""
        return 0.0

    def supply(self, q, q_rate):
        """External power [W], supplied by driven efforts."""
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        def coordinates(a: Frame, b: Frame) -> list:
            return several_numbers(self, "coordinates", self.coordinates(a.at(self.place_a), b.at(self.place_b)))

        q = site.measure(coordinates)
        efforts = several_numbers(self, "effort", self.effort(q.value, q.rate), len(q.value))
        return Contribution(
            wrenches=q.wrenches(efforts),
            potential=one_number(self, "potential", self.potential(q.value)),
            dissipated=one_number(self, "dissipation", self.dissipation(q.value, q.rate)),
            # drives put power in through efforts and through the coordinates themselves
            supplied=one_number(self, "supply", self.supply(q.value, q.rate)) + dot(efforts, q.drift),
            outputs=self.report(q.value, q.rate, efforts),
        )

    def report(self, q, q_rate, efforts) -> list[Output]:
        """What is recorded: each coordinate, its rate and its effort."""
        if len(self.coordinate_names) != len(q):
            raise ModelError(
                f"{type(self).__name__}: coordinates must return one value for each of "
                f"coordinate_names, {', '.join(self.coordinate_names)}, got {len(q)}"
            )
        outputs = []
        for name, value, rate, effort in zip(self.coordinate_names, q, q_rate, efforts, strict=True):
            outputs.append(Output(name, self.units[0], value))
            outputs.append(Output(f"{name}_rate", f"{self.units[0]}/s", rate))
            outputs.append(Output("effort" if len(efforts) == 1 else f"effort_{name}", self.units[1], effort))
        return outputs


class Load(ExternalLoads, Drawn, EnergyBooks):
    """Base of external loads on one node; a subclass defines `load`. n: the node."""

    n: Node = node(kw_only=False)

    def load_drives(self) -> list[Drive]:
        return [leaf for leaf in self.leaves() if isinstance(leaf, Drive)]

    def load(self, n: Frame, world: Frame):
        """(force, couple about the node) in the node's axes, from the node's frame and the world frame relative to
        it."""
        raise ModelError(f"{type(self).__name__}: define a method load(n, world)")

    def draw(self, sketch: Sketch) -> None:
        """What it does to the node."""
        for output in ("force", "couple"):
            sketch.vector(output, self.n)

    def formulate(self, site: Site) -> Contribution:
        n, given = site.frames[-1], self.load(site.frames[-1], site.world)
        if not isinstance(given, tuple) or len(given) != 2:
            raise ModelError(f"{type(self).__name__}: load must return (force, couple), three numbers each")
        force, couple = (np.asarray(several_numbers(self, "load", x, 3)) for x in given)
        power = force @ n.v + couple @ n.w
        return Contribution(
            wrenches=[-np.concatenate([force, couple])],
            supplied=power,
            outputs=[
                Output("force", "N", force, XYZ, "force on the node, in its axes"),
                Output("couple", "N m", couple, XYZ, "couple about the node, in its axes"),
            ],
        )
