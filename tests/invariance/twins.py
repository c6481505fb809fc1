"""Twins of a model: the same machine seen otherwise. Physics must not tell them apart.

A twin is a deep copy that is moved afterwards: nodes, what is fastened to the ground, and all vectors that are kept in
world axes. What elements keep in the axes of their nodes stays.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.elements.aero.inflow.inflow import NoInflow
from samara.elements.aero.wind.gusts import Gust
from samara.model import Drive, Model, Motion, Placement, Record, RotorDeclaration
from samara.model.schema.drives import Constant, as_drive
from samara.model.schema.specs import Driven
from samara.rotations import exp_so3

#: an odd rotation, and 10 km in an odd direction
ODD = exp_so3(np.array([0.7, -1.1, 0.4]))
FAR = 1e4 * np.array([0.48, -0.6, 0.64])
#: fields that hold three drives in world axes
IN_WORLD_AXES = ("gravity", "wind", "force", "couple")


@dataclasses.dataclass(frozen=True)
class View:
    """How a twin is seen from the original: p' = turn p + shift + boost t."""

    turn: np.ndarray = dataclasses.field(default_factory=lambda: np.eye(3))
    shift: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    boost: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))

    @property
    def place(self) -> Placement:
        """The old world in the new one."""
        return Placement(self.shift, self.turn)


TURNED, MOVED = View(turn=ODD), View(shift=FAR)


def twin(model: Model, view: View) -> Model:
    """The model turned and moved as a whole, gravity, wind and dead loads with it, and flying faster by the boost."""
    other = copy.deepcopy(model)
    put = object.__setattr__
    for node in other.nodes.values():
        if node is other.ground:
            continue
        if node.motion is not None:
            motion = Motion(_turned(node.motion.position, view.turn), node.motion.rotation)
            put(node, "motion", motion)
        moving = {
            "velocity": view.turn @ node.velocity + view.boost,
            "angular_velocity": view.turn @ node.angular_velocity,
        }
        put(node, "place", view.place @ node.place)
        node.begin(view.place @ node.beginning, **(moving if node.free else {}))
    put(other, "_gravity", _turned(other.gravity, view.turn))
    done: set[int] = set()  # elements share records, the air for one
    for element in other.elements.values():
        _fasten(element, other.ground, view.place)
        for record in _records(element):
            if id(record) not in done:
                done.add(id(record))
                _turn_record(record, view)
    for rotor in other._rotors.values():
        _fasten(rotor, other.ground, view.place)
    return other


def _turn_record(record: Record, view: View) -> None:
    assert not isinstance(record, Gust), f"{type(record).__name__}: say here how a gust turns"
    for name, spec in record.specs().items():
        if name not in IN_WORLD_AXES or not isinstance(spec, Driven) or spec.shape != (3,):
            continue
        if type(record).__name__.startswith("Follower"):
            continue
        drives = _turned(getattr(record, name), view.turn)
        if name == "wind" and view.boost.any():
            drives = tuple(_plus(d, v) for d, v in zip(drives, view.boost, strict=True))
        object.__setattr__(record, name, drives)


def _fasten(element: Any, ground: Any, place: Placement) -> None:
    """Attachments to the ground are given in the world: they move with it."""
    at = {"place_a": "a", "place_b": "b", "place_c": "c", "place": "n", "disk": "craft"}
    for name, node in at.items():
        if getattr(element, node, None) is ground and hasattr(element, name):
            object.__setattr__(element, name, place @ getattr(element, name))
    rotor = getattr(element, "rotor", None)
    if rotor is not None and rotor.craft is ground:
        object.__setattr__(element.wake, "disk", place @ element.wake.disk)


def _records(record: Record) -> Iterator[Record]:
    """The record and those inside, drives left out."""
    yield record
    for name in record.specs():
        value = getattr(record, name)
        for inner in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(inner, Record) and not isinstance(inner, Drive):
                yield from _records(inner)


def _turned(drives: Any, turn: np.ndarray) -> tuple[Drive, ...]:
    if np.array_equal(turn, np.eye(3)):
        return tuple(drives)
    found = []
    for row in turn:
        constant, total = 0.0, None
        for c, drive in zip(row, drives, strict=True):
            if isinstance(drive, Constant):
                constant += c * float(drive.value)
            else:
                total = drive * float(c) if total is None else total + drive * float(c)
        found.append(_checked(Constant(constant) if total is None else total + constant))
    return tuple(found)


def _plus(drive: Drive, number: float) -> Drive:
    return _checked(Constant(float(drive.value) + number) if isinstance(drive, Constant) else drive + float(number))


def _checked(drive: Drive) -> Drive:
    drive = as_drive(drive)
    drive.validate()
    return drive


def renamed(model: Model, seed: int = 3) -> tuple[Model, dict[str, str]]:
    """The model with other names and in another order, and {new name: old name}."""
    model.check()  # rotors that others name as blowing on them are found by that name here
    other = copy.deepcopy(model)
    chance = np.random.default_rng(seed)
    names = {}
    for kind in ("nodes", "elements", "states"):
        things = [(name, thing) for name, thing in getattr(other, kind).items() if name != "ground"]
        fresh = {"ground": other.ground} if kind == "nodes" else {}
        for k in chance.permutation(len(things)):
            old, thing = things[k]
            new = f"x{len(names):03d}"
            names[new] = old
            object.__setattr__(thing, "name", new)
            fresh[new] = thing
        object.__setattr__(other, kind, fresh)
    other.followed = {node.name: node for node in other.followed.values()}
    other._rotors.clear()  # blades go by their names: what is declared of them is gone, and changes no equation
    for element in other.elements.values():
        if isinstance(element, RotorDeclaration):
            counted = getattr(element, "inflow", NoInflow()).by_blade  # each then goes by the name of its surface
            found = {old: new for new, old in names.items()}
            blades = tuple(found[f"{blade}.air1"] for blade in element.blades) if counted else ()
            object.__setattr__(element, "blades", blades)
    return other, names
