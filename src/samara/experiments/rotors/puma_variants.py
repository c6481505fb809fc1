"""Variants of the Puma's rotor in flight 123: the effect of each assumption on the controls for the same flight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from samara.analysis import Trim
from samara.experiments.rotors import puma_flight as flight
from samara.model import Model
from samara.models.articulated_rotors import puma
from samara.models.registry import look_up
from samara.solve import Simulation

#: Swept tip whose quarter chord follows the centres of what the tables add to the plain blade (see
#: `samara.models.articulated_rotors.puma_blade.TIPS`): the largest sweep compatible with them.
ALONG_MASSES = replace(puma.TIPS["swept"], start=6.707, sweep=float(np.radians(22.4)))
#: Stiffness of a blade's pitch control [N m/rad]: stand-in, not from the flight report. It puts the blade's
#: first torsion mode at 5.6 per revolution.
CONTROL = 33032.0
#: Options of `puma.build` by name; "base" has none of them.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "base": {},
    "tip loss 0.97": {"tip_loss": 0.97},
    "tip loss 0.94": {"tip_loss": 0.94},
    "swept tip": {"tip": "swept"},
    "swept tip along its masses": {"tip": "swept", "shape": ALONG_MASSES},
    "yawed drag": {"yaw": "drag"},
    "yawed sections": {"yaw": "section"},
    "Theodorsen": {"unsteady": "theodorsen"},
    "dynamic stall": {"unsteady": "dynamic-stall"},
    "elastic pitch links": {"control_stiffness": CONTROL},
    "speed of sound 306 m/s": {"sound": puma.SOUND_FILE},
    "flow at the quarter chord": {"downwash": "quarter"},
    "shaft 1 deg less forward": {"shaft_deg": puma.SHAFT_DEG + 1.0},
    "Glauert": {"gradient": "glauert"},
    "Drees": {"gradient": "drees"},
    "Pitt-Peters": {"inflow": "pitt-peters"},
    "annular": {"inflow": "annular"},
    "annular, Drees": {"inflow": "annular", "gradient": "drees"},
    "Peters-He": {"inflow": "peters-he"},
    "tip loss 0.97, Drees": {"tip_loss": 0.97, "gradient": "drees"},
    "swept tip, tip loss 0.97, Drees": {"tip": "swept", "tip_loss": 0.97, "gradient": "drees"},
    "swept tip, annular, Drees": {"tip": "swept", "inflow": "annular", "gradient": "drees"},
    "swept tip, Peters-He": {"tip": "swept", "inflow": "peters-he"},
    "swept tip, Peters-He, tip loss 0.97": {"tip": "swept", "inflow": "peters-he", "tip_loss": 0.97},
}


def chosen(names: str) -> list[str]:
    """Variant names from a text: "none", "all", or several separated by semicolons."""
    if names in ("none", "all"):
        return [] if names == "none" else list(VARIANTS)
    found = [name.strip() for name in names.split(";")]
    for name in found:
        look_up(VARIANTS, name, "variant of flight 123")
    return found


def variant(name: str, controls_deg: tuple[float, float, float] = puma.CONTROLS_DEG, **options: Any) -> Model:
    """The rotor of a variant, with controls and further options of `puma.build`."""
    given = {**options, **look_up(VARIANTS, name, "variant of flight 123")}
    shape = given.pop("shape", None)
    if shape is None:
        given |= dict(zip(("collective_deg", "theta1c_deg", "theta1s_deg"), controls_deg, strict=True))
        return puma.build(**given)
    of_blade = {key: given.pop(key) for key in ("tip_loss", "downwash") if key in given}
    return puma.turning(puma.planform(tip=shape, **of_blade), controls_deg=controls_deg, **given)


def trimmed(
    name: str, guess: Mapping[str, float], thrust: float, flapping: tuple[float, float], steps: int, **options: Any
) -> Trim:
    """Controls of a variant [rad] for a CT/sigma and first harmonics of flapping [rad]; see `puma_flight.trimmed`.

    guess: initial controls, with the corresponding blade motion: collective, theta1c, theta1s [rad].
    """
    collective, theta1c, theta1s = (float(np.degrees(guess[n])) for n in ("collective", "theta1c", "theta1s"))
    model = variant(name, (collective, theta1c, theta1s), **options)
    return flight.trimmed(Simulation(model, tolerance=flight.TOLERANCE), dict(guess), thrust, flapping, steps)
