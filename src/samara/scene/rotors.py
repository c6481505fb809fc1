"""The rotors of a model as plain numbers for another process: where their blades are, and what is measured of each.

They are those that the model declares, see `samara.model.DeclaredRotor`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np

from samara.model import DeclaredRotor, LiftingSurface, Node, Placement
from samara.model.declarations.declared_rotor import belongs, blade_points
from samara.results.channels import Channel
from samara.scene.outline import Pen

#: A blade that is behind the hub by less than this is not a turn ahead of it [rad].
SAME = 0.05
#: Measures in this order: angles of the hinges come first. What is left out, by unit: energy, power, momentum.
_FIRST = ("flap.angle", "lag.angle", "pitch.angle", "angle", "rotation", "couple", "force", "moment")
_BOOKKEEPING = {"J", "W", "kg m/s", "kg m^2/s"}


def rotors(pen: Pen, channels: Iterable[Channel]) -> list[dict[str, Any]]:
    """JSON of every rotor; the pen adds the tips of its blades to the points.

    name      of the rotor; sense: 1 counter-clockwise about the shaft's z axis, -1 clockwise
    radius    [m]; craft, hub: numbers of the nodes, -1 for the world
    disk      in the craft: position [m], rotation by rows; z along the shaft, x where the azimuth is zero
    azimuth   {"sensor": name}, or {"rotation": nine sensors by rows, "arm": in the hub, "x", "y": in the world}:
              atan2(y . R arm, x . R arm); about the shaft's z axis [rad]. With "craft", nine sensors of a craft that
              may turn, x and y are in its axes: R_craft^T R instead of R
    blades    what names of the blade's measures begin with; ahead: of its azimuth over the hub's, in the sense of
              rotation [rad]; tips: numbers of points; surfaces: names of its surfaces
    groups    {measure: sensors of blade 1, 2, ...}
    """
    found = [_shown(pen, rotor) for rotor in pen.model.rotors.values()]
    for rotor in found:
        rotor["groups"] = groups([blade["name"] for blade in rotor["blades"]], channels, pen.model.nodes)
    return found


def groups(prefixes: Sequence[str], channels: Iterable[Channel], nodes: Container[str] = ()) -> dict[str, list[str]]:
    """Measures that all blades have, {name without the blade's: sensors in order of the blades}.

    nodes: whose own motion is left out.
    """
    channels = list(channels)
    known = {label for channel in channels for label in channel.labels}
    found = {}
    for channel in channels:
        owner = channel.name.rpartition(".")[0]
        if not belongs(owner, prefixes[0]) or owner in nodes or channel.unit in _BOOKKEEPING:
            continue
        for label in channel.labels:
            rest = label[len(prefixes[0]) + 1 :]
            sensors = [f"{prefix}.{rest}" for prefix in prefixes]
            if known.issuperset(sensors):
                found[rest] = sensors
    rank = {rest: next((k for k, word in enumerate(_FIRST) if word in rest), len(_FIRST)) for rest in found}
    order = sorted(found, key=lambda rest: (rank[rest], rest.endswith("_rate"), "_rate." in rest))
    return {rest: found[rest] for rest in order}


def _shown(pen: Pen, rotor: DeclaredRotor) -> dict[str, Any]:
    """With blades in the order of their azimuths, as the sense of rotation counts them."""
    disk = pen.pose(rotor.craft) @ rotor.disk
    hub = rotor.azimuth_of(disk.rotation.T @ pen.pose(rotor.hub).rotation[:, 0])
    number = pen.number.get(rotor.craft.name, -1)
    placed = rotor.disk if number >= 0 else disk
    return {
        "name": rotor.name,
        "sense": rotor.sense,
        "radius": rotor.radius,
        "craft": number,
        "hub": pen.number.get(rotor.hub.name, -1),
        "disk": [*placed.position.tolist(), *placed.rotation.ravel().tolist()],
        "azimuth": _azimuth(pen, rotor),
        "blades": [_blade(pen, rotor, disk.inverse(), hub, blade) for blade in rotor.blades],
    }


def _blade(pen: Pen, rotor: DeclaredRotor, world: Placement, hub: float, blade: str) -> dict[str, Any]:
    """world: seen from the disk; hub: azimuth of its x axis [rad]."""
    points = blade_points(blade, pen.model.nodes, pen.elements)
    seen = [world.point(pen.pose(node).point(offset)) for node, offset in points]
    tip = int(np.argmax([np.hypot(p[0], p[1]) for p in seen]))
    parts = [element for element in pen.elements if belongs(element.name, blade)]
    surfaces = [element for element in parts if isinstance(element, LiftingSurface)] or parts
    return {
        "name": blade,
        "ahead": float(np.mod(rotor.azimuth_of(np.sum(seen, axis=0)) - hub + SAME, 2 * np.pi) - SAME),
        "tip": pen.point(*points[tip]),
        "surfaces": [element.name for element in surfaces],
    }


def _azimuth(pen: Pen, rotor: DeclaredRotor) -> dict[str, Any]:
    """The channel that measures it, or the numbers that it follows from."""
    if rotor.azimuth:
        return {"sensor": rotor.azimuth}
    found: dict[str, Any] = {"rotation": _rotation(rotor.hub)}
    x, y = rotor.disk.rotation.T[:2]
    if rotor.craft.kind == "ground":
        x, y = (pen.pose(rotor.craft).rotation @ axis for axis in (x, y))
    else:
        found["craft"] = _rotation(rotor.craft)
    return found | {"arm": [1.0, 0.0, 0.0], "x": x.tolist(), "y": y.tolist()}


def _rotation(node: Node) -> list[str]:
    """Names of the nine channels, by rows."""
    return [f"{node.name}.rotation.{i}{j}" for i in "xyz" for j in "xyz"]
