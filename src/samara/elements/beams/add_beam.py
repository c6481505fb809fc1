"""A beam from spanwise tables: nodes, beams and their mass."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from samara.elements.beams.beam3 import CUTS, Beam3
from samara.elements.beams.beam_mass3 import BeamMass3
from samara.elements.beams.section import DampedSection, Section
from samara.elements.beams.section_mass import SectionMass
from samara.elements.beams.span import Piece, Span
from samara.elements.bodies.body import Body
from samara.model import Model, ModelError, Node, Placement, as_placement
from samara.model.frames.starting_motion import starting_motion
from samara.rotations import cross
from samara.tracing.expressions.table import plain_numbers

#: How mass is put on the nodes of a beam.
INERTIA = ("distributed", "lumped", "none")
#: Sections thinner than this part of the distance of the nodes count as this thick: rotations need some inertia. It
#: lowers the frequency of a wave, of wave number k, by (k THIN distance)^2 / 2.
THIN = 0.01
#: Elements of a beam where nothing is said.
ELEMENTS = 5


def add_beam(
    model: Model,
    name: str,
    span: Span,
    *,
    root: Node,
    place: Any = None,
    elements: int | None = None,
    stations: Any = None,
    damping: float = 0.0,
    inertia: str = "distributed",
    velocity: Any = None,
    angular_velocity: Any = None,
) -> list[Node]:
    """Adds a beam of `Beam3` elements from spanwise tables, clamped to a node; returns its nodes, root first.

    root, place: the node to which the beam is clamped, and the pose in it of x = station[0] with the untwisted axes: a
                 `Placement`, or a point [m].
    elements:    number of elements of equal length (default 5); or `stations`, the ends of the elements [m], from the
                 first station to the last. Put element ends where properties jump: within an element only the values at
                 the cuts are used.
    damping:     stiffness-proportional damping [s].
    inertia:     "distributed": `BeamMass3` with balance="energy"; frequencies of order 4. "lumped": a rigid body at
                 each node with the exact inertia of the piece of beam around it, and balance="volumes"; frequencies of
                 order 2, internal forces exact for loads at the nodes. "none": static nodes.
    velocity, angular_velocity: initial motion of the root in world axes [m/s, rad/s]; by default that of the node. The
                 beam starts moving as a rigid body.

    Elements are named name.beam1, ..., nodes name.n1, ..., masses name.mass1, ... along the elements, or name.body0,
    ... at the nodes (0: at the root, if it is free). A node's axes are those of its section: x along the span, y and z
    twisted. If the beam is invalid, the model is left unchanged.
    """
    what = f"beam {name!r}"
    if not isinstance(span, Span):
        raise ModelError(f"{what}: give its tables as a Span, got {span!r}")
    if inertia not in INERTIA:
        raise ModelError(f"{what}: inertia must be one of {', '.join(INERTIA)}, got {inertia!r}")
    model.member(root, f"{what}: root")
    start = root.place @ as_placement(place, f"{what}: place")
    moving, turning = starting_motion(root)
    v = _motion(f"{what}: velocity", velocity, moving)
    w = _motion(f"{what}: angular_velocity", angular_velocity, turning)
    try:
        ends = _ends(span, elements, stations)
        sections = [_sections(span, *pair, damping) for pair in pairwise(ends)]
        masses = [_masses(span, *pair, e) for e, pair in enumerate(pairwise(ends), 1)] if inertia == INERTIA[0] else []
        pieces = _pieces(span, ends, root.free) if inertia == "lumped" else {}
    except ValueError as error:
        raise ModelError(f"{what}: {error}") from None
    _claim(model, name, len(sections), len(masses), pieces)

    x = [ends[0]]
    for low, high in pairwise(ends):
        x += [0.5 * (low + high), high]
    worlds = [start @ Placement((at - ends[0], 0.0, 0.0), span.rotation(at)) for at in x]
    nodes = [root]
    for k, world in enumerate(worlds[1:], 1):
        node = model.node(
            f"{name}.n{k}",
            world.position,
            world.rotation,
            velocity=v + cross(w, world.position - root.position),
            angular_velocity=w,
            static=inertia == "none",
        )
        nodes.append(node)
    balance = "energy" if inertia == "distributed" else "volumes"
    for e, section in enumerate(sections):
        a, b, c = nodes[2 * e : 2 * e + 3]
        first = root.local(worlds[0]) if e == 0 else None
        model.add(f"{name}.beam{e + 1}", Beam3(a, b, c, place_a=first, balance=balance, **section))
        if masses:
            model.add(f"{name}.mass{e + 1}", BeamMass3(a, b, c, place_a=first, **masses[e]))
    axis = start @ Placement((-ends[0], 0.0, 0.0))  # at x = 0, in the world
    for k, piece in pieces.items():
        model.add(f"{name}.body{k}", _body(nodes[k], piece, nodes[k].local(axis)))
    return nodes


def _claim(model: Model, name: str, beams: int, masses: int, pieces: dict) -> None:
    """Refuses names that are taken before anything is added."""
    for k in range(1, 2 * beams + 1):
        model.claim(f"{name}.n{k}")
    for kind, numbers in (("beam", range(1, beams + 1)), ("mass", range(1, masses + 1)), ("body", pieces)):
        for k in numbers:
            model.claim(f"{name}.{kind}{k}")


def _motion(what: str, given: Any, default: np.ndarray) -> np.ndarray:
    if given is None:
        return default
    try:
        values = plain_numbers(given)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.shape != (3,) or not np.all(np.isfinite(values)):
        raise ModelError(f"{what} must be three finite numbers, got {given!r}")
    return values


def _ends(span: Span, elements: int | None, stations: Any) -> np.ndarray:
    first, last = span.station[0], span.station[-1]
    if stations is None:
        count = ELEMENTS if elements is None else elements
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"elements must be a whole number, at least 1, got {elements!r}")
        return np.linspace(first, last, count + 1)
    if elements is not None:
        raise ValueError("give either elements or stations, not both")
    ends = plain_numbers(stations, "stations")
    if ends.ndim != 1 or len(ends) < 2 or not np.all(np.diff(ends) > 0):
        raise ValueError("stations must be two or more increasing positions along the span")
    if not np.allclose(ends[[0, -1]], (first, last), rtol=1e-9, atol=1e-9 * (last - first)):
        raise ValueError(f"stations must run from {first:g} m to {last:g} m, as the tables do")
    return ends


# ---- stiffness
def _sections(span: Span, start: float, end: float, damping: float) -> dict[str, Section]:
    """Sections at the cuts of an element."""
    found = {}
    for k, xi in enumerate(CUTS, 1):
        x = 0.5 * (start + end) + xi * 0.5 * (end - start)
        D, radius = span.stiffness(x), span.polar_radius_about_axis(x)
        section = DampedSection(D, damping, polar_radius=radius) if damping else Section(D, polar_radius=radius)
        section.validate()
        found[f"section_{k}"] = section
    return found


# ---- mass along the elements
def _masses(span: Span, start: float, end: float, number: int) -> dict[str, SectionMass]:
    """Sections at the nodes of an element; one for all where they are alike."""
    what = f"element {number}, from {start:g} m to {end:g} m,"
    found = []
    for piece, part in zip(span.slices(start, end), (1 / 6, 2 / 3, 1 / 6), strict=True):
        length = part * (end - start)
        if piece.mass <= 0.0:
            raise ValueError(
                f"{what} has no mass, or most of it on one side: give it mass, let elements end where the mass jumps, "
                'or use inertia="lumped" or "none"'
            )
        mass, thin = piece.mass / length, (THIN * 0.5 * (end - start)) ** 2
        J = piece.inertia / length
        J[[1, 2], [1, 2]] = np.maximum(J[[1, 2], [1, 2]], mass * thin)
        if np.linalg.eigvalsh(J)[0] <= 0.0:
            raise ValueError(f"{what} {_why_no_inertia(span, start, end)}")
        found.append(SectionMass(mass, inertia=J, com=piece.com))
    first, *others = found
    if all(_alike(first, other) for other in others):
        return {"section": first}
    return {f"section_{k + 1}": section for k, section in enumerate(found)}


def _why_no_inertia(span: Span, start: float, end: float) -> str:
    """None in the tables; or a jump inside, for which a slice of the element gets less than nothing."""
    if span.piece(start, end).inertia[0, 0] <= 0.0:
        return 'has no inertia about the span; give inertia_x, or inertia_y and inertia_z, or use inertia="none"'
    jumps = [f"{x:g} m" for x in np.unique(span.station) if start < x < end]
    return (
        "has most of its inertia about the span on one side, so that a parabola through its nodes would give one of "
        f"them less than none: let elements end where the tables jump or bend (here {', '.join(jumps)}: "
        'stations=...), or take inertia="lumped"'
    )


def _alike(one: SectionMass, other: SectionMass) -> bool:
    """Equal but for the rounding of the integrals."""
    reach = np.sqrt(np.abs(one.inertia).max() / one.mass)
    return bool(
        np.isclose(one.mass, other.mass, rtol=1e-12, atol=0.0)
        and np.allclose(one.inertia, other.inertia, rtol=1e-12, atol=1e-12 * np.abs(one.inertia).max())
        and np.allclose(one.com, other.com, rtol=1e-12, atol=1e-12 * reach)
    )


# ---- mass at the nodes
def _pieces(span: Span, ends: np.ndarray, root_too: bool) -> dict[int, Piece]:
    """The finite volumes around the nodes, as the beams cut them, by the number of the node; axes as the tables'."""
    cuts = [0.5 * (low + high) + 0.5 * (high - low) * xi for low, high in pairwise(ends) for xi in CUTS]
    borders = [ends[0], *cuts, ends[-1]]
    found = {}
    # the end node of an element and the first of the next are one: middle pieces and end pieces alternate
    for k in range(0 if root_too else 1, len(borders) - 1):
        piece, where = (
            span.piece(borders[k], borders[k + 1]),
            f"node {k}, from {borders[k]:g} m to {borders[k + 1]:g} m",
        )
        if piece.mass == 0.0:
            raise ValueError(f'no mass around {where}; give it some, or take inertia="none"')
        moments = np.linalg.eigvalsh(piece.inertia)
        if moments[0] <= 1e-12 * moments[-1]:
            raise ValueError(
                f"the piece around {where}, has no inertia about the span; give inertia_x, or inertia_y and "
                'inertia_z, or take inertia="none"'
            )
        found[k] = piece
    return found


def _body(node: Node, piece: Piece, local: Placement) -> Body:
    """A piece as a body of its node. `local`: the axes of the piece as seen from the node."""
    R = local.rotation
    return Body(node, mass=piece.mass, com=local.point(piece.com), inertia=R @ piece.inertia @ R.T)
