"""Small mechanisms with impacts, each in two forms: fully nonsmooth, and smooth with a nonsmooth subsystem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.contact.contact import Contact
from samara.elements.contact.shapes import BallShape
from samara.elements.springs.spring import Spring
from samara.model import Model, Node, Placement
from samara.nonsmooth.subsystem import NonsmoothSubsystem
from samara.rotations import exp_so3, rotation_from_axes

GRAVITY = 9.81
#: Fraction of the mass and of the inertia that belongs to the subsystem.
SHARE = 0.25


@dataclass(frozen=True)
class RigidPart:
    """Mass [kg], centre of mass [m] and inertia about it [kg m^2] of a body that is split in two."""

    mass: float
    inertia: tuple[float, float, float]
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def without(self, mass: float, inertia: np.ndarray) -> RigidPart:
        """Remainder after removing a part whose centre of mass is at the origin."""
        c, left = np.array(self.com), self.mass - mass
        about_origin = np.diag(self.inertia) + self.mass * (c @ c * np.eye(3) - np.outer(c, c)) - inertia
        d = self.mass * c / left
        moments = np.diag(about_origin - left * (d @ d * np.eye(3) - np.outer(d, d)))
        return RigidPart(left, tuple(moments), tuple(d))


@dataclass(frozen=True)
class ContactCase:
    """A mechanism with contacts.

    make:   (split) -> (model, subsystem): fully nonsmooth and None, or split in two.
    seen:   channel whose error is evaluated. end [s]. coarsest: the step [s] that is then halved. exact: closed-form
            positions at some times, of the channel's components in `axes`; None where a fine run replaces it.
    """

    name: str
    make: Callable[[bool], tuple[Model, NonsmoothSubsystem | None]]
    seen: str
    axes: tuple[int, ...]
    end: float
    coarsest: float = 4e-3
    exact: Callable[[np.ndarray], np.ndarray] | None = None


def facing(normal: Any, at: Any = (0.0, 0.0, 0.0)) -> Placement:
    """A placement whose z axis is the normal."""
    return Placement(at, rotation_from_axes(z=normal, x=(0, 1, 0) if abs(normal[1]) < 0.9 else (1, 0, 0)))


def _body(model: Model, node: Node, part: RigidPart) -> None:
    model.add(f"{node.name}.body", Body(node, mass=part.mass, inertia=part.inertia, com=part.com))


def _point(model: Model, node: Node, mass: float, split: bool, **contact: Any) -> NonsmoothSubsystem | None:
    """A ball with this mass, part of it as a point of a subsystem, and its contact `stop` with a fixed object."""
    share = SHARE * mass if split else 0.0
    _body(model, node, RigidPart(mass - share, (0.01, 0.01, 0.01)))
    if not split:
        model.add("stop", Contact(model.ground, node, **contact))
        return None
    subsystem = NonsmoothSubsystem("nonsmooth", model)
    subsystem.add("stop", Contact(subsystem.ground, subsystem.point("point", node, mass=share), **contact))
    return subsystem


def _rigid(
    model: Model, node: Node, part: RigidPart, split: bool, contacts: list[dict[str, Any]]
) -> NonsmoothSubsystem | None:
    """A rigid body, part of it in a subsystem, and its contacts c0, c1, ... with the floor."""
    if not split:
        _body(model, node, part)
        for k, contact in enumerate(contacts):
            model.add(f"c{k}", Contact(model.ground, node, place_a=(0, 0, 0), **contact))
        return None
    mass, inertia = SHARE * part.mass, SHARE * np.diag(part.inertia)
    _body(model, node, part.without(mass, inertia))
    subsystem = NonsmoothSubsystem("nonsmooth", model)
    shell = subsystem.body("shell", node, mass=mass, inertia=inertia)
    for k, contact in enumerate(contacts):
        subsystem.add(f"c{k}", Contact(subsystem.ground, shell, place_a=(0, 0, 0), **contact))
    return subsystem


# ---- points
def _ball(split: bool):
    model = Model("ball", gravity=(0, 0, -GRAVITY))
    node = model.node("ball", position=(0, 0, 1.0))
    return model, _point(model, node, 2.0, split, place_a=(0, 0, 0), restitution=0.8)


def bounces(t: np.ndarray, e: float = 0.8, height: float = 1.0) -> np.ndarray:
    """Height of a ball that is dropped from rest and bounces; it is at rest after infinitely many impacts."""
    impact = np.sqrt(2.0 * height / GRAVITY)
    z, speed = np.where(t < impact, height - 0.5 * GRAVITY * t * t, 0.0), GRAVITY * impact
    for _ in range(200):
        speed *= e
        flight = 2.0 * speed / GRAVITY
        now = (t >= impact) & (t < impact + flight)
        z[now] = speed * (t[now] - impact) - 0.5 * GRAVITY * (t[now] - impact) ** 2
        impact += flight
    return z[:, None]


#: Masses on springs: stiffness [N/m], gap to the stop [m], restitution.
STIFFNESS, GAP, RESTITUTION = 200.0, 0.02, 0.7


def _masses(count: int) -> Callable[[bool], tuple[Model, NonsmoothSubsystem | None]]:
    """Masses in a line with springs between them; the last one hits a stop."""

    def make(split: bool):
        model = Model(f"{count} masses on a stop")
        last = model.ground
        for i in range(count):
            node = model.node(f"m{i}", position=(0.5 * (i + 1), 0, 0), velocity=(1.0 + 0.3 * i, 0, 0))
            model.add(f"spring{i}", Spring(last, node, stiffness=STIFFNESS))
            if i < count - 1:
                _body(model, node, RigidPart(1.0 + 0.5 * i, (1.0, 1.0, 1.0)))
            last = node
        stop = facing((-1, 0, 0), (0.5 * count + GAP, 0, 0))
        return model, _point(model, last, 0.5 + 0.5 * count, split, place_a=stop, restitution=RESTITUTION)

    return make


def exact_masses(count: int) -> Callable[[np.ndarray], np.ndarray]:
    """Positions of the last mass: flights by matrix exponentials, impacts by Brent's method and Newton's impact law."""

    def exact(times: np.ndarray) -> np.ndarray:
        from scipy.linalg import expm
        from scipy.optimize import brentq

        K = STIFFNESS * (2 * np.eye(count) - np.eye(count, k=1) - np.eye(count, k=-1))
        K[-1, -1] = STIFFNESS
        masses = 1.0 + 0.5 * np.arange(count)
        A = np.block([[np.zeros((count, count)), np.eye(count)], [-K / masses[:, None], np.zeros((count, count))]])
        y, t, found, look = np.r_[np.zeros(count), 1.0 + 0.3 * np.arange(count)], 0.0, [], 5e-4
        leap = expm(A * look)
        while t < times[-1]:
            z, flight = leap @ y, look  # every flight is longer than `look`
            while z[count - 1] <= GAP and t + flight < times[-1] + look:
                z, flight = leap @ z, flight + look
            if z[count - 1] > GAP:
                flight = brentq(lambda s, y=y: (expm(A * s) @ y)[count - 1] - GAP, flight - look, flight, xtol=1e-14)
            found += [(expm(A * (s - t)) @ y)[count - 1] for s in times[(times >= t) & (times < t + flight)]]
            y, t = expm(A * flight) @ y, t + flight
            y[-1] *= -RESTITUTION
        return 0.5 * count + np.array(found[: len(times)])[:, None]

    return exact


# ---- bodies
SLOPE, FRICTION = np.deg2rad(20.0), 0.3


def _box(half: tuple[float, float, float], mass: float) -> RigidPart:
    squares = np.square(half)
    return RigidPart(mass, tuple(mass / 3.0 * (squares.sum() - squares)))


def _corners(half: tuple[float, float, float], **more: Any) -> list[dict[str, Any]]:
    """The four lower corners."""
    return [{"place_b": (x * half[0], y * half[1], -half[2]), **more} for x, y in product((-1, 1), repeat=2)]


def _incline(split: bool):
    half = (0.2, 0.15, 0.1)
    model = Model("incline", gravity=(GRAVITY * np.sin(SLOPE), 0, -GRAVITY * np.cos(SLOPE)))
    node = model.node("block", position=(0, 0, half[2] - 1e-9), velocity=(-1.0, 0, 0))
    return model, _rigid(model, node, _box(half, 3.0), split, _corners(half, friction=FRICTION))


def slides(t: np.ndarray) -> np.ndarray:
    """A block that is launched uphill, reverses, and slides down."""
    up = GRAVITY * (np.sin(SLOPE) + FRICTION * np.cos(SLOPE))
    down = GRAVITY * (np.sin(SLOPE) - FRICTION * np.cos(SLOPE))
    turn = 1.0 / up
    rest = np.maximum(t - turn, 0.0)
    return np.where(t < turn, -t + 0.5 * up * t * t, -0.5 * turn + 0.5 * down * rest**2)[:, None]


def _rocking(split: bool):
    alpha = 0.3
    half = (float(np.sin(alpha)), 0.5, float(np.cos(alpha)))
    R = exp_so3(np.array([0.0, 0.5 * alpha, 0.0]))
    centre = np.array([half[0], 0, 0]) - R @ np.array([half[0], 0, -half[2]])
    model = Model("rocking block", gravity=(0, 0, -GRAVITY))
    node = model.node("block", position=centre, rotation=R)
    return model, _rigid(model, node, RigidPart(2.0, (2 / 3, 2 / 3, 2 / 3)), split, _corners(half, friction=2.0))


def _rod(name: str, friction: float, e: float, angle: float, above: float = 0.0, **start: Any):
    """A 1 m rod whose ends may touch the floor."""

    def make(split: bool):
        model = Model(name, gravity=(0, 0, -GRAVITY))
        R = exp_so3(np.array([0.0, -angle, 0.0]))
        node = model.node("rod", position=(0, 0, 0.5 * np.sin(angle) + above), rotation=R, **start)
        part = RigidPart(1.0, (1e-3, 0.25 / 3, 0.25 / 3))
        ends = [{"place_b": (x, 0, 0), "friction": friction, "restitution": e} for x in (-0.5, 0.5)]
        return model, _rigid(model, node, part, split, ends)

    return make


def _tippe_top(split: bool):
    radius, mass = 0.02, 0.006
    moment = 0.4 * mass * radius**2
    model = Model("tippe top", gravity=(0, 0, -GRAVITY))
    R = exp_so3(np.array([0.1, 0.0, 0.0]))
    node = model.node("top", position=(0, 0, radius - 1e-9), rotation=R, angular_velocity=(0, 0, 150.0))
    part = RigidPart(mass, (0.9 * moment, 0.9 * moment, moment), (0.0, 0.0, -0.3 * radius))
    return model, _rigid(model, node, part, split, [{"shape": BallShape(radius), "friction": 0.3}])


CASES: dict[str, ContactCase] = {
    case.name: case
    for case in (
        ContactCase("ball", _ball, "ball.position", (2,), 2.0, exact=bounces),
        ContactCase("oscillator", _masses(1), "m0.position", (0,), 1.5, exact=exact_masses(1)),
        ContactCase("chain", _masses(3), "m2.position", (0,), 1.5, exact=exact_masses(3)),
        ContactCase("incline", _incline, "block.position", (0,), 0.8, exact=slides),
        ContactCase(
            "painleve", _rod("painleve", 2.0, 0.0, np.pi / 3, velocity=(3.0, 0, 0)), "rod.position", (0, 2), 0.6, 2e-3
        ),
        ContactCase("rocking", _rocking, "block.position", (0, 2), 1.5, 2e-3),
        ContactCase(
            "dimer",
            _rod("dimer", 0.1, 0.9, 0.3, 0.2, velocity=(0.5, 0, 0), angular_velocity=(0, 2.0, 0)),
            "rod.position", (0, 2), 0.8, 2e-3,
        ),
        ContactCase("tippe-top", _tippe_top, "top.position", (0, 1), 0.3, 4e-4),
    )
}  # fmt: skip
