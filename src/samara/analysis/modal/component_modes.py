"""Component mode synthesis: reduces a Samara structure to a few modes (Craig and Bampton 1968)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh

from samara.analysis.linearisation.linear import Linearisation, with_dense
from samara.arguments import named, not_negative, whole
from samara.elements.modal.reduction import Reduction
from samara.model import Model, ModelError
from samara.rotations import skew
from samara.solve import Simulation, assemble
from samara.solve.as_simulation import as_simulation
from samara.solve.linear_systems.null_spaces import null_space
from samara.solve.redundant.carrier import drop
from samara.system.kernels.kinds import TOTALS
from samara.system.system import System


def craig_bampton(
    model: Model | System | Simulation,
    root: str,
    interfaces: Sequence[str] = (),
    modes: int = 6,
    *,
    damping: float = 0.0,
) -> Reduction:
    """Craig-Bampton reduction of a structure, free in space and unloaded, to modes relative to one of its nodes.

    root:       node whose frame becomes the floating frame.
    interfaces: interface nodes: the structure can deform under any load there, by one static mode for each of their six
                motions (root and other interfaces clamped).
    modes:      number of vibration modes, lowest frequency first, with root and interfaces clamped.
    damping:    damping ratio of each mode, added to the damping of the structure.

    The modes are combined such that mass and stiffness are diagonal, lowest frequency first; an amplitude is the
    largest
    displacement of a node, or its rotation times the length of the structure [m]. The stiffness is the second
    derivative of the potential energy, which is symmetric; that of finite-volume beams is so only in the limit of short
    elements, so the modes are those of the beams up to their error of discretisation.
    """
    interfaces = (interfaces,) if isinstance(interfaces, str) else tuple(interfaces)
    if len(set(interfaces)) < len(interfaces):
        raise ModelError(f"interfaces = {list(interfaces)}: a node is named twice")
    modes = whole("craig_bampton: modes", modes, least=0)
    damping = not_negative("craig_bampton: damping, a ratio to critical damping,", damping)
    sim = as_simulation("craig_bampton", model)
    if sim is not model:
        assemble(sim)
    s, kept = sim.system, sim.state.copy()
    if any(float(g(0.0)) for g in s.model.gravity):
        raise ModelError(f"model {s.model.name!r} has gravity: reduce the structure without gravity")
    drop(sim)
    s.state.twists, s.state.accelerations = 0.0, 0.0
    s.state.renew_drives()
    try:
        return _reduce(sim, root, interfaces, modes, damping)
    finally:
        s.state.restore(kept)


def _reduce(sim: Simulation, root: str, interfaces: tuple[str, ...], modes: int, damping: float) -> Reduction:
    s, lin = sim.system, with_dense(sim)
    for name in (root, *interfaces):
        named(f"model {s.model.name!r}", "node that can move", name, lin.nodes)
    if root in interfaces:
        raise ModelError(
            f"node {root!r} is the root: it needs no interface, as elements can be attached to the node itself"
        )
    if lin.states or lin.D.size:
        raise ModelError(f"model {s.model.name!r} cannot be reduced: it has scalar states or rate constraints")
    _check_free(s.model.name, lin)
    stiffness = _stiffness(sim, lin)
    if not modes and not interfaces:
        raise ModelError("the reduced structure would be empty: give a number of modes, or interfaces")
    basis = _basis(lin, stiffness, root, interfaces, modes)
    M, K, C = (basis.T @ x @ basis for x in (0.5 * (lin.M + lin.M.T), stiffness, 0.5 * (lin.C + lin.C.T)))
    values, vectors = eigh(K, M)
    shapes = basis @ vectors
    k = lin.nodes.index(root)
    axes = np.einsum("ji,njk->nik", lin.R[k], lin.R)  # of the nodes, seen from the root
    in_root = np.kron(np.eye(2), axes)
    moved = np.einsum("nab,nbm->nam", in_root, shapes.reshape(len(lin.nodes), 6, -1))
    size = np.abs(moved * np.array([1.0] * 3 + [lin.length] * 3)[:, None]).max(axis=(0, 1))
    big = _block_diagonal(in_root)
    ratio = 2.0 * damping * np.sqrt(values)
    return Reduction.from_arrays(
        (lin.p - lin.p[k]) @ lin.R[k],
        moved / size,
        big @ lin.M @ big.T,
        values / size**2,
        (vectors.T @ C @ vectors + np.diag(ratio)) / np.outer(size, size),
        names=lin.nodes,
        rotations=axes,
    )


def _block_diagonal(blocks: np.ndarray) -> np.ndarray:
    n = len(blocks)
    result = np.zeros((n, 6, n, 6))
    result[np.arange(n), :, np.arange(n), :] = blocks
    return result.reshape(6 * n, 6 * n)


def _check_free(name: str, lin: Linearisation) -> None:
    """Rigid-body motions must not be resisted by stiffness or constraints."""
    turns = (
        [np.vstack([R.T, np.zeros((3, 3))]) for R in lin.R],
        [np.vstack([-R.T @ skew(p), R.T]) for R, p in zip(lin.R, lin.p - lin.p.mean(axis=0), strict=True)],
    )
    rigid = np.hstack([np.vstack(t) for t in turns])
    stuck = np.abs(lin.K @ rigid).max() > 1e-6 * np.abs(lin.K).max()
    if stuck or (lin.G.size and np.abs(lin.G @ rigid).max() > 1e-9 * np.abs(lin.G).max()):
        raise ModelError(
            f"model {name!r} is constrained or loaded externally: reduce the structure alone, free in "
            f"space, without gravity"
        )


def _stiffness(sim: Simulation, lin: Linearisation) -> np.ndarray:
    """Second derivatives of the potential energy: those of the forces where they have one, else its own."""
    n = len(lin.K)
    if np.abs(lin.K - lin.K.T).max() <= 1e-10 * np.abs(lin.K).max():
        return 0.5 * (lin.K + lin.K.T)
    potential = TOTALS.index("potential")

    def bent(xi: np.ndarray) -> float:
        return float(sim.system.tangents.bent_outputs(xi)[potential])

    blocks = np.abs(lin.K).reshape(n // 6, 6, n // 6, 6).max(axis=(1, 3)) > 0.0
    near = np.kron(blocks | blocks.T, np.ones((6, 6), bool))
    unit = np.diag(np.tile([sim.length] * 3 + [1.0] * 3, n // 6))  # so that neither part of a sum drowns
    result = np.diag([bent(x) for x in unit])
    for i in range(n):
        for j in np.flatnonzero(near[i, i + 1 :]) + i + 1:
            result[i, j] = result[j, i] = (bent(unit[i] + unit[j]) - bent(unit[i] - unit[j])) / 4.0
    size = np.diag(unit)
    return result / np.outer(size, size)


def _basis(lin: Linearisation, stiffness: np.ndarray, root: str, interfaces: Sequence[str], count: int) -> np.ndarray:
    """Static modes of the interfaces and vibrations with them held; root at rest, constraints satisfied."""
    n = lin.M.shape[0]

    def motions(names: Sequence[str]) -> list[int]:
        return [6 * lin.nodes.index(name) + c for name in names for c in range(6)]

    held = np.eye(n)[motions([root])]
    N = null_space(np.vstack([held, lin.G]))
    K, M = (N.T @ x @ N for x in (stiffness, lin.M))
    if np.linalg.eigvalsh(K).min() <= 0.0:
        raise ModelError(
            "the structure cannot be reduced: with its root clamped it can still move, or one of its "
            "elements exerts forces without potential energy"
        )
    boundary = N[motions(interfaces)]
    inner = null_space(boundary)
    if not 0 <= count <= inner.shape[1]:
        raise ModelError(f"modes = {count}: this structure has between 0 and {inner.shape[1]}")
    Ki, Mi = inner.T @ K @ inner, inner.T @ M @ inner
    own = _slowest(Ki, Mi, count)
    parts = [inner @ own]
    if len(boundary):
        lift = np.linalg.pinv(boundary)
        parts.insert(0, lift - inner @ np.linalg.solve(Ki, inner.T @ K @ lift))
    return N @ np.hstack(parts)


def _slowest(K: np.ndarray, M: np.ndarray, count: int) -> np.ndarray:
    """Slowest vibrations; massless directions follow statically."""
    # M may be singular (static nodes), K is not: 1 / w^2 are the largest eigenvalues of M against K
    _, vectors = eigh(0.5 * (M + M.T), 0.5 * (K + K.T))
    return vectors[:, ::-1][:, :count]
