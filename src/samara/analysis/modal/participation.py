"""What moves in a mode: shares of the model's parts, and names made of them.

Small motions y = (xi, xi_dot) of a mode with right and left eigenvectors r and l, l r = 1, have the participation

    p_i = |(l R)_i (B r)_i| / sum,     y = B c,   c = R y

of each coordinate i, which has no unit: displacements, rotations and states of any scale compare. Where several
coordinates tell of one motion, R weighs them by their masses (`readout`). What a rotor has moves against the craft that
carries it, and against its hub but for the hub's tilt. Coordinates of blades are told in axes of the disk: along the
shaft is flap, across it lag, turning about the span torsion; and as multiblade coordinates where the rotor turns.
Source: Perez-Arriaga, Verghese and Schweppe, IEEE Transactions on Power Apparatus and Systems 101, 1982.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_diag, csc_matrix, csr_matrix, lil_matrix
from scipy.sparse.linalg import spsolve

from samara.analysis.rotors.frame import RotorFrame
from samara.model import Node
from samara.model.declarations.declared_rotor import belongs
from samara.rotations import ad, adjoint, relative_pose
from samara.solve import Simulation

#: Of a blade's node, in axes along the span, across it and along the shaft.
DISPLACED, TURNED = ("extension", "lag", "flap"), ("torsion", "flap", "lag")
#: Share from which on a part names a mode alone, and below which it is not named.
MOST, SOME = 0.6, 0.2
#: Distance from the shaft, by the radius, up to which nodes of a blade do not say where it lies.
ON_THE_SHAFT = 1e-3
#: Mass of nodes that have none, of the largest of its sort.
LIGHT = 1e-9
#: Kinds of multiblade coordinates, in words.
WORDS = {"mean": "collective", "differential": "differential"}


@dataclass(frozen=True)
class Coordinate:
    """What a coordinate of a small motion is: of which part, and of which wave around the disk."""

    part: str
    rotor: str = ""
    wave: tuple[str, int] | None = None


@dataclass(frozen=True)
class Described:
    """Modes in words.

    names:  one for each. shares: {part: part of each mode's motion, 0 to 1}.
    """

    names: tuple[str, ...]
    shares: dict[str, np.ndarray]


def readout(sim: Simulation, basis: np.ndarray, rate: float = 1.0) -> np.ndarray:
    """R with R B = 1: the motion that is nearest to y in kinetic energy, displacements counted at a rate [1/s]."""
    weight = weights(sim, rate)
    return np.linalg.pinv(basis * weight[:, None], rcond=1e-12) * weight


def weights(sim: Simulation, rate: float = 1.0) -> np.ndarray:
    """Roots of the masses of y, of displacements times a rate [1/s]; nothing for what follows the others."""
    n, nodes = sim.system.layout.coordinates, 6 * len(sim.system.layout.free)
    mass = sim.jacobian(0.0, 0.0, 1.0).diagonal()[:n]
    mass[nodes:] = 1.0 / sim.system.state.scales**2
    order = np.array([2] * nodes + [0 if state.tied else state.order for state in sim.system.layout.states])
    for sort in mass[:nodes].reshape(-1, 2, 3).swapaxes(0, 1):  # masses, and moments of inertia
        np.maximum(sort, LIGHT * sort.max(initial=0.0), out=sort)
    return np.sqrt(np.concatenate([rate**2 * np.where(order > 0, mass, 0.0), np.where(order > 1, mass, 0.0)]))


def describe(
    sim: Simulation,
    frames: Sequence[RotorFrame],
    eigenvalues: np.ndarray,
    basis: np.ndarray,
    right: np.ndarray,
    left: np.ndarray | None,
) -> Described:
    """Names and shares of modes; basis: B as above; right: a column, left: a row for each mode.

    Without left vectors, of a large model, shares are those of the kinetic energy.
    """
    Z, coordinates = _axes(sim, frames)
    S, tell, n = _against_craft(sim, frames), csr_matrix(block_diag([Z, Z])), len(coordinates)
    moved = (tell @ (S @ (basis @ right))).T
    rate = max((frame.speed for frame in frames), default=1.0)
    if left is None:
        p = np.abs(moved * weights(sim)) ** 2
    else:
        told = spsolve(csc_matrix(S.T), (left @ readout(sim, basis, rate)).T).reshape(2 * n, -1)
        p = np.abs((tell @ told).T * moved)
    p = p[:, :n] + p[:, n:]
    p = p / np.maximum(p.sum(axis=1, keepdims=True), 1e-300)
    parts = list(dict.fromkeys(c.part for c in coordinates))
    shares = {part: p[:, [c.part == part for c in coordinates]].sum(axis=1) for part in parts}
    speeds = {frame.rotor.name: frame.speed for frame in frames}
    names = []
    for k, s in enumerate(eigenvalues):
        order = sorted(parts, key=lambda part: -shares[part][k])
        chosen = [part for part in order[:2] if shares[part][k] > SOME or part == order[0]]
        chosen = chosen[:1] if shares[order[0]][k] > MOST else chosen
        names.append(
            " and ".join(
                part + _wave([c.part == part for c in coordinates], coordinates, p[k], moved[k, :n], s.imag, speeds)
                for part in chosen
            )
        )
    return Described(tuple(names), shares)


def _wave(mine, coordinates, p, moved, omega, speeds) -> str:
    """Which wave around the disk the blades' part of a mode is."""
    waves: dict[tuple[str, int], float] = {}
    own = [i for i, inside in enumerate(mine) if inside and coordinates[i].wave is not None]
    for i in own:
        kind, n = coordinates[i].wave
        key = ("wave", n) if n else (kind, 0)
        waves[key] = waves.get(key, 0.0) + p[i]
    if not waves or not sum(waves.values()) > 0.0:
        return ""
    kind, n = max(waves, key=lambda key: waves[key])
    if kind != "wave":
        return f" {WORDS[kind]}"
    c = np.array([moved[i] for i in own if coordinates[i].wave == ("cos", n)])
    s = np.array([moved[i] for i in own if coordinates[i].wave == ("sin", n)])
    forward = np.imag(np.vdot(c, s)) < 0.0 and omega > 0.0  # s follows c by a quarter
    rotor = coordinates[own[0]].rotor
    order = f" {n}" if n > 1 else ""
    return f"{order} progressing" if forward and omega > n * speeds[rotor] else f"{order} regressing"


def _axes(sim: Simulation, frames: Sequence[RotorFrame]) -> tuple[csr_matrix, list[Coordinate]]:
    """Axes in which small motions are told, as rows, and what they are."""
    layout, size = sim.system.layout, sim.system.layout.coordinates
    nodes = 6 * len(layout.free)
    Z = lil_matrix((size, size))
    Z.setdiag(1.0)
    coordinates = [Coordinate(node.name.split(".")[0]) for node in layout.free for _ in range(6)]
    coordinates += [Coordinate(_part_of_state(sim, state.name)) for state in layout.states]
    for frame in frames:
        several = f"{frame.rotor.name} " if len(frames) > 1 else ""
        waves, kinds = frame.weights(frame.azimuth), frame.kinds()
        if not frame.blades.size:  # surfaces of the hub
            continue
        turns = [_in_disk(sim, frame, row[row < nodes][::6] // 6) for row in frame.blades]
        for j, columns in enumerate(frame.blades):  # place of the multiblade coordinate j
            Z[columns] = 0.0
            for k, own in enumerate(frame.blades):
                inner = own.size - 6 * len(turns[k])
                D = block_diag([*(x for turn in turns[k] for x in (turn, turn)), *([np.eye(inner)] if inner else [])])
                Z[np.ix_(columns, own)] = waves[k, j] * D.toarray()
            for i, column in enumerate(columns):
                part = (DISPLACED + TURNED)[i % 6] if column < nodes else "air"
                coordinates[column] = Coordinate(several + part, frame.rotor.name, kinds[j])
    return csr_matrix(Z), coordinates


def _against_craft(sim: Simulation, frames: Sequence[RotorFrame]) -> csr_matrix:
    """Motions and rates of what a rotor has: against the node that carries it, and against its hub there but for tilt.

    A shaft that winds up or bends takes the blades along: that is no lag of theirs. From y to the same, told so.
    """
    n = sim.system.layout.coordinates
    craft, hub = (lil_matrix((2 * n, 2 * n)) for _ in range(2))
    for S in (craft, hub):
        S.setdiag(1.0)
    for frame in frames:
        own = [row[row < 6 * len(sim.system.layout.free)][::6] for row in frame.blades]
        turning = np.concatenate([*own, [node.first for node in frame.others]]).astype(int)
        _tell_against(sim, craft, turning, frame.rotor.craft, np.eye(6))
        for node in frame.others:
            if node.name == frame.rotor.hub.name:
                but_tilt = block_diag([np.eye(3), np.outer(node.axis, node.axis)]).toarray()
                _tell_against(sim, hub, turning[turning != node.first], frame.rotor.hub, but_tilt)
    return csr_matrix(hub) @ csr_matrix(craft)


def _tell_against(sim: Simulation, S: lil_matrix, turning: np.ndarray, carrier: Node, part: np.ndarray) -> None:
    """Rows of motions against this part of a carrier's, which is constant in the carrier's own axes.

    xi - X xi_c,     its rate,     X = Ad(H^-1 H_c),     X_dot = X ad(eta_c) - ad(eta) X
    """
    if not carrier.free:
        return
    n, c = sim.system.layout.coordinates, sim.system.unknowns.first(carrier)
    H_c, spin = sim.state.pose(carrier), ad(sim.state.twist(carrier))
    for i in turning:
        node = sim.system.layout.free[i // 6]
        X = adjoint(relative_pose(sim.state.pose(node), H_c))
        X_dot = X @ spin - ad(sim.state.twist(node)) @ X
        S[i : i + 6, c : c + 6] = S[n + i : n + i + 6, n + c : n + c + 6] = -X @ part
        S[n + i : n + i + 6, c : c + 6] = -X_dot @ part


def _in_disk(sim: Simulation, frame: RotorFrame, numbers: np.ndarray) -> list[np.ndarray]:
    """Own axes of a blade's nodes seen in those of the disk: along the span, ahead, along the shaft."""
    R_craft, p_craft = sim.state.pose(frame.rotor.craft)
    disk, centre = R_craft @ frame.rotor.disk.rotation, p_craft + R_craft @ frame.rotor.disk.position
    shaft = disk[:, 2]
    R, p = sim.system.state.rotations[numbers], sim.system.state.positions[numbers]
    # a blade whose nodes are on the shaft lies along its own axes, x first
    for out in ((p - centre).sum(axis=0) / frame.rotor.radius, *(R[0].T if len(R) else ())):
        out = out - shaft * (shaft @ out)
        if float(np.linalg.norm(out)) > ON_THE_SHAFT:
            break
    out = out / max(float(np.linalg.norm(out)), 1e-300)
    axes = np.array([out, np.cross(shaft, out), shaft])
    return [axes @ rotation for rotation in R]


def _part_of_state(sim: Simulation, name: str) -> str:
    """The rotor's states are those of its inflow."""
    for rotor in sim.model.rotors:
        if belongs(name, rotor):
            return "inflow" if len(sim.model.rotors) == 1 else f"{rotor} inflow"
    return name.split(".")[0]
