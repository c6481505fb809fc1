"""Princeton beam: an aluminium strip bent about both axes at once, which twists it."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from samara.elements.beams.stiffness import isotropic
from samara.elements.loads.force import Force
from samara.method.timeline import Timeline
from samara.model import Model
from samara.models.beams.clamped import add_clamped, straight
from samara.models.registry import Quantity, ReadyModel, checked
from samara.results import Results

LENGTH, WIDTH, HEIGHT = 0.508, 3.2024e-3, 12.3777e-3  # m
E, POISSON = 71.7e9, 0.31
TORSION = 1.134072e-10  # m^4, Saint-Venant's constant of the rectangle
STIFFNESS = isotropic(E, WIDTH * HEIGHT, HEIGHT * WIDTH**3 / 12, WIDTH * HEIGHT**3 / 12, TORSION, poisson=POISSON)


@checked("princeton")
def build(
    load: Annotated[float, Quantity("N", "dead load at the tip")] = 8.896,
    angle: Annotated[float, Quantity("rad", "of the load from the stiff direction, -y, towards z")] = math.pi / 4,
    elements: Annotated[int, Quantity("", "three-node beams", positive=True)] = 8,
) -> Model:
    """A cantilever of 0.508 m along x, 12.4 mm high along y, 3.2 mm wide along z, with a dead load at its tip.

        F = load (0, -cos(angle), sin(angle))

    The weight of the beam is neglected. Source: Dowell and Traybar, Princeton University, 1975, with the usual section
    properties; the loads in the experiment were 4.448, 8.896 and 13.345 N.
    """
    model = Model("princeton")
    tip = add_clamped(model, elements, STIFFNESS, straight(LENGTH))[-1]
    model.add("load", Force(tip, force=(0.0, -load * math.cos(angle), load * math.sin(angle))))
    return model


def tip(results: Results, elements: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Displacement of the tip [m], shape (n, 3), and its twist [rad], shape (n,), at every sample.

    Twist is the angle of the section's y axis in the plane normal to the undeformed beam.
    """
    last = f"n{2 * elements}"
    R = results[f"{last}.rotation"].reshape(-1, 3, 3)
    return results[f"{last}.position"] - [LENGTH, 0.0, 0.0], np.arctan2(R[:, 2, 1], R[:, 1, 1])


PRINCETON = ReadyModel(
    "princeton",
    build,
    "a cantilevered strip that a tip load bends both ways and twists",
    source="Dowell and Traybar 1975",
    timeline=Timeline(end=1.0, step=0.1),
    analysis="static",
    plot=("n16.position", "beam0.moment_1"),
)
