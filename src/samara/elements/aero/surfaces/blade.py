"""Blades and wings from spanwise tables: aerodynamic elements along a rigid part or along beams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from samara.arguments import finite, instance, real_numbers, several, whole
from samara.arguments.plausible import doubt, doubt_twist
from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.surfaces.beam import AeroBeam3
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.strip import Stations, swept_strips
from samara.elements.beams.beam3 import Beam3, shapes
from samara.model import Model, ModelError, Node, Placement
from samara.model.model import require_model
from samara.rotations import cayley_from_rotation, rotation_from_cayley, rotation_z
from samara.tracing.expressions.table import plain_numbers

#: Zeros of a table are kept as this, so that all elements of a blade are of one kind and share a kernel [m, rad].
NOTHING = 1e-12
#: Spans that a chord may have before it is doubted: fins may be short.
LONGEST_CHORD = 2.0
#: what a planform has along its span
COLUMNS = ("chord", "twist", "centre", "control", "sweep")
#: The blade whose leading edge looks along -y: its span frame has x towards the root, and still z up.
_TURNED = np.round(rotation_z(np.pi))


@dataclass(frozen=True, kw_only=True)
class Planform:
    """Aerodynamic properties of a blade or wing along its axis, linear between stations.

    station:   distance along the span [m], not decreasing; a repeated station makes a jump. Loads act from the first to
               the last: root cut-out to tip. Every other entry is one number, or one per station.
    chord:     [m]. twist: nose up, from the plane of the blade's axes [rad].
    centre:    aerodynamic centre ahead of the axis [m]; the aerofoil's moment is about it.
    control:   control point at which the angle of attack is evaluated, ahead of the axis [m]: at the quarter chord or
               on the axis it is quasi-static; at three quarters of the chord it adds the pitch damping.
    sweep:     of the sections relative to the blade's axis, aft [rad]: a swept tip. Loads act at `centre`, which must
               be moved aft for a swept tip as well. The chord is measured along the blade's y axis.
    aerofoil:  one for all, or pairs (from station [m], aerofoil), starting at the first station.
    tip_loss:  fraction of the last station beyond which there is no load (1: the full span is loaded). It also removes
               the drag of the tip, a small part of the torque: about 1 % for 0.97.
    """

    station: Any
    chord: Any
    aerofoil: Any
    twist: Any = 0.0
    centre: Any = 0.0
    control: Any = 0.0
    sweep: Any = 0.0
    tip_loss: float = 1.0

    def __post_init__(self) -> None:
        x = plain_numbers(self.station, "Planform: station")
        if x.ndim != 1 or len(x) < 2 or not np.all(np.diff(x) >= 0) or x[0] == x[-1]:
            raise ModelError("Planform: station must be at least two non-decreasing positions along the span")
        if not (np.isfinite(x).all() and x[0] >= 0.0):
            raise ModelError(f"Planform: station must be finite and not negative, got {x[0]:g} .. {x[-1]:g} m")
        object.__setattr__(self, "station", x)
        for name in COLUMNS:
            given = plain_numbers(getattr(self, name), f"Planform: {name}")
            if given.ndim and given.shape != x.shape:
                raise ModelError(
                    f"Planform: {name} must be one number, or {len(x)} numbers, one per station, got "
                    f"shape {given.shape}"
                )
            if not np.isfinite(given).all():
                raise ModelError(f"Planform: {name} must be finite everywhere")
            object.__setattr__(self, name, np.broadcast_to(given, x.shape))
        if not np.all(self.chord > 0):
            raise ModelError(f"Planform: chord must be positive everywhere, got {np.min(self.chord):g} m")
        if np.any(np.abs(self.sweep) >= 0.5 * np.pi):
            raise ModelError("Planform: sweep must be less than a right angle everywhere; is it in radians?")
        doubt_twist("Planform: twist", float(max(self.twist, key=abs)), 0.5 * np.pi)
        if self.chord.max() > LONGEST_CHORD * (x[-1] - x[0]):
            doubt(
                f"Planform: a chord of {self.chord.max():g} m on a span of {x[-1] - x[0]:g} m: both are in metres; "
                "is the chord in mm?"
            )
        if not x[0] < self.tip_loss * x[-1] <= x[-1]:
            raise ModelError(f"Planform: tip_loss must be at most 1 and leave part of the span: got {self.tip_loss:g}")
        if isinstance(self.aerofoil, Aerofoil):
            object.__setattr__(self, "aerofoil", ((float(x[0]), self.aerofoil),))
        if not _are_pieces(self.aerofoil):
            raise ModelError(
                "Planform: aerofoil must be one such as naca0012(), or pairs (from station [m], aerofoil), got "
                f"{self.aerofoil!r}"
            )
        starts = [start for start, _ in self.aerofoil]
        if not starts or starts[0] > x[0] or np.any(np.diff(starts) <= 0):
            raise ModelError(
                "Planform: aerofoil: pairs (from station, aerofoil) must start at the first station, or before"
            )

    @property
    def ends(self) -> tuple[float, float]:
        """Where loads begin and end [m]."""
        return float(self.station[0]), float(self.tip_loss * self.station[-1])

    def aerofoil_at(self, x: float) -> Aerofoil:
        """The section at x [m]."""
        found = self.aerofoil[0][1]
        for start, section in self.aerofoil:
            found = section if x >= start else found
        return found

    def pieces(self, borders: Sequence[float]) -> list[tuple[float, float]]:
        """The parts of the span between these borders that have load, cut where the aerofoil changes."""
        first, last = self.ends
        cuts = [*borders, *(start for start, _ in self.aerofoil)]
        inside = np.unique([first, last, *(c for c in cuts if first < c < last)])
        low, high = min(borders), max(borders)
        return [(float(a), float(b)) for a, b in pairwise(inside) if a >= low - 1e-9 and b <= high + 1e-9]

    def points(self, start: float, end: float, count: int) -> dict[str, np.ndarray]:
        """Gauss points between two positions: x, weights `length` [m], and the properties there."""
        points, weights = np.polynomial.legendre.leggauss(count)
        x = 0.5 * (start + end) + 0.5 * (end - start) * points
        found = {"x": x, "length": 0.5 * (end - start) * weights}
        for name in COLUMNS:
            column = getattr(self, name)
            values = np.interp(x, self.station, column)
            # zero along the whole blade is left out of the equations, zero here and there is not
            found[name] = _filled(values) if np.any(column) else values
        return found


def add_blade_air(
    model: Model,
    name: str,
    planform: Planform,
    *,
    node: Node,
    place: Placement | None = None,
    leading: int = 1,
    segments: int = 1,
    points: int = 8,
    **surroundings: Any,
) -> list[AeroBody]:
    """Adds `AeroBody` elements name.air1, ... along a rigid blade; returns them, root first.

    node, place: the node that carries the blade, and the pose in it of station zero: x along the span, z up.
    leading:     1 if the leading edge points along y (a rotor that turns counter-clockwise seen from above), -1 if
                 along -y (clockwise).
    segments:    number of segments of equal length, which are also cut where the aerofoil changes; points: Gauss points
                 in each. Elements with the same number of points share a kernel and are evaluated together.
    surroundings: air, rotor: see `Aerodynamic`.
    """
    _require("add_blade_air", model, planform)
    segments, points = whole("add_blade_air: segments", segments), whole("add_blade_air: points", points)
    sense = _sense(leading)
    frame = place or Placement()
    if sense < 0:
        frame = frame @ Placement((0.0, 0.0, 0.0), _TURNED)
    added = []
    for k, (low, high) in enumerate(planform.pieces(np.linspace(*planform.ends, segments + 1).tolist()), 1):
        p = planform.points(low, high, points)
        stations = _stations(sense * p["x"], p, p["twist"], sense)
        section = planform.aerofoil_at(0.5 * (low + high))
        body = AeroBody(node, place=frame, stations=stations, aerofoil=section, **surroundings)
        added.append(model.add(f"{name}.air{k}", body))
    return added


def add_beam_air(
    model: Model,
    name: str,
    planform: Planform,
    *,
    beams: Sequence[Beam3],
    start: float,
    axes: np.ndarray,
    leading: int = 1,
    points: int = 4,
    **surroundings: Any,
) -> list[AeroBeam3]:
    """Adds `AeroBeam3` elements name.air1, ... along a row of beams; returns them. Unloaded beams get none.

    beams:   in order from the root, straight in the reference pose, as made by `add_beam`.
    start:   station of the inboard end of the first beam [m].
    axes:    rotation matrix in the world, in the reference pose: x along the span, z up, where twist is zero. The
             sections of the beams may be twisted relative to it; the aerofoil's twist is measured from it, not from
             them.
    points:  Gauss points in each loaded beam.
    leading, surroundings: see `add_blade_air`.
    """
    _require("add_beam_air", model, planform)
    points, start = whole("add_beam_air: points", points), finite("add_beam_air: start", start)
    beams = [instance("add_beam_air: each of beams", beam, Beam3) for beam in several("add_beam_air: beams", beams)]
    axes = real_numbers("add_beam_air: axes", axes, (3, 3))
    sense, low = _sense(leading), start
    added: list[AeroBeam3] = []
    for beam in beams:
        parts = [n.place @ place for n, place in _sections(beam)]
        high = low + float(np.linalg.norm(parts[2].position - parts[0].position))
        for a, b in planform.pieces((low, high)):
            p = planform.points(a, b, points)
            xi = (2.0 * p["x"] - low - high) / (high - low)
            twist = p["twist"] - sense * np.array([_section_twist(parts, axes, at) for at in xi])
            fields: dict[str, Any] = {"stations": _stations(sense * xi, p, twist, sense)}
            fields["aerofoil"] = planform.aerofoil_at(0.5 * (a + b))
            added.append(model.add(f"{name}.air{len(added) + 1}", _surface(beam, sense, fields | surroundings)))
        low = high
    return added


def _require(who: str, model: Any, planform: Any) -> None:
    require_model(who, model)
    instance(f"{who}: planform", planform, Planform)


def _are_pieces(given: Any) -> bool:
    """Whether these are pairs of a number and an aerofoil."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        return False
    return all(isinstance(p, Sequence) and len(p) == 2 and isinstance(p[1], Aerofoil) for p in given)


def _sense(leading: int) -> int:
    if leading not in (1, -1):
        raise ValueError(f"leading must be 1 (leading edge along y) or -1 (along -y), got {leading!r}")
    return leading


def _stations(x, p: dict[str, np.ndarray], twist: np.ndarray, sense: int) -> Stations:
    angle = _filled(twist)
    chord, length, *swept = swept_strips(p["chord"], p["length"], sense * p["sweep"])
    axis = np.cos(angle), np.sin(angle), p["centre"], p["control"]
    return Stations(_filled(x), length, chord, *axis, None, *swept)


def _filled(values) -> np.ndarray:
    values = np.asarray(values, float)
    return np.where(values == 0.0, NOTHING, values)


def _sections(beam: Beam3) -> list[tuple[Node, Placement]]:
    return [(beam.a, beam.place_a), (beam.b, beam.place_b), (beam.c, beam.place_c)]


def _section_twist(parts: list[Placement], axes: np.ndarray, xi: float) -> float:
    """Angle of a beam's section about x, as the element interpolates it [rad]."""
    N, middle = shapes(xi), parts[1].rotation
    g_a, g_c = (cayley_from_rotation(middle.T @ part.rotation) for part in (parts[0], parts[2]))
    R = axes.T @ middle @ rotation_from_cayley(N[0] * g_a + N[2] * g_c)
    return float(np.arctan2(R[2, 1], R[1, 1]))


def _surface(beam: Beam3, sense: int, fields: dict[str, Any]) -> AeroBeam3:
    """The surface of a beam; with the leading edge along -y, from its far end, in turned sections."""
    if sense > 0:
        places = {key: getattr(beam, key) for key in ("place_a", "place_b", "place_c")}
        return AeroBeam3(beam.a, beam.b, beam.c, **places, **fields)
    (a, b, c) = ((n, p @ Placement((0.0, 0.0, 0.0), _TURNED)) for n, p in _sections(beam))
    return AeroBeam3(c[0], b[0], a[0], place_a=c[1], place_b=b[1], place_c=a[1], **fields)
