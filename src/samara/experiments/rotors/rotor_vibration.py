"""Vibration of the Puma's rotor at four per revolution, reduced by higher-harmonic and individual blade control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.articulated_rotors import puma, puma_vibration
from samara.models.registry import Quantity
from samara.realtime.controllers import SimulatedLink
from samara.realtime.controllers import run as control
from samara.realtime.controllers.ready.rotor_vibration import COUPLE, FORCE, HigherHarmonic, IndividualBlade
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {"higher-harmonic": HigherHarmonic, "individual-blade": IndividualBlade}
AXES = ("F_x", "F_y", "F_z", "M_x", "M_y", "M_z")
UNITS = ("N", "N", "N", "N m", "N m", "N m")
SIZES = np.array([FORCE] * 3 + [COUPLE] * 3)
HEAD = ("load", "no control", "higher-harmonic", "individual-blade", "unit")


def run(
    turns: Annotated[int, Quantity("1", "of the rotor, in each run", lower=50.0)] = 70,
    steps: Annotated[int, Quantity("1", "per turn", lower=60.0)] = 180,
    airspeed: Annotated[float, Quantity("m/s", "of the tunnel", lower=0.0)] = puma.AIRSPEED,
    blades: Annotated[str, Quantity("", "rigid or elastic", choices=puma.KINDS)] = "rigid",
) -> Outcome:
    """Both controls in flight 123; amplitudes of the six loads at the balance, measured once in four and a half turns.

    Control: six amplitudes of the swashplate, or eight of each blade's own pitch, for twelve load amplitudes.
    """
    found: dict[str, np.ndarray] = {}
    pitch: dict[str, np.ndarray] = {}
    for name, kind in KINDS.items():
        actuation = "swashplate" if kind is HigherHarmonic else "individual"
        model = puma_vibration.build(actuation=actuation, airspeed=airspeed, blades=blades)
        outputs = ("balance.*", "blade_1.pitch.angle", "rotor.CT_sigma")
        link = SimulatedLink(model, steps / puma.TURN, turns * puma.TURN, tolerance=1e-9, outputs=outputs)
        law = kind()
        control(law, link, report=lambda line: None)
        found[name] = np.hypot(*np.moveaxis(np.array(law.history).reshape(-1, 2, 6), 1, 0))
        results = link.results()
        pitch[name] = _harmonics(results, steps)
    first = found["higher-harmonic"][0]
    rows = [
        (axis, first[i], *(found[name][-1, i] for name in KINDS), unit)
        for i, (axis, unit) in enumerate(zip(AXES, UNITS, strict=True))
    ]
    findings = [
        Finding(f"{name}_{what}", float(fall), "dB", "below 0")
        for name in KINDS
        for what, fall in (
            ("all", 10.0 * np.log10(_cost(found[name])[-1] / _cost(found[name])[0])),
            ("F_z", 20.0 * np.log10(found[name][-1, 2] / found[name][0, 2])),
        )
    ]
    sheet = Sheet(HEAD, tuple(rows))
    return Outcome(results, tuple(findings), lambda: _draw(found, pitch), sheet)


def _cost(loads: np.ndarray) -> np.ndarray:
    """Sum of squares, with the controller's weights."""
    return np.sum((loads / SIZES) ** 2, axis=1)


def _harmonics(results: Results, steps: int) -> np.ndarray:
    """Amplitudes of a blade's pitch in the last revolution, 2 to 6 per revolution [deg]."""
    wave = np.fft.rfft(results["blade_1.pitch.angle"][-steps:]) * 2.0 / steps
    return np.degrees(np.abs(wave[2:7]))


def _draw(found: dict[str, np.ndarray], pitch: dict[str, np.ndarray]) -> Figure:
    figure = canvas(10.0, 3.6)
    course, loads, blade = figure.subplots(1, 3)
    for name, history in found.items():
        course.plot(10.0 * np.log10(_cost(history) / _cost(history)[0]), "o-", markersize=3, label=name)
    course.set(xlabel="measurement", ylabel="sum of squares of the loads [dB]", title="first each amplitude is tried")
    place = np.arange(len(AXES))
    bars = [("no control", found["higher-harmonic"][0]), *((name, history[-1]) for name, history in found.items())]
    for k, (name, values) in enumerate(bars):
        loads.bar(place + 0.27 * (k - 1), values, 0.27, label=name)
    loads.set_xticks(place, [f"${axis}$" for axis in AXES])
    loads.set(ylabel="at four per turn [N, N m]", title="balance")
    for k, (name, values) in enumerate(pitch.items()):
        blade.bar(np.arange(2, 7) + 0.35 * (k - 0.5), values, 0.35, label=name)
    blade.set(xlabel="per turn", ylabel="pitch of a blade [deg]", title="what the blades do")
    for axes in (course, loads, blade):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    return figure


EXPERIMENT = Experiment(
    "rotor-vibration",
    "loads of the Puma's rotor at four per turn, brought down by higher-harmonic and individual blade control",
    "Johnson, NASA TP-1996, 1982, for the method; the rotor is that of puma",
    run,
    "nothing is compared with a measurement; actuators in the pitch links are made up",
)
