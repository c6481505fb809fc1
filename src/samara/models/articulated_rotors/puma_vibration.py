"""Puma rotor on a balance, with higher-harmonic pitch through the swashplate or through individual pitch links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from samara.elements.aero.wind.air import Air
from samara.elements.joints.clamp import Clamp
from samara.elements.joints.prescribed_motion.prescribed_rate import PrescribedRate
from samara.elements.joints.revolute import Revolute
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Drive, Expression, Input, Model, Placement
from samara.models.articulated_rotors import puma
from samara.models.articulated_rotors.puma_rotor import BLADES, add_rotor
from samara.models.controls import control
from samara.models.registry import Quantity, ReadyModel, checked

ACTUATIONS = ("swashplate", "individual")
#: Collective and cyclic pitch that the swashplate shakes, at four per turn; and harmonics of a blade's own pitch.
SHAKEN, HARMONICS = ("theta0", "theta1c", "theta1s"), (2, 3, 4, 5)
#: What the balance measures [N, N m].
LOADS = tuple(f"balance.{what}.{axis}" for what in ("force", "couple") for axis in "xyz")


def inputs(actuation: str) -> tuple[str, ...]:
    """Names of the input amplitudes [rad]: cosines and sines."""
    names = [f"{name}_{BLADES}" for name in SHAKEN] if actuation == "swashplate" else [f"pitch_{n}" for n in HARMONICS]
    return tuple(f"{name}_{part}" for name in names for part in ("cos", "sin"))


@checked("puma-vibration")
def build(
    actuation: Annotated[str, Quantity("", "what shakes the pitch", choices=ACTUATIONS)] = "swashplate",
    airspeed: Annotated[float, Quantity("m/s", "of the tunnel", lower=0.0)] = puma.AIRSPEED,
    collective_deg: Annotated[float, Quantity("deg", "pitch at the root")] = puma.CONTROLS_DEG[0],
    theta1c_deg: Annotated[float, Quantity("deg", "cyclic pitch, cosine")] = puma.CONTROLS_DEG[1],
    theta1s_deg: Annotated[float, Quantity("deg", "cyclic pitch, sine")] = puma.CONTROLS_DEG[2],
    blades: Annotated[str, Quantity("", "rigid or elastic", choices=puma.KINDS)] = "rigid",
) -> Model:
    """The Puma's rotor in the wind tunnel, shaft and swashplate on a balance; by default in flight 123.

    The balance is a clamp at the hub's centre: ``balance.force`` and ``balance.couple`` [N, N m] support the whole
    rotor with its swashplate, in non-rotating axes: x aft, z along the shaft. With four blades they oscillate at
    4, 8, ... per revolution.

    swashplate: higher-harmonic control. Inputs theta0_4_cos, theta0_4_sin, theta1c_4_cos, ... [rad]: they multiply
        cos(4 psi) and sin(4 psi), psi = Omega t, in collective and cyclic pitch: 3, 4 and 5 per revolution at a blade.
    individual: individual blade control. Inputs pitch_2_cos .. pitch_5_sin [rad]: actuators in the pitch links give
        each blade   cos(n psi_k), sin(n psi_k) of its own azimuth, n = 2 .. 5 per revolution.

    Change the amplitudes slowly: the links are rigid. The rotor is that of `samara.models.articulated_rotors.puma`;
    hub and mast are massless, and the actuators in the links are fictitious.
    """
    lean = np.radians(puma.SHAFT_DEG)
    gravity = 9.81 * np.array([np.sin(lean), 0.0, -np.cos(lean)])
    model = Model("puma-vibration", gravity=tuple(gravity), stand_in="links, controls and hinge parts as in puma; IBC")
    still, speed = Placement(), -puma.SPEED
    mast = model.node("mast", static=True)
    model.add("balance", Clamp(model.ground, mast))
    hub = model.node("hub", static=True, angular_velocity=(0.0, 0.0, speed))
    model.add("shaft", Revolute(mast, hub, place_a=still, place_b=still))
    model.add("engine", PrescribedRate(mast, hub, place_a=still, place_b=still, rate=speed))
    given = zip(("collective", "theta1c", "theta1s"), (collective_deg, theta1c_deg, theta1s_deg), strict=True)
    found = [control(name, value, given="deg") for name, value in given]
    controls, own = [each.drive for each in found], None
    fed = [Input(name, unit="rad") for name in inputs(actuation)]
    if actuation == "swashplate":
        controls = [drive + _wave(fed[2 * i : 2 * i + 2], BLADES, 0.0) for i, drive in enumerate(controls)]
    else:
        own = [_waves(fed, 2 * np.pi * k / BLADES) for k in range(BLADES)]
    wind = (airspeed * np.cos(lean), 0.0, airspeed * np.sin(lean))
    add_rotor(
        model, mast=mast, hub=hub, air=Air(puma.DENSITY, puma.SOUND, wind=wind), controls=tuple(controls),
        start=[each.start for each in found], surface=puma.planform(), blades=blades, individual=own,
    )  # fmt: skip
    return model


def _wave(amplitudes: Sequence[Input], harmonic: int, azimuth: float) -> Drive:
    """Input amplitudes times cosine and sine of the given harmonic, for a blade that starts at that azimuth."""
    w, at = harmonic * puma.SPEED, harmonic * azimuth
    cosine, sine = Expression(lambda t: np.cos(w * t + at)), Expression(lambda t: np.sin(w * t + at))
    return amplitudes[0] * cosine + amplitudes[1] * sine


def _waves(fed: Sequence[Input], azimuth: float) -> Drive:
    """Blade pitch from all harmonics."""
    total: Drive = _wave(fed[:2], HARMONICS[0], azimuth)
    for i, harmonic in enumerate(HARMONICS[1:], 1):
        total = total + _wave(fed[2 * i : 2 * i + 2], harmonic, azimuth)
    return total


PUMA_VIBRATION = ReadyModel(
    "puma-vibration",
    build,
    "the Puma's rotor on a balance, with higher-harmonic or individual blade pitch fed from outside",
    source="as puma; the actuators in the pitch links are made up",
    timeline=Timeline(end=5 * puma.TURN, step=puma.TURN / 360),
    method=Method(tolerance=1e-9),
    plot=("balance.force", "blade_1.flap.angle", "blade_1.pitch.angle", "rotor.CT_sigma"),
)
