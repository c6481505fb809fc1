"""Chains of links from a table of Denavit and Hartenberg: nodes, hinges and slides, and bodies where masses are given.

A row is the way from one frame to the next, by two screws, one along z and one along x:

    standard    X_i-1,i = Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha)         the joint turns about z of frame i-1
    modified    X_i-1,i = Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d)         the joint turns about z of frame i

theta of a revolute joint and d of a prismatic one are the coordinate q plus an offset; the other three are constant.

Sources: J. Denavit, R. S. Hartenberg, A kinematic notation for lower-pair mechanisms based on matrices, J. Appl. Mech.
22 (1955); the modified convention: J. J. Craig, Introduction to Robotics, 1986, where a and alpha of a row have the
number of the frame before. V. D. Palacios and E. Olguin take the standard one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.arguments import finite, one_of
from samara.elements.bodies.body import Body
from samara.elements.joints.prismatic import Prismatic
from samara.elements.joints.revolute import Revolute
from samara.model import ArgumentError, Model, Node, Parameter, Placement, as_placement
from samara.model.model import require_model
from samara.rotations import rotation_x, rotation_z

CONVENTIONS = ("standard", "modified")
#: Joints of a row: what they are made of, and the name of their coordinate.
JOINTS: dict[str, tuple[type[Revolute] | type[Prismatic], str]] = {
    "revolute": (Revolute, "angle"),
    "prismatic": (Prismatic, "displacement"),
}


@dataclass(frozen=True)
class DenavitHartenbergRow:
    """A link: the four numbers of its frame, its joint, and its body.

    a, d [m]; alpha, theta [rad]. joint: "revolute", whose theta is q + offset, or "prismatic", whose d is q + offset;
    what the joint moves is left at zero, its value at q = 0 is the `offset` [rad, m].
    mass [kg], com [m], inertia [kg m^2]: of the link, in axes of its frame, see `Body`; com and inertia about it. A row
    without a mass gets no body: add one to its node. With mass 0 it never has one: its node is static.
    """

    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    joint: str = "revolute"
    offset: float = 0.0
    mass: float | Parameter | None = None
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = None

    def __post_init__(self) -> None:
        what = "DenavitHartenbergRow"
        one_of(f"{what}: joint", self.joint, JOINTS)
        for name in ("a", "alpha", "d", "theta", "offset"):
            object.__setattr__(self, name, finite(f"{what}: {name}", getattr(self, name)))
        moved = "theta" if self.joint == "revolute" else "d"
        if getattr(self, moved) != 0.0:
            raise ArgumentError(
                f"{what}: {moved} of a {self.joint} joint is its coordinate: leave it out, and give its value where "
                f"the coordinate is zero as offset={getattr(self, moved):g}"
            )
        if self.mass is not None and not isinstance(self.mass, Parameter):
            if finite(f"{what}: mass", self.mass) < 0.0:
                raise ArgumentError(f"{what}: mass must not be negative, got {self.mass}")
        if self.has_body and self.inertia is None:
            raise ArgumentError(f"{what}: a link with a mass needs its inertia about the centre of mass [kg m^2]")
        if not self.has_body and self.inertia is not None:
            raise ArgumentError(f"{what}: inertia is given without a mass")

    @property
    def has_body(self) -> bool:
        """Whether it has a mass."""
        return isinstance(self.mass, Parameter) or bool(self.mass)

    def frames(self, convention: str = "standard") -> tuple[Placement, Placement]:
        """Frames of its joint: place_a on the frame before, place_b on its own frame.

        Between both lies the joint's own motion: X_i-1,i = place_a X(q) place_b^-1.
        """
        one_of("DenavitHartenbergRow: convention", convention, CONVENTIONS)
        turned, moved = (self.offset, self.d) if self.joint == "revolute" else (self.theta, self.offset)
        along_z = Placement((0.0, 0.0, moved), rotation_z(turned))
        along_x = Placement((self.a, 0.0, 0.0), rotation_x(self.alpha))
        return (along_z, along_x.inverse()) if convention == "standard" else (along_x @ along_z, Placement())

    def transform(self, q: float, convention: str = "standard") -> Placement:
        """X_i-1,i at a coordinate of its joint [rad, m]."""
        near, far = self.frames(convention)
        own = Placement((0, 0, 0), rotation_z(q)) if self.joint == "revolute" else Placement((0, 0, q))
        return near @ own @ far.inverse()


def add_denavit_hartenberg(
    model: Model,
    name: str,
    rows: Sequence[DenavitHartenbergRow],
    *,
    root: Node | None = None,
    place: Any = None,
    convention: str = "standard",
    start: Any = None,
    start_rates: Any = None,
) -> list[Node]:
    """Adds a chain of links to a model from a table of Denavit and Hartenberg; returns its nodes, from the root on.

    rows:        a `DenavitHartenbergRow` for each link, from the root on.
    root, place: the node that carries frame 0, the ground by default, and where that frame lies in it: a `Placement`,
                 or a point [m].
    convention:  "standard", frame i at the outer end of link i, or "modified" (Craig), frame i at its joint.
    start, start_rates: coordinates [rad, m] and their rates that joints start with, one for each row; zero by default.

    Nodes are called name.link1, ..., in the reference pose where all coordinates are zero; joints, of type `Revolute`
    or `Prismatic`, name.joint1, ..., and bodies name.body1, .... A chain that is refused leaves the model as it was.
    """
    what = f"chain {name!r}"
    require_model("add_denavit_hartenberg", model)
    root = model.ground if root is None else model.member(root, f"{what}: root")
    one_of(f"{what}: convention", convention, CONVENTIONS)
    rows = _checked_rows(what, rows)
    q, rates = (_checked(what, n, x, len(rows)) for n, x in (("start", start), ("start_rates", start_rates)))
    base = as_placement(place, f"{what}: place")
    for k in range(1, len(rows) + 1):
        for kind in ("link", "joint", "body"):
            model.claim(f"{name}.{kind}{k}")
    trial = Model("trial")
    _add(trial, name, rows, trial.ground, base, convention, q, rates)  # nothing is added where a body is refused
    return _add(model, name, rows, root, base, convention, q, rates)


def _checked_rows(what: str, rows: Any) -> list[DenavitHartenbergRow]:
    given = [rows] if isinstance(rows, DenavitHartenbergRow) else list(rows)
    if not given:
        raise ArgumentError(f"{what}: rows must be one or more, got none")
    for k, row in enumerate(given, 1):
        if not isinstance(row, DenavitHartenbergRow):
            raise ArgumentError(f"{what}: row {k} must be a DenavitHartenbergRow, got {row!r}")
    return given


def _checked(what: str, name: str, given: Any, count: int) -> np.ndarray:
    """As many finite numbers as there are rows."""
    try:
        found = np.zeros(count) if given is None else np.asarray(given, float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (count,) or not np.isfinite(found).all():
        raise ArgumentError(f"{what}: {name} must be {count} finite numbers, one for each row, got {given!r}")
    return found


def _add(
    model: Model,
    name: str,
    rows: Sequence[DenavitHartenbergRow],
    root: Node,
    base: Placement,
    convention: str,
    start: np.ndarray,
    rates: np.ndarray,
) -> list[Node]:
    nodes = [root]
    for k, row in enumerate(rows, 1):
        mother = nodes[-1]
        near, far = row.frames(convention)
        near = base @ near if k == 1 else near
        static = row.mass is not None and not row.has_body
        pose = mother.place @ near @ far.inverse()
        node = model.node(f"{name}.link{k}", pose.position, pose.rotation, static=static)
        joint, coordinate = JOINTS[row.joint]
        begin = {coordinate: float(start[k - 1]), f"{coordinate}_rate": float(rates[k - 1])}
        begin = {what: value for what, value in begin.items() if value}
        model.add(f"{name}.joint{k}", joint(mother, node, place_a=near, place_b=far, start=begin or None))
        if row.has_body:
            model.add(f"{name}.body{k}", Body(node, mass=row.mass, com=row.com, inertia=row.inertia))  # type: ignore[arg-type]
        nodes.append(node)
    return nodes
