"""What flies a craft: sticks, attitude regulators, servos and the mixing unit; and what holds it until it is let go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.wind.air import Air
from samara.elements.control.blocks.signal_sum import SignalSum
from samara.elements.control.regulators.attitude_regulator import AttitudeRegulator
from samara.elements.control.servos.limited_servo import LimitedServo
from samara.elements.deformable.joint import DeformableJoint
from samara.elements.joints.total import TotalJoint
from samara.elements.laws.damper import DamperLaw
from samara.elements.laws.driven import DrivenLaw
from samara.model import Constant, Cosine, Drive, Expression, Input, Model, Motion, Node, Placement, State, Stick
from samara.models.controls import control
from samara.models.parts.controls import Told
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
        self, model: Model, craft: Node, targets: Mapping[str, Drive], signs: Mapping[str, float] | None = None
    ) -> dict[str, State]:
        """Adds autopilot.roll and so on to a craft with axes aft, right, up; outputs by angle, times signs."""
        added = {}
        for angle, (proportional, derivative) in self.gains.items():
            k = (signs or {}).get(angle, 1.0)
            law = PID(
                proportional=k * proportional, derivative=k * derivative, lag=self.lag, lower=-self.authority,
                upper=self.authority, corner=0.25 * self.authority,
            )  # fmt: skip
            regulator = AttitudeRegulator(
                model.ground, craft, place_a=FORWARD, place_b=FORWARD, angle=angle, law=law, target=targets[angle],
                unit=self.unit, scale=self.scale,
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
        self, model: Model, craft: Node, trim: Mapping[str, float], attitude: Mapping[str, Drive]
    ) -> dict[str, Told]:
        """Adds axis.collective, ..., mix.output; returns what it tells, by output.

        trim: of the axes, {"collective": ..., ...}, which become parameters of these names. attitude: what roll, pitch
        and heading are without sticks [rad].
        """
        sticks = {name: Input(f"stick.{name}", unit="1") for name in AXES}
        asked = {name: self.sticks[name] * sticks[name] for name in AXES}
        values = {name: control(name, trim[name], self.unit).drive for name in AXES}
        targets = {angle: attitude[angle] + asked[name] for name, angle in AXES.items() if angle}
        added = self.autopilot.add(model, craft, targets)
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
    """

    trim: Mapping[str, float]
    airspeed: float = 0.0
    wind: float = 0.0
    release: float = 0.0

    @property
    def held(self) -> bool:
        """Whether it is never let go."""
        return self.release == np.inf

    def add(self, model: Model, controls: FlightControls, name: str = "fuselage") -> tuple[Node, Air, dict[str, Told]]:
        """Adds the craft's node, what holds it and its controls; returns node, air and what the controls tell.

        The wind is a parameter, wind [m/s].
        """
        angles = {"roll": self.trim["roll"], "pitch": self.trim["pitch"], "heading": 0.0}
        turned, velocity = attitude_of(angles["pitch"], angles["roll"]), (self.wind - self.airspeed, 0.0, 0.0)
        craft = model.node(name, rotation=turned, velocity=velocity)
        attitude = {angle: control(angle, value).drive for angle, value in angles.items()}
        hold(model, craft, attitude["pitch"], attitude["roll"], 0.0, self.release)
        told = controls.add(model, craft, self.trim, attitude)
        return craft, Air.standard(wind=(control("wind", self.wind, "m/s").drive, 0.0, 0.0)), told


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


def trim_held(model: Model, first: Mapping[str, float], weight: float, *, period: Any, **options: Any) -> Trim:
    """Parameters of a held model with which the means of the joint's force and couple over a period vanish.

    first: {parameter: guess}, six. weight [N]: forces are met to the tolerance times it, couples to that of a metre of
    it, unless options of `sm.trim` say otherwise.
    """
    from samara.analysis import trim  # marches: loaded only when it is needed

    targets: dict[Any, float] = {f"hold.{load}.{axis}": 0.0 for load in ("force", "couple") for axis in "xyz"}
    usual: dict[str, Any] = {"sizes": dict.fromkeys(targets, weight), "outputs": ("*",)}
    return trim(model, first, targets, period=period, **(usual | options))


def between(table: Mapping[str, Sequence[float]], airspeed: float, mirrored: bool = False) -> dict[str, float]:
    """Controls and attitude between the trims of a table {"airspeed": [m/s], "collective": ..., "roll": ...}.

    mirrored: of the mirror image, whose lateral, pedal and roll are the other way.
    """
    speeds = table["airspeed"]
    found = {name: float(np.interp(airspeed, speeds, values)) for name, values in table.items() if name != "airspeed"}
    return found | ({name: -found[name] for name in MIRRORED} if mirrored else {})
