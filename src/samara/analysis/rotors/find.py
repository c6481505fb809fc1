"""Which rotors of a model turn, and what belongs to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix

from samara.analysis.rotors.alike import alike
from samara.analysis.rotors.frame import RotorFrame, TurningNode
from samara.model import DeclaredRotor, ModelError, Node
from samara.model.declarations.declared_rotor import belongs
from samara.rotations import exp_so3
from samara.solve import Simulation

#: Part of a rotor's speed, about its shaft, from which on a node turns with it.
TURNS = 0.5
#: Distance from the shaft, in radii, within which a node is on it.
ON_SHAFT = 1e-3


def rotor_frames(sim: Simulation) -> tuple[RotorFrame, ...]:
    """The declared rotors that turn, at the present state of a simulation.

    Axes of nodes that belong together on all blades are taken as fixed in the blades alike; where blades are alike only
    with those of the reference pose, these.
    """
    found = []
    for rotor in sim.model.rotors.values():
        candidates = _frames(sim, rotor)
        same = alike(sim, [frame for frame in candidates if not frame.fault])
        found += [replace(frame, alike=bool(same)) for frame in [*same, *candidates][:1]]
    for frame in found:
        for other in found:
            if frame is not other and np.intersect1d(frame.blades, other.blades).size:
                raise ModelError(
                    f"rotors {frame.rotor.name!r} and {other.rotor.name!r} share blades: give each blade to one rotor"
                )
    return tuple(found)


def turned_on(sim: Simulation, frames: Sequence[RotorFrame]) -> tuple[RotorFrame, ...]:
    """The same rotors at the present azimuth and speed."""
    return tuple(replace(f, azimuth=_azimuth(sim, f.rotor), speed=_shaft(sim, f.rotor)[1]) for f in frames)


def _frames(sim: Simulation, rotor: DeclaredRotor) -> tuple[RotorFrame, ...]:
    """How the rotor may stand, the likelier first; nothing where it does not turn."""
    shaft, speed = _shaft(sim, rotor)
    if speed == 0.0:
        return ()
    others, fault = _others(sim, rotor, shaft, speed)
    try:
        blades, align = _blades(sim, rotor) if rotor.blades else (np.zeros((0, 0), int), None)
    except ModelError as error:
        blades, align, fault = np.zeros((len(rotor.blades), 0), int), None, str(error)
    size, azimuth = sim.system.layout.coordinates, _azimuth(sim, rotor)
    frame = RotorFrame(rotor, size, speed, azimuth, blades, None, others, fault=fault)
    return (frame,) if align is None else (frame, replace(frame, align=align))


def _others(
    sim: Simulation, rotor: DeclaredRotor, shaft: np.ndarray, speed: float
) -> tuple[tuple[TurningNode, ...], str]:
    """Nodes that turn along and are no blade's, and what is wrong with them."""
    taken = [name for other in sim.model.rotors.values() for name in other.blades]
    found, fault = [], ""
    for node in sim.system.layout.free:
        if any(belongs(node.name, blade) for blade in taken) or node is rotor.craft:
            continue
        R, p = sim.state.pose(node)
        if not shaft @ (R @ sim.state.twist(node)[3:] - _spin(sim, rotor.craft)) > TURNS * speed:
            continue
        if not _on_shaft(sim, rotor, p):
            if any(_on_shaft(sim, other, p) for other in sim.model.rotors.values()):
                continue  # beside this one, as those of a quadrotor
            fault = (
                f"node {node.name!r} turns with rotor {rotor.name!r}, is not on its shaft and belongs to no blade: let "
                f"its name begin with that of a blade, such as '{rotor.blades[0]}.{node.name}'"
            )
        # a swashplate is tilted, and turns about its own axis: that of the shaft in the reference pose
        axis = node.place.rotation.T @ (rotor.craft.place.rotation @ rotor.disk.rotation[:, 2])
        found.append(TurningNode(sim.system.unknowns.first(node), axis, node.name))
    return tuple(found), fault


def _disk(sim: Simulation, rotor: DeclaredRotor) -> tuple[np.ndarray, np.ndarray]:
    """Axes of the disk and its centre in the world."""
    R, p = sim.state.pose(rotor.craft)
    return R @ rotor.disk.rotation, p + R @ rotor.disk.position


def _on_shaft(sim: Simulation, rotor: DeclaredRotor, point: np.ndarray) -> bool:
    """Whether a point in the world lies on the rotor's shaft."""
    axes, centre = _disk(sim, rotor)
    off = point - centre
    return bool(np.linalg.norm(off - axes[:, 2] * (axes[:, 2] @ off)) <= ON_SHAFT * rotor.radius)


def _spin(sim: Simulation, node: Node) -> np.ndarray:
    return sim.state.pose(node).R @ sim.state.twist(node)[3:]


def _shaft(sim: Simulation, rotor: DeclaredRotor) -> tuple[np.ndarray, float]:
    """Direction about which the hub turns in the positive sense, in the world, and its speed in the rotor's sense."""
    shaft = rotor.sense * _disk(sim, rotor)[0][:, 2]
    speed = float(shaft @ (_spin(sim, rotor.hub) - _spin(sim, rotor.craft)))
    return (shaft, speed) if speed > 0.0 else (shaft, 0.0)


def _azimuth(sim: Simulation, rotor: DeclaredRotor) -> float:
    """Of the hub, against its reference pose, about the disk's axis."""
    disk = _disk(sim, rotor)[0]
    now = disk.T @ sim.state.pose(rotor.hub).R
    drawn = (rotor.craft.place.rotation @ rotor.disk.rotation).T @ rotor.hub.place.rotation
    turned = now @ drawn.T
    return rotor.sense * float(np.arctan2(turned[1, 0] - turned[0, 1], turned[0, 0] + turned[1, 1]))


def _blades(sim: Simulation, rotor: DeclaredRotor) -> tuple[np.ndarray, tuple[csr_matrix, ...] | None]:
    """Coordinates of the blades, one row each, and what turns the axes of their nodes into those of the first."""
    s, count = sim.system, len(rotor.blades)
    first = 6 * len(s.layout.free)
    nodes = [{n.name[len(b) :]: n for n in s.layout.free if belongs(n.name, b)} for b in rotor.blades]
    states = [
        {x.name[len(b) :]: first + k for k, x in enumerate(s.layout.states) if belongs(x.name, b)} for b in rotor.blades
    ]
    for k, (own, inner) in enumerate(zip(nodes, states, strict=True)):
        for found, reference, what in ((own, nodes[0], "node"), (inner, states[0], "state")):
            if found.keys() != reference.keys():
                odd = sorted(found.keys() ^ reference.keys())[0]
                raise ModelError(
                    f"rotor {rotor.name!r}: blades {rotor.blades[0]!r} and {rotor.blades[k]!r} differ: only one has a "
                    f"{what} '...{odd}'; blades that are exchanged must have the same parts, of the same names"
                )
    rows = [
        np.concatenate(
            [
                *(s.unknowns.first(own[name]) + np.arange(6) for name in nodes[0]),
                np.array([inner[name] for name in states[0]], int),
            ]
        ).astype(int)
        for own, inner in zip(nodes, states, strict=True)
    ]
    axis = rotor.craft.place.rotation @ rotor.disk.rotation[:, 2]
    turns = [
        {
            name: own[name].place.rotation.T
            @ exp_so3(2.0 * np.pi * k / count * rotor.sense * axis)
            @ nodes[0][name].place.rotation
            for name in nodes[0]
        }
        for k, own in enumerate(nodes)
    ]
    if all(np.abs(D - np.eye(3)).max() < 1e-9 for turn in turns for D in turn.values()):
        return np.array(rows), None
    width = len(rows[0])
    align = []
    for turn in turns:
        W = np.eye(width)
        for j, D in enumerate(turn.values()):
            for half in (6 * j, 6 * j + 3):
                W[half : half + 3, half : half + 3] = D
        align.append(csr_matrix(W))
    return np.array(rows), tuple(align)
