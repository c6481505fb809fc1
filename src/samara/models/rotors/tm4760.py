"""Model rotor blade of NASA TM 4760, articulated, on a hub that spins as prescribed."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

import numpy as np

from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.joints.universal import Universal
from samara.method.timeline import Timeline
from samara.model import Constant, Expression, Model, Motion, Parameter
from samara.models.registry import Quantity, ReadyModel, checked

INCH, POUND, POUND_FORCE = 0.0254, 0.45359237, 4.4482216152605  # m, kg, N
E = 1e7 * POUND_FORCE / INCH**2  # Pa
POISSON = 0.3
HINGE = 3.0 * INCH  # flap and lag, from the axis of rotation [m]

#: Where each property holds, from its station to the next, and the tip [in].
STATIONS = (
    3.0, 6.87, 8.87, 10.625, 12.5, 13.0, 15.375, 17.85, 23.75, 28.25, 51.0, 52.75, 53.0, 54.0, 54.25, 55.0,
)  # fmt: skip
#: Area [in^2], second moment for lag, for flap and torsion constant [in^4], weight [lb/in], polar inertia about the
#: centre of mass [lb in^2/in], centre of mass ahead of the axis [in].
SECTIONS = (
    (5.500, 0.50000, 0.50000, 0.26320, 0.42511, 0.220000, 0.0),
    (0.371, 0.15000, 0.05000, 0.13160, 0.19380, 0.048260, 0.0),
    (0.371, 0.02500, 0.00400, 0.01050, 0.04086, 0.025050, 0.0),
    (0.371, 0.02500, 0.00400, 0.01050, 0.15113, 0.056710, 0.0),
    (0.377, 0.03550, 0.00394, 0.03940, 0.14048, 0.055590, 0.0),
    (0.386, 0.02520, 0.00249, 0.00976, 0.03134, 0.027790, 0.0),
    (0.339, 0.02520, 0.00249, 0.00976, 0.04376, 0.029610, 0.0),
    (0.278, 0.03040, 0.00231, 0.00674, 0.04123, 0.028880, 0.0),
    (0.249, 0.02636, 0.00181, 0.00565, 0.04000, 0.028100, 0.0),
    (0.224, 0.02447, 0.00151, 0.00485, 0.03903, 0.027560, 0.0),
    (0.247, 0.02447, 0.00151, 0.00485, 0.03903, 0.027560, 0.0),
    (0.279, 0.02448, 0.00160, 0.00502, 0.04125, 0.028260, 0.0),
    (0.305, 0.05000, 0.00500, 0.01435, 0.07867, 0.039840, -0.106),
    (0.099, 0.04000, 0.00400, 0.01148, 0.06070, 0.035630, -0.170),
    (0.050, 0.00500, 0.00050, 0.01435, 0.01101, 0.004401, -0.940),
)


def blade() -> Span:
    """The blade's tables in SI units, from the hinge to the tip.

    The polar inertia acts about the blade's axis alone, as NASTRAN takes that of its beams: sections have no inertia in
    flap and lag rotation. Put on the chordwise rotation instead, as a flat section's, it would lower the chord mode by
    0.5 % and, by the propeller moment (J_z - J_y) Omega^2, raise torsion by 0.5 % at 660 rpm.
    """
    columns: dict[str, list[float]] = {}
    G = E / (2 * (1 + POISSON))
    for ends, (area, lag, flap, torsion, weight, polar, com) in zip(pairwise(STATIONS), SECTIONS, strict=True):
        A, fourth = area * INCH**2, INCH**4
        values = {
            "mass": weight * POUND / INCH, "inertia_x": polar * POUND * INCH, "com_y": com * INCH,
            "EA": E * A, "GA_y": G * A, "GA_z": G * A,
            "GJ": G * torsion * fourth, "EI_y": E * flap * fourth, "EI_z": E * lag * fourth,
        }  # fmt: skip
        for station in ends:
            columns.setdefault("station", []).append(station * INCH)
            for name, value in values.items():
                columns.setdefault(name, []).append(value)
    return Span(**columns)


@checked("tm4760")
def build(
    speed_rpm: Annotated[float, Quantity("rpm", "rotation about z; in rad/s also a parameter, speed")] = 660.0,
    size: Annotated[float, Quantity("m", "length of the longest three-node beam", positive=True)] = 0.1,
    push: Annotated[float, Quantity("rad/s", "rate at which the whole blade flaps up at the start")] = 1.0,
) -> Model:
    """An untwisted blade of 55 in radius, flap and lag hinge at 3 in, in vacuum; elements end where sections jump."""
    model = Model("tm4760")
    speed = speed_rpm * np.pi / 30
    turn = Constant(Parameter("speed", speed, unit="rad/s")) * Expression(lambda t: t)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, turn)))
    spin, at = np.array([0.0, -push, speed]), np.array([HINGE, 0.0, 0.0])
    root = model.node("root", at, velocity=(0.0, speed * HINGE, 0.0), angular_velocity=spin)
    model.add("hinge", Universal(hub, root, at=at, axis=(1, 0, 0), axis_x=(0, 1, 0)))  # arms: flap y, lag z
    ends = [HINGE]
    for low, high in pairwise(np.array(STATIONS) * INCH):
        ends += list(np.linspace(low, high, int(np.ceil((high - low) / size)) + 1)[1:])
    add_beam(model, "blade", blade(), root=root, stations=ends)
    return model


TM4760 = ReadyModel(
    "tm4760",
    build,
    "articulated model rotor blade, shaken and computed at seven speeds by NASA",
    source=(
        "Wilkie, Mirick, Langston, Rotating shake test and modal analysis of a model helicopter rotor blade, NASA TM "
        "4760, ARL-TR-1389, 1997; numbers as in the example tm4760 of MBDyn"
    ),
    timeline=Timeline(end=0.2, step=5e-4),
    plot=("hinge.angle_a", "blade.beam1.force_1"),
)
