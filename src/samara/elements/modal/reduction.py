"""Reduced model of a structure for a modal body: mass properties, modes and interface points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from samara.model import ModelError
from samara.rotations import skew
from samara.tracing.expressions.table import plain_numbers


@dataclass(frozen=True)
class Point:
    """A point of the structure in axes of its floating frame: undeformed pose, and what the modes do to it.

    position [m], rotation: of the frame at the point; move, turn: displacement [m] and rotation [rad] for a unit of
    each modal amplitude, shape (3, m) each.
    """

    position: np.ndarray
    rotation: np.ndarray
    move: np.ndarray
    turn: np.ndarray


@dataclass(frozen=True)
class Reduction:
    """A structure reduced to m modes with amplitudes q, relative to a floating frame.

    With velocities v + w x (r + Phi q) + Phi q_dot of its points the kinetic energy is that of

        S(q) = s + S1 q                       first moment of mass [kg m]
        J(q) = J0 + q_j J1_j + q_i q_j J2_ij  inertia about the frame's origin [kg m^2]
        A(q) = A0 + q_j A1_j                  moment of momentum for a unit of each modal rate [kg m^2/s]

    mass [kg]; s: (3,) [kg m]; S1: (3, m) [kg]; J0: (3, 3) [kg m^2]; J1: (m, 3, 3) [kg m]; J2: (m, m, 3, 3) [kg];
    A0: (3, m) [kg m]; A1: (m, 3, m) [kg]; modal_mass [kg], stiffness [N/m], damping [N s/m]: (m, m), for amplitudes
    in m; points: by name; length: size of the structure [m].
    Source of the terms: Shabana, Dynamics of Multibody Systems, chapter 5 (inertia shape integrals).
    """

    mass: float
    s: np.ndarray
    S1: np.ndarray
    J0: np.ndarray
    J1: np.ndarray
    J2: np.ndarray
    A0: np.ndarray
    A1: np.ndarray
    modal_mass: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    points: Mapping[str, Point]
    length: float

    @property
    def count(self) -> int:
        """Number of modes."""
        return len(self.stiffness)

    @property
    def frequencies(self) -> np.ndarray:
        """Of the modes with the floating frame held [rad/s]; exact where mass and stiffness are diagonal."""
        return np.sqrt(np.diag(self.stiffness) / np.diag(self.modal_mass))

    @classmethod
    def from_arrays(
        cls,
        positions,
        shapes,
        mass,
        stiffness,
        damping=None,
        *,
        names: Sequence[str] = (),
        rotations=None,
    ) -> Reduction:
        """From the nodes of any finite-element model, all in axes of the floating frame.

        positions: of the nodes [m], shape (n, 3).
        shapes:    modes: three displacements [m] and three rotations [rad] per node, shape (n, 6, m).
        mass:      of the nodes, shape (n,) [kg]; or the full mass matrix for six degrees of freedom per node, (6 n, 6
                   n).
        stiffness: of the modes, (m, m), or its diagonal. damping: likewise, none by default.
        names:     names of interface nodes, one per node, "" for the others.
        rotations: axes of the frames at the nodes, shape (n, 3, 3); by default those of the floating frame.
        """
        positions, shapes = np.asarray(positions, float), np.asarray(shapes, float)
        n, m = len(positions), shapes.shape[-1]
        if positions.shape != (n, 3) or shapes.shape != (n, 6, m):
            raise ModelError(
                f"reduction: positions must be (n, 3) and shapes (n, 6, m), got {positions.shape} and {shapes.shape}"
            )
        if not m:
            raise ModelError("reduction: no modes: a rigid part is a Body")
        M = plain_numbers(mass, "reduction: mass")
        for what, values in (("positions", positions), ("shapes", shapes), ("mass", M)):
            if not np.all(np.isfinite(values)):
                raise ModelError(f"reduction: {what} must be finite numbers")
        if M.ndim == 1 and np.any(M < 0.0):
            raise ModelError("reduction: mass must not be negative")
        if names and len(names) != n:
            raise ModelError(f"reduction: names must be one per node, {n}, got {len(names)}: use '' for those without")
        given = [name for name in names if name]
        if len(set(given)) < len(given):
            raise ModelError("reduction: two nodes have the same name")
        if rotations is not None and np.shape(rotations) != (n, 3, 3):
            raise ModelError(f"reduction: rotations must be ({n}, 3, 3), got {np.shape(rotations)}")
        if M.shape == (n,):
            M = np.kron(np.diag(M), np.diag([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))
        if M.shape != (6 * n, 6 * n):
            raise ModelError(f"reduction: mass must be ({n},) or ({6 * n}, {6 * n}), got {M.shape}")
        K, C = _square(stiffness, m, "stiffness"), _square(0.0 if damping is None else damping, m, "damping")
        if np.linalg.eigvalsh(0.5 * (M + M.T)).min() < -1e-9 * np.abs(M).max():
            raise ModelError("reduction: mass must not be negative in any motion")
        if np.linalg.eigvalsh(C).min() < -1e-9 * max(np.abs(C).max(), 1e-300):
            raise ModelError("reduction: damping must not be negative in any motion")
        if np.linalg.eigvalsh(K).min() <= 0.0:
            raise ModelError("reduction: stiffness must be positive definite: a rigid motion is not a mode of the body")
        return cls._integrate(positions, shapes, M, K, C, list(names), rotations)

    @classmethod
    def _integrate(cls, positions, shapes, M, K, C, names, rotations) -> Reduction:
        n, m = len(positions), shapes.shape[-1]
        flat = shapes.reshape(6 * n, m)
        shift = np.tile(np.vstack([np.eye(3), np.zeros((3, 3))]), (n, 1))
        turn = np.vstack([np.vstack([-skew(r), np.eye(3)]) for r in positions])
        # the field w x Phi_j, for each mode
        carried = np.array(
            [np.vstack([np.vstack([-skew(shapes[k, :3, j]), np.zeros((3, 3))]) for k in range(n)]) for j in range(m)]
        ).reshape(m, 6 * n, 3)
        moment = shift.T @ M @ turn  # -skew(s)
        half = np.array([x.T @ M @ turn for x in carried]).reshape(m, 3, 3)
        points = {
            name: Point(
                positions[k],
                np.eye(3) if rotations is None else np.asarray(rotations[k], float),
                shapes[k, :3],
                shapes[k, 3:],
            )
            for k, name in enumerate(names)
            if name
        }
        return cls(
            mass=float((shift.T @ M @ shift)[0, 0]),
            s=0.5 * np.array([moment[1, 2] - moment[2, 1], moment[2, 0] - moment[0, 2], moment[0, 1] - moment[1, 0]]),
            S1=_clean(shift.T @ M @ flat),
            J0=_clean(turn.T @ M @ turn),
            J1=_clean(half + half.transpose(0, 2, 1)),
            J2=_clean(np.einsum("iak,ab,jbl->ijkl", carried, M, carried, optimize=True)),
            A0=_clean(turn.T @ M @ flat),
            A1=_clean(np.array([x.T @ M @ flat for x in carried]).reshape(m, 3, m)),
            modal_mass=_clean(flat.T @ M @ flat),
            stiffness=_clean(K),
            damping=_clean(C),
            points=points,
            length=float(np.linalg.norm(positions - positions.mean(axis=0), axis=1).max()) or 1.0,
        )


def _square(values, m: int, what: str) -> np.ndarray:
    given = plain_numbers(values, f"reduction: {what}")
    found = given if given.ndim == 2 else np.diag(np.broadcast_to(given, (m,)))
    if found.shape != (m, m):
        raise ModelError(f"reduction: {what} must be ({m}, {m}) or its diagonal, got {given.shape}")
    if not np.all(np.isfinite(found)) or not np.allclose(found, found.T, rtol=1e-9, atol=1e-9 * np.abs(found).max()):
        raise ModelError(f"reduction: {what} must be symmetric, of finite numbers")
    return 0.5 * (found + found.T)


def _clean(values: np.ndarray) -> np.ndarray:
    """Rounding noise set to zero: zeros cost nothing later."""
    return np.where(np.abs(values) < 1e-12 * np.abs(values).max(initial=0.0), 0.0, values)
