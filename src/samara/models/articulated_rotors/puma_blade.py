"""A blade of the Puma's main rotor: tables of its structure, planform, and the blade alone on one hinge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.joints.clamp import Clamp
from samara.elements.joints.revolute import Revolute
from samara.model import Constant, Expression, Model, ModelError, Motion, Parameter

RADIUS, CHORD, CUTOUT = 7.49, 0.537, 2.08  # m
LAG_HINGE, FLAP_HINGE, PITCH_BEARING = 0.269, 0.289, 0.432  # from the shaft [m]
SPEED = 267.4 * np.pi / 30  # rad/s
#: Radius of gyration of hinge parts [m], of which the tables know the mass alone.
HINGE_PART = 0.05
#: Least torsional inertia [kg m]: the table has none inboard of 0.604 m, and a section that can turn needs some.
THINNEST = 1e-3
#: Where the flow is looked at, ahead of the quarter chord, in chords.
DOWNWASH = {"three-quarter": -0.5, "quarter": 0.0}


@dataclass(frozen=True)
class Tip:
    """A tip shape and the blade that carries it.

    tables: prefix of the structural data files; radius [m]; ends: of the five beams [m], the blade root is stiffer up
    to 1.25 m; sweep: of the quarter chord, aft [rad], outboard of the radius `start` [m].
    """

    tables: str
    radius: float
    ends: tuple[float, ...]
    start: float
    sweep: float = 0.0

    def behind(self, x):
        """Distance of the quarter chord at x behind the blade's axis [m]."""
        return np.tan(self.sweep) * np.maximum(np.asarray(x, float) - self.start, 0.0)


#: The research Puma flew with straight and with swept tips (Bousman et al., NASA TM 110421); which of them in flight
#: 123 is not said in what we have of it. Structure of both: its tables. The planform of the swept tip is a STAND-IN: no
#: drawing was found. What its tables tell: from 6.707 m on the blade has 4.5 kg/m more than the plain one, and the
#: centre of that addition runs straight back at 22 degrees; from 7.196 m on (0.955 R) the torsional stiffness falls
#: off, as it does where a leading edge leaves the spar. So: 20 degrees from there on, with the same chord.
TIPS = {
    "straight": Tip("", RADIUS, (PITCH_BEARING, 1.25, 2.7, 4.3, 5.9, RADIUS), RADIUS),
    "swept": Tip("swept_tip_", 7.536, (PITCH_BEARING, 1.25, 2.9, 4.8, 6.707, 7.536), 7.196, float(np.radians(20.0))),
}
ENDS = TIPS["straight"].ends


def tip_of(name: str) -> Tip:
    """The tip of that name."""
    if name not in TIPS:
        raise ModelError(f"puma: tip must be one of {', '.join(TIPS)}, got {name!r}")
    return TIPS[name]


def table(name: str) -> tuple[np.ndarray, ...]:
    """Columns of a spanwise table of the blade, station [m] first; the files name their source."""
    text = (resources.files("samara.models") / "data" / "puma" / f"{name}.csv").read_text("utf-8")
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(np.array(rows[1:], dtype=float).T)


def blade(sense: int = 1, tip: str = "straight") -> Span:
    """The blade's structural tables on one set of stations, from 0.28 m to the tip.

    Axes: x out, z up; the leading edge is along y for sense = 1, along -y for -1. According to the source, feathering
    axis, elastic axis, quarter chord and tension centre coincide, and the shear stiffness equals EA. The torsional
    inertia is that of a flat section, so it is also the inertia in lag rotation, which gives the propeller moment.
    Fibres wind around the axis with the twist, so the centrifugal force untwists the blade; the source does not mention
    this.

    tip: "straight", the unmodified blade, or "swept", whose elastic axis is also straight: only its masses (`com_y`)
    are swept, by up to 0.65 chords aft. Its torsional inertia is taken about the centre of mass, as for the
    unmodified blade. Outboard of 7.499 m the tabulated value is mass times offset squared, as if about the axis; if so,
    the blade has 2 % too much torsional inertia.
    """
    prefix = tip_of(tip).tables
    bending = table(f"{prefix}flap_chord_stiffness")
    columns = {
        "mass": table(f"{prefix}mass"), "EA": table(f"{prefix}extensional_stiffness"),
        "GJ": table(f"{prefix}torsional_stiffness"), "EI_y": bending[:2], "EI_z": bending[::2],
        "inertia_x": table(f"{prefix}torsional_inertia"), "twist": table(f"{prefix}twist"),
        "com_y": table(f"{prefix}cg_offset"),
    }  # fmt: skip
    inside = np.unique(np.concatenate([x for x, _ in columns.values()]))
    stations = np.repeat(inside, 2)[1:-1]
    found = {}
    for name, (x, values) in columns.items():
        sides = [(_at(x, values, s, "left"), _at(x, values, s, "right")) for s in inside]
        found[name] = np.ravel(sides)[1:-1]
    found["GA_y"] = found["GA_z"] = found["EA"]
    found["inertia_x"] = np.maximum(found["inertia_x"], THINNEST)
    found["inertia_z"] = found["inertia_x"]
    found["twist"] = sense * np.radians(found["twist"])
    found["com_y"] = sense * CHORD * found["com_y"]
    return Span(station=stations, wound=1.0, **found)


def stiffer(span: Span, factor: float) -> Span:
    """The same blade with axial, bending and torsional stiffness multiplied by a factor."""
    return replace(span, **{name: factor * getattr(span, name) for name in ("EA", "GJ", "EI_y", "EI_z")})


def planform(
    aerofoil: Aerofoil | None = None,
    tip_loss: float = 1.0,
    downwash: str = "three-quarter",
    tip: str | Tip = "straight",
) -> Planform:
    """Planform of a blade: constant chord from the cut-out to the tip, axis at the quarter chord.

    tip_loss: fraction of the radius beyond which there is no load, see `Planform`. downwash: see `puma.build`. tip: a
    name, or a `Tip` of your own. On a swept tip, the quarter chord and the loads lie behind the axis.
    """
    if downwash not in DOWNWASH:
        raise ModelError(f"puma: downwash must be one of {', '.join(DOWNWASH)}, got {downwash!r}")
    shape = tip if isinstance(tip, Tip) else tip_of(tip)
    x, twist = table(f"{shape.tables}twist")
    section = aerofoil or naca0012()
    if not shape.sweep:
        inside = np.unique([CUTOUT, *x[x > CUTOUT]])
        return Planform(
            station=inside,
            chord=CHORD,
            twist=np.radians(np.interp(inside, x, twist)),
            aerofoil=section,
            tip_loss=tip_loss,
            control=DOWNWASH[downwash] * CHORD,
        )
    inside = np.unique([CUTOUT, *x[x > CUTOUT], shape.start])
    inside = np.sort(np.append(inside, shape.start))  # sweep jumps there
    second = np.searchsorted(inside, shape.start, side="right") - 1
    behind = shape.behind(inside)
    return Planform(
        station=inside,
        chord=CHORD,
        twist=np.radians(np.interp(inside, x, twist)),
        aerofoil=((CUTOUT, section), (shape.start, section)),  # cut there: points of their own for what is swept
        tip_loss=tip_loss,
        centre=-behind,
        control=DOWNWASH[downwash] * CHORD - behind,
        sweep=np.where(np.arange(len(inside)) >= second, shape.sweep, 0.0),
    )


def blade_alone(
    hinge: str,
    ends: tuple[float, ...] = ENDS,
    speed: float = SPEED,
    twisted: bool = False,
    inertia: str = "distributed",
) -> Model:
    """One elastic blade in vacuum, on a hub that turns counter-clockwise: its modes check the tables.

    hinge: "flap" or "lag", the only free hinge; "none": clamped at the pitch bearing. twisted: whether the blade has
    its twist.
    """
    model = Model("puma blade")
    turn = Constant(Parameter("speed", speed, unit="rad/s")) * Expression(lambda t: t)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, turn)))
    at, omega, span = np.array([PITCH_BEARING, 0.0, 0.0]), np.array([0.0, 0.0, speed]), blade()
    root = model.node("root", at, velocity=np.cross(omega, at), angular_velocity=omega)
    if hinge == "none":
        model.add("hinge", Clamp(hub, root, at=at))
    else:
        x, axis = (FLAP_HINGE, (0.0, -1.0, 0.0)) if hinge == "flap" else (LAG_HINGE, (0.0, 0.0, 1.0))
        model.add("hinge", Revolute(hub, root, at=(x, 0.0, 0.0), axis=axis))
        piece = span.piece(x, PITCH_BEARING)
        own = piece.inertia + piece.mass * HINGE_PART**2 * np.diag([1.0, 0.0, 0.0])
        model.add("inner", Body(root, mass=piece.mass, com=piece.com - at, inertia=own))
    beyond = outer(span)
    if not twisted:
        beyond = replace(beyond, twist=0.0)
    add_beam(model, "blade", beyond, root=root, stations=ends, inertia=inertia)
    return model


def outer(span: Span) -> Span:
    """The blade outboard of the pitch bearing."""
    keep = span.station > PITCH_BEARING
    columns = {}
    for field in span.__dataclass_fields__:
        values = np.asarray(getattr(span, field))
        first = PITCH_BEARING if field == "station" else span.at(field, PITCH_BEARING)
        columns[field] = np.concatenate([[first], values[keep]])
    return Span(**columns)


def _at(x: np.ndarray, values: np.ndarray, at: float, side: str) -> float:
    """Value on one side of a station, in a table with jumps."""
    k = int(np.searchsorted(x, at, side=side))  # type: ignore[call-overload]
    if side == "right":
        k -= 1
    if k < len(x) and x[k] == at:
        return float(values[k])
    return float(np.interp(at, x, values))
