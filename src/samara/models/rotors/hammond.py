"""Hammond's helicopter on its landing gear: a hub that moves in its plane and blades that lag, ground resonance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.prismatic import Prismatic
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.axial import Axial
from samara.method.timeline import Timeline
from samara.model import Constant, Expression, Model, ModelError, Node, Parameter, Placement
from samara.models.parts.blade import Blade, BladeSite
from samara.models.parts.hinges import BladeHinge, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.quantity import AROUND, PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_z


@dataclass(frozen=True)
class Support:
    """Data of the example: blade, and hub in its plane.

    blade_mass [kg]; blade_moment: first moment about the hinge [kg m], blade_inertia about it [kg m^2]; hinge: from the
    shaft [m]; lag_spring [N m/rad], lag_damper [N m s/rad]; mass: that of the hub without its blades, along x and along
    y [kg]; stiffness [N/m] and damping [N s/m] alike.
    """

    blade_mass: float = 94.9
    blade_moment: float = 289.1
    blade_inertia: float = 1084.7
    hinge: float = 0.3048
    lag_spring: float = 0.0
    lag_damper: float = 4067.5
    mass: tuple[float, float] = (8026.6, 3283.6)
    stiffness: tuple[float, float] = (1240481.8, 1240481.8)
    damping: tuple[float, float] = (51078.7, 25539.35)

    @property
    def reach(self) -> float:
        """Length of a uniform blade with the same centre of mass, from the hinge [m]: only for drawing."""
        return 2.0 * self.blade_moment / self.blade_mass


DATA = Support()
SLENDER = 0.01  # inertia of a blade about its span by that across it: it has no part in motion in the plane
BLADES, SPEED_RPM = 4, 250.0


@checked("hammond")
def build(
    speed_rpm: Annotated[float, Quantity("rpm", "of the rotor, held; negative: clockwise from above")] = SPEED_RPM,
    damper: Annotated[float, Quantity("N m s/rad", "lag damper of a blade; parameter", lower=0.0)] = DATA.lag_damper,
    out: Annotated[int, Quantity("", "blade whose damper is out of order, 0: none", lower=0.0)] = 0,
    blades: Annotated[int, Quantity("", "how many, two or more", lower=2)] = BLADES,
    kick_deg: Annotated[float, Quantity("deg", "lag of blade_1 at the start, ahead when positive", **PITCH)] = 1.0,
    azimuth_deg: Annotated[float, Quantity("deg", "of blade_1 at the start, in the sense of rotation", **AROUND)] = 0.0,
) -> Model:
    """The example of C. E. Hammond, Journal of the American Helicopter Society 19(4), 1974, pages 14 to 23.

        ground -slides along x- carriage -slides along y- mast -turns at a constant speed- hub -lag hinges- rigid blades

    The hub moves in its plane and does not tilt; springs and dampers hold it along x and along y. Its mass is larger
    along x: the carriage, which takes part in that motion alone, has the difference. All motion is in the x-y plane,
    without gravity and without air. Blade k+1 is 360/N degrees ahead of blade k in the sense of rotation; a positive
    lag angle is ahead as well. With `out` the damper of one blade is taken away: coefficients are then periodic both in
    the fixed and in the turning frame, and only Floquet's theory tells stability.

    The parameters speed [rad/s, without its sign] and damper [N m s/rad] can be set. Masses of the source exclude the
    blades, as here. What the blades' length would be is not printed: they are drawn as uniform ones.
    """
    if out > blades:
        raise ModelError(f"hammond: out names a blade, 1 .. {blades}, or is 0 for none, got {out}")
    sense = -1 if speed_rpm < 0.0 else 1
    speed, start = abs(speed_rpm) * np.pi / 30, sense * np.deg2rad(azimuth_deg)
    model = Model("hammond")
    mast = _add_support(model)
    spin = np.array([0.0, 0.0, sense * speed])
    hub = model.node("hub", rotation=rotation_z(start), angular_velocity=spin, static=True)
    shaft: dict[str, Any] = {"at": (0, 0, 0), "axis": (0, 0, 1), "axis_x": hub.rotation[:, 0]}
    model.add("bearing", Revolute(mast, hub, **shaft))
    turned = Constant(Parameter("speed", speed, "rad/s")) * Expression(lambda t: sense * t)
    model.add("shaft", PrescribedAngle(mast, hub, angle=turned, **shaft))
    lag = BladeHinge(
        DATA.hinge, DATA.lag_spring, Parameter("damper", damper, "N m s/rad"), reverse=True
    )  # a positive angle is ahead
    place = Placement((0.0, 0.0, 0.0), hub.rotation)
    for k in range(blades):
        site = BladeSite(hub, place, sense, 2 * np.pi * k / blades, speed=speed, number=k)
        hinges = Hinges(lag=lag if k + 1 != out else replace(lag, damping=0.0))
        begin = {"lag": {"angle": np.deg2rad(kick_deg) if k == 0 else 0.0}}
        _blade().add(model, f"blade_{k + 1}", site, hinges, start=begin)
    names = [f"blade_{k + 1}" for k in range(blades)]
    model.declare_rotor("rotor", hub=hub, blades=names, radius=DATA.hinge + DATA.reach, sense=sense, craft=mast)
    return model


def _add_support(model: Model) -> Node:
    """Carriage and mast on their springs; the mast's node, at the world's origin."""
    carriage, mast = model.node("carriage"), model.node("mast")
    masses = (DATA.mass[0] - DATA.mass[1], DATA.mass[1])
    below = (model.ground, carriage)
    for k, (node, axis) in enumerate(((carriage, (1, 0, 0)), (mast, (0, 1, 0)))):
        inertia = masses[k] * np.ones(3)  # it does not turn
        model.add(f"{node.name}.body", Body(node, mass=masses[k], inertia=inertia))
        model.add(f"{node.name}.slide", Prismatic(below[k], node, at=(0, 0, 0), axis=axis))
        law = LinearLaw(DATA.stiffness[k], damping=DATA.damping[k])
        model.add(f"{node.name}.spring", Axial(below[k], node, at=(0, 0, 0), axis=axis, law=law))
    return mast


def _blade() -> Blade:
    """A rigid blade without air; its moments are about the lag hinge."""
    centre = DATA.blade_moment / DATA.blade_mass
    across = DATA.blade_inertia - DATA.blade_mass * centre**2
    body = MassProperties(DATA.blade_mass, (DATA.hinge + centre, 0.0, 0.0), (SLENDER * across, across, across))
    return Blade(DATA.hinge + DATA.reach, body)


HAMMOND = ReadyModel(
    "hammond",
    build,
    "Hammond's helicopter in ground resonance: a hub on springs, four blades with lag dampers",
    source="Hammond, Journal of the American Helicopter Society 19(4), 1974, as listed in alexal00/RotorToolBox",
    timeline=Timeline(end=5.0, step=2e-3),
    plot=("blade_1.lag.angle", "blade_2.lag.angle", "mast.position"),
)
