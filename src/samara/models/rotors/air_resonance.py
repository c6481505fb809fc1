"""A hingeless model rotor in hover on a body that pitches and rolls: air resonance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.universal import Universal
from samara.elements.laws.linear import LinearLaw
from samara.method.timeline import Timeline
from samara.model import Constant, Expression, Model, Node, Parameter, Placement
from samara.models.aero_options import InflowOption, inflow_of
from samara.models.parts.blade import Blade, BladeSite
from samara.models.parts.hinges import Flexure, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked

STAND_IN = (
    "data after Bousman's model rotor of 1981, quoted from memory and not checked against print; the aerofoil is a "
    "straight line, the twist none, and the body's inertia is taken as that without the rotor"
)


@dataclass(frozen=True)
class BousmanRotor:
    """The model rotor: SI units. Frequencies [Hz] and fractions of critical damping are those at rest.

    blade_centre: centre of mass from the flexure; height: of the hub over the body's pivot; body: inertia, frequency
    and damping in roll and in pitch.
    """

    blades: int = 3
    radius: float = 0.811
    chord: float = 0.0419
    hinge: float = 0.0851
    blade_mass: float = 0.209
    blade_centre: float = 0.186
    blade_inertia: float = 0.0173
    slope: float = 5.73
    drag: float = 0.0079
    flap_hz: float = 3.13
    lag_hz: float = 6.70
    height: float = 0.241
    body_inertia: tuple[float, float] = (0.183, 0.633)
    body_hz: tuple[float, float] = (4.0, 2.0)
    body_damping: tuple[float, float] = (0.00929, 0.0320)

    @property
    def solidity(self) -> float:
        """Blade area by disk area."""
        return self.blades * self.chord / (np.pi * self.radius)


DATA = BousmanRotor()
SPEED_RPM, COLLECTIVE_DEG, LAG_DAMPING = 720.0, 6.0, 0.0052
FLAP_DAMPING = 0.0  # the air's is a hundred times larger
STATIONS = 6


@checked("air-resonance")
def build(
    speed_rpm: Annotated[float, Quantity("rpm", "of the rotor, held; parameter speed", positive=True)] = SPEED_RPM,
    collective_deg: Annotated[float, Quantity("deg", "pitch of the blades", **PITCH)] = COLLECTIVE_DEG,
    lag_damping: Annotated[float, Quantity("1", "of the lag flexure, by critical at rest", lower=0.0)] = LAG_DAMPING,
    inflow: InflowOption = "pitt-peters",
    kick_deg: Annotated[float, Quantity("deg", "lag of blade_1 at the start, ahead when positive", **PITCH)] = 1.0,
) -> Model:
    """A rotor of three hingeless blades, soft in plane, in hover over a body on a gimbal.

        ground -gimbal: pitch, roll, springs- body -turns at a constant speed- hub -flap and lag flexure- rigid blades

    Flap and lag flexures are hinges with springs at one radius; pitch is set outboard of them. The regressing lag mode,
    rotor speed less lag frequency, meets the body's roll mode (4 Hz) near 800 rpm. There its damping is
    smallest: with that of the flexures alone it grows from 740 to 880 rpm. Flap adds to it through the body,
    and the wake takes part: see `inflow`.

    speed [rad/s] is a parameter. Gravity acts. Data after W. G. Bousman, An experimental investigation of the effects
    of aeroelastic couplings on aeromechanical stability of a hingeless rotor helicopter, Journal of the American
    Helicopter Society 26(1), 1981; see `STAND_IN`.
    """
    model = Model("air-resonance", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    speed = speed_rpm * np.pi / 30
    body = _add_body(model)
    centre = Placement((0.0, 0.0, DATA.height))
    hub = model.node("hub", centre.position, angular_velocity=(0.0, 0.0, speed), static=True)
    held: dict[str, Any] = {"place_a": body.local(centre)}
    model.add("bearing", Revolute(body, hub, **held))
    turned = Constant(Parameter("speed", speed, "rad/s")) * Expression(lambda t: t)
    model.add("shaft", PrescribedAngle(body, hub, angle=turned, **held))
    rotor = model.add(
        "rotor",
        Rotor(
            body,
            hub,
            disk=body.local(centre),
            radius=DATA.radius,
            speed=speed,
            air=Air.standard(),
            inflow=inflow_of("air-resonance", inflow),
            solidity=DATA.solidity,
            start=2.0,
            blades=[f"blade_{k + 1}" for k in range(DATA.blades)],
        ),
    )
    flap, lag = _laws((DATA.blade_inertia,) * 2, (DATA.flap_hz, DATA.lag_hz), (FLAP_DAMPING, lag_damping))
    hinges = Hinges(flexure=Flexure(DATA.hinge, flap, lag))
    for k in range(DATA.blades):
        begin = {"flexure": {"angle_b": np.deg2rad(kick_deg) if k == 0 else 0.0}}
        site = BladeSite(hub, hub.place, azimuth=2 * np.pi * k / DATA.blades, speed=speed, rotor=rotor, number=k)
        _blade(np.deg2rad(collective_deg)).add(model, f"blade_{k + 1}", site, hinges, start=begin)
    return model


def _add_body(model: Model) -> Node:
    """The body on its gimbal: the first turn is roll, about x, the second pitch, about y."""
    body = model.node("body")
    roll, pitch = DATA.body_inertia
    model.add("body.mass", Body(body, mass=20.0, inertia=(roll, pitch, max(roll, pitch))))
    model.add("gimbal", Universal(model.ground, body))
    springs = _laws(DATA.body_inertia, DATA.body_hz, DATA.body_damping)
    laws = [LinearLaw(stiffness, damping=damping) for stiffness, damping in springs]
    model.add("body.spring", DeformableHinge(model.ground, body, law=(*laws, None)))
    return body


def _laws(inertia: tuple, hertz: tuple, damping: tuple) -> list[tuple[float, float]]:
    """Stiffness and damping that give a frequency [Hz] and a fraction of critical damping, one after the other."""
    w = 2 * np.pi * np.array(hertz)
    return [(i * v**2, 2 * ratio * i * v) for i, v, ratio in zip(inertia, w, damping, strict=True)]


def _blade(pitch: float) -> Blade:
    """A rigid blade outboard of its flexure; moments of inertia are about it."""
    across = DATA.blade_inertia - DATA.blade_mass * DATA.blade_centre**2
    feather = DATA.blade_mass * (0.25 * DATA.chord) ** 2
    surface = Planform(
        station=(DATA.hinge, DATA.radius), chord=DATA.chord, twist=pitch,
        aerofoil=ThinAerofoil(slope=DATA.slope, cd_0=DATA.drag),
    )  # fmt: skip
    body = MassProperties(DATA.blade_mass, (DATA.hinge + DATA.blade_centre, 0.0, 0.0), (feather, across, across))
    return Blade(DATA.radius, body, surface=surface, points=STATIONS)


AIR_RESONANCE = ReadyModel(
    "air-resonance",
    build,
    "a hingeless rotor, soft in plane, in hover on a body that pitches and rolls: air resonance",
    source="after Bousman, Journal of the American Helicopter Society 26(1), 1981, quoted from memory",
    timeline=Timeline(end=3.0, step=1e-3),
    plot=("gimbal.angle_a", "gimbal.angle_b", "blade_1.hinge.angle_b", "rotor.thrust"),
)
