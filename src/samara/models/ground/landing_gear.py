"""Landing gear for any machine: wheels on oleo legs or skids on cross tubes, with unilateral or penalty contact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.contact.contact import Contact
from samara.elements.contact.penalty import PenaltyContact
from samara.elements.contact.shapes import BallShape, ContactShape, WheelShape
from samara.elements.joints.prismatic import Prismatic
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.elements.laws.contact_laws.hertz import ContactLaw
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.axial import Axial
from samara.model import Model, ModelError, Node, Placement
from samara.models.ground.deck import Deck
from samara.rotations import rotation_from_axes

KINDS = ("none", "wheels", "skids")
CONTACTS = ("unilateral", "penalty")
#: Restitution that a penalty law comes nearest to zero with, and the speed it is meant for [m/s].
PENALTY_RESTITUTION, PENALTY_SPEED = 0.05, 1.0
#: Slip below which the friction of a penalty law rises from zero [m/s].
TRANSITION = 1e-2


@dataclass(frozen=True)
class Leg:
    """A foot that deflects along z of the machine: a wheel on an oleo leg, or a skid on two cross tubes.

        F = stiffness s + damping ds/dt,     s: compression [m]

    A skid has such a spring above each of its points, and may pitch relative to the machine; a wheel only slides.

    at:     middle of the foot with the leg out, in axes of the machine (aft, right, up) [m]
    points: contact points relative to `at`: a wheel at its axle, a tube at both ends [m]
    radius: of the tyre or the tube [m]; mass: of the foot [kg]
    wheel:  whether it is a wheel, turning about y.
    """

    name: str
    at: tuple[float, float, float]
    mass: float
    radius: float
    stiffness: float  # of each spring [N/m]
    damping: float  # N s/m
    points: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),)
    wheel: bool = False

    @property
    def contacts(self) -> list[str]:
        """Names of its contacts."""
        return [f"{self.name}.tyre"] if self.wheel else [f"{self.name}.touch{k + 1}" for k in range(len(self.points))]

    @property
    def springs(self) -> list[str]:
        """Names of its springs."""
        return [f"{self.name}.oleo"] if self.wheel else [f"{self.name}.tube{k + 1}" for k in range(len(self.points))]


@dataclass(frozen=True)
class LandingGear:
    """Legs, and the contact of their feet with the landing surface.

    friction: Coulomb's coefficient. restitution: of unilateral contacts. brakes: whether wheels are locked.
    contact: "unilateral" (`Contact`), or "penalty" (`PenaltyContact`) with a law stiffness d^1.5 [N/m^1.5].
    """

    legs: tuple[Leg, ...]
    friction: float = 0.6
    restitution: float = 0.0
    brakes: bool = True
    contact: str = "unilateral"
    stiffness: float = 3e7

    def __post_init__(self) -> None:
        if self.contact not in CONTACTS:
            raise ModelError(f"gear: contact must be one of {', '.join(CONTACTS)}, got {self.contact!r}")
        if not self.legs:
            raise ModelError("gear: give it one leg or more")

    @property
    def low(self) -> float:
        """Height of its lowest point with all legs out, from the node [m]."""
        return min(leg.at[2] + p[2] - leg.radius for leg in self.legs for p in leg.points)

    def add(self, model: Model, craft: Node, deck: Deck | None = None, prefix: str = "gear.") -> None:
        """Adds it below a node with axes aft, right, up, above a deck if there is one."""
        base, plane = deck.add(model) if deck is not None else (None, None)
        for leg in self.legs:
            foot = self._add_leg(model, craft, leg, prefix)
            if base is not None and plane is not None:
                for name, point in zip(leg.contacts, leg.points, strict=True):
                    self._add_contact(model, f"{prefix}{name}", base, plane, foot, leg, point)

    def contacts(self, prefix: str = "gear.") -> list[str]:
        """Names of the contacts."""
        return [f"{prefix}{name}" for leg in self.legs for name in leg.contacts]

    def springs(self, prefix: str = "gear.") -> list[str]:
        """Names of the springs."""
        return [f"{prefix}{name}" for leg in self.legs for name in leg.springs]

    def _add_leg(self, model: Model, craft: Node, leg: Leg, prefix: str) -> Node:
        """Adds a slider with its spring, and a wheel on it unless braked; returns the node that touches the ground."""
        name = f"{prefix}{leg.name}"
        place = craft.place @ Placement(leg.at)
        motion: dict[str, Any] = {
            "velocity": craft.velocity_at(place.position),
            "angular_velocity": craft.angular_velocity,
        }
        turns = leg.wheel and not self.brakes
        foot = model.node(name, place.position, place.rotation, **motion)
        share = 0.5 if turns else 1.0
        model.add(f"{name}.body", Body(foot, mass=share * leg.mass, inertia=_inertia(leg, share)))
        frames: dict[str, Any] = {"place_a": Placement(leg.at), "place_b": Placement()}
        if leg.wheel:
            model.add(f"{name}.slide", Prismatic(craft, foot, **frames))
        else:
            free: dict[str, Any] = {"hold_position": (True, True, False), "hold_rotation": (True, False, True)}
            model.add(f"{name}.slide", TotalJoint(craft, foot, **free, **frames))
        for spring, point in zip(leg.springs, leg.points, strict=True):
            ends: dict[str, Any] = {"place_a": Placement(np.add(leg.at, point)), "place_b": Placement(point)}
            law = LinearLaw(leg.stiffness, leg.damping)
            model.add(f"{prefix}{spring}", Axial(craft, foot, law=law, **ends))
        if not turns:
            return foot
        wheel = model.node(f"{name}.wheel", place.position, place.rotation, **motion)
        model.add(f"{name}.wheel.body", Body(wheel, mass=share * leg.mass, inertia=_inertia(leg, share)))
        axle = Placement((0.0, 0.0, 0.0), rotation_from_axes(z=(0, 1, 0), x=(1, 0, 0)))
        model.add(f"{name}.axle", Revolute(foot, wheel, place_a=axle, place_b=axle))
        return wheel

    def _add_contact(
        self, model: Model, name: str, base: Node, plane: Placement, foot: Node, leg: Leg, point: tuple
    ) -> None:
        shape: ContactShape = BallShape(leg.radius)
        place = Placement(point)
        if leg.wheel:  # as large as the radius, a quarter of it round
            shape = WheelShape(0.25 * leg.radius, 0.75 * leg.radius)
            place = Placement(point, rotation_from_axes(z=(0, 1, 0), x=(1, 0, 0)))
        common: dict[str, Any] = {"place_a": plane, "place_b": place, "shape": shape, "friction": self.friction}
        if self.contact == "unilateral":
            model.add(name, Contact(base, foot, restitution=self.restitution, **common))
            return
        law = ContactLaw.restoring(self.stiffness, PENALTY_RESTITUTION, PENALTY_SPEED)
        model.add(name, PenaltyContact(base, foot, law=law, transition=TRANSITION, **common))


def _inertia(leg: Leg, share: float) -> tuple[float, float, float]:
    """Of a foot [kg m^2]: a disk about y, or a rod along its points."""
    mass = share * leg.mass
    if leg.wheel:
        across = 0.25 * mass * leg.radius**2
        return (across, 2.0 * across, across)
    long = mass * (max(p[0] for p in leg.points) - min(p[0] for p in leg.points)) ** 2 / 12.0
    thin = mass * leg.radius**2
    return (thin, long + 0.5 * thin, long + 0.5 * thin)


def _wheel(name: str, at: tuple[float, float, float], stiffness: float, damping: float, mass: float) -> Leg:
    return Leg(name, at, mass, 0.33, stiffness, damping, wheel=True)


def _skid(name: str, side: float) -> Leg:
    ends = ((-1.9, 0.0, 0.0), (1.5, 0.0, 0.0))
    return Leg(name, (0.0, side, -1.95), 45.0, 0.06, 1.2e5, 9e3, points=ends)


#: Stand-ins for a machine of the Puma's size: wheelbase 4.05 m, track 2.38 m (from memory); static stroke about 0.12 m,
#: a third of critical damping. Skids: a machine of this size has none.
WHEELS = LandingGear(
    (
        _wheel("nose", (-3.05, 0.0, -1.72), 1.2e5, 9e3, 55.0),
        _wheel("left", (1.0, -1.19, -1.72), 1.8e5, 1.5e4, 65.0),
        _wheel("right", (1.0, 1.19, -1.72), 1.8e5, 1.5e4, 65.0),
    )
)
SKIDS = LandingGear((_skid("left", -1.15), _skid("right", 1.15)))
STAND_IN = "landing gear, deck and ship are made up"


def gear_of(kind: str, contact: str = "unilateral", **changes: Any) -> LandingGear | None:
    """The gear of that kind for a machine of the Puma's size; None for "none". changes: to fields of `LandingGear`."""
    if kind not in KINDS:
        raise ModelError(f"gear must be one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "none":
        return None
    return replace(WHEELS if kind == "wheels" else SKIDS, contact=contact, **changes)


def static_loads(points: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Loads along z at three points (3, 3) [m] that balance a force [N] and a moment [N m] about the origin."""
    rows = np.array([np.ones(3), points[:, 1], -points[:, 0]])
    return np.linalg.solve(rows, -np.array([force[2], moment[0], moment[1]]))
