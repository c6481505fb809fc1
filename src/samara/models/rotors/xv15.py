"""The XV-15's metal-bladed proprotor in hover."""

from __future__ import annotations

from importlib import resources
from typing import Annotated

import numpy as np

from samara.elements.aero.aerofoils.kirchhoff import KirchhoffAerofoil
from samara.elements.aero.inflow.annular import Annular
from samara.elements.aero.inflow.inflow import Inflow
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.wind.air import Air
from samara.method.timeline import Timeline
from samara.model import Model, Placement
from samara.models import parts
from samara.models.aero_options import InflowOption, inflow_of
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked

STAND_IN = (
    "sections are a NACA 0012 by formula with the zero-lift angles of the NACA 64 series; mass of the blades; stiff "
    "blades on a stiff hub, without precone"
)
RADIUS, BLADES, SPEED = 3.81, 3, 768.4 * 0.3048 / 3.81  # m, -, rad/s
TURN, STEPS = 2.0 * np.pi / SPEED, 60
BLADE_MASS = 45.0  # stand-in [kg]
HEIGHT = 5.0  # of the hub; the ground is not felt [m]
POINTS = 24
#: Design lift coefficients of the NACA 64-935, 64-528, 64-118, 64-(1.5)12 and 64-208 over the radius [R].
DESIGN_LIFT = {"station": (0.09, 0.17, 0.51, 0.80, 1.0), "lift": (0.9, 0.5, 0.1, 0.15, 0.2)}


def _geometry() -> np.ndarray:
    """Station [R], chord [m], twist and twist against 0.75 R [deg]."""
    text = (resources.files("samara.models") / "data" / "xv15" / "blade.csv").read_text("utf-8")
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    return np.array(rows[1:], float)


def zero_lift(station: np.ndarray) -> np.ndarray:
    """Angle of zero lift of the sections [rad], of thin camber lines of even load: -cl / (2 pi)."""
    return -np.interp(station, DESIGN_LIFT["station"], DESIGN_LIFT["lift"]) / (2.0 * np.pi)


def rings(count: int = POINTS) -> np.ndarray:
    """Radii of the aerodynamic stations [R]."""
    points, _ = np.polynomial.legendre.leggauss(count)
    first = float(_geometry()[0, 0])
    return 0.5 * (1.0 + first) + 0.5 * (1.0 - first) * points


def rotor(theta75: float, inflow: Inflow | None = None, points: int = POINTS) -> parts.HingelessRotor:
    """The rotor with its blades at a pitch at 0.75 R [rad]; inflow: ring by ring if none is given."""
    station, chord, _, twist = _geometry().T
    surface = Planform(
        station=station * RADIUS, chord=chord, aerofoil=KirchhoffAerofoil(),
        twist=theta75 + np.radians(twist) - zero_lift(station),
    )  # fmt: skip
    slender = BLADE_MASS * RADIUS**2 / 12.0
    body = parts.MassProperties(BLADE_MASS, (0.5 * RADIUS, 0.0, 0.0), (0.2, slender, slender))
    blade = parts.Blade(RADIUS, body, surface=surface, points=points)
    return parts.HingelessRotor(
        blade, parts.Shaft(SPEED), BLADES, inflow=inflow or Annular(radii=rings(points)), induced=15.0, solidity=0.0891
    )


@checked("xv15")
def build(
    theta75_deg: Annotated[float, Quantity("deg", "pitch of the blades at 0.75 R", **PITCH)] = 9.0,
    inflow: InflowOption = "annular",
) -> Model:
    """The XV-15's rotor with metal blades in hover at sea level, at the tip speed of the Ames test stand, 234 m/s.

    Three stiff blades by the published chord and twist; their pitch is part of them. Geometry: formulas of a public
    MATLAB file that refers to NASA, in `samara/models/data/xv15`; names of the sections by the same project. Neither
    was checked against print.

    Stand-ins: lift, drag and stall of the NACA 0012 by formula (`KirchhoffAerofoil`) instead of the NACA 64 series,
    turned by the zero-lift angle of a camber line of even load at the design lift; mass of the blades; no precone, no
    bending. inflow: "annular" has a ring for each station; a `FreeWake` may be given from Python. Validation:
    docs/validation/xv15.md.
    """
    model = Model("xv15", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    made = None if inflow == "annular" else inflow_of("xv15", inflow)
    at = Placement((0.0, 0.0, HEIGHT))
    rotor(np.radians(theta75_deg), made).add(model, craft=model.ground, place=at, air=Air.standard())
    return model


XV15 = ReadyModel(
    "xv15", build, "proprotor of the XV-15 in hover",
    source="NASA TM 86833 (public transcription; sections are stand-ins)",
    timeline=Timeline(end=10 * TURN, step=TURN / STEPS), plot=("rotor.thrust", "rotor.power", "rotor.induced"),
)  # fmt: skip
