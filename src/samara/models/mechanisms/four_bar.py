"""Four-bar linkage."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.joints.point_constraints.in_line import InLine
from samara.elements.joints.revolute import Revolute
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Model, ModelError, Node
from samara.models.mechanisms.rods import box_inertia
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_z


@checked("four-bar")
def build(
    crank: Annotated[float, Quantity("m", "length of the crank, which turns about the origin", positive=True)] = 0.2,
    coupler: Annotated[float, Quantity("m", "length of the coupler", positive=True)] = 0.6,
    rocker: Annotated[float, Quantity("m", "length of the rocker", positive=True)] = 0.5,
    ground: Annotated[float, Quantity("m", "distance of the two fixed hinges, along x", positive=True)] = 0.6,
    density: Annotated[float, Quantity("kg/m", "mass of a rod for each metre", positive=True)] = 1.0,
    width: Annotated[float, Quantity("m", "side of the rods' square section", positive=True)] = 0.02,
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity, along -y")] = 9.81,
    angle: Annotated[float, Quantity("rad", "angle of the crank at the start, from x about z")] = math.pi / 3,
    speed: Annotated[float, Quantity("rad/s", "angular velocity of the crank at the start")] = 12.0,
) -> Model:
    """Crank, coupler and rocker of uniform rods; the crank is pushed at the start and then left to itself.

    Three hinges and a point of the rocker that stays on the axis of the coupler's end: a closed loop without redundant
    constraints (a fourth hinge would repeat three of them). The defaults are round numbers chosen here that make the
    crank turn and the rocker swing (Grashof: 0.2 + 0.6 < 0.6 + 0.5).
    """
    O, A, B, C = _corners(crank, coupler, rocker, ground, angle)
    w = _spins(A - O, B - A, B - C, speed)
    model = Model("four-bar", gravity=(0.0, -gravity, 0.0))
    rest = np.zeros(2)
    bars = [
        _rod(model, "crank", (O, A), rest, w[0], density, width),
        _rod(model, "coupler", (A, B), w[0] * _turned(A - O), w[1], density, width),
        _rod(model, "rocker", (C, B), rest, w[2], density, width),
    ]
    axis = (0.0, 0.0, 1.0)
    model.add("hinge_O", Revolute(model.ground, bars[0], at=(*O, 0.0), axis=axis))
    model.add("hinge_A", Revolute(bars[0], bars[1], at=(*A, 0.0), axis=axis))
    model.add("hinge_C", Revolute(model.ground, bars[2], at=(*C, 0.0), axis=axis))
    model.add("closure_B", InLine(bars[1], bars[2], at=(*B, 0.0), axis=axis))
    return model


def _corners(crank: float, coupler: float, rocker: float, ground: float, angle: float) -> tuple[np.ndarray, ...]:
    """O, A, B, C in the plane; B above the line from A to C."""
    O, C = np.zeros(2), np.array([ground, 0.0])
    A = crank * np.array([math.cos(angle), math.sin(angle)])
    reach = float(np.linalg.norm(C - A))
    along = (coupler**2 - rocker**2 + reach**2) / (2.0 * reach)
    if coupler <= abs(along):
        raise ModelError(
            f"four-bar: coupler ({coupler:g} m) and rocker ({rocker:g} m) do not meet over the {reach:g} m from the "
            "crank's end to the rocker's hinge: change a length, or the crank's angle"
        )
    x = (C - A) / reach
    return O, A, A + along * x + math.sqrt(coupler**2 - along**2) * _turned(x), C


def _turned(v: np.ndarray) -> np.ndarray:
    """A plane vector turned by 90 degrees about z."""
    return np.array([-v[1], v[0]])


def _spins(OA: np.ndarray, AB: np.ndarray, CB: np.ndarray, speed: float) -> tuple[float, float, float]:
    """Angular velocities that keep the loop closed: w1 z x OA + w2 z x AB = w3 z x CB."""
    w2, w3 = np.linalg.solve(np.column_stack([_turned(AB), -_turned(CB)]), -speed * _turned(OA))
    return speed, float(w2), float(w3)


def _rod(
    model: Model, name: str, ends: tuple[np.ndarray, np.ndarray], v: np.ndarray, w: float, density: float, width: float
) -> Node:
    """A node in the middle of a uniform rod, x along it; v is the velocity of the first end, w the spin."""
    along = ends[1] - ends[0]
    length = float(np.linalg.norm(along))
    node = model.node(
        name,
        (*(ends[0] + 0.5 * along), 0.0),
        rotation_z(math.atan2(along[1], along[0])),
        velocity=(*(v + 0.5 * w * _turned(along)), 0.0),
        angular_velocity=(0.0, 0.0, w),
    )
    mass = density * length
    model.add(f"{name}_rod", Body(node, mass=mass, inertia=box_inertia(mass, length, width, width)))
    return node


FOUR_BAR = ReadyModel(
    "four-bar",
    build,
    "crank, coupler and rocker: a closed loop, swinging freely",
    source="round numbers chosen here",
    timeline=Timeline(end=5.0, step=1e-3),
    method=Method(integrator="two-step:0.9"),
    plot=("hinge_O.angle_rate", "hinge_C.angle", "coupler.position", "closure_B.force"),
)
