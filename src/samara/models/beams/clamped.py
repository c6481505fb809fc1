"""A massless beam clamped to the ground, as used by the static benchmarks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from samara.elements.beams.beam2 import Beam2
from samara.elements.beams.beam3 import Beam3
from samara.elements.beams.section import Section
from samara.model import Model, Node, Placement


def add_clamped(
    model: Model,
    elements: int,
    stiffness,
    place: Callable[[float], Placement],
    kind: type[Beam2 | Beam3] = Beam3,
) -> list[Node]:
    """Adds a beam along a curve, its first node the ground; returns its nodes, n1, n2, ... after that.

    stiffness: of the section, as `Section` takes it.
    place:     centre and axes of a section as a function of the fraction 0 to 1 of the length.
    """
    count = kind.count * elements
    nodes = [model.ground]
    for k in range(1, count + 1):
        at = place(k / count)
        nodes.append(model.node(f"n{k}", at.position, at.rotation, static=True))
    section = Section(stiffness)
    for e in range(elements):
        part = nodes[kind.count * e : kind.count * (e + 1) + 1]
        model.add(f"beam{e}", kind(*part, section=section, balance="volumes"))
    return nodes


def straight(length: float) -> Callable[[float], Placement]:
    """Along x from the origin."""
    return lambda part: Placement((part * length, 0.0, 0.0))


def arc(radius: float, angle: float) -> Callable[[float], Placement]:
    """From the origin along x, towards y: an arc of that radius [m] and angle [rad] in the x-y plane."""

    def place(part: float) -> Placement:
        c, s = np.cos(part * angle), np.sin(part * angle)
        return Placement((radius * s, radius * (1 - c), 0.0), [[c, -s, 0], [s, c, 0], [0, 0, 1]])

    return place
