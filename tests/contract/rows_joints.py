"""Joints under the contract."""

import numpy as np
from row import Row, placement, vector

from samara import (
    Clamp,
    Cylindrical,
    Distance,
    Friction,
    Gimbal,
    GimbalRotation,
    InLine,
    InPlane,
    Lock,
    LuGre,
    PrescribedAngle,
    PrescribedRate,
    Prismatic,
    RelaxedJoint,
    Revolute,
    Screw,
    Spherical,
    TotalJoint,
    Universal,
)


def joint(cls, **fields):
    """A factory of this joint between two frames anywhere on its nodes."""
    return lambda nodes, rng, turn: cls(*nodes, place_a=placement(rng), place_b=placement(rng), **fields)


def total(hold_position, hold_rotation, moved, turned):
    """A factory of total joints whose drives, on what is held, are of these sizes [m, rad]."""

    def make(nodes, rng, turn):
        hold = np.array([*map(bool, hold_position), *map(bool, hold_rotation)])
        drives = np.where(hold, np.repeat([moved, turned], 3) * rng.uniform(-1.0, 1.0, 6), 0.0)
        return TotalJoint(
            *nodes,
            place_a=placement(rng),
            place_b=placement(rng),
            hold_position=tuple(hold[:3]),
            hold_rotation=tuple(hold[3:]),
            position=tuple(drives[:3]),
            rotation=tuple(drives[3:]),
        )

    return make


def rubbing(cls, transition, **fields):
    """A factory of this joint with friction that is Coulomb's from this speed on [m/s]."""

    def make(nodes, rng, turn):
        friction = Friction(
            rng.uniform(0.1, 0.3), static=rng.uniform(0.3, 0.5), stribeck=rng.uniform(1.0, 3.0),
            transition=transition, viscous=rng.uniform(0.0, 2.0), preload=rng.uniform(0.0, 5.0),
        )  # fmt: skip
        return cls(*nodes, place_a=placement(rng), place_b=placement(rng), friction=friction, **fields)

    return make


def remembering(cls, **fields):
    """A factory of this joint with friction that has a memory."""

    def make(nodes, rng, turn):
        friction = LuGre(
            rng.uniform(0.1, 0.3), stiffness=rng.uniform(0.2, 0.5), static=rng.uniform(0.3, 0.5),
            stribeck=rng.uniform(1.0, 3.0), damping=rng.uniform(0.05, 0.3), viscous=rng.uniform(0.0, 2.0),
            preload=rng.uniform(0.0, 5.0),
        )  # fmt: skip
        return cls(*nodes, place_a=placement(rng), place_b=placement(rng), friction=friction, **fields)

    return make


def relaxed(cls, **fields):
    """A factory of this joint, relaxed."""

    def make(nodes, rng, turn):
        # it gives way a little: frames are less than half a turn apart, as rotations of a clamp must be
        places = {"place_a": vector(rng, 0.3), "place_b": vector(rng, 0.3)}
        return RelaxedJoint(joint=cls(*nodes, **places, **fields), compliance=rng.uniform(0.01, 0.1))

    return make


PLACED = {
    "not both": lambda nodes: Revolute(*nodes, place_a=(0, 0, 1), at=(0, 0, 0)),
    "place_a": lambda nodes: Revolute(*nodes, place_a=(0, 0)),
    "axis is a direction": lambda nodes: Revolute(*nodes, axis=(0, 0, 0)),
    "at must be three finite numbers": lambda nodes: Revolute(*nodes, at=(0, 0, np.nan)),
}

UNKNOWN = (
    "its reactions are unknowns that need not be those of its gaps: energy in tests/physics/test_over_constrained.py"
)
SETTLED = "its reactions follow from the nodes' accelerations: energy is tested in tests/physics/test_locks.py"

ROWS = [
    Row("Clamp", joint(Clamp)),
    Row("Spherical", joint(Spherical)),
    Row("Revolute", joint(Revolute), bad=PLACED),
    Row("Prismatic", joint(Prismatic)),
    Row("Cylindrical", joint(Cylindrical)),
    Row("Universal", joint(Universal)),
    Row("GimbalRotation", joint(GimbalRotation)),
    Row("Gimbal", joint(Gimbal)),
    Row("InLine", joint(InLine)),
    Row("InPlane", joint(InPlane)),
    Row(
        "Revolute, friction",
        rubbing(Revolute, 9.0, radius=0.5),
        bad={
            "give radius": lambda nodes: Revolute(*nodes, friction=Friction(0.1)),
            "radius must be a number that is not negative": lambda nodes: Revolute(
                *nodes, friction=Friction(0.1), radius=-1.0
            ),
            "friction must be a JointFriction": lambda nodes: Revolute(*nodes, friction=0.1),
            "coulomb must be a number that is not negative": lambda nodes: Revolute(
                *nodes, friction=Friction(-0.1), radius=1.0
            ),
            "must not be less than coulomb": lambda nodes: Revolute(
                *nodes, friction=Friction(0.2, static=0.1), radius=1.0
            ),
            "transition must be a positive number": lambda nodes: Revolute(
                *nodes, friction=Friction(0.2, transition=0.0), radius=1.0
            ),
        },
    ),
    Row("Spherical, friction", rubbing(Spherical, 9.0, radius=0.5)),
    Row("Prismatic, friction", rubbing(Prismatic, 20.0)),
    Row("Prismatic, sliding", rubbing(Prismatic, 0.01)),
    Row("Cylindrical, friction", rubbing(Cylindrical, 20.0, radius=0.5)),
    Row("InLine, friction", rubbing(InLine, 20.0)),
    Row("InPlane, friction", rubbing(InPlane, 20.0)),
    Row("InPlane, sliding", rubbing(InPlane, 0.01)),
    Row(
        "Prismatic, LuGre",
        remembering(Prismatic),
        bad={
            "the bristles would generate energy": lambda nodes: Prismatic(
                *nodes, friction=LuGre(0.1, 1e5, stribeck=0.1, damping=300.0)
            ),
            "static (0.1) must not be less": lambda nodes: Prismatic(*nodes, friction=LuGre(0.2, 1e5, static=0.1)),
            "stiffness must be a positive number": lambda nodes: Prismatic(*nodes, friction=LuGre(0.2, 0.0)),
        },
    ),
    Row("Spherical, LuGre", remembering(Spherical, radius=0.5)),
    Row("InPlane, LuGre", remembering(InPlane)),
    Row(
        "Distance",
        lambda nodes, rng, turn: Distance(
            *nodes, place_a=vector(rng, 0.2), place_b=vector(rng, 0.2), length=lambda t: 1 + t
        ),
        bad={
            "length must be positive": lambda nodes: Distance(*nodes, length=-1.0),
            "give place_a and place_b": lambda nodes: Distance(*nodes, at=(0, 0, 0)),
            "length": lambda nodes: Distance(*nodes, length="long"),
        },
    ),
    Row(
        "PrescribedAngle",
        joint(PrescribedAngle, angle=lambda t: 20.0 * t),
        bad={"angle": lambda nodes: PrescribedAngle(*nodes, angle=(1.0, 2.0))},
    ),
    Row(
        "PrescribedRate",
        joint(PrescribedRate, rate=lambda t: 3.0 * t),
        bad={"rate": lambda nodes: PrescribedRate(*nodes, rate=None)},
    ),
    Row(
        "Screw",
        joint(Screw, lead=-5.0),
        bad={
            "lead must not be zero": lambda nodes: Screw(*nodes, lead=0.0),
            "lead must be a finite number": lambda nodes: Screw(*nodes, lead=np.inf),
        },
    ),
    Row(
        "TotalJoint, all driven",
        total((1, 1, 1), (1, 1, 1), 0.5, 2.0),
        bad={
            "hold_position must be three booleans": lambda nodes: TotalJoint(*nodes, hold_position=(True, False)),
            "hold_rotation must be three booleans": lambda nodes: TotalJoint(*nodes, hold_rotation=(1.0, 0.0, 2.0)),
            "would constrain nothing": lambda nodes: TotalJoint(
                *nodes, hold_position=(False,) * 3, hold_rotation=(False,) * 3
            ),
            "position y has a drive": lambda nodes: TotalJoint(
                *nodes, hold_position=(True, False, True), position=(0.0, 1.0, 0.0)
            ),
            "rotation must have 3 components": lambda nodes: TotalJoint(*nodes, rotation=(0.0, 1.0)),
        },
    ),
    Row("TotalJoint, as a clamp", total((1, 1, 1), (1, 1, 1), 0.0, 0.0)),
    Row("TotalJoint, axis y driven away", total((1, 0, 1), (1, 0, 1), 0.5, 2.0)),
    Row("TotalJoint, as a hinge", total((1, 1, 1), (1, 1, 0), 0.0, 0.0)),
    Row("TotalJoint, one turn driven", total((0, 1, 0), (1, 0, 0), 0.5, 9.0)),
    Row("TotalJoint, positions only", total((1, 1, 0), (0, 0, 0), 0.5, 0.0)),
    Row(
        "RelaxedJoint, clamp",
        relaxed(Clamp),
        near=0.5,
        unbalanced=UNKNOWN,
        bad={
            "compliance must be a positive number": lambda nodes: RelaxedJoint(joint=Clamp(*nodes), compliance=0.0),
            "joint must be a joint": lambda nodes: RelaxedJoint(joint=Friction(0.1), compliance=1e-6),
            "cannot be relaxed": lambda nodes: RelaxedJoint(
                joint=Revolute(*nodes, friction=Friction(0.1), radius=1.0), compliance=1e-6
            ),
        },
    ),
    Row("RelaxedJoint, hinge", relaxed(Revolute), near=0.5, unbalanced=UNKNOWN),
    Row("RelaxedJoint, driven", relaxed(Distance, length=lambda t: 1 + t), near=0.5, unbalanced=UNKNOWN),
    Row(
        "Lock, about its axis",
        joint(Lock, engaged=lambda t: 1.0 + t),
        bad={
            "time must be a positive number": lambda nodes: Lock(*nodes, engaged=1.0, time=0.0),
            "would constrain nothing": lambda nodes: Lock(*nodes, engaged=1.0, hold_rotation=(False,) * 3),
            "hold_position must be three booleans": lambda nodes: Lock(*nodes, engaged=1.0, hold_position=(1, 0)),
            "engaged": lambda nodes: Lock(*nodes, engaged="yes"),
        },
        unbalanced=SETTLED,
    ),
    Row(
        "Lock, of everything",
        joint(Lock, engaged=1.0, hold_position=(True,) * 3, hold_rotation=(True,) * 3),
        unbalanced=SETTLED,
    ),
    Row("Lock, released", joint(Lock, engaged=0.0, hold_position=(True, False, False))),
]
