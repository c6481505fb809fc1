"""Shared by the experiments with the Puma's rotor: a revolution of steady flight, its harmonics, closed-form drag."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from samara.analysis import Harmonic, Periodic, Trim, periodic, trim
from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.surfaces.blade import Planform
from samara.models.articulated_rotors import puma
from samara.models.registry import look_up
from samara.results import Results
from samara.solve import Simulation

SOURCE = "Bousman et al., NASA TM 110421, 1996, as in MBDyn's example AS330 Puma"
#: Change of the state over a revolution that counts as steady: transients are then below 1e-4 of the loads.
SETTLED = 1e-5
#: Tolerance of Newton's method, relative to the tip speed.
TOLERANCE = 1e-7
FLAP = "blade_1.flap.angle"
SLOPE, DRAG = 5.73, 0.01  # for the straight section [1/rad, 1]
AEROFOILS: dict[str, Aerofoil] = {"naca0012": naca0012(), "linear": ThinAerofoil(slope=SLOPE, cd_0=DRAG)}
OUTPUTS = ("rotor.*", "blade_1.*.angle", "blade_1.air*.normal")


def turn(sim: Simulation, steps: int, periods: int = 60) -> Periodic:
    """Continues the flight until it is periodic over a revolution."""
    return periodic(sim, puma.TURN, puma.TURN / steps, tolerance=SETTLED, periods=periods, outputs=OUTPUTS)


def trimmed(sim: Simulation, guess: dict[str, float], thrust: float, flapping: tuple[float, float], steps: int) -> Trim:
    """Controls [rad] for a CT/sigma and first harmonics of flapping [rad]: to 1e-3, for the latter of 0.1 rad."""
    targets: dict = {"rotor.CT_sigma": thrust}
    harmonics = [Harmonic(FLAP, part) for part in ("cos", "sin")]
    targets.update(zip(harmonics, flapping, strict=True))
    return trim(
        sim,
        guess,
        targets,
        period=puma.TURN,
        step=puma.TURN / steps,
        sizes=dict.fromkeys(harmonics, 0.1),
        tolerance=1e-3,
        settle=SETTLED,
        outputs=OUTPUTS,
    )


def first_harmonics(results: Results, channel: str = FLAP) -> tuple[float, float, float]:
    """Mean, cosine and sine over the azimuth of blade 1 [deg]."""
    return tuple(float(np.degrees(Harmonic(channel, part)(results))) for part in ("mean", "cos", "sin"))  # type: ignore


def azimuth(results: Results) -> np.ndarray:
    """Azimuth of blade 1, from aft in the direction of rotation, 0 to 2 pi [rad]."""
    return np.mod(puma.SPEED * results.time, 2 * np.pi)


def stations(blades: str, points: int) -> np.ndarray:
    """Radii of a blade's load stations, root first [m], as `samara.models.articulated_rotors.puma` places
    them."""
    surface = puma.planform()
    ends = surface.ends if blades == "rigid" else puma.ENDS
    pieces = [piece for pair in pairwise(ends) for piece in surface.pieces(pair)]
    return np.concatenate([surface.points(a, b, points)["x"] for a, b in pieces])


def section(name: str) -> Aerofoil:
    """The aerofoil with that name."""
    return look_up(AEROFOILS, name, "aerofoil of these experiments")


def surface(aerofoil: str) -> Planform:
    """The blade for comparison with closed forms without flow curvature: sections use the flow at the quarter chord."""
    return puma.planform(section(aerofoil), downwash="quarter")


def drag(aerofoil: str, alpha):
    """Drag coefficient for closed forms: of the straight section, or a conventional one,

        cd = 0.0087 - 0.0216 alpha + 0.4 alpha^2

    Source: F. J. Bailey, A simplified theoretical method of determining the characteristics of a lifting rotor in
    forward flight, NACA report 716 (1941).
    """
    return DRAG + 0.0 * alpha if aerofoil == "linear" else 0.0087 - 0.0216 * alpha + 0.4 * alpha**2


def lift_slope(aerofoil: str, sound: float) -> float:
    """Lift curve slope for closed forms [1/rad]: a / sqrt(1 - M^2) at three quarters of the radius, in still air."""
    mach = 0.0 if aerofoil == "linear" else 0.75 * puma.SPEED * puma.RADIUS / sound
    return SLOPE / float(np.sqrt(1.0 - mach**2))
