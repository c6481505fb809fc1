"""Spin-up of a flexible beam, the manoeuvre of Kane, Ryan and Banerjee."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.method.timeline import Timeline
from samara.model import Model, Motion
from samara.models.registry import Quantity, ReadyModel, checked
from samara.tracing import fmax, fmin

LENGTH = 10.0  # m
MASS, INERTIA = 1.2, 6e-4  # kg/m, kg m
EA, GA, EI = 2.8e7, 1e7, 1.4e4  # N, N, N m^2
SPEED, TIME = 6.0, 15.0  # rad/s, s


def angle(t):
    """Of the root: SPEED / TIME (t^2 / 2 + (TIME / 2 pi)^2 (cos(2 pi t / TIME) - 1)), then at constant speed [rad]."""
    rising = fmin(t, TIME)
    rate = 2 * np.pi / TIME
    grown = SPEED / TIME * (0.5 * rising * rising + (np.cos(rate * rising) - 1.0) / rate**2)
    return grown + SPEED * fmax(t - TIME, 0.0)


@checked("spin-up")
def build(
    elements: Annotated[int, Quantity("", "three-node beams", positive=True)] = 4,
) -> Model:
    """A uniform beam of 10 m, clamped to a shaft that accelerates smoothly from rest to 6 rad/s in 15 s.

    It lags behind by half a metre, and would diverge without centrifugal stiffening. The motion is planar; the
    out-of-plane stiffness is the same, and the torsional stiffness is arbitrary, without effect.
    """
    model = Model("spin-up")
    shaft = model.prescribed("shaft", Motion(rotation=(0, 0, angle)))
    span = Span(
        station=[0.0, LENGTH], mass=MASS, EA=EA, GA_y=GA, GA_z=GA, GJ=EI, EI_y=EI, EI_z=EI,
        inertia_y=INERTIA, inertia_z=INERTIA,
    )  # fmt: skip
    add_beam(model, "beam", span, root=shaft, elements=elements)
    return model


def in_the_shaft(results, node: str) -> np.ndarray:
    """Positions of a node in a run, seen by an observer on the shaft, shape (n, 3) [m]."""
    turned = results["shaft.rotation"].reshape(-1, 3, 3)
    return np.einsum("tji,tj->ti", turned, results[f"{node}.position"])


SPIN_UP = ReadyModel(
    "spin-up",
    build,
    "flexible beam on a shaft that comes up to speed",
    source=(
        "Kane, Ryan, Banerjee, Dynamics of a cantilever beam attached to a moving base, J. Guidance 10, 1987; data of "
        "Simo and Vu-Quoc, On the dynamics of flexible beams under large overall motions, J. Applied Mechanics 53, 1986"
    ),
    timeline=Timeline(end=20.0, step=0.01),
    plot=("beam.n8.position", "beam.beam1.moment_1"),
)
