"""Chain of links."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.joints.revolute import Revolute
from samara.method.timeline import Timeline
from samara.model import Model
from samara.models.mechanisms.rods import box_inertia
from samara.models.registry import Quantity, ReadyModel, checked
from samara.results import Results

AXES = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@checked("chain")
def build(
    links: Annotated[int, Quantity("", "number of links", positive=True)] = 10,
    length: Annotated[float, Quantity("m", "length of a link", positive=True)] = 0.1,
    width: Annotated[float, Quantity("m", "size of a link across, along y", positive=True)] = 0.02,
    height: Annotated[float, Quantity("m", "size of a link across, along z", positive=True)] = 0.02,
    mass: Annotated[float, Quantity("kg", "mass of a link", positive=True)] = 0.1,
    gravity_y: Annotated[float, Quantity("m/s^2", "acceleration of gravity along y")] = 2.5,
    gravity_z: Annotated[float, Quantity("m/s^2", "acceleration of gravity along z")] = -9.5,
) -> Model:
    """N boxes joined by hinges whose axes alternate between y and z, let go from rest along +x.

    The numbers are those of the benchmark chain of `samara bench engine`, chosen there: gravity has a y component so
    that both families of hinges move. The node of a link stands at its inner hinge; see `tip` for the outer end.
    """
    model = Model("chain", gravity=(0.0, gravity_y, gravity_z))
    inertia = box_inertia(mass, length, width, height)
    inner = model.ground
    for k in range(links):
        at = (k * length, 0.0, 0.0)
        link = model.node(f"link_{k}", at)
        model.add(f"box_{k}", Body(link, mass=mass, inertia=inertia, com=(length / 2, 0.0, 0.0)))
        model.add(f"hinge_{k}", Revolute(inner, link, at=at, axis=AXES[k % 2]))
        inner = link
    return model


def tip(results: Results, links: int, length: float = 0.1) -> np.ndarray:
    """Position of the outer end of the last link at every sample, world axes, shape (n, 3) [m]."""
    last = f"link_{links - 1}"
    along = results[f"{last}.rotation"].reshape(-1, 3, 3)[:, :, 0]
    return results[f"{last}.position"] + length * along


CHAIN = ReadyModel(
    "chain",
    build,
    "N links with hinges about y and z in turn, let go from the horizontal",
    source="the chain of Samara's own benchmarks",
    timeline=Timeline(end=1.0, step=1e-3),
    plot=("hinge_0.angle", "hinge_0.force", "model.kinetic", "model.potential"),
)
