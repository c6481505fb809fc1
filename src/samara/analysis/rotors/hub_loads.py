"""Hub loads: loads of the blades of a rotor on its hub, in rotating and non-rotating axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.arguments import instance
from samara.model import DeclaredRotor, Element, Model, ModelError, Node, RotorDeclaration, Slice, Sliced
from samara.model.declarations.declared_rotor import belongs
from samara.model.roles.external_loads import ExternalLoads
from samara.model.roles.inertia import Inertial
from samara.model.schema.drives import as_drive
from samara.results import Channel, Channels, Results

XYZ = ("x", "y", "z")


def hub_loads(results: Results, model: Model, rotor: str | None = None) -> Results:
    """Hub loads: force and moment of the blades on the hub and its controls, about the disk's centre, as channels.

        F = F_air + sum m (g - a),     M = M_air + sum (p - p_D) x m (g - a) - (J w)'

    over the masses of the blades: the sum of what hinges, pitch links, dampers and beams carry from the blades to the
    hub and the controls. The air loads are those of the `Rotor`; a declared rotor without one has none.

    results: of a run of this model, which recorded all channels of the rotor and of the nodes of its blades, hub and
             craft (`outputs` not given, or "*").
    rotor:   name of the rotor; the only one, if not given.

    Channels, for a rotor called "rotor", with axes z along the shaft:
        rotor.fixed_force, rotor.fixed_moment: axes of the disk, which do not turn: x aft, where the azimuth is zero
        rotor.hub_force, rotor.hub_moment:     axes that turn with the hub, x where the hub's x axis points
        rotor.hub_azimuth:                     of these x axes about z from the disk's x axis, any number of turns [rad]
    """
    instance("hub_loads: results", results, Results, "; take those of a run")
    declared = instance("hub_loads: model", model, Model).rotor(rotor)
    origin, disk = _disk(results, declared)
    force, moment = _air(results, model, declared)
    for part, gravity in _slices(model, declared):
        f, m = _inertial(results, part, gravity, origin)
        force, moment = force + _seen(disk, f), moment + _seen(disk, m)
    azimuth = _azimuth(results, declared, disk)
    c, s = np.cos(azimuth), np.sin(azimuth)
    channels, columns = [], []
    for axes, of in (("fixed", "axes of the disk"), ("hub", "axes that turn with the hub")):
        for what, unit, value in (("force", "N", force), ("moment", "N m", moment)):
            x, y, z = value.T
            turned = value if axes == "fixed" else np.column_stack([c * x + s * y, c * y - s * x, z])
            text = f"{what} of the blades on the hub, {of}"
            channels.append(Channel(f"{declared.name}.{axes}_{what}", unit, XYZ, text))
            columns.append(turned)
    channels.append(Channel(f"{declared.name}.hub_azimuth", "rad", (), "of the hub's x axis, from the disk's x axis"))
    return Results(Channels(channels), results.time, np.column_stack([*columns, azimuth]), results.attrs)


def _channel(results: Results, name: str) -> np.ndarray:
    if name not in results:
        raise ModelError(f"hub_loads: {name!r} was not recorded: run the model with all outputs")
    return results[name]


def _rotation(results: Results, node: Node) -> np.ndarray:
    """Axes of a node in the world (t, 3, 3)."""
    if node.kind == "ground":
        return np.broadcast_to(np.eye(3), (len(results), 3, 3))
    return _channel(results, f"{node.name}.rotation").reshape(-1, 3, 3)


def _position(results: Results, node: Node) -> np.ndarray:
    return np.zeros((len(results), 3)) if node.kind == "ground" else _channel(results, f"{node.name}.position")


def _disk(results: Results, rotor: DeclaredRotor) -> tuple[np.ndarray, np.ndarray]:
    """Centre of the disk (t, 3) and its axes (t, 3, 3) in the world."""
    R = _rotation(results, rotor.craft)
    return _position(results, rotor.craft) + R @ rotor.disk.position, R @ rotor.disk.rotation


def _azimuth(results: Results, rotor: DeclaredRotor, disk: np.ndarray) -> np.ndarray:
    x = _seen(disk, _rotation(results, rotor.hub)[:, :, 0])
    return np.unwrap(np.arctan2(x[:, 1], x[:, 0]))


def _seen(axes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Components in these axes."""
    return np.einsum("tij,ti->tj", axes, vectors)


def _air(results: Results, model: Model, rotor: DeclaredRotor) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment of the air on the blades, in axes of the disk."""
    if not isinstance(model.elements.get(rotor.name), RotorDeclaration):
        return np.zeros((len(results), 3)), np.zeros((len(results), 3))
    return _channel(results, f"{rotor.name}.force"), _channel(results, f"{rotor.name}.moment")


def _slices(model: Model, rotor: DeclaredRotor) -> Iterator[tuple[Slice, Any]]:
    """The masses of its blades with the gravity that each feels; refuses other loads on the blades, unless of air."""
    for element in model.elements.values():
        if not any(belongs(element.name, blade) for blade in rotor.blades):
            continue
        if isinstance(element, Sliced):
            yield from ((part, element.gravity) for part in element.slices())
        elif isinstance(element, Inertial) or _loads_from_outside(element, model.elements.get(rotor.name)):
            kind = type(element).__name__
            raise ModelError(f"hub_loads: {element.name!r} ({kind}) acts on a blade in a way that is not supported")


def _loads_from_outside(element: Element, rotor: Element | None) -> bool:
    """Whether it is a load on a blade that no part of the rotor takes up, and none of the air on the rotor's blades."""
    mine = isinstance(rotor, RotorDeclaration) and rotor.bears(element)
    alone = len({node.name for node in element.nodes()}) == 1
    return not mine and (alone or isinstance(element, ExternalLoads))


def _inertial(results: Results, part: Slice, gravity: Any, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weight less inertia of a mass, and their moment about a point, in world axes."""
    name, R = part.node.name, _rotation(results, part.node)
    w, dw = _channel(results, f"{name}.angular_velocity"), _channel(results, f"{name}.angular_acceleration")
    c = R @ np.asarray(part.com, float)
    a = _channel(results, f"{name}.acceleration") + np.cross(dw, c) + np.cross(w, np.cross(w, c))
    g = np.column_stack([[float(as_drive(drive)(t)) for t in results.time] for drive in gravity])
    J = R @ np.asarray(part.inertia, float) @ R.transpose(0, 2, 1)
    spin = np.einsum("tij,tj->ti", J, dw) + np.cross(w, np.einsum("tij,tj->ti", J, w))
    force = float(part.mass) * (g - a)
    return force, np.cross(_position(results, part.node) + c - origin, force) - spin
