"""Contacts between many bodies and walls, with automatic detection of the pairs."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from samara.arguments import whole
from samara.elements.contact.pair_slot import PairSlot
from samara.elements.contact.shapes import BallShape, CapsuleShape, ContactShape, WheelShape
from samara.elements.contact.surfaces import ContactSurface, SphereSurface
from samara.elements.contact.wall import Wall
from samara.model import (
    Contribution,
    Element,
    EnergyBooks,
    Model,
    ModelError,
    Node,
    Output,
    Placement,
    Pooled,
    Site,
    Surveying,
    as_placement,
    number,
    setting,
)
from samara.model.membership import stranger

#: Pairs of bodies that are near at the same time, a body, and walls that one body is near to.
PAIRS_A_BODY, WALLS_A_BODY = 6, 3


class PoolMember(NamedTuple):
    """What takes part: a body has a shape, and a surface if it is a ball; a wall has a surface."""

    node: Node
    place: Placement
    shape: ContactShape | None
    surface: ContactSurface | None
    reach: float  # of a body, from the origin of its node [m]


class PairKind(NamedTuple):
    """Pairs that share equations."""

    surface: tuple
    shape: type
    slot: PairSlot
    slots: int  # how many


class Contacts(Surveying, EnergyBooks, Pooled):
    """Rigid contacts among many bodies and walls: unilateral contact, impacts, Coulomb friction, as in `Contact`.

    bodies:   free nodes. A node given more than once has several shapes, which do not touch each other.
    shape:    a `ContactShape`, or one per body; at most one of them may be other than a `BallShape`.
    place:    frames of the shapes on their nodes: one for all, one for each, or none.
    walls:    any number of `Wall`s.
    friction, restitution: of all pairs, see `Contact`.
    capacity: maximum number of simultaneously close pairs; by default six per body, and three more per body with walls.

    In each step a broad phase finds the pairs that may meet, from bounding boxes around the paths of all bodies, in a
    time proportional to their number. If there are more than `capacity`, the run stops with an error. Available in the
    redundant formulation only.

    Channels: near, closed: number of pairs; force: sum of the normal forces of closed pairs [N]; hits: number of
    impacts since the start; impulse: sum of their normal impulses [N s]; lost: energy lost in impacts [J].

    Source of the grid: M. Teschner et al., Optimized spatial hashing for collision detection of deformable objects,
    VMV 2003, with levels by size.
    """

    bodies: Any = setting(default=(), kw_only=False)
    shape: Any = setting(default=None)
    place: Any = setting(default=None)
    walls: Any = setting(default=())
    capacity: Any = setting(default=None)
    friction: float = number(default=0.0, nonnegative=True)
    restitution: float = number(default=0.0, nonnegative=True)

    def validate(self) -> None:
        super().validate()
        if float(self.restitution) > 1.0:
            raise ValueError(f"restitution must be from 0 to 1, got {float(self.restitution):g}")

    def examine(self) -> None:
        if self.capacity is not None:
            whole("capacity", self.capacity)
        if not self.members:
            raise ValueError("bodies must be at least one node, got none")

    @functools.cached_property
    def members(self) -> list[PoolMember]:
        """Bodies, then walls."""
        bodies = _listed(self.bodies, "bodies", Node, "use the object returned by model.node(...)")
        shapes = _each(self.shape, len(bodies), "shape")
        places = _each(self.place, len(bodies), "place") if _is_many(self.place) else [self.place] * len(bodies)
        found = [_body(*given) for given in zip(bodies, shapes, places, strict=True)]
        others = [member for member in found if member.surface is None]
        if len(others) > 1:
            raise ValueError(
                f"nodes {others[0].node.name!r} and {others[1].node.name!r} have a {type(others[0].shape).__name__} "
                "or the like: one of two bodies that touch must be a ball; make long ones of several BallShapes"
            )
        for wall in _listed(self.walls, "walls", Wall, "such as Wall(model.ground)"):
            found.append(PoolMember(wall.node, wall.place, None, wall.surface, 0.0))
        return found

    @property
    def body_count(self) -> int:
        """Members that are bodies."""
        return sum(member.shape is not None for member in self.members)

    def structure(self) -> tuple:
        """Also a digest of the members: a checkpoint of others is not of the same model."""
        return (*super().structure(), self._digest, *map(str, (self.capacity,)))

    @functools.cached_property
    def _digest(self) -> str:
        text = [
            f"{m.node.name} {m.place.position.tolist()} {m.place.rotation.tolist()} {m.shape!r} {m.surface!r}"
            for m in self.members
        ]
        return hashlib.sha256("\n".join(text).encode()).hexdigest()[:16]

    def survey(self, elements: Iterable[Element]) -> None:
        for member in self.members:
            if member.shape is not None and not member.node.free:
                raise ValueError(
                    f"node {member.node.name!r} is not free to move: bodies must be free nodes; give "
                    f"fixed and prescribed surfaces as walls"
                )

    def kinds(self, ground: Node) -> list[PairKind]:
        """All kinds of pairs that may come near; their slots stand on the ground."""
        bodies = [m for m in self.members if m.shape is not None]
        walls = [m for m in self.members if m.shape is None]
        counts: dict[tuple[tuple, type], int] = {}
        examples: dict[tuple[tuple, type], tuple[Any, Any]] = {}
        shapes = {s: [b for b in bodies if type(b.shape) is s] for s in dict.fromkeys(type(m.shape) for m in bodies)}
        balls = shapes.get(BallShape, [])
        for shape, these in shapes.items():
            pairs = len(balls) * (len(balls) - 1) // 2 if shape is BallShape else len(balls) * len(these)
            most = PAIRS_A_BODY * len(bodies) if self.capacity is None else int(self.capacity)
            if pairs:
                key = surface_key(balls[0].surface), shape
                counts[key], examples[key] = min(pairs, most), (balls[0].surface, these[0].shape)
            for surface in {surface_key(w.surface): w.surface for w in walls}.values():
                key = surface_key(surface), shape
                alike = [w for w in walls if surface_key(w.surface) == key[0]]
                always = sum(w.node.kind != "ground" for w in alike)  # whose way is not known beforehand
                per_body = min(len(alike) - always, WALLS_A_BODY) + always
                more = len(these) * per_body
                if self.capacity is not None:
                    more = min(len(these) * len(alike), int(self.capacity))
                counts[key] = counts.get(key, 0) + more
                examples.setdefault(key, (surface, these[0].shape))
        found = []
        for (key, shape), count in counts.items():
            surface, example = examples[key, shape]
            slot = PairSlot(
                ground, ground, surface=surface, shape=example, friction=self.friction, restitution=self.restitution
            )
            slot.settle(self.name)
            found.append(PairKind(key, shape, slot, count))
        return found

    def pool(self, model: Model) -> list[tuple[Element, int]]:
        """Slots of each kind."""
        for member in self.members:
            if model.nodes.get(member.node.name) is not member.node:
                raise stranger(self, self.name, member.node, model.name)
        return [(kind.slot, kind.slots) for kind in self.kinds(model.ground)]

    def formulate(self, site: Site) -> Contribution:
        return Contribution(
            wrenches=[],
            outputs=[
                Output("near", "1", 0.0, description="pairs that were near in the last step"),
                Output("closed", "1", 0.0, description="pairs that touch"),
                Output("force", "N", 0.0, description="sum of the normal forces of pairs that touch"),
                Output("hits", "1", 0.0, description="impacts since the beginning"),
                Output("impulse", "N s", 0.0, description="sum of the normal impulses of impacts"),
                Output("lost", "J", 0.0, description="energy that impacts have taken"),
            ],
        )


def surface_key(surface: ContactSurface | None) -> tuple:
    """What tells surfaces apart that need other equations."""
    return type(surface), getattr(surface, "hollow", False)


def _is_many(given: Any) -> bool:
    """Whether frames are given one by one: a single one may be a point of three numbers."""
    return isinstance(given, (list, tuple)) and any(x is None or isinstance(x, (Placement, list, tuple)) for x in given)


def _listed(given: Any, what: str, of: type, hint: str) -> list:
    """A sequence of such things."""
    if isinstance(given, of) or not isinstance(given, Iterable):
        raise ValueError(f"{what} must be a list of {of.__name__}s, got {given!r}")
    found = list(given)
    for one in found:
        if not isinstance(one, of):
            raise ValueError(f"{what} must be a list of {of.__name__}s: {one!r} is none; {hint}")
    return found


def _each(given: Any, count: int, what: str) -> Sequence[Any]:
    """One for each body, where one is given or as many."""
    if not isinstance(given, Sequence):
        return [given] * count
    if len(given) != count:
        raise ValueError(f"{what} must be one for all bodies, or one for each of {count}, got {len(given)}")
    return given


def _body(node: Node, shape: Any, place: Any) -> PoolMember:
    """A body as it was given."""
    if not isinstance(shape, ContactShape):
        raise ValueError(f"shape must be a shape such as BallShape(0.1), or one for each body, got {shape!r}")
    if not isinstance(shape, (BallShape, CapsuleShape, WheelShape)):
        raise ModelError(f"Contacts: shape must be a BallShape, CapsuleShape or WheelShape, got {shape!r}")
    shape.validate()
    sizes = [getattr(shape, name, 0.0) for name in ("radius", "half_length", "rim")]
    if not all(isinstance(size, (int, float)) for size in sizes):
        raise ModelError(f"Contacts: sizes of shapes must be plain numbers here, not parameters, got {shape!r}")
    frame = as_placement(place, "place")
    offset = float((frame.position**2).sum() ** 0.5)
    ball = isinstance(shape, BallShape) and shape.radius > 0
    if isinstance(shape, BallShape) and not ball:
        raise ValueError("shape must have a radius: points cannot touch each other")
    surface = SphereSurface(float(shape.radius)) if ball else None
    if surface is not None:
        surface.validate()
    return PoolMember(node, frame, shape, surface, offset + float(sum(sizes)))
