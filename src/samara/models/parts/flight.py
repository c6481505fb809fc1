"""Flight controls of a craft: sticks, attitude regulators, servos and mixing unit, and the holding device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.wind.air import Air
from samara.elements.control.blocks.signal_sum import SignalSum
from samara.elements.control.regulators.attitude_regulator import AttitudeRegulator
from samara.elements.control.servos.limited_servo import LimitedServo
from samara.elements.deformable.joint import DeformableJoint
from samara.elements.joints.total import TotalJoint
from samara.elements.laws.damper import DamperLaw
from samara.elements.laws.driven import DrivenLaw
from samara.model import (
    Constant,
    Cosine,
    Drive,
    Expression,
    Input,
    Model,
    ModelError,
    Motion,
    Node,
    Placement,
    Sine,
    State,
    Stick,
)
from samara.models.controls import control
from samara.models.parts.controls import Told
from samara.results import Results
from samara.rotations import rotation_from_euler, rotation_z

if TYPE_CHECKING:
    from samara.analysis import Trim

#: Axes of a pilot: up, right, nose up, nose right; what each asks for besides blades: an attitude.
AXES = {"collective": None, "lateral": "roll", "longitudinal": "pitch", "pedal": "heading"}
#: What changes its sign in the mirror image of a craft.
MIRRORED = ("lateral", "pedal", "roll")
#: From axes aft, right, up to those of attitude (forward, right, down).
FORWARD = Placement((0.0, 0.0, 0.0), np.diag([-1.0, 1.0, -1.0]))
#: Damper that holds a craft until it is let go [N s/m, N m s/rad]: 100 N move it by 1 um/s; and how it fades [s].
HOLD, FADE = 1e8, 0.5


@dataclass(frozen=True)
class Autopilot:
    """Regulators that hold roll, pitch and heading.

        output = proportional (target - angle) - derivative rate,     at most `authority`

    gains: {angle: (proportional, derivative [s])}, in units of the output by rad. lag: of the derivative [s]; unit,
    scale: of the output, see `Regulator`.
    """

    gains: Mapping[str, tuple[float, float]]
    authority: float
    lag: float = 0.05
    unit: str = "rad"
    scale: float = 0.01

    def add(
        self,
        model: Model,
        craft: Node,
        targets: Mapping[str, Drive],
        signs: Mapping[str, float] | None = None,
        against: Node | None = None,
    ) -> dict[str, State]:
        """Adds autopilot.roll and so on to a craft with axes aft, right, up; outputs by angle, times signs.

        against: the node from whose axes angles count, the ground if None.
        """
        added = {}
        for angle, (proportional, derivative) in self.gains.items():
            k = (signs or {}).get(angle, 1.0)
            law = PID(
                proportional=k * proportional, derivative=k * derivative, lag=self.lag, lower=-self.authority,
                upper=self.authority, corner=0.25 * self.authority,
            )  # fmt: skip
            regulator = AttitudeRegulator(
                against or model.ground, craft, place_a=FORWARD, place_b=FORWARD, angle=angle, law=law,
                target=targets[angle], unit=self.unit, scale=self.scale,
            )  # fmt: skip
            added[angle] = model.add(f"autopilot.{angle}", regulator).output
        return added


@dataclass(frozen=True)
class FlightControls:
    """Four axes of a pilot with servos, and a mixing unit from them to what blades or motors are told.

        axis = servo(trim + autopilot) within limits,     told = sum of mix axis

    autopilot: holds the attitude; lateral, longitudinal and pedal are what roll, pitch and heading add to.
    mix:    {output: {axis: share}}, axes: collective (up), lateral (right), longitudinal (nose up), pedal (nose right).
    limits: {axis: (lower, upper)}. time [s], rate [1/s of the unit]: of the servos; unit: of axes and outputs.
    sticks: {axis: what a full stick asks for}: of the collective in its unit, of the others an angle [rad].
    """

    autopilot: Autopilot
    mix: Mapping[str, Mapping[str, float]]
    limits: Mapping[str, tuple[float, float]]
    time: float = 0.02
    rate: float = 2.0
    unit: str = "rad"
    sticks: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(AXES, 0.0))

    def add(
        self,
        model: Model,
        craft: Node,
        trim: Mapping[str, float],
        attitude: Mapping[str, Drive],
        against: Node | None = None,
    ) -> dict[str, Told]:
        """Adds axis.collective, ..., mix.output; returns what it tells, by output.

        trim: of the axes, {"collective": ..., ...}, which become parameters of these names. attitude: what roll, pitch
        and heading are without sticks [rad], against the axes of a node, the ground if None.
        """
        sticks = {name: Input(f"stick.{name}", unit="1") for name in AXES}
        asked = {name: self.sticks[name] * sticks[name] for name in AXES}
        values = {name: control(name, trim[name], self.unit).drive for name in AXES}
        targets = {angle: attitude[angle] + asked[name] for name, angle in AXES.items() if angle}
        added = self.autopilot.add(model, craft, targets, against=against)
        scale = self.autopilot.scale
        axes = {}
        for name, angle in AXES.items():
            lower, upper = self.limits[name]
            servo = LimitedServo(
                command=values[name] if angle else values[name] + asked[name], time=self.time, rate=self.rate,
                lower=lower, upper=upper, corner=0.02 * (upper - lower), start=trim[name], unit=self.unit, scale=scale,
                y=[added[angle]] if angle else [],
            )  # fmt: skip
            axes[name] = model.add(f"axis.{name}", servo).output
        model.declare_sticks(
            craft=craft, roll=Stick(sticks["lateral"], (-1.0, 1.0)), pitch=Stick(sticks["longitudinal"], (1.0, -1.0)),
            yaw=Stick(sticks["pedal"], (-1.0, 1.0)), collective=Stick(sticks["collective"], (-1.0, 1.0)),
        )  # fmt: skip
        starts = {name: sum(share * trim[axis] for axis, share in mix.items()) for name, mix in self.mix.items()}
        return {name: Told(self._mixed(model, name, axes, mix), starts[name]) for name, mix in self.mix.items()}

    def _mixed(self, model: Model, name: str, axes: Mapping[str, State], shares: Mapping[str, float]) -> State:
        """An output; one axis as it is needs no unit."""
        if list(shares.values()) == [1.0]:
            return axes[next(iter(shares))]
        u, gains = [axes[axis] for axis in shares], tuple(shares.values())
        block = SignalSum(u, gains=gains, unit=self.unit, scale=self.autopilot.scale)
        return model.add(f"mix.{name}", block).output


@dataclass(frozen=True)
class Flight:
    """How a craft flies at the start: towards -x, level, through the air at `airspeed`, into a head wind [m/s].

    trim: attitude, {"pitch": ..., "roll": ...} [rad], and more. release: when it is let go [s]; until then a damper, so
    stiff that nothing moves against it, lets blades and wakes settle; inf: a joint holds it for good, see `hold`.
    climb, sideslip: angles of the path, up, and of the air, from the right [rad].
    turn_rate: of a craft that is held, to the right [rad/s]: it goes round the world's z axis, and so does what its
               autopilot takes for level and ahead.

    Through the air it has the velocity V (-cos(climb) cos(sideslip), cos(climb) sin(sideslip), sin(climb)), along aft,
    right and up of a level craft. One that is held stands in a wind of that size, whatever `wind` says, parameters
    wind, wind_y and wind_z; one that turns goes round in calm air, which only sinks as fast as it climbs, wind_z.
    """

    trim: Mapping[str, float]
    airspeed: float = 0.0
    wind: float = 0.0
    release: float = 0.0
    climb: float = 0.0
    sideslip: float = 0.0
    turn_rate: float = 0.0

    def __post_init__(self) -> None:
        if self.turn_rate and not (self.held and self.airspeed > 0.0):
            raise ModelError("Flight: a craft that turns is held, release=np.inf, and has an airspeed")

    @property
    def through_air(self) -> np.ndarray:
        """Velocity through the air, along aft, right and up of a level craft [m/s]."""
        c, s = np.cos(self.climb), np.sin(self.climb)
        return self.airspeed * np.array([-c * np.cos(self.sideslip), c * np.sin(self.sideslip), s])

    @property
    def held(self) -> bool:
        """Whether it is never let go."""
        return self.release == np.inf

    def add(self, model: Model, controls: FlightControls, name: str = "fuselage") -> tuple[Node, Air, dict[str, Told]]:
        """Adds the craft's node, what holds it and its controls; returns node, air and what the controls tell.

        The wind is a parameter, wind [m/s]; of a craft that is held also wind_y and wind_z.
        """
        angles = {"roll": self.trim["roll"], "pitch": self.trim["pitch"], "heading": 0.0}
        attitude = {angle: control(angle, value).drive for angle, value in angles.items()}
        turned, through = attitude_of(angles["pitch"], angles["roll"]), self.through_air
        if self.turn_rate:
            craft, level = self._turning(model, name, turned, attitude)
        else:
            velocity = np.zeros(3) if self.held else through + np.array([self.wind, 0.0, 0.0])
            craft, level = model.node(name, rotation=turned, velocity=velocity), None
            hold(model, craft, attitude["pitch"], attitude["roll"], 0.0, self.release)
        told = controls.add(model, craft, self.trim, attitude, level)
        return craft, Air.standard(wind=self._winds()), told

    def _winds(self) -> tuple[Any, ...]:
        """Of the air over the world [m/s]."""
        if not self.held:
            return control("wind", self.wind, "m/s").drive, 0.0, 0.0
        x, y, z = 0.0 - self.through_air
        if self.turn_rate:
            return 0.0, 0.0, control("wind_z", z, "m/s").drive
        return tuple(control(axis, w, "m/s").drive for axis, w in (("wind", x), ("wind_y", y), ("wind_z", z)))

    def _turning(self, model: Model, name: str, turned: np.ndarray, attitude: Mapping[str, Drive]) -> tuple[Node, Node]:
        """A craft that a joint, "hold", takes round the world's z axis, and what it is level against.

        It begins where it flies to -x.
        """
        about_z, side = -self.turn_rate, -self.airspeed * np.cos(self.climb) / self.turn_rate
        round_z = Expression(lambda t: about_z * t)
        way = (Sine(-side, about_z), Sine(side, about_z, phase=0.5 * np.pi, offset=-side), 0.0)
        at, nose = (0.0, side, 0.0), rotation_z(self.sideslip)
        motion: Any = {"velocity": (-about_z * side, 0.0, 0.0), "angular_velocity": (0.0, 0.0, about_z)}
        craft = model.node(name, at, nose @ turned, **motion)
        stand = model.prescribed("stand", Motion(way, (0.0, 0.0, round_z)), at, nose)
        gimbal = model.node("gimbal", at, nose, static=True, **motion)
        model.add("gimbal.pitch", TotalJoint(stand, gimbal, rotation=(0.0, attitude["pitch"], 0.0), start={}))
        frames: Any = {"place_a": Placement(), "place_b": Placement()}
        model.add("hold", TotalJoint(gimbal, craft, **frames, rotation=(-attitude["roll"], 0.0, 0.0), start={}))
        return craft, stand


def attitude_of(pitch: float, roll: float, heading: float = 0.0) -> np.ndarray:
    """Axes of a craft, aft, right, up, from its angles [rad]."""
    return FORWARD.rotation @ rotation_from_euler("ZYX", (heading, pitch, roll)) @ FORWARD.rotation


def hold(model: Model, craft: Node, pitch: Drive, roll: Drive, heading: float, release: float) -> None:
    """A joint if the craft is never released, else a damper to a node that flies along, until it is.

    The joint, "hold", knows what is missing, "hold.force" and "hold.couple"; it follows pitch and roll [rad].
    """
    if release == np.inf:
        stand = model.prescribed("stand", Motion(rotation=(0.0, pitch, 0.0)), rotation=rotation_z(-heading))
        turned = (-roll, 0.0, 0.0)
        model.add("hold", TotalJoint(stand, craft, place_a=Placement(), place_b=Placement(), rotation=turned))
    elif release > 0.0:
        fade = min(FADE, release)
        stiff = DrivenLaw(DamperLaw(HOLD), Cosine(-1.0, fade, start=release - fade, initial=1.0))
        along = tuple(Constant(v) * Expression(lambda t: t) for v in craft.velocity)
        track = model.prescribed("track", Motion(position=along), frame=craft)
        # axes of the track: where the craft is does not matter then, so that its carrier is free to follow it
        model.add("hold", DeformableJoint(track, craft, law=(stiff,) * 6, axes="d"))


def trim_held(
    model: Model, first: Mapping[str, float], weight: float, *, period: Any, sink: float | None = None, **options: Any
) -> Trim:
    """Parameters of a held model with which the means of the joint's force and couple over a period vanish.

    first: {parameter: guess}, six. weight [N]: forces are met to the tolerance times it, couples to that of a metre of
    it, unless options of `sm.trim` say otherwise. sink: with the engines off: a first guess of the speed [m/s] at which
    it goes down, parameter wind_z, with which all rotors together take no power (within 10 m/s of the weight).
    """
    from samara.analysis import trim  # marches: loaded only when it is needed

    targets: dict[Any, float] = {f"hold.{load}.{axis}": 0.0 for load in ("force", "couple") for axis in "xyz"}
    sizes: dict[Any, float] = dict.fromkeys(targets, weight)
    usual: dict[str, Any] = {"sizes": sizes, "outputs": ("*",)}
    if sink is not None:
        rotors = [f"{name}.power" for name, element in model.elements.items() if isinstance(element, Rotor)]

        def power(results: Results) -> float:
            """Mean power that all rotors take from their shafts [W]."""
            return float(sum(results[name].mean() for name in rotors))

        targets[power], sizes[power], first = 0.0, 10.0 * weight, {**first, "wind_z": sink}
        usual["nudges"] = {"wind_z": 0.1}
    return trim(model, first, targets, period=period, **(usual | options))


def trim_flight(
    build: Callable[[Flight], Model],
    first: Mapping[str, float],
    weight: float,
    airspeed: float = 0.0,
    *,
    climb: float = 0.0,
    sideslip: float = 0.0,
    turn_rate: float = 0.0,
    sink: float | None = None,
    **options: Any,
) -> Trim:
    """Trim of any craft made of parts, in any steady manoeuvre: six balances in free flight for six unknowns.

    build:    the model in a flight, such as `samara.models.helicopters.coaxial.coaxial`.
    first:    guesses of collective, lateral, longitudinal, pedal, pitch and roll, whatever they move in it [rad].
    airspeed: along the path [m/s]; climb, sideslip [rad]: see `Flight`.
    turn_rate: to the right [rad/s], see also `turn_rate_of`. A level turn without sideslip is coordinated.
    sink:     engines off, in autorotation: `airspeed` is then that over the ground, and what is given here is the first
              guess of the speed down [m/s].
    options:  of `trim_held`, the period above all.
    """
    model = build(Flight(first, airspeed, airspeed, np.inf, climb, sideslip, turn_rate))
    round_z = {"turning": -turn_rate} if turn_rate else {}
    return trim_held(model, first, weight, sink=sink, **round_z, **options)


def turn_rate_of(load_factor: float, airspeed: float, gravity: float = 9.81) -> float:
    """Rate of a level coordinated turn [rad/s] in which the craft carries so many times its weight.

    n = 1 / cos(phi),   tan(phi) = V psi' / g:   psi' = g sqrt(n^2 - 1) / V
    """
    return gravity * float(np.sqrt(load_factor**2 - 1.0)) / airspeed


def between(table: Mapping[str, Sequence[float]], airspeed: float, mirrored: bool = False) -> dict[str, float]:
    """Controls and attitude between the trims of a table {"airspeed": [m/s], "collective": ..., "roll": ...}.

    mirrored: of the mirror image, whose lateral, pedal and roll are the other way.
    """
    speeds = table["airspeed"]
    found = {name: float(np.interp(airspeed, speeds, values)) for name, values in table.items() if name != "airspeed"}
    return found | ({name: -found[name] for name in MIRRORED} if mirrored else {})
