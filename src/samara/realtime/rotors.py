"""The rotors of a model as plain numbers for another process: where their blades are, and what is measured of each.

A rotor is a `Rotor` element with the surfaces that belong to it, or, in models without air, parts whose names differ
in a number alone (blade_1.beam1, blade_2.beam1, ...) and that hang on one node which turns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.analysis.outline import Pen
from samara.elements.aero.rotor import Rotor
from samara.elements.aero.surface import Surface
from samara.model import Element, Node, Placement
from samara.solve import Simulation
from samara.solve.measures import chosen
from samara.system.blocks import ETA

#: Blades whose azimuths differ by less are one [rad].
SAME = 0.05
_NUMBERED = re.compile(r"(?P<stem>.*?blade[_ ]?)(?P<number>\d+)\b", re.IGNORECASE)
#: Measures in this order: angles of the hinges come first. What is left out: bookkeeping of energy and of nodes.
_FIRST = ("flap.angle", "lag.angle", "pitch.angle", "angle", "rotation", "couple", "force", "moment")
_ENERGY = re.compile(r"(momentum|kinetic|potential|dissipated|supplied|power)(\.\w+)?$")


def rotors(sim: Simulation, pen: Pen) -> list[dict[str, Any]]:
    """JSON of every rotor; the pen adds the tips of its blades to the points.

    name      of the rotor; sense: 1 counter-clockwise about the shaft's z axis, -1 clockwise
    radius    [m]; craft, hub: numbers of the nodes, -1 for the world
    disk      in the craft: position [m], rotation by rows; z along the shaft, x where the azimuth is zero
    azimuth   {"sensor": name}, or {"rotation": nine sensors by rows, "arm": in the hub, "x", "y": in the world}:
              atan2(y . R arm, x . R arm); about the shaft's z axis [rad]
    blades    what names of the blade's measures begin with; ahead: of its azimuth over the hub's, in the sense of
              rotation [rad]; tips: numbers of points; surfaces: names of its surfaces
    groups    {measure: sensors of blade 1, 2, ...}
    """
    channels, _ = chosen(sim.system, ("*",))
    labels = list(channels.labels)
    found = [_from_element(pen, e) for e in pen.elements if isinstance(e, Rotor)]
    if not found:
        found = _from_names(sim, pen)
    nodes = {node.name for node in sim.model.nodes.values()}
    for rotor in found:
        rotor["groups"] = groups([blade["name"] for blade in rotor["blades"]], labels, nodes)
    return found


def groups(prefixes: Sequence[str], labels: Sequence[str], nodes: set[str] | None = None) -> dict[str, list[str]]:
    """Measures that all blades have, {name without the blade's: sensors in order of the blades}.

    nodes: whose own motion is left out.
    """
    known = set(labels)
    found = {}
    for label in labels:
        if not label.startswith(f"{prefixes[0]}."):
            continue
        rest = label[len(prefixes[0]) + 1 :]
        if _ENERGY.search(label) or _owner(label) in (nodes or ()):
            continue
        sensors = [f"{prefix}.{rest}" for prefix in prefixes]
        if known.issuperset(sensors):
            found[rest] = sensors
    rank = {rest: next((k for k, word in enumerate(_FIRST) if word in rest), len(_FIRST)) for rest in found}
    order = sorted(found, key=lambda rest: (rank[rest], rest.endswith("_rate"), "_rate." in rest))
    return {rest: found[rest] for rest in order}


def _owner(label: str) -> str:
    """What a measure belongs to: "blade_1.root" of "blade_1.root.position.x"."""
    parts = label.split(".")
    keep = -2 if len(parts[-1]) <= 2 and len(parts) > 2 else -1
    return ".".join(parts[:keep])


# ---- models with air
def _from_element(pen: Pen, rotor: Rotor) -> dict[str, Any]:
    sense = 1 if float(rotor.speed) > 0 else -1
    disk = pen.pose(rotor.craft) @ rotor.disk
    blades: list[dict[str, Any]] = []
    hub = _angle(disk.rotation.T @ pen.pose(rotor.hub).rotation[:, 0], sense)
    for surface in pen.elements:
        if not (isinstance(surface, Surface) and surface.rotor is rotor and surface.carried()):
            continue
        places = [(pen.pose(node) @ frame).position for _, node, frame in surface.carried()]
        seen = [disk.inverse().point(p) for p in places]
        tip = int(np.argmax([np.hypot(p[0], p[1]) for p in seen]))
        ahead = float(np.mod(_angle(sum(seen), sense) - hub + SAME, 2 * np.pi) - SAME)
        blade = next((b for b in blades if abs(b["ahead"] - ahead) < SAME), None)
        if blade is None:
            blades.append(blade := {"name": "", "ahead": ahead, "reach": -1.0, "surfaces": []})
        blade["surfaces"].append(surface.name)
        if (reach := float(np.hypot(*seen[tip][:2]))) > blade["reach"]:
            _, node, frame = surface.carried()[tip]
            blade["reach"], blade["tip"] = reach, pen.point(node, frame.position)
    for blade in blades:
        blade["name"] = _common(blade["surfaces"])
    return _rotor(pen, rotor.name, sense, float(rotor.radius), rotor.craft, rotor.hub, rotor.disk, blades) | {
        "azimuth": {"sensor": f"{rotor.name}.azimuth"}
    }


def _angle(p: Any, sense: int) -> float:
    """Azimuth of a point of the disk in the sense of rotation [rad]."""
    return sense * float(np.arctan2(p[1], p[0]))


def _common(names: Sequence[str]) -> str:
    """What names of the same blade share, whole words: "blade_1" of "blade_1.air1", "blade_1.air2"."""
    words = [name.split(".") for name in names]
    shared = words[0][:-1]
    while shared and any(word[: len(shared)] != shared for word in words):
        shared = shared[:-1]
    return ".".join(shared) or names[0]


def _rotor(
    pen: Pen, name: str, sense: int, radius: float, craft: Node, hub: Node, disk: Placement, blades: list[dict]
) -> dict[str, Any]:
    """With blades in the order of their azimuths, as the sense of rotation counts them."""
    number = pen.number.get(craft.name, -1)
    if number < 0:
        disk = pen.pose(craft) @ disk
    return {
        "name": name,
        "sense": sense,
        "radius": radius,
        "craft": number,
        "hub": pen.number.get(hub.name, -1),
        "disk": [*disk.position.tolist(), *disk.rotation.ravel().tolist()],
        "blades": [
            {key: blade[key] for key in ("name", "ahead", "tip", "surfaces")}
            for blade in sorted(blades, key=lambda b: b["ahead"])
        ],
    }


# ---- models without
def _from_names(sim: Simulation, pen: Pen) -> list[dict[str, Any]]:
    parts: dict[str, dict[int, list[Element]]] = {}
    for element in pen.elements:
        if match := _NUMBERED.match(element.name):
            parts.setdefault(match["stem"], {}).setdefault(int(match["number"]), []).append(element)
    found = [_numbered(sim, pen, stem, numbered) for stem, numbered in parts.items() if len(numbered) > 1]
    return [rotor for rotor in found if rotor is not None]


def _numbered(sim: Simulation, pen: Pen, stem: str, parts: dict[int, list[Element]]) -> dict[str, Any] | None:
    """The rotor of these parts, if they hang on one node that turns."""
    held = [{n.name: n for e in elements for n in e.nodes()} for elements in parts.values()]
    shared = set.intersection(*(set(nodes) for nodes in held))
    for name in sorted(shared):
        hub, spin = held[0][name], sim.state.read(held[0][name], ETA + 3, 3)
        if hub.kind != "ground" and np.linalg.norm(spin) > 0.0:
            break
    else:
        return None
    R = pen.pose(hub).rotation
    axis = R @ spin / np.linalg.norm(spin)
    # the shaft is up rather than down, as far as that can be said
    sense = -1 if axis[np.argmax(np.abs(axis))] < 0 else 1
    z = sense * axis
    x = R[:, 0] - z * (z @ R[:, 0])
    x = R[:, 1] - z * (z @ R[:, 1]) if np.linalg.norm(x) < 0.5 else x
    x /= np.linalg.norm(x)
    disk = Placement(pen.pose(hub).position, np.column_stack([x, np.cross(z, x), z]))
    blades, radius = [], 0.0
    for number, nodes in zip(parts, held, strict=True):
        own = [n for n in nodes.values() if n.name not in shared]
        if not own:
            return None
        seen = [disk.inverse().point(pen.pose(n).position) for n in own]
        reach = [float(np.hypot(p[0], p[1])) for p in seen]
        k, radius = int(np.argmax(reach)), max(radius, *reach)
        ahead = float(np.mod(_angle(sum(seen), sense) + SAME, 2 * np.pi) - SAME)
        tip = pen.point(own[k], np.zeros(3))
        blades.append(
            {"name": f"{stem}{number}", "ahead": ahead, "tip": tip, "surfaces": [e.name for e in parts[number]]}
        )
    arm = R.T @ x
    rotation = [f"{hub.name}.rotation.{i}{j}" for i in "xyz" for j in "xyz"]
    azimuth = {"rotation": rotation, "arm": arm.tolist(), "x": x.tolist(), "y": np.cross(z, x).tolist()}
    ground = next(node for node in sim.model.nodes.values() if node.kind == "ground")
    return _rotor(pen, stem.rstrip("_. ") or "rotor", sense, radius, ground, hub, disk, blades) | {"azimuth": azimuth}
