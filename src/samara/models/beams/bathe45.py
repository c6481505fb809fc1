"""Bathe's bend: a cantilever along an eighth of a circle, loaded across its plane."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from samara.elements.loads.force import Force
from samara.method.timeline import Timeline
from samara.model import Model
from samara.models.beams.clamped import add_clamped, arc
from samara.models.registry import Quantity, ReadyModel, checked
from samara.results import Results

RADIUS, ANGLE = 100.0, math.pi / 4
EA = 1e7


@checked("bathe45")
def build(
    load: Annotated[float, Quantity("N", "dead load at the tip, along z")] = 600.0,
    elements: Annotated[int, Quantity("", "three-node beams", positive=True)] = 8,
    GA: Annotated[float, Quantity("N", "stiffness in shear", positive=True)] = 5e6,
    GJ: Annotated[float, Quantity("N m^2", "stiffness in torsion", positive=True)] = 1e7 / 12,
    EI: Annotated[float, Quantity("N m^2", "stiffness in bending", positive=True)] = 1e7 / 12,
) -> Model:
    """An arc of 45 degrees and radius 100 in the x-y plane, along x at its clamp; unit square section, E = 1e7.

    Authors differ in GA and GJ: the defaults use Poisson's ratio 0, no shear factor and the polar moment in torsion.
    Source: Bathe and Bolourchi, Int. J. Numer. Meth. Eng. 14, 1979.
    """
    model = Model("bathe45")
    last = add_clamped(model, elements, (EA, GA, GA, GJ, EI, EI), arc(RADIUS, ANGLE))[-1]
    model.add("load", Force(last, force=(0.0, 0.0, load)))
    return model


def tip(results: Results, elements: int = 8) -> np.ndarray:
    """Displacement of the tip at every sample, shape (n, 3) [m]."""
    return results[f"n{2 * elements}.position"] - arc(RADIUS, ANGLE)(1.0).position


BATHE45 = ReadyModel(
    "bathe45",
    build,
    "a cantilever along an arc of 45 degrees, loaded across its plane",
    source="Bathe and Bolourchi 1979",
    timeline=Timeline(end=1.0, step=0.1),
    analysis="static",
    plot=("n16.position", "beam0.moment_1"),
)
