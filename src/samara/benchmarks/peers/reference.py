"""The reference motion of the benchmark chain: hinge angles, articulated bodies, Runge-Kutta of order 8.

The unknowns are the N hinge angles, so that no constraint can drift. Their accelerations come from the
articulated body algorithm, R. Featherstone, Rigid Body Dynamics Algorithms (2008), table 7.1, in link axes;
SciPy's DOP853 integrates them. This shares neither coordinates, equations, integrator nor code with
Samara's engine.

    python -m samara.benchmarks.peers.reference          remake the stored tips and print all checks
    python -m samara.benchmarks.peers.reference --check  the checks only
"""

import argparse
import json
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numba
import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from samara.benchmarks.cases.chain import ChainSpec, Vector

STORE = Path(__file__).with_name("reference_tips.json")
COMMAND = "python -m samara.benchmarks.peers.reference"
TIMES = (0.2, 1.0)
"""Times at which tips are stored [s]: an early one, before errors can grow, and the end."""


@dataclass(frozen=True)
class ReferenceMotion:
    """Angles q [rad] and rates v [rad/s] at the times t [s], shapes (T, N); tips [m], shape (T, 3)."""

    t: Vector
    q: Vector
    v: Vector
    tip: Vector
    evaluations: int


@numba.njit(cache=True)
def _product(A: NDArray, x: NDArray, out: NDArray) -> None:
    """out += A x, shapes (6, 6) and (6,)."""
    for i in range(6):
        for j in range(6):
            out[i] += A[i, j] * x[j]


@numba.njit(cache=True)
def _product_transposed(A: NDArray, x: NDArray, out: NDArray) -> None:
    """out += A^T x, shapes (6, 6) and (6,)."""
    for i in range(6):
        for j in range(6):
            out[j] += A[i, j] * x[i]


@numba.njit(cache=True)
def _congruence(X: NDArray, A: NDArray, out: NDArray) -> None:
    """out += X^T A X, shapes (6, 6)."""
    for j in range(6):
        column = np.zeros(6)
        _product(A, X[:, j], column)
        _product_transposed(X, column, out[:, j])


@numba.njit(cache=True)
def _transform(axis: int, angle: float, offset: float, X: NDArray) -> None:
    """Motion transform X (6, 6) from the parent link to the child, both in their own axes.

    A motion vector is (w, v). The child's origin lies at (offset, 0, 0) in the parent, and the child is
    turned by `angle` about `axis`, 1 (y) or 2 (z): X = [[E, 0], [-E r~, E]] with E the transpose of that
    rotation.
    """
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(angle), np.sin(angle)
    E = np.zeros((3, 3))
    E[axis, axis] = 1.0
    E[i, i], E[i, j], E[j, i], E[j, j] = c, s, -s, c
    for m in range(3):
        for n in range(3):
            X[m, n] = E[m, n]
            X[3 + m, 3 + n] = E[m, n]
            X[m, 3 + n] = 0.0
        X[3 + m, 0] = 0.0  # r~ = offset [[0, 0, 0], [0, 0, -1], [0, 1, 0]]
        X[3 + m, 1] = -offset * E[m, 2]
        X[3 + m, 2] = offset * E[m, 1]


@numba.njit(cache=True)
def accelerations(q: NDArray, v: NDArray, M: NDArray, length: float, gravity: NDArray) -> NDArray:
    """Angular accelerations of the hinges by the articulated body algorithm [rad/s^2], shape (N,).

    M is the spatial inertia of a link about its inner end in link axes, shape (6, 6). Gravity [m/s^2], in
    W, enters as an opposite acceleration of the ground.
    """
    N = q.size
    X = np.empty((N, 6, 6))
    twist = np.zeros((N, 6))
    bias = np.zeros((N, 6))
    inertia = np.empty((N, 6, 6))
    force = np.zeros((N, 6))

    for k in range(N):  # outward: twists, velocity products, gyroscopic forces
        s = 1 if k % 2 == 0 else 2
        _transform(s, q[k], length if k > 0 else 0.0, X[k])
        if k > 0:
            _product(X[k], twist[k - 1], twist[k])
        twist[k, s] += v[k]
        i, j = (s + 1) % 3, (s + 2) % 3  # twist x (axis v): the cross product with a coordinate axis
        bias[k, i] = twist[k, j] * v[k]
        bias[k, j] = -twist[k, i] * v[k]
        bias[k, 3 + i] = twist[k, 3 + j] * v[k]
        bias[k, 3 + j] = -twist[k, 3 + i] * v[k]
        inertia[k] = M
        p = np.zeros(6)
        _product(M, twist[k], p)
        w, u = twist[k, :3], twist[k, 3:]
        for i in range(3):  # twist x* p: the bias force of a free body
            j, m = (i + 1) % 3, (i + 2) % 3
            force[k, i] = w[j] * p[m] - w[m] * p[j] + u[j] * p[3 + m] - u[m] * p[3 + j]
            force[k, 3 + i] = w[j] * p[3 + m] - w[m] * p[3 + j]

    U = np.empty((N, 6))
    drive = np.empty(N)
    Ia = np.empty((6, 6))
    for k in range(N - 1, -1, -1):  # inward: articulated inertias and bias forces
        s = 1 if k % 2 == 0 else 2
        U[k] = inertia[k, :, s]
        drive[k] = -force[k, s]
        if k > 0:
            for m in range(6):
                for n in range(6):
                    Ia[m, n] = inertia[k, m, n] - U[k, m] * U[k, n] / U[k, s]
            pa = force[k] + U[k] * (drive[k] / U[k, s])
            _product(Ia, bias[k], pa)
            _congruence(X[k], Ia, inertia[k - 1])
            _product_transposed(X[k], pa, force[k - 1])

    a_parent = np.zeros(6)
    a_parent[3:] = -gravity
    v_dot = np.empty(N)
    for k in range(N):  # outward: accelerations
        s = 1 if k % 2 == 0 else 2
        a = bias[k].copy()
        _product(X[k], a_parent, a)
        v_dot[k] = drive[k] / U[k, s]
        for m in range(6):
            v_dot[k] -= U[k, m] * a[m] / U[k, s]
        a[s] += v_dot[k]
        a_parent = a
    return v_dot


def spatial_inertia(spec: ChainSpec) -> Vector:
    """Spatial inertia of one link about its inner end, ordered (rotation, translation), shape (6, 6)."""
    x, y, z = spec.centre
    c = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    M = np.zeros((6, 6))
    M[:3, :3] = np.diag(spec.inertia) + spec.mass * c @ c.T
    M[:3, 3:] = spec.mass * c
    M[3:, :3] = spec.mass * c.T
    M[3:, 3:] = spec.mass * np.eye(3)
    return M


def frames(spec: ChainSpec, q: Vector) -> tuple[Vector, Vector]:
    """Rotations R_WL, shape (N, 3, 3); origins of the links, then the tip, p_WL [m], shape (N + 1, 3)."""
    R_WL = np.empty((spec.links, 3, 3))
    p_WL = np.zeros((spec.links + 1, 3))
    R = np.eye(3)
    for k, angle in enumerate(q):
        c, s = np.cos(angle), np.sin(angle)
        turn = [[c, 0, s], [0, 1, 0], [-s, 0, c]] if k % 2 == 0 else [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        R = R @ np.array(turn)
        R_WL[k] = R
        p_WL[k + 1] = p_WL[k] + spec.length * R[:, 0]
    return R_WL, p_WL


def tip_position(spec: ChainSpec, q: Vector) -> Vector:
    """Position p_WT of the tip [m], shape (3,)."""
    return frames(spec, q)[1][-1]


def energy(spec: ChainSpec, q: Vector, v: Vector) -> float:
    """Kinetic plus potential energy, zero at the start [J]: by centres of mass, apart from the solver."""
    R_WL, p_WL = frames(spec, q)
    gravity = np.array(spec.gravity)
    w, u = np.zeros(3), np.zeros(3)  # angular velocity of the link, velocity of its origin, in W
    total = 0.0
    for k in range(spec.links):
        w = w + R_WL[k] @ spec.axis(k) * v[k]
        r = R_WL[k] @ spec.centre
        u_centre = u + np.cross(w, r)
        w_L = R_WL[k].T @ w
        fallen = p_WL[k] + r - (spec.hinge(k) + spec.centre)
        total += 0.5 * spec.mass * u_centre @ u_centre + 0.5 * w_L @ (spec.inertia * w_L) - spec.mass * gravity @ fallen
        u = u + np.cross(w, spec.length * R_WL[k][:, 0])
    return float(total)


def solve(
    spec: ChainSpec,
    times: tuple[float, ...] = TIMES,
    q0: Vector | None = None,
    v0: Vector | None = None,
    rtol: float = 1e-11,
    atol: float = 1e-12,
    rates: Callable[[Vector, Vector], Vector] | None = None,
) -> ReferenceMotion:
    """Integrate the chain, return its state at `times`; `rates(q, v)` replaces the accelerations."""
    N = spec.links
    M, gravity = spatial_inertia(spec), np.array(spec.gravity)
    if rates is None:

        def rates(q: Vector, v: Vector) -> Vector:
            return accelerations(q, v, M, spec.length, gravity)

    start = np.concatenate([np.zeros(N) if q0 is None else q0, np.zeros(N) if v0 is None else v0])

    def slope(t: float, x: Vector) -> Vector:
        return np.concatenate([x[N:], rates(x[:N], x[N:])])

    # Step exactly to each time asked for: DOP853's interpolant is one order less accurate than its steps.
    states, evaluations, t0 = [], 0, 0.0
    for t1 in times:
        if t1 > t0:
            run = solve_ivp(slope, (t0, t1), start, method="DOP853", rtol=rtol, atol=atol)
            if not run.success:
                raise RuntimeError(f"the reference of {N} links stopped at t = {run.t[-1]:g} s: {run.message}")
            start, t0 = run.y[:, -1], t1
            evaluations += run.nfev
        states.append(start)
    x = np.array(states)
    tips = np.array([tip_position(spec, row[:N]) for row in x])
    return ReferenceMotion(np.array(times), x[:, :N], x[:, N:], tips, evaluations)


@cache
def _store() -> dict[tuple[int, float], Vector]:
    if not STORE.exists():
        return {}
    cases = json.loads(STORE.read_text())["cases"]
    return {(case["links"], case["time"]): np.array(case["angles"]) for case in cases}


def ends(spec: ChainSpec, time: float = 1.0) -> Vector:
    """Reference positions of the outer ends of the links at `time` [m], shape (N, 3); the last is the tip.

    They come from the stored angles for the chain as it is defined, at the times of TIMES, and are
    integrated afresh for any other.
    """
    known = _store().get((spec.links, time)) if _is_standard(spec) else None
    q = solve(spec, (time,)).q[0] if known is None else known
    return frames(spec, q)[1][1:]


def tip(spec: ChainSpec, time: float = 1.0) -> Vector:
    """Reference position p_WT of the tip at `time` [m], shape (3,)."""
    return ends(spec, time)[-1]


def _is_standard(spec: ChainSpec) -> bool:
    return replace(spec, duration=ChainSpec.duration, step=ChainSpec.step) == ChainSpec(spec.links)


def sensitivity(spec: ChainSpec, motion: ReferenceMotion, directions: int = 6) -> tuple[Vector, Vector]:
    """How much errors grow on the way: of the tip and of the angles, one number each a time of `motion`.

    The straight chain is bent at the start by a small random dq in all hinges, +dq and -dq, and the
    difference of the two motions is put in relation to |dq| times what the same bending makes at t = 0.
    Averaged over directions this is a ratio of Frobenius norms: ||d p_T(t) / d q(0)|| / ||d p_T(0) / d
    q(0)||, and ||d q(t) / d q(0)|| / sqrt(N). A value near 1 is benign; a chaotic motion gives a large one,
    that grows exponentially with t.
    """
    rng = np.random.default_rng(20)
    size = 1e-5
    by_tip, by_angle, at_start = 0.0, 0.0, 0.0
    for _ in range(directions):
        dq = rng.standard_normal(spec.links)
        plus, minus = (solve(spec, tuple(motion.t), q0=sign * size * dq, rtol=1e-10, atol=1e-11) for sign in (1, -1))
        by_tip = by_tip + np.sum((plus.tip - minus.tip) ** 2, axis=1)
        by_angle = by_angle + np.sum((plus.q - minus.q) ** 2, axis=1)
        at_start += np.sum((tip_position(spec, size * dq) - tip_position(spec, -size * dq)) ** 2)
    return np.sqrt(by_tip / at_start), np.sqrt(by_angle / (directions * spec.links)) / (2.0 * size)


def agreement_with_pinocchio(spec: ChainSpec, motion: ReferenceMotion) -> str:
    """Largest distance of the tip from a run in which Pinocchio gives the accelerations."""
    if find_spec("pinocchio") is None:
        return "Pinocchio is not installed (remedy: pip install samara[bench])"
    from samara.benchmarks.peers import pinocchio_chain

    other = solve(spec, tuple(motion.t), rates=pinocchio_chain.accelerations(spec))
    return f"Pinocchio's ABA agrees within {np.abs(other.tip - motion.tip).max():.1e} m"


def main() -> None:
    """Remake the store, or only check it, and print what there is to know about each reference."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="reference solutions of the benchmark chain")
    parser.add_argument("--check", action="store_true", help="print the checks, leave the stored tips alone")
    only_check = parser.parse_args().check

    cases: list[dict[str, Any]] = []
    for links in ChainSpec.SIZES:
        spec = ChainSpec(links)
        start = perf_counter()
        motion = solve(spec)
        took = perf_counter() - start
        loose = solve(spec, rtol=1e-10, atol=1e-11)
        of_tip, of_angles = sensitivity(spec, motion)
        print(
            f"{links} links: {motion.evaluations} evaluations, {took:.1f} s. " + agreement_with_pinocchio(spec, motion)
        )
        for i, time in enumerate(motion.t):
            change = np.abs(motion.tip[i] - loose.tip[i]).max()
            drift = abs(energy(spec, motion.q[i], motion.v[i]))
            print(
                f"  t = {time:g} s: tip {motion.tip[i].tolist()} m, changes by {change:.1e} m at rtol 1e-10, "
                f"energy drift {drift:.1e} J, errors of the start grow {of_tip[i]:.2g} times at the tip, "
                f"{of_angles[i]:.2g} times in the angles"
            )
            stored = _store().get((links, float(time)))
            if stored is not None:
                print(f"    stored angles differ by {np.abs(stored - motion.q[i]).max():.1e} rad")
            cases.append(
                {
                    "links": links,
                    "time": float(time),
                    "tip": motion.tip[i].tolist(),
                    "tip_change_at_rtol_1e-10": float(f"{change:.1e}"),
                    "energy_drift": float(f"{drift:.1e}"),
                    "growth_of_start_errors_tip": float(f"{of_tip[i]:.2g}"),
                    "growth_of_start_errors_angles": float(f"{of_angles[i]:.2g}"),
                    "angles": [float(f"{angle:.13g}") for angle in motion.q[i]],
                }
            )
    if not only_check:
        made = {
            "about": "hinge angles [rad] and tips [m] of samara.benchmarks.cases.chain.ChainSpec at times [s]",
            "how": "articulated body algorithm in joint angles, SciPy DOP853, rtol 1e-11, atol 1e-12",
            "remake": COMMAND,
            "versions": {
                "python": platform.python_version(),
                "numpy": np.__version__,
                "scipy": scipy.__version__,
            },
            "cases": cases,
        }
        text = json.dumps(made, indent=1)
        STORE.write_text(_one_line_lists(text) + "\n")
        print(f"written: {STORE.name}")


def _one_line_lists(text: str) -> str:
    """Numbers of a list on one line: the store stays readable and its changes are seen."""
    return re.sub(r"\[\s+([-\d][^\[\]{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)


if __name__ == "__main__":
    main()
