"""Roll-up: a cantilever bent into a circle by a couple at its tip."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from samara.elements.beams.beam2 import Beam2
from samara.elements.beams.beam3 import Beam3
from samara.elements.loads.follower_couple import FollowerCouple
from samara.method.timeline import Timeline
from samara.model import Model
from samara.models.beams.clamped import add_clamped, straight
from samara.models.registry import Quantity, ReadyModel, checked

STIFFNESS = (1e3, 1e3, 1e3, 1.0, 1.0, 1.0)  # EA, GA, GA [N], GJ, EI, EI [N m^2]
KINDS: dict[int, type[Beam2 | Beam3]] = {3: Beam3, 2: Beam2}


@checked("rollup")
def build(
    turns: Annotated[float, Quantity("1", "full circles to roll up")] = 1.0,
    elements: Annotated[int, Quantity("", "beams", positive=True)] = 10,
    nodes: Annotated[int, Quantity("", "of a beam: 3 or 2", lower=2, upper=3)] = 3,
) -> Model:
    """A cantilever of 1 m along x, EI = 1 N m^2, with a couple 2 pi EI / L about z at its tip for each turn.

    Pure bending: the exact shape is a circle of circumference L / turns for any EA and GA. The data are round numbers.
    """
    model = Model("rollup")
    tip = add_clamped(model, elements, STIFFNESS, straight(1.0), KINDS[nodes])[-1]
    model.add("couple", FollowerCouple(tip, couple=(0.0, 0.0, 2.0 * math.pi * turns)))
    return model


def circle(part, turns: float = 1.0, along=1.0) -> np.ndarray:
    """Exact beam positions at a fraction 0 to 1 of the load, at lengths `along` from the clamp [m], shape (..., 3)."""
    angle = 2.0 * np.pi * turns * np.asarray(part, float)
    s = np.asarray(along, float)
    # s sin(a s) / (a s): fine for a straight beam too
    x = s * np.sinc(angle * s / np.pi)
    y = s * np.sin(0.5 * angle * s) * np.sinc(0.5 * angle * s / np.pi)
    return np.stack(np.broadcast_arrays(x, y, 0.0 * x), axis=-1)


ROLLUP = ReadyModel(
    "rollup",
    build,
    "a cantilever rolled up into a circle by a couple at its tip",
    source="closed form; round numbers",
    timeline=Timeline(end=1.0, step=0.1),
    analysis="static",
    plot=("n20.position", "beam0.moment_1"),
)
