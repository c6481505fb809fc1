"""Rotors as a model declares them: what turns about which axis, and which parts are the blades."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from samara.arguments import ModelError
from samara.model.element import Element
from samara.model.frames.node import Node
from samara.model.quantities.placement import Placement
from samara.model.roles.lifting_surface import section_points

#: Distance from the shaft, by the radius, up to which a blade has no azimuth.
ON_THE_SHAFT = 1e-9


@dataclass(frozen=True)
class DeclaredRotor:
    """A rotor whose blades are given by name. It does not affect the equations.

    craft:   the non-rotating node that carries the shaft; hub: the rotating node.
    disk:    frame on the craft: origin at the hub's centre, z along the shaft, x where the azimuth is zero.
    radius:  of the tips [m]; sense: 1 counter-clockwise about the disk's z axis, -1 clockwise.
    blades:  names of the blades, in the sense of rotation: each leads the one before. A blade comprises the item of
             that name and all whose names start with it and a dot: "blade_1", "blade_1.flap". Empty for a bare disc.
    azimuth: channel of the hub's azimuth about the disk's z axis [rad]; empty if not measured.
    """

    name: str
    craft: Node
    hub: Node
    disk: Placement
    radius: float
    sense: int
    blades: Sequence[str]
    azimuth: str = ""

    def __post_init__(self) -> None:
        listed = isinstance(self.blades, Iterable) and not isinstance(self.blades, str)
        blades = tuple(self.blades) if listed else ()
        if not listed or not all(isinstance(blade, str) and blade for blade in blades):
            raise ModelError(f"rotor {self.name!r}: blades must be names: ('blade_1', 'blade_2'), got {self.blades!r}")
        object.__setattr__(self, "blades", blades)
        if len(set(self.blades)) < len(self.blades):
            raise ModelError(f"rotor {self.name!r}: name every blade once, got {self.blades!r}")
        for blade in self.blades:
            if belongs(self.hub.name, blade):
                raise ModelError(
                    f"rotor {self.name!r}: its hub {self.hub.name!r} is not a blade; for a disc without "
                    f"blades give blades=()"
                )
        if self.sense not in (1, -1):
            raise ModelError(
                f"rotor {self.name!r}: sense must be 1 (counter-clockwise) or -1 (clockwise), got {self.sense!r}"
            )
        number = isinstance(self.radius, Real) and not isinstance(self.radius, bool)
        if not (number and np.isfinite(self.radius) and self.radius > 0.0):
            raise ModelError(f"rotor {self.name!r}: radius must be positive [m], got {self.radius!r}")

    def channels(self, measure: str) -> list[str]:
        """Channels of a measure of all blades in order: "flap.angle" gives ["blade_1.flap.angle", ...]."""
        return [f"{blade}.{measure}" for blade in self.blades]

    def azimuth_of(self, point: np.ndarray) -> float:
        """Azimuth of a point of the disk's axes, in the sense of rotation [rad]."""
        return self.sense * float(np.arctan2(point[1], point[0]))


def belongs(name: str, part: str) -> bool:
    """Whether a name is that of a part, or of something in it."""
    return name == part or name.startswith(f"{part}.")


def blade_points(blade: str, nodes: Mapping[str, Node], elements: Iterable[Element]) -> list[tuple[Node, np.ndarray]]:
    """Points that show where a blade is, (node, point in its axes): sections of its surfaces, or else its nodes."""
    sections = [point for e in elements if belongs(e.name, blade) for point in section_points(e)]
    return sections or [(node, np.zeros(3)) for name, node in nodes.items() if belongs(name, blade)]


def check_blades(
    rotor: DeclaredRotor, nodes: Mapping[str, Node], elements: Iterable[Element], pose: Callable[[Node], Placement]
) -> None:
    """Refuses blades that are not there, or not in the order of their azimuths."""
    if not rotor.blades:
        return
    elements = list(elements)
    disk = (pose(rotor.craft) @ rotor.disk).inverse()
    turns = []
    for blade in rotor.blades:
        points = [disk.point(pose(node).point(p)) for node, p in blade_points(blade, nodes, elements)]
        if not points:
            raise ModelError(
                f"rotor {rotor.name!r}: blade {blade!r} has no node and no aerodynamic surface: give "
                f"names with which nodes or surfaces of the model begin, such as {blade!r} or '{blade}.root'"
            )
        if len(rotor.blades) > 1 and np.abs(np.mean(points, axis=0)[:2]).max() <= ON_THE_SHAFT * rotor.radius:
            raise ModelError(
                f"rotor {rotor.name!r}: blade {blade!r} lies on the shaft, so its azimuth is undefined: "
                f"give it a node or a surface along its span (a body's `com` may be anywhere)"
            )
        turns.append(rotor.azimuth_of(np.sum(points, axis=0)))
    steps = np.mod(np.diff([*turns, turns[0]]), 2.0 * np.pi)
    if len(turns) > 1 and not np.isclose(steps.sum(), 2.0 * np.pi):
        order = ", ".join(rotor.blades[k] for k in np.argsort(np.mod(np.array(turns) - turns[0] + 1e-9, 2.0 * np.pi)))
        raise ModelError(
            f"rotor {rotor.name!r}: its blades are not listed in the sense of rotation, {rotor.sense}: "
            f"give them as {order}, or correct the sense"
        )
