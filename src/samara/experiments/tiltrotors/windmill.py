"""Shared by the windmill experiments: the run of the tiltrotor in a varying airstream, and the six panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from samara.model import Drive
from samara.models.tiltrotors.tiltrotor import RATE, SPEED, TOLERANCE, tiltrotor
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005"
RPM = 30.0 / np.pi
OUTPUTS = ("rotor.*", "governor.*", "hub.spring.rotation", "blade_1.pitch.angle", "pylon.position", "model.*")


def run(wind: Drive, speed: float, pitch: float, end: float, *, wing: bool = True, gimbal: str = "joint") -> Results:
    """The tiltrotor at 1 kHz with its controller set to 72.2 rad/s, from an initial speed [rad/s] and pitch [rad]."""
    model = tiltrotor(wing=wing, gimbal=gimbal, wind=wind, target=SPEED, speed=speed, pitch=pitch)
    return transient(model, end, 1.0 / RATE, outputs=OUTPUTS, every=10, tolerance=TOLERANCE, progress=False)


def flap(results: Results) -> np.ndarray:
    """Flap of blade 1 out of the plane normal to the mast, without its precone [rad]."""
    return -results["hub.spring.rotation"][:, 1]


def _panels(results: Results, wind: Drive) -> tuple[tuple[str, Any], ...]:
    """Label and values of each panel."""
    return (
        ("airstream [m/s]", [float(wind(float(t))) for t in results.time]),
        ("thrust [N]", results["rotor.thrust"]),
        ("rotor speed [rpm]", RPM * results["rotor.speed"]),
        ("torque of the air [N m]", -results["rotor.torque"]),
        ("blade pitch at 75 % [deg]", np.rad2deg(results["blade_1.pitch.angle"])),
        ("flap of blade 1 [deg]", np.rad2deg(flap(results))),
    )


def draw(results: Results, wind: Drive, title: str) -> Figure:
    """Left: airspeed, rotor speed, pitch. Right: thrust, torque, flap of a blade. As the source's pairs of figures."""
    figure = canvas(9.0, 6.5)
    panels = figure.subplots(3, 2, sharex=True)
    for axes, (label, values) in zip(panels.flat, _panels(results, wind), strict=True):
        axes.plot(results.time, values, linewidth=0.9)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
    panels[1, 0].axhline(RPM * SPEED, color="0.5", linewidth=0.8, linestyle="--")
    for axes in panels[-1]:
        axes.set_xlabel("time [s]")
    figure.suptitle(title)
    return figure


def lay_over(figure: Figure, results: Results, wind: Drive, labels: tuple[str, str]) -> None:
    """Draws another run on the panels of the first; labels both."""
    for axes, (_, values) in zip(figure.axes, _panels(results, wind), strict=True):
        axes.plot(results.time, values, "k--", linewidth=0.7)
    figure.axes[0].legend(figure.axes[0].lines, labels, fontsize="x-small")
