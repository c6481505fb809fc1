"""Trees of rigid bodies for the benchmark of the recursive formulation, free of any code's conventions.

helicopter()   thirteen freedoms: the mechanics of the ready model xcell, without air, engine, springs and controls
chain(links)   a base that floats, and links on hinges about y and z in turn
rotor(blades)  a hub that turns freely, and blades on flap and lag hinges with springs and dampers
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from samara.model import Placement
from samara.rotations import rotation_from_axes, rotation_z

GRAVITY = (0.0, 0.0, -9.81)
#: Of the rotor: speed [rad/s], places of flap and lag hinge and radius [m].
SPEED, FLAP_HINGE, LAG_HINGE, RADIUS = 27.0, 0.29, 0.45, 7.5


@dataclass(frozen=True)
class TreeLink:
    """A rigid body and the hinge that it hangs on.

    parent:    number of the body that carries it; -1 for the ground.
    free:      whether nothing holds it: a base that floats, whose frame starts at the ground's.
    near, far: frames of the hinge on the parent and on the body. They coincide at angle zero; the body turns about z.
    mass [kg], com: centre of mass [m], inertia about it [kg m^2], shape (3, 3): in the axes of the body.
    stiffness [N m/rad], damping [N m s/rad]: of the hinge, at rest at angle zero.
    start:     angle [rad] and rate [rad/s] at which it starts.
    """

    name: str
    parent: int
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    free: bool = False
    near: Placement = field(default_factory=Placement)
    far: Placement = field(default_factory=Placement)
    stiffness: float = 0.0
    damping: float = 0.0
    start: tuple[float, float] = (0.0, 0.0)

    @property
    def at_zero(self) -> Placement:
        """Frame of the body on its parent at angle zero."""
        return self.near @ self.far.inverse()


@dataclass(frozen=True)
class TreeSpec:
    """Bodies in order, branch by branch; a body comes after the one that carries it.

    Coordinates q, in the order of the bodies: of a base that floats its position in world axes [m] and the quaternion
    (w, x, y, z) of its rotation; of a hinge its angle [rad]. Speeds s: of such a base the velocity of its origin in
    world axes [m/s] and its angular velocity in its own [rad/s]; of a hinge the rate [rad/s].
    """

    name: str
    links: tuple[TreeLink, ...]
    gravity: tuple[float, float, float] = GRAVITY

    @property
    def coordinates(self) -> int:
        """How many q has."""
        return sum(7 if link.free else 1 for link in self.links)

    @property
    def speeds(self) -> int:
        """Degrees of freedom."""
        return sum(6 if link.free else 1 for link in self.links)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """q and s where it starts."""
        base = ([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0] * 6)
        found: tuple[list[float], list[float]] = ([], [])
        for link in self.links:
            for values, more, one in zip(found, base, link.start, strict=True):
                values.extend(more if link.free else [one])
        return np.array(found[0]), np.array(found[1])

    def random(self, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, speeds and efforts of that many states, of order one, shape (count, ...)."""
        rng = np.random.default_rng(seed)
        q, s, efforts = (rng.normal(size=(count, size)) for size in (self.coordinates, self.speeds, self.speeds))
        at = 0
        for link in self.links:
            if link.free:
                q[:, at + 3 : at + 7] /= np.linalg.norm(q[:, at + 3 : at + 7], axis=1)[:, None]
            at += 7 if link.free else 1
        return q, s, efforts


def helicopter() -> TreeSpec:
    """Bodies and hinges of `samara.models.helicopters.xcell`: fuselage, hub, and link, grip and blade twice."""
    from samara.elements.bodies.body import Body
    from samara.elements.joints.revolute import Revolute
    from samara.models.helicopters.xcell import build

    model = build()
    inertias = {e.nodes()[0].name: e.rigid_inertia() for e in model.elements.values() if isinstance(e, Body)}
    names = ["fuselage"]
    links = [TreeLink("fuselage", -1, *_inertia(inertias["fuselage"]), free=True)]
    for joint in model.elements.values():
        if isinstance(joint, Revolute):
            parent, name = names.index(joint.a.name), joint.b.name
            mass, com, J = _inertia(inertias[name])
            links.append(TreeLink(name, parent, mass, com, J, near=joint.place_a, far=joint.place_b))
            names.append(name)
    return TreeSpec("helicopter", tuple(links))


def _inertia(found: Sequence) -> tuple[float, np.ndarray, np.ndarray]:
    mass, com, J = found
    return float(mass), np.array(com, float), np.array(J, float)


def chain(links: int) -> TreeSpec:
    """Links of 0.1 m and 0.1 kg one after the other on a base of 1 kg; the first hinge is at its centre."""
    made = [TreeLink("base", -1, 1.0, np.zeros(3), 0.01 * np.eye(3), free=True)]
    inertia = np.diag([7e-6, 9e-5, 9e-5])
    for k in range(links):
        axes = Placement((0.0, 0.0, 0.0), rotation_from_axes(z=np.eye(3)[1 + k % 2], x=(1.0, 0.0, 0.0)))
        near = Placement((0.1 if k else 0.0, 0.0, 0.0), axes.rotation)
        made.append(TreeLink(f"link_{k}", k, 0.1, np.array([0.05, 0.0, 0.0]), inertia, near=near, far=axes))
    return TreeSpec(f"chain-{links}", tuple(made))


def rotor(blades: int = 4) -> TreeSpec:
    """Rigid blades of 70 kg on a hub of 600 kg m^2 that turns at 27 rad/s; the numbers are made up, of a Puma's size.

    Each starts at other angles, so that flapping, lagging and the turning of the hub are all excited.
    """
    length, mass, arm = RADIUS - LAG_HINGE, 70.0, LAG_HINGE - FLAP_HINGE
    hub = TreeLink("hub", -1, 200.0, np.zeros(3), np.diag([300.0, 300.0, 600.0]), start=(0.0, SPEED))
    made = [hub]
    across = mass * length**2 / 12.0
    for k in range(blades):
        out = Placement((0.0, 0.0, 0.0), rotation_z(2.0 * np.pi * k / blades))
        flap = Placement((0.0, 0.0, 0.0), rotation_from_axes(z=(0.0, -1.0, 0.0), x=(1.0, 0.0, 0.0)))  # up is positive
        at = out @ Placement((FLAP_HINGE, 0.0, 0.0)) @ flap
        made.append(
            TreeLink(
                f"link_{k + 1}", 0, 5.0, np.array([0.5 * arm, 0.0, 0.0]), np.diag([0.01, 0.02, 0.02]), near=at,
                far=flap, stiffness=2000.0, damping=20.0, start=(np.radians(3.0 - k), 0.1 * k),
            )
        )  # fmt: skip
        made.append(
            TreeLink(
                f"blade_{k + 1}", len(made) - 1, mass, np.array([0.5 * length, 0.0, 0.0]),
                np.diag([0.3, across, across + 0.3]), near=Placement((arm, 0.0, 0.0)), stiffness=5000.0,
                damping=2500.0, start=(np.radians(k - 1.0), 0.0),
            )
        )  # fmt: skip
    return TreeSpec(f"rotor-{blades}", tuple(made))
