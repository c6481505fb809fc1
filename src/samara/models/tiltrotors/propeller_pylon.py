"""A rigid propeller on an elastic pylon in an airstream along its shaft: classical whirl flutter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.universal import Universal
from samara.elements.laws.linear import LinearLaw
from samara.method.timeline import Timeline
from samara.model import Expression, Model, ModelError, Node, Parameter, Placement
from samara.models.quantity import AROUND
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.tiltrotors.tiltrotor import DISK
from samara.rotations import rotation_z

#: What the source does not print, and is made up here.
STAND_IN = (
    "radius, polar inertia and place of the pivot are those of the example of NASA TN D-659, as quoted; rotor speed, "
    "blades, masses, stiffness and damping of the pylon are made up"
)


@dataclass(frozen=True)
class Propeller:
    """A propeller with blades of constant chord, whose twist is that of zero lift at a wind along the shaft.

    radius, cutout, chord [m]; slope: of the lift [1/rad]; mass [kg]; polar: inertia about the shaft, twice that about
    the diameters [kg m^2]; stations: of a blade.
    """

    radius: float = 2.0574
    cutout: float = 0.4
    chord: float = 0.3
    slope: float = 5.7
    mass: float = 170.0
    polar: float = 237.268
    stations: int = 6

    def along(self, wind: float, speed: float, sense: int = 1) -> Stations:
        """Gauss points of a blade: twist = atan(wind / (speed r)), flow looked at on the axis itself."""
        first, last = sorted((sense * self.cutout, sense * self.radius))
        return Stations.gauss(first, last, self.stations, self.chord, lambda x: np.arctan2(wind, speed * abs(x)))


PROPELLER = Propeller()
PYLON_MASS, PYLON_INERTIA = 300.0, 60.0  # kg; about the pivot, pitch and yaw [kg m^2]
PIVOT = 0.377797 * PROPELLER.radius  # m, from the pivot to the hub
STIFFNESS = (1.1e6, 0.9e6)  # pitch, yaw [N m/rad]: 10 and 9 Hz with the propeller at rest
DAMPING = 800.0  # N m s/rad
WIND, SPEED_RPM, BLADES = 120.0, 1020.0, 4
AIR = Air()


@checked("propeller-pylon")
def build(
    wind: Annotated[float, Quantity("m/s", "airstream along the shaft", positive=True)] = WIND,
    speed_rpm: Annotated[float, Quantity("rpm", "of the propeller, held; negative: the other way")] = SPEED_RPM,
    pitch_stiffness: Annotated[float, Quantity("N m/rad", "of the pylon; parameter", lower=0.0)] = STIFFNESS[0],
    yaw_stiffness: Annotated[float, Quantity("N m/rad", "of the pylon; parameter", lower=0.0)] = STIFFNESS[1],
    damping: Annotated[
        float, Quantity("N m s/rad", "of the pylon, pitch and yaw alike; parameter", lower=0.0)
    ] = DAMPING,
    pivot: Annotated[float, Quantity("m", "from the pylon's pivot forward to the hub", positive=True)] = PIVOT,
    blades: Annotated[
        int, Quantity("", "how many, three or more", lower=3, why="since two make no disc of equal inertias")
    ] = BLADES,
    design_wind: Annotated[float, Quantity("m/s", "at which twist gives no lift; 0: wind itself", lower=0.0)] = 0.0,
    kick_deg: Annotated[float, Quantity("deg", "pitch of the pylon at the start", lower=-89.0, upper=89.0)] = 0.5,
    azimuth_deg: Annotated[float, Quantity("deg", "of blade_1 at the start, in the sense of rotation", **AROUND)] = 0.0,
) -> Model:
    """A windmilling propeller of rigid blades on a pylon that pitches and yaws about a pivot behind it.

        ground -universal joint, springs and dampers- pylon -turns at a constant speed- propeller

    The airstream is along x, the shaft points against it, the pivot is at the origin. Blade elements with a straight
    lift curve, without drag and without induced velocity; twist is such that no section has lift as long as the shaft
    is straight, so that small motions obey the linear equations of `docs/theory/whirl-flutter.md` to first order.
    With a `design_wind` other than the wind the propeller pulls or brakes, which those equations leave out.

    Whirl is backward, against the rotation, at about 5 Hz; it is damped in a slow airstream and grows in a fast one.
    Geometry and polar inertia: the example of W. H. Reed and S. R. Bland, An analytical treatment of aircraft propeller
    precession instability, NASA TN D-659, 1961, as quoted elsewhere. For the rest see `STAND_IN`.
    """
    if speed_rpm == 0.0:
        raise ModelError("propeller-pylon: speed_rpm must not be zero")
    sense = -1 if speed_rpm < 0.0 else 1
    speed = abs(speed_rpm) * np.pi / 30
    model = Model("propeller-pylon", stand_in=STAND_IN)
    pylon = model.node("pylon", rotation=DISK)
    model.add("pylon.body", Body(pylon, mass=PYLON_MASS, inertia=(PYLON_INERTIA,) * 3))
    origin = Placement((0.0, 0.0, 0.0), DISK)
    start = {"angle_b": np.deg2rad(kick_deg)}
    model.add("pivot", Universal(model.ground, pylon, place_a=origin, start=start))
    viscous = Parameter("damping", damping, "N m s/rad")
    laws = [
        LinearLaw(Parameter(name, value, "N m/rad"), damping=viscous)
        for name, value in (("yaw_stiffness", yaw_stiffness), ("pitch_stiffness", pitch_stiffness))
    ]
    model.add("mount", DeformableHinge(model.ground, pylon, place_a=origin, law=(*laws, None)))
    hub = _add_hub(model, pylon, pivot, sense, speed, np.deg2rad(azimuth_deg))
    air = Air(density=AIR.density, wind=(wind, 0.0, 0.0))
    along = PROPELLER.along(design_wind or wind, speed, sense)
    for k in range(blades):
        # x along the span, y to the leading edge, which leads in the sense of rotation
        axes = rotation_z(sense * 2 * np.pi * k / blades) @ np.diag([sense, sense, 1.0])
        load = AeroBody(
            hub,
            place=Placement((0.0, 0.0, 0.0), axes),
            stations=along,
            aerofoil=ThinAerofoil(slope=PROPELLER.slope),
            air=air,
        )
        model.add(f"blade_{k + 1}.air", load)
    names = [f"blade_{k + 1}" for k in range(blades)]
    disk = pylon.local(Placement(hub.position, DISK))
    model.declare_rotor("rotor", hub=hub, blades=names, radius=PROPELLER.radius, sense=sense, craft=pylon, disk=disk)
    return model


def _add_hub(model: Model, pylon: Node, pivot: float, sense: int, speed: float, azimuth: float) -> Node:
    """The propeller's node and mass, turned by the pylon at a constant speed."""
    place = Placement((-pivot, 0.0, 0.0), DISK @ rotation_z(sense * azimuth))
    hub = model.node("hub", place.position, place.rotation, angular_velocity=sense * speed * DISK[:, 2])
    polar = PROPELLER.polar
    model.add("hub.body", Body(hub, mass=PROPELLER.mass, inertia=(0.5 * polar, 0.5 * polar, polar)))
    held: dict[str, Any] = {"place_a": pylon.local(place)}
    model.add("bearing", Revolute(pylon, hub, **held))
    model.add("shaft", PrescribedAngle(pylon, hub, angle=Expression(lambda t: sense * speed * t), **held))
    return hub


PROPELLER_PYLON = ReadyModel(
    "propeller-pylon",
    build,
    "a windmilling propeller of rigid blades on an elastic pylon: whirl flutter",
    source="geometry of the example of NASA TN D-659 (Reed and Bland 1961); the rest is a stand-in",
    timeline=Timeline(end=3.0, step=5e-4),
    plot=("pivot.angle_a", "pivot.angle_b", "hub.position"),
)
