"""Linear-quadratic design: gains of a state feedback and of an observer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from samara.blocks.block import BlockError
from samara.blocks.checks import finite_numbers, matrix, plain_number, switch
from samara.blocks.linear.state_space import discretise


class Plant(Protocol):
    """A linear model, as `samara.state_space` gives it."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


#: How far from the limit of stability a mode that cannot be moved must be, and a singular value from zero, relative.
MARGIN, RANK = 1e-9, 1e-9


class DesignError(BlockError):
    """The design problem has no solution: the message gives the reason and the remedy."""


@dataclass(frozen=True)
class LinearRegulator:
    """u = -K x, with the cost x' S x from the state x on, and the poles of the closed loop.

    K: shape (inputs, states). Poles: of A - B K, in 1/s of a continuous system, in z of a sampled one.
    """

    K: np.ndarray
    S: np.ndarray
    poles: np.ndarray


def lqr(A: Any, B: Any, Q: Any, R: Any, *, discrete: bool = False) -> LinearRegulator:
    """The feedback u = -K x that minimises a quadratic cost.

        x_dot = A x + B u,        cost = integral of (x' Q x + u' R u) dt,  K = R^-1 B' S
        x_{k+1} = A x_k + B u_k,  cost = sum of (x' Q x + u' R u),          K = (R + B' S B)^-1 B' S A     (discrete)

    Q: symmetric, not negative; R: symmetric, positive; a number or a vector stands for a diagonal matrix. S solves the
    Riccati equation (SciPy). Unstable modes must be controllable by the inputs, and marginally stable ones must be
    weighted by Q: both are checked first.

    Source: Anderson and Moore, Optimal Control: Linear Quadratic Methods, 1990.
    """
    from scipy.linalg import solve_continuous_are, solve_discrete_are

    switch("lqr", "discrete", discrete)
    A, B = matrix("lqr", "A", A), matrix("lqr", "B", B)
    n = len(A)
    if A.shape != (n, n) or len(B) != n:
        raise DesignError(f"lqr: A must be square and B have as many rows, got {A.shape} and {B.shape}")
    Q, R = _weight("lqr", "Q", Q, n), _positive_weight("lqr", "R", R, B.shape[1], "every input costs something")
    unreached = hidden_modes(A, B, discrete)
    if unreached:
        raise DesignError(
            f"lqr: not stabilisable: no input reaches the mode{_listed(unreached)}; add an actuator "
            f"that does, or remove the mode from the model"
        )
    unseen = [p for p in hidden_modes(A.T, Q, discrete) if _at_the_limit(p, discrete)]
    if unseen:
        raise DesignError(f"lqr: Q does not weight the marginally stable mode{_listed(unseen)}: give it a weight")
    try:
        if discrete:
            S = solve_discrete_are(A, B, Q, R)
            K = np.linalg.solve(R + B.T @ S @ B, B.T @ S @ A)
        else:
            S = solve_continuous_are(A, B, Q, R)
            K = np.linalg.solve(R, B.T @ S)
    except np.linalg.LinAlgError as error:
        raise DesignError(
            f"lqr: the Riccati equation could not be solved ({error}); scale the states and weights"
        ) from error
    poles = np.linalg.eigvals(A - B @ K)
    if _growth(poles, discrete).max() >= 0.0:
        raise DesignError("lqr: the closed loop is not stable by rounding errors; scale the states and weights")
    return LinearRegulator(K, S, poles)


def kalman(A: Any, C: Any, W: Any, V: Any, *, discrete: bool = False) -> np.ndarray:
    """Kalman gain L of the observer with minimum error variance, shape (states, outputs): the dual of `lqr`.

    x_dot = A x + w, y = C x + v, or the sampled equivalent; W and V: covariances of the noises w and v. For a sampled
    system it is the gain of the predictor form used by `Observer`: x^_{k+1} = A x^_k + B u_k + L (y_k - C x^_k - D
    u_k).
    """
    switch("kalman", "discrete", discrete)
    A, C = matrix("kalman", "A", A), matrix("kalman", "C", C)
    n = len(A)
    if A.shape != (n, n) or C.shape[1] != n:
        raise DesignError(f"kalman: A must be square and C have as many columns, got {A.shape} and {C.shape}")
    W, V = _weight("kalman", "W", W, n), _positive_weight("kalman", "V", V, len(C), "no output is without noise")
    try:
        return lqr(A.T, C.T, W, V, discrete=discrete).K.T
    except DesignError as error:
        words = str(error).replace("lqr:", "kalman:").replace("not stabilisable: no input reaches", "no output sees")
        raise DesignError(words.replace("add an actuator", "add a sensor")) from None


@dataclass(frozen=True)
class OutputGains:
    """Output feedback u = -K (y - y_0). K: shape (inputs, outputs); poles: see `LinearRegulator`."""

    K: np.ndarray
    poles: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def model_gains(
    plant: Plant, outputs: dict[str, float], inputs: dict[str, float], step: float | None = None
) -> OutputGains:
    """LQR gains for a model linearised by `samara.state_space`.

    outputs, inputs: {name: tolerable magnitude}, for all of the plant's: the weights are 1 / magnitude^2; `math.inf`
    means no weight. step [s]: design for sampled feedback with a zero-order hold; None: continuous.

    The states of such a system have no individual meaning, so the outputs are fed back. They must determine the state,
    so there must be as many as relevant states, without direct feedthrough: angles and rates, for example. Otherwise
    use an `Observer`.
    """
    if not all(hasattr(plant, name) for name in ("A", "B", "C", "D", "inputs", "outputs")):
        raise DesignError(f"model_gains: plant must be a linear model from samara.state_space, got {plant!r}")
    q, r = _sizes("output", plant.outputs, outputs), _sizes("input", plant.inputs, inputs)
    A, B, C = plant.A, plant.B, plant.C
    values = np.linalg.svd(C, compute_uv=False) if C.size else np.zeros(0)
    if C.shape[0] < len(A) or values.size < len(A) or values[-1] < RANK * values[0]:
        raise DesignError(
            f"model_gains: {C.shape[0]} outputs do not determine {len(A)} states; measure more, or use an Observer"
        )
    if np.abs(plant.D).max(initial=0.0) > 1e-9 * max(1.0, np.abs(C).max()):
        raise DesignError("model_gains: an output has direct feedthrough (an acceleration or a force?); omit it")
    Q = C.T @ np.diag(q) @ C
    if step is None:
        found = lqr(A, B, Q, r)
    else:
        step = plain_number("model_gains", "step", step)
        A, B, *_ = discretise(A, B, C, plant.D, step)
        found = lqr(A, B, Q * step, r * step, discrete=True)
    return OutputGains(found.K @ np.linalg.pinv(C), found.poles, plant.inputs, plant.outputs)


def hidden_modes(A: np.ndarray, B: np.ndarray, discrete: bool = False) -> list[complex]:
    """Poles p of A that are not stable and that B does not reach: [A - p, B] loses rank there (Hautus's test)."""
    found, scale = [], max(1.0, np.abs(A).max(initial=0.0))
    size = np.abs(B).max(initial=0.0) or 1.0
    for pole in np.linalg.eigvals(A):
        if _growth(np.array([pole]), discrete)[0] < -MARGIN * scale:
            continue
        pencil = np.hstack([(A - pole * np.eye(len(A))) / scale, B / size])
        if np.linalg.svd(pencil, compute_uv=False)[-1] < RANK:
            found.append(complex(pole))
    return found


def _growth(poles: np.ndarray, discrete: bool) -> np.ndarray:
    """Below zero where a pole is stable."""
    return np.abs(poles) - 1.0 if discrete else poles.real


def _at_the_limit(pole: complex, discrete: bool) -> bool:
    return abs(_growth(np.array([pole]), discrete)[0]) < 1e-7 * max(1.0, abs(pole))


def _listed(poles: list[complex]) -> str:
    words = ", ".join(f"{p.real:.4g}{p.imag:+.4g}i" if abs(p.imag) > 1e-9 else f"{p.real:.4g}" for p in poles)
    return f"{'s' if len(poles) > 1 else ''} {words}"


def _weight(who: str, name: str, value: Any, size: int) -> np.ndarray:
    """A symmetric matrix without negative eigenvalues from a matrix, a diagonal or a number."""
    found = finite_numbers(who, name, value)
    if found.ndim == 0:
        found = found * np.eye(size)
    elif found.ndim == 1 and found.size:
        found = np.diag(found)
    if found.shape != (size, size):
        raise DesignError(f"{who}: {name} must be a finite matrix of shape {(size, size)}, got shape {found.shape}")
    if not np.allclose(found, found.T, rtol=1e-10, atol=0.0):
        raise DesignError(f"{who}: {name} must be symmetric")
    if np.linalg.eigvalsh(found).min() < -1e-12 * np.abs(found).max(initial=1e-300):
        raise DesignError(f"{who}: {name} must not have negative eigenvalues")
    return found


def _positive_weight(who: str, name: str, value: Any, size: int, why: str) -> np.ndarray:
    """One with positive eigenvalues."""
    found = _weight(who, name, value, size)
    if np.linalg.eigvalsh(found).min() <= 0.0:
        raise DesignError(f"{who}: {name} must have positive eigenvalues: {why}")
    return found


def _sizes(what: str, names: tuple[str, ...], given: dict[str, float]) -> np.ndarray:
    """Weights 1 / size^2 in the order of the names."""
    if not isinstance(given, dict):
        raise DesignError(f"model_gains: {what}s must be sizes by name, {{name: size}}, got {given!r}")
    unknown = [name for name in given if name not in names]
    missing = [name for name in names if name not in given]
    if unknown or missing:
        words = f"there is no {what} {unknown[0]!r}" if unknown else f"no size is given for {what} {missing[0]!r}"
        raise DesignError(f"model_gains: {words}; the plant has {', '.join(names) or 'none'}")
    sizes = np.array([plain_number("model_gains", f"size of {name}", given[name]) for name in names])
    if not (sizes > 0).all():
        raise DesignError(f"model_gains: sizes of {what}s must be positive")
    return 1.0 / sizes**2
