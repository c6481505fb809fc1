"""Deformable connections and their laws under the contract."""

import numpy as np
from row import Row, vector

from samara import (
    ComponentLaw,
    CubicLaw,
    DamperLaw,
    DeformableDisplacement,
    DeformableHinge,
    DeformableJoint,
    LinearLaw,
    LinearLaw3,
    LinearLaw6,
    OneSidedLaw,
)
from samara.model import Parameter


def connection(cls, law, **fields):
    """A factory: frames that stand together at the start, with a law made of random numbers."""
    return lambda nodes, rng, turn: cls(
        *nodes, at=vector(rng), axis=vector(rng), law=law(rng), **{k: f(rng) for k, f in fields.items()}
    )


def positive(rng, size):
    """A symmetric matrix without negative eigenvalues."""
    A = rng.uniform(-3.0, 3.0, (size, size))
    return A @ A.T


def linear3(rng):
    return LinearLaw3(positive(rng, 3), damping=rng.uniform(0.1, 0.5), preload=vector(rng, 5.0))


def viscous3(rng):
    return LinearLaw3(rng.uniform(1.0, 9.0, 3), viscosity=positive(rng, 3))


def linear6(rng):
    return LinearLaw6(positive(rng, 6), viscosity=positive(rng, 6), preload=rng.uniform(-5.0, 5.0, 6))


def components3(rng):
    stop = OneSidedLaw(LinearLaw(rng.uniform(10.0, 90.0), damping=1.0), gap=-0.2, onset=0.5)
    return CubicLaw(rng.uniform(10.0, 90.0), 5.0), None, stop + DamperLaw(rng.uniform(1.0, 9.0))


def drives(rng):
    """Three functions of time that start anywhere."""
    x, y, z = vector(rng, 0.4)
    return (lambda t: x + 0.3 * t, y, lambda t: z - 0.5 * np.sin(t))


DIAGONAL = (1.0, 1.0, 1.0)
SKEW = np.array([[1.0, 0.1, 0.0], [-0.1, 1.0, 0.0], [0.0, 0.0, 1.0]])
INDEFINITE = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])

ROWS = [
    Row(
        "DeformableDisplacement",
        connection(DeformableDisplacement, linear3, rest=drives),
        near=0.6,
        bad={
            "law must be a VectorLaw such as": lambda n: DeformableDisplacement(*n, law=LinearLaw(1.0)),
            "law must be of 3 coordinates": lambda n: DeformableDisplacement(*n, law=LinearLaw6((1.0,) * 6)),
            "stiffness must be symmetric": lambda n: DeformableDisplacement(*n, law=LinearLaw3(SKEW)),
            "stiffness must have shape": lambda n: DeformableDisplacement(*n, law=LinearLaw3((1.0, 1.0))),
            "stiffness has a negative eigenvalue": lambda n: DeformableDisplacement(*n, law=LinearLaw3(INDEFINITE)),
            "viscosity has a negative eigenvalue": lambda n: DeformableDisplacement(
                *n, law=LinearLaw3(DIAGONAL, viscosity=INDEFINITE)
            ),
            "damping must be a number that is not negative": lambda n: DeformableDisplacement(
                *n, law=LinearLaw3(DIAGONAL, damping=-1.0)
            ),
            "rest must have 3 components": lambda n: DeformableDisplacement(*n, law=LinearLaw3(DIAGONAL), rest=1.0),
            "axes must be one of": lambda n: DeformableDisplacement(*n, law=LinearLaw3(DIAGONAL), axes="b"),
        },
    ),
    Row(
        "DeformableDisplacement, midway",
        connection(DeformableDisplacement, viscous3, axes=lambda rng: "midway"),
        near=0.6,
    ),
    Row(
        "DeformableDisplacement, one law a component",
        connection(DeformableDisplacement, components3),
        near=0.6,
        bad={
            "components must be 3 or 6 laws": lambda n: DeformableDisplacement(*n, law=(None, None)),
            "components must be laws": lambda n: DeformableDisplacement(*n, law=(LinearLaw(1.0), None, 3.0)),
        },
    ),
    Row("DeformableHinge", connection(DeformableHinge, linear3), near=0.6),
    Row("DeformableHinge, driven", connection(DeformableHinge, linear3, rest=drives), near=0.5),
    Row(
        "DeformableHinge, sum",
        connection(DeformableHinge, lambda rng: viscous3(rng) + ComponentLaw(components3(rng))),
        near=0.6,
        bad={"cannot be added": lambda n: DeformableHinge(*n, law=LinearLaw3(DIAGONAL) + LinearLaw6((1.0,) * 6))},
    ),
    Row("DeformableJoint", connection(DeformableJoint, linear6), near=0.6),
    Row(
        "DeformableJoint, driven",
        connection(DeformableJoint, linear6, rest_position=drives, rest_rotation=drives),
        near=0.5,
        bad={
            "law must be of 6 coordinates": lambda n: DeformableJoint(*n, law=LinearLaw3(DIAGONAL)),
            "must be finite numbers": lambda n: DeformableJoint(*n, law=LinearLaw6((np.nan,) * 6)),
        },
    ),
    Row(
        "DeformableJoint, axes of d",
        connection(
            DeformableJoint,
            lambda rng: LinearLaw6(
                [Parameter(f"k{i} {rng.integers(1 << 40)}", rng.uniform(5.0, 50.0)) for i in range(6)], damping=0.1
            ),
            axes=lambda rng: "d",
        ),
        near=0.6,
    ),
]
