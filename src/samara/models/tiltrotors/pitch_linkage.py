"""What turns the blades of a tiltrotor about their span: swashplate on elastic actuators, pitch links, horns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.joints.point_constraints.distance import Distance
from samara.elements.rotor.swashplate import Swashplate, add_swashplate, plate_motion
from samara.elements.springs.strut import Strut
from samara.model import Constant, Drive, Model, ModelError, Node, Placement, State
from samara.models.articulated_rotors.puma import Rigging
from samara.models.controls import Control
from samara.models.parts.blade import AddedBlade
from samara.rotations import rotation_from_rotation_vector, rotation_x, rotation_y, rotation_z

REACH = 1.2  # rad, from the level horn, within which a pitch link is sought
STEEPEST_DEG = 60.0  # of delta-3
STEEPEST = np.deg2rad(STEEPEST_DEG)
#: Its range, as an argument of builders.
DELTA3: Mapping[str, Any] = {"lower": -STEEPEST_DEG, "upper": STEEPEST_DEG}


@dataclass(frozen=True)
class PitchLinkage:
    """Dimensions and stiffness of a swashplate on three actuators and of the pitch links that it leads.

    blades:  how many.
    horn:    from the pitch axis to its end [m].
    link:    length of a pitch link, and height of the hub over the plate when it is level [m].
    rigged:  pitch at which the horns are level [rad].
    hinge:   of flapping, from the shaft [m]; zero for a gimbal.
    delta3:  pitch-flap coupling [rad]: pitch falls by tan(delta3) times the flap angle. The end of the horn then lies
             horn tan|delta3| outboard of the flap hinge; below zero the horn trails.
    stiffness: of the control system, about the pitch axis of a blade, for collective and cyclic pitch [N m/rad].
    damping: beside it [N m s/rad].
    share:   part of its compliance that is in the links, in [0, 1); zero: rigid links.
    precone: of the pitch axes [rad]. sense: of rotation about the shaft, 1 or -1.

    With `blades` links on three actuators at the same radius an actuator has blades / (3 horn^2) times the stiffness
    about the pitch axis, a link 1 / horn^2 times that of its own. A mode in which the blades' moments cancel on the
    plate, which takes four blades or more, feels the links alone.
    """

    blades: int
    horn: float
    link: float
    rigged: float
    stiffness: float
    damping: float
    hinge: float = 0.0
    delta3: float = 0.0
    share: float = 0.0
    precone: float = 0.0
    sense: int = 1

    def __post_init__(self) -> None:
        if not abs(self.delta3) <= STEEPEST:
            raise ModelError(
                f"delta3 must be within -{np.degrees(STEEPEST):g} .. {np.degrees(STEEPEST):g} deg, got "
                f"{np.degrees(self.delta3):g} deg"
            )
        if not self.stiffness > 0.0:
            raise ModelError(f"control_stiffness must be positive, got {self.stiffness:g} N m/rad")

    @property
    def station(self) -> float:
        """End of the horn along the blade, from the shaft [m]."""
        return self.hinge + self.horn * float(np.tan(abs(self.delta3)))

    @property
    def ahead(self) -> float:
        """End of the horn along y of a blade whose x is its span: signed with the sense of rotation [m]."""
        return self.sense * (self.horn if self.delta3 >= 0.0 else -self.horn)

    @property
    def actuator(self) -> dict[str, float]:
        """Stiffness and damping of an actuator [N/m, N s/m]."""
        factor = self.blades / (3.0 * self.horn**2 * (1.0 - self.share))
        return {"stiffness": factor * self.stiffness, "damping": factor * self.damping}

    def horn_end(self) -> np.ndarray:
        """On the blade, from the hub's centre, x along the span [m]."""
        return rotation_x(-self.sense * self.rigged) @ [self.station, self.ahead, 0.0]

    def flat(self, azimuth: float) -> np.ndarray:
        """Axes of a blade without pitch at this azimuth, in the rotor's place."""
        return rotation_z(self.sense * azimuth) @ rotation_y(-self.precone)

    def give_way(self, pitch: float, feather: float, speed: float) -> float:
        """By how much pitch is less under the propeller moment [rad]: J Omega^2 sin(theta) cos(theta) over stiffness.

        feather: J, inertia of a flat blade about its span [kg m^2]; speed: Omega [rad/s].
        """
        return -feather * speed**2 * float(np.sin(pitch) * np.cos(pitch)) / self.stiffness

    def _check(self, name: str, start: Sequence[float]) -> None:
        """Refuses controls that ask for pitch out of reach; start: from the level horn."""
        swing = float(np.hypot(start[1], start[2]))
        if abs(start[0]) + swing <= REACH:
            return
        ends = (self.rigged - REACH, self.rigged + REACH, self.rigged + start[0], swing)
        lower, upper, mean, cyclic = (float(np.degrees(angle)) for angle in ends)
        raise ModelError(
            f"{name}: at the start the controls ask for a pitch of {mean:.4g} deg and a cyclic pitch of {cyclic:.4g} "
            f"deg, which no pitch link reaches: keep both together within {lower:.0f} .. {upper:.0f} deg"
        )

    def add(
        self,
        model: Model,
        name: str,
        *,
        mast: Node,
        turning: Node,
        place: Placement,
        controls: Sequence[Control],
        commands: Sequence[tuple[State, float]] = (),
        yielded: float = 0.0,
    ) -> PitchControls:
        """Adds the swashplate to a mast, which does not turn, led by a node that does; see `PitchControls`.

        place:    in the world: origin at the hub's centre, z along the shaft, x where the azimuth is zero.
        controls: collective, cosine and sine cyclic pitch [rad].
        commands: states that add to the collective pitch, with their values at the start [rad]. The plate then rises
                  by the horn times the angle from the level horn: pitch is off by a sixth of its cube. Without them
                  the plate's motion gives the pitch asked for.
        yielded:  what the control system has given way by at the start, nose up [rad], see `give_way`.
        """
        asked: tuple[Drive, ...] = (controls[0].drive + Constant(-self.rigged), *(c.drive for c in controls[1:]))
        start = [c.start for c in controls]
        start[0] += sum(value for _, value in commands) - self.rigged
        self._check(name, start)
        told, first = asked, tuple(start)
        if not commands:
            told = tuple(Rigging(asked, part) for part in range(3))
            first = tuple(float(Rigging(tuple(map(Constant, start)), part)(0.0)) for part in range(3))
        signs = (float(self.sense), float(self.sense), 1.0)
        collective, lateral, longitudinal = (sign * drive for sign, drive in zip(signs, told, strict=True))
        plate = add_swashplate(
            model, name, mast=mast, hub=turning, place=mast.local(place @ Placement((0.0, 0.0, -self.link))),
            horn=self.ahead, station=self.station, collective=collective, lateral=lateral, longitudinal=longitudinal,
            actuator_length=0.6 * self.link, servos=[(state, (signs[0], 0.0, 0.0)) for state, _ in commands],
            stiffness=self.actuator["stiffness"], damping=self.actuator["damping"],
        )  # fmt: skip
        first = (first[0] + (1.0 - self.share) * yielded, *first[1:])
        height, *tilt = (float(d(0.0)) for d in plate_motion(plate, *np.multiply(signs, first)))
        held = Placement((0.0, 0.0, height - self.link), rotation_from_rotation_vector((*tilt, 0.0)))
        added = PitchControls(self, plate, place, held, yielded)
        world = place @ held
        # tilted, the plate turns about its own axis
        rate = float((turning.angular_velocity - mast.angular_velocity) @ place.rotation[:, 2])
        for node, spin in ((plate.fixed, 0.0), (plate.rotating, rate)):
            w = mast.angular_velocity + spin * world.rotation[:, 2]
            node.begin(world, velocity=mast.velocity_at(world.position), angular_velocity=w)
        return added


@dataclass(frozen=True)
class PitchControls:
    """A swashplate as `PitchLinkage.add` added it, with the links that are still to be added.

    plate: where the controls hold the plates at the start, in the rotor's place.
    yielded: what the control system has given way by at the start, nose up [rad].
    """

    linkage: PitchLinkage
    swashplate: Swashplate
    place: Placement
    plate: Placement
    yielded: float = 0.0

    @property
    def length(self) -> float:
        """Of a pitch link [m]: the horn is level when the plate is, at its height of rest."""
        low = np.array([self.linkage.station, self.linkage.ahead, -self.linkage.link])
        high = rotation_y(-self.linkage.precone) @ [self.linkage.station, self.linkage.ahead, 0.0]
        return float(np.linalg.norm(high - low))

    def pitch(self, azimuth: float) -> float:
        """Of the blade at this azimuth at the start, nose up, without flap and lag [rad]: the link has its length."""
        linkage, sense = self.linkage, self.linkage.sense
        x, y, _ = self.swashplate.place.inverse().point(self.swashplate.attachment(sense * azimuth))
        low, flat = self.plate.point((x, y, 0.0)), linkage.flat(azimuth)
        length = self.length + linkage.share * self.yielded * sense * linkage.ahead

        def gap(theta: float) -> float:
            horn = flat @ rotation_x(sense * theta) @ linkage.horn_end()
            return float(np.linalg.norm(horn - low)) - length

        ends = linkage.rigged - REACH - 0.2, linkage.rigged + REACH + 0.2
        if gap(ends[0]) * gap(ends[1]) > 0.0:
            raise ModelError(
                f"{self.swashplate.fixed.name}: at the azimuth {np.degrees(azimuth):.3g} deg no pitch link reaches "
                "its horn: ask for less collective or cyclic pitch"
            )
        from scipy.optimize import brentq  # half a second: loaded only when it is needed

        return float(brentq(gap, *ends, xtol=1e-14))

    def pitch_slope(self, azimuth: float) -> float:
        """Change of that pitch with the azimuth [rad/rad]."""
        return (self.pitch(azimuth + 1e-4) - self.pitch(azimuth - 1e-4)) / 2e-4

    def attach(self, model: Model, blade: AddedBlade) -> None:
        """Adds name.pitch_link."""
        self.add_link(model, f"{blade.name}.pitch_link", blade.root, blade.place.position, blade.site.azimuth)

    def add_link(self, model: Model, name: str, blade: Node, centre: Any, azimuth: float) -> Distance | Strut:
        """Adds the link of a blade; centre: the hub's centre in the blade's axes, x along the span [m]."""
        linkage, plate = self.linkage, self.swashplate
        ends: dict[str, Any] = {
            "place_a": plate.rotating.local(Placement(plate.attachment(linkage.sense * azimuth))),
            "place_b": Placement(np.asarray(centre) + linkage.horn_end()),
            "length": self.length,
        }
        if linkage.share == 0.0:
            return model.add(name, Distance(plate.rotating, blade, **ends))
        factor = 1.0 / (linkage.share * linkage.horn**2)
        elastic = {"stiffness": factor * linkage.stiffness, "damping": factor * linkage.damping}
        return model.add(name, Strut(plate.rotating, blade, **ends, **elastic))
