"""Contacts under the contract."""

import numpy as np
from row import Row, placement

from samara import (
    AngleStop,
    BallShape,
    CapsuleShape,
    Contact,
    CylinderSurface,
    HeightField,
    HuntCrossleyLaw,
    LinearLaw,
    PenaltyContact,
    PlaneSurface,
    SphereSurface,
    WheelShape,
)
from samara.elements.contact.pair_slot import PairSlot
from samara.tracing import Surface

GRID = np.linspace(-6.0, 6.0, 7)
HILLS = HeightField(Surface(GRID, GRID, 0.3 * np.sin(GRID)[:, None] * np.cos(0.7 * GRID)[None, :] - 1.0))
SURFACES = {
    "plane": PlaneSurface(),
    "sphere": SphereSurface(0.6),
    "hollow sphere": SphereSurface(4.0, hollow=True),
    "cylinder": CylinderSurface(0.5),
    "hollow cylinder": CylinderSurface(4.0, hollow=True),
}
SHAPES = {"ball": BallShape(0.3), "capsule": CapsuleShape(0.1, 0.4), "wheel": WheelShape(0.05, 0.4)}


def touching(cls, surface, shape, **more):
    """A factory of contacts between frames anywhere on the nodes."""
    return lambda nodes, rng, turn: cls(
        *nodes, place_a=placement(rng), place_b=placement(rng), surface=surface, shape=shape, **more
    )


# Overlaps of a metre: the law is soft, and what it stores is seen.
SOFT = {"law": LinearLaw(50.0, damping=3.0), "friction": 0.4, "transition": 0.5}
#: The nearest point of a shape moves along its surface, so that the gap's rate is the normal speed; but not quite where
#: it is found from the tangent plane at the centre of a wheel, or below a point on a height field.
TANGENT = "the distance to a height field is that to the plane that is tangent below the point"
CENTRE = "a wheel touches a curved surface where it would touch the tangent plane at its centre"

ROWS = [
    Row("PairSlot", touching(PairSlot, SphereSurface(0.6), BallShape(0.3), friction=0.3, restitution=0.5)),
    *(
        Row(
            f"Contact, {shape} and {surface}",
            touching(Contact, SURFACES[surface], SHAPES[shape], friction=0.3, restitution=0.5),
        )
        for surface in SURFACES
        for shape in SHAPES
    ),
    Row(
        "Contact",
        touching(Contact, PlaneSurface(), BallShape(0.1), friction=0.3, restitution=0.5),
        bad={
            "restitution": lambda nodes: Contact(*nodes, restitution=1.2),
            "friction": lambda nodes: Contact(*nodes, friction=-0.1),
            "surface": lambda nodes: Contact(*nodes, surface=3),
            "shape": lambda nodes: Contact(*nodes, shape="ball"),
            "radius": lambda nodes: Contact(*nodes, shape=BallShape(-0.1)),
            "SphereSurface: hollow must be True or False": lambda nodes: Contact(
                *nodes, surface=SphereSurface(1, hollow="no")
            ),
            "CylinderSurface: hollow must be True": lambda nodes: Contact(*nodes, surface=CylinderSurface(1, hollow=1)),
        },
    ),
    *(
        Row(
            f"PenaltyContact, {shape} and {surface}",
            touching(PenaltyContact, SURFACES[surface], SHAPES[shape], **SOFT),
            unbalanced=CENTRE if shape == "wheel" and surface != "plane" else "",
        )
        for surface in SURFACES
        for shape in SHAPES
    ),
    Row(
        "PenaltyContact",
        touching(PenaltyContact, PlaneSurface(), BallShape(0.1), **{**SOFT, "law": HuntCrossleyLaw(80.0, 0.7, 1.0)}),
        bad={
            "law": lambda nodes: PenaltyContact(*nodes, law=3.0),
            "transition": lambda nodes: PenaltyContact(*nodes, law=LinearLaw(1.0), transition=0.0),
        },
    ),
    *(
        Row(
            f"AngleStop, {side}",
            lambda nodes, rng, turn, side=side: AngleStop(
                *nodes, place_a=placement(rng), place_b=placement(rng), limit=rng.normal(), side=side, restitution=0.6
            ),
            bad={
                "restitution": lambda nodes: AngleStop(*nodes, restitution=-0.1),
                "side": lambda nodes: AngleStop(*nodes, side="middle"),
                "limit must be within half a turn": lambda nodes: AngleStop(*nodes, limit=4.0),
                "got -3.14159 rad": lambda nodes: AngleStop(*nodes, limit=-np.pi),
            },
        )
        for side in ("lower", "upper")
    ),
    Row("Contact, hills", touching(Contact, HILLS, BallShape(0.1), friction=0.3)),
    Row(
        "PenaltyContact, hills", touching(PenaltyContact, HILLS, BallShape(0.1), **SOFT), step=1e-7, unbalanced=TANGENT
    ),
]
