"""What there is to draw of a model besides its lines: blades and wings, beams, rigid bodies, joints.

Blades and wings have their chord, twist and offsets; their thickness is that of a NACA 0012. Sizes that a model does
not know are those of the simplest part with the same numbers: a beam has the rectangle with its ratios of stiffness,
a rigid body the box with its mass and inertia.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from samara.analysis.outline import Pen
from samara.elements.aero.surface import Surface
from samara.elements.beams.volume import VolumeBeam
from samara.elements.bodies.body import Body
from samara.elements.families import Joint, frame_about
from samara.elements.modal.interface import ModalInterface
from samara.model import Node, Placement

#: Corners of a section from the trailing edge over the top: distance behind the leading edge, and height, in chords.
#: Thickness as the NACA four-digit sections have it, 12 %: Abbott and von Doenhoff, Theory of Wing Sections, 1959.
_BEHIND = np.array([1.0, 0.65, 0.3, 0.08, 0.0])
_HALF = 0.6 * (
    0.2969 * np.sqrt(_BEHIND) - 0.126 * _BEHIND - 0.3516 * _BEHIND**2 + 0.2843 * _BEHIND**3 - 0.1015 * _BEHIND**4
)
PROFILE = np.column_stack([np.r_[_BEHIND, _BEHIND[-2:0:-1]], np.r_[_HALF, -_HALF[-2:0:-1]]])
#: Where the aerodynamic centre lies, in chords behind the leading edge.
QUARTER = 0.25
#: Bounds on what is drawn: half thickness of a beam by its length, least side of a box by its largest.
THICKEST, THINNEST = 0.15, 0.04
#: Half side by length of the bar that stands for a modal body between two nodes, of which no section is known.
MODAL = 0.02

#: Of the two that a surface may reach along a beam (-1 to 1): from here on the beam inside is not drawn.
COVERED = 1.98


@dataclass(frozen=True)
class Skin:
    """A surface around rings of points: neighbouring rings are joined by quads, the ends are closed.

    rings: numbers of the points, (sections, corners), all rings turning the same way; kind: blade, wing, beam or hull.
    """

    name: str
    kind: str
    rings: np.ndarray


@dataclass(frozen=True)
class Box:
    """A box fixed to a node: number of the node, -1 for the world; centre and axes in the node; sides [m]."""

    name: str
    node: int
    place: Placement
    size: np.ndarray


@dataclass
class Solids:
    """All of it; joints: name and number of its point."""

    skins: list[Skin] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    joints: list[tuple[str, int]] = field(default_factory=list)


def solids(pen: Pen) -> Solids:
    """Of the pen's simulation; adds the points that it needs."""
    found = Solids()
    surfaces = [e for e in pen.elements if isinstance(e, Surface) and e.carried()]
    beams = [e for e in pen.elements if isinstance(e, VolumeBeam)]
    covered = {frozenset(n.name for n in s.own_nodes()) for s in surfaces if np.ptp(s.station_range()) > COVERED}
    for surface in surfaces:
        found.skins.append(Skin(surface.name, "blade" if surface.rotor is not None else "wing", _strip(pen, surface)))
    for beam in beams:
        if frozenset(n.name for n in beam.nodes()) not in covered:
            found.skins.append(Skin(beam.name, "beam", _bar(pen, beam)))
    for name, ornament in pen.ornaments.items():
        rings = [[pen.point(ornament.node, corner) for corner in ring] for ring in ornament.rings]
        found.skins.append(Skin(name, "hull", np.array(rings)))
    # masses of what has a shape already are not drawn again
    shaped = {n.name for s in surfaces if s.rotor is not None for n in s.own_nodes()}
    shaped |= {n.name for beam in beams for n in beam.nodes()} | {o.node.name for o in pen.ornaments.values()}
    for element in pen.elements:
        if isinstance(element, Body) and element.n.name not in shaped:
            found.boxes.append(_box(pen, element))
        elif isinstance(element, ModalInterface):
            found.skins.append(Skin(element.name, "beam", _modal(pen, element)))
        elif isinstance(element, Joint):
            found.joints.append((element.name, pen.point(element.a, element.place_a.position)))
    return found


def section_ring(chord: float, twist: float, centre: float) -> np.ndarray:
    """Corners of a section in its axes (x span, y to the leading edge, z up) [m], shape (corners, 3).

    The aerodynamic centre lies at y = centre, a quarter chord behind the leading edge; twist turns about it, nose up.
    """
    ahead, up = chord * (QUARTER - PROFILE[:, 0]), chord * PROFILE[:, 1]
    c, s = np.cos(twist), np.sin(twist)
    return np.column_stack([np.zeros(len(ahead)), centre + c * ahead - s * up, s * ahead + c * up])


def _strip(pen: Pen, surface: Surface) -> np.ndarray:
    rings = []
    for x, node, frame in surface.carried():
        corners = section_ring(*surface.section_shape(x)) @ frame.rotation.T + frame.position
        rings.append([pen.point(node, corner) for corner in corners])
    return np.array(rings)


def _bar(pen: Pen, beam: VolumeBeam) -> np.ndarray:
    """A rectangle of sides a, b at every node, E a b = EA, E a b^3 / 12 = EI: half sides sqrt(3 EI / EA)."""
    D = np.array([np.diag(getattr(beam, name).stiffness) for name in beam.section_names()], float)
    worlds = beam.worlds()
    most = THICKEST * float(np.linalg.norm(worlds[-1].position - worlds[0].position))
    half = np.minimum(
        np.sqrt(3.0 * D[:, [5, 4]] / D[:, :1]), most
    )  # bending about z makes the width, about y the height
    at = np.linspace(0.0, 1.0, len(worlds))
    cuts = np.linspace(0.0, 1.0, len(half)) if len(half) > 1 else np.zeros(1)
    rings = []
    for where, name in zip(at, beam.along(), strict=True):
        width, height = (float(np.interp(where, cuts, column)) for column in half.T)
        corners = np.array([[0.0, y * width, z * height] for y, z in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
        place: Placement = getattr(beam, f"place_{name}")
        node: Node = getattr(beam, name)
        rings.append([pen.point(node, place.position + place.rotation @ corner) for corner in corners])
    return np.array(rings)


def _modal(pen: Pen, end: ModalInterface) -> np.ndarray:
    """A bar from the body's node to the point that the interface holds, straight whatever the modes do between."""
    here, there = pen.pose(end.a), pen.pose(end.b) @ end.place_b
    span = there.position - here.position
    length = float(np.linalg.norm(span)) or 1.0
    axes = frame_about(axis=span) if np.any(span) else np.eye(3)
    rings = []
    for node, pose, at in ((end.a, here, here.position), (end.b, pen.pose(end.b), there.position)):
        corners = at + MODAL * length * np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) @ axes.T
        rings.append([pen.point(node, (corner - pose.position) @ pose.rotation) for corner in corners])
    return np.array(rings)


def _box(pen: Pen, body: Body) -> Box:
    """The homogeneous box of the body's mass and inertia: side_i^2 = 6 (J_j + J_k - J_i) / m."""
    J, axes = np.linalg.eigh(np.asarray(body.inertia, float))
    axes = axes * np.sign(np.linalg.det(axes))
    size = np.sqrt(np.maximum(6.0 * (J.sum() - 2.0 * J) / float(body.mass), 0.0))
    place, number = Placement(body.com, axes), pen.number.get(body.n.name, -1)
    if number < 0:
        place = pen.pose(body.n) @ place
    return Box(body.name, number, place, np.maximum(size, THINNEST * size.max()))
