"""Small motions about the present state of a simulation: mass, damping, stiffness and constraint matrices.

A node moves by xi in its own axes about a reference motion H_0(t) with twist eta_0: H = H_0 exp(xi). To first order

    delta eta     = xi_dot + ad(eta_0) xi
    delta eta_dot = xi_ddot + ad(eta_0) xi_dot + ad(eta_0_dot) xi

so that from the derivatives of the equations by pose, twist and acceleration (J_p, J_t, J_a, exact)

    M = J_a,     C = J_t + J_a ad(eta_0),     K = J_p + J_t ad(eta_0) + J_a ad(eta_0_dot) .

A scalar state moves by a number, and ad(eta_0) has zeros there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import block_diag, csr_matrix, diags

from samara.rotations import ad
from samara.solve import Simulation
from samara.solve.as_simulation import require_simulation
from samara.solve.constraints.gaps import open_joint
from samara.solve.linear_systems.units import Equations
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.mechanism.tied_states import tied_states
from samara.solve.redundant.carrier import drop
from samara.solve.start.present_loads import as_told
from samara.system.memory.blocks import ETA

#: Fields of a linearisation that are matrices.
MATRICES = ("M", "C", "K", "G", "D", "E", "reactions")


@dataclass(frozen=True, kw_only=True)
class Linearisation(Equations):
    """M xi_ddot + C xi_dot + K xi + reactions @ lam = 0 with G xi = 0 and D xi_dot + E xi = 0.

    Unknowns xi: displacement [m] and rotation [rad] of each node with unknowns, in its own axes, six per node in the
    order of `nodes`; then the scalar states in the order of `states`. Equations: forces [N] and moments [N m],
    likewise, then those of the states. See `Equations` for the matrices.

    length:     size of the mechanism [m], to weight displacements relative to rotations.
    R, p, eta, acc: pose in the world, twist and its rate in own axes of each node at the reference.
    """

    time: float
    nodes: tuple[str, ...]
    length: float
    R: np.ndarray
    p: np.ndarray
    eta: np.ndarray
    acc: np.ndarray
    states: tuple[str, ...] = ()


def linearise(sim: Simulation) -> Linearisation:
    """Linearises a simulation about its present state, which is not changed.

    Bring it to a consistent state first: `static`, `steady_rotation`, `assemble` or a transient run. Drives are
    evaluated at the present parameters and inputs, and inconsistent reactions and accelerations are recomputed.
    Prescribed nodes that are at rest, as after `static`, remain so; inconsistent joints are rejected. About rest and
    about a steady rotation the matrices are constant in time, and their eigenvalues are those of the motion; otherwise
    they hold for one instant only.
    """
    with as_told(require_simulation("linearise", sim)):
        if error := open_joint(sim):
            raise error
        return with_dense(sim)


def with_dense(sim: Simulation) -> Linearisation:
    """The same with the present reactions and accelerations."""
    found = small_motions(sim)
    return replace(found, **{name: getattr(found, name).toarray() for name in MATRICES})


def small_motions(sim: Simulation) -> Linearisation:
    """The same with sparse matrices, `csr_matrix`."""
    s = sim.system
    n, nodes = s.layout.coordinates, 6 * len(s.layout.free)
    by_pose, by_twist, by_acceleration = split(sim)
    with sim.state.plain():
        eta, acc = (x[:nodes].reshape(-1, 6) for x in (s.state.twists, s.state.accelerations))
    spin, gain = along(eta, n), along(acc, n)
    pose, twist, mass = (x[:, :n] for x in (by_pose, by_twist, by_acceleration))
    first = mass[:n]
    holonomic, rates = multipliers(sim)
    rate_twist = twist[n + rates]
    return Linearisation(
        time=s.state.time,
        nodes=tuple(node.name for node in s.layout.free),
        M=first,
        C=twist[:n] + first @ spin,
        K=pose[:n] + twist[:n] @ spin + first @ gain,
        G=pose[n + holonomic],
        D=rate_twist,
        E=pose[n + rates] + rate_twist @ spin,
        reactions=by_pose[:n, n + np.concatenate([holonomic, rates])],
        length=sim.length,
        R=s.state.rotations,
        p=s.state.positions,
        eta=eta.copy(),
        acc=acc.copy(),
        states=tuple(state.name for state in s.layout.states),
        scales=s.state.scales.copy(),
        tied=nodes + np.flatnonzero(tied_states(sim)),
    )


def along(twists: np.ndarray, size: int) -> csr_matrix:
    """Block diagonal of ad(twist) of the nodes, zero for the other coordinates."""
    rest = size - 6 * len(twists)
    blocks = [ad(x) for x in twists] + ([csr_matrix((rest, rest))] if rest else [])
    return csr_matrix(block_diag(blocks))


def split(sim: Simulation) -> tuple[csr_matrix, csr_matrix, csr_matrix]:
    """Jacobian of all equations by poses, twists and accelerations; columns of multipliers in the first."""
    s = sim.system
    nodes = s.layout.coordinates
    rows, columns = np.ones(s.unknowns.size), np.ones(s.unknowns.size)
    rows[nodes + multipliers(sim)[0]] = 0.0  # holonomic constraints do not carry the coefficients: poses alone enter
    columns[nodes:] = 0.0
    with sim.state.plain():
        pose, twist, gain = (sim.jacobian(*unit) for unit in np.eye(3))
    return pose, diags(rows) @ twist @ diags(columns), diags(rows) @ gain @ diags(columns)


def write_steady(sim: Simulation, twists: np.ndarray) -> None:
    """Sets the twists of the nodes with unknowns, own axes; their rates, and those of the states, are zero."""
    s = sim.system
    drop(sim)
    s.state.twists, s.state.accelerations = 0.0, 0.0
    for node, eta in zip(s.layout.free, twists, strict=True):
        s.state.write(node, ETA, eta)
