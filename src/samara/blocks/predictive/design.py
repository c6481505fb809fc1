"""Predictions of a sampled model, and the gains that make the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from samara.blocks.block import BlockError
from samara.blocks.checks import one_of, whole_number
from samara.blocks.predictive.lags import Lags
from samara.tracing.driver.driver_cache import driver, inner

BEYOND = ("hold", "zero")


@dataclass(frozen=True)
class Horizons:
    """Horizons of a predictive controller.

    first, last: prediction horizon in samples, 1 <= first <= last. controls: control horizon, number of free samples of
    the control, 1 <= controls <= last. beyond: the control after them: "hold" its last value, or "zero".
    """

    last: int
    controls: int
    first: int = 1
    beyond: str = "hold"

    def __post_init__(self) -> None:
        for name in ("first", "last", "controls"):
            whole_number("Horizons", name, getattr(self, name), 1)
        if self.first > self.last:
            raise BlockError(f"Horizons: first ({self.first}) must not be after last ({self.last})")
        if self.controls > self.last:
            raise BlockError(f"Horizons: controls ({self.controls}) must not be more than last ({self.last})")
        one_of("Horizons", "beyond", self.beyond, BEYOND)


class Gains(NamedTuple):
    """The control of a sample: u_k = reference r - regressor phi_k + last u_{k-1}.

    reference: shape (inputs, last outputs), by the set points of all samples ahead; regressor: (inputs, its size);
    last: (inputs, inputs).
    """

    reference: np.ndarray
    regressor: np.ndarray
    last: np.ndarray

    def still(self, outputs: int) -> np.ndarray:
        """By set points that stay as they are, shape (inputs, outputs)."""
        return self.reference.reshape(len(self.last), -1, outputs).sum(axis=1)


def predictions(theta: np.ndarray, lags: Lags, last: int, disturbance: np.ndarray | None = None) -> np.ndarray:
    """What outputs j = 1 .. last samples ahead make of the regressor, shape (last, outputs, size).

        E[y_{k+j}] = F_j phi_k,      F_1 = theta^T,     F_{j+1} = F_j M,      E[phi_{k+1}] = M phi_k

    M shifts the regressor by a sample: new outputs are theta^T phi, new errors zero, new controls zero. disturbance:
    coefficients by which the measured disturbance goes on, shape (size, disturbances); by default it stays as it is.
    The answer to a control of i samples later is that of i samples less, in the columns of the newest control.
    """
    at, F = lags.newest, np.zeros((last, lags.outputs, lags.size))
    if disturbance is None:
        disturbance = np.zeros((lags.size, lags.disturbances))
        disturbance[at["w"]] = np.eye(lags.disturbances)
    F[0] = theta.T
    for j in range(1, last):
        before, now = F[j - 1], F[j]
        for start, end, width in lags.parts:
            now[:, start : end - width] = before[:, start + width : end]
        if lags.constant:
            now[:, -1] = before[:, -1]
        now += before[:, at["y"]] @ theta.T
        if lags.disturbances:
            now += before[:, at["w"]] @ disturbance.T
    return F


def forced(F: np.ndarray, lags: Lags, horizons: Horizons) -> np.ndarray:
    """Outputs ahead by the free controls, shape (last outputs, controls inputs): G of y = G u + free response."""
    pulse = F[:, :, lags.newest["u"]]  # answer to the control of now, j + 1 samples later
    last, outputs, inputs = pulse.shape
    G = np.zeros((last, outputs, horizons.controls, inputs))
    for i in range(horizons.controls):
        G[i:, :, i] = pulse[: last - i]
    if horizons.beyond == "hold":
        for i in range(horizons.controls, last):
            G[i:, :, -1] += pulse[: last - i]
    return G.reshape(last * outputs, horizons.controls * inputs)


def gains(
    F: np.ndarray, lags: Lags, horizons: Horizons, outputs: np.ndarray, controls: np.ndarray, increments: np.ndarray
) -> Gains:
    """The first control of the sequence that minimises

        sum over j = first .. last of |r_{k+j} - y_{k+j}|^2_outputs
            + sum over the free controls of |u|^2_controls + |u - u before|^2_increments

    F: `predictions`. outputs, controls, increments: weights, one per channel, not negative. It is a problem of linear
    least squares, and solved as such: what no weight tells is as small as can be. Source: Clarke, Mohtadi and Tuffs,
    Generalized predictive control, part I, Automatica 23, 1987, with the control itself weighted as well as its
    increments, and several inputs and outputs.
    """
    count, inputs = horizons.controls, lags.inputs
    by_output = np.tile(np.sqrt(outputs), horizons.last)
    by_output[: (horizons.first - 1) * lags.outputs] = 0.0
    by_control, by_step = (np.tile(np.sqrt(weight), count) for weight in (controls, increments))
    steps = np.eye(count * inputs) - np.eye(count * inputs, k=-inputs)
    rows = np.vstack([by_output[:, None] * forced(F, lags, horizons), np.diag(by_control), by_step[:, None] * steps])
    first = _first_of_inverse(rows, inputs)
    wanted = len(by_output)
    reference = first[:, :wanted] * by_output
    start = wanted + count * inputs
    return Gains(
        reference,
        reference @ F.reshape(wanted, lags.size),
        first[:, start : start + inputs] * by_step[:inputs],
    )


def design(
    theta: np.ndarray, lags: Lags, horizons: Horizons, weights: Sequence[np.ndarray], disturbance: np.ndarray | None
) -> Gains | None:
    """Gains of a model, by the weights of outputs, controls and increments; None where they are not finite."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            found = gains(predictions(theta, lags, horizons.last, disturbance), lags, horizons, *weights)
    except np.linalg.LinAlgError:
        return None
    return found if all(np.isfinite(part).all() for part in found) else None


def not_finite(last: int, pole: float) -> str:
    """What is wrong where there are none; pole: the size of the largest one of the model."""
    return (
        f"predictions over {last} samples are not finite: the largest pole of the model has magnitude "
        f"{pole:g}; reduce the horizon (last), or scale the model"
    )


def _first_of_inverse(rows: np.ndarray, count: int) -> np.ndarray:
    """The first rows of the pseudo-inverse: by Q R where the columns are independent, else by singular values."""
    columns, found = np.ascontiguousarray(rows.T), np.zeros((count, len(rows)))
    n = rows.shape[1]
    if solve_first(columns, np.zeros((n, n)), np.zeros(n), found):
        return found
    return np.linalg.pinv(rows)[:count]


@inner
def _reflect(v: np.ndarray, x: np.ndarray, scale: float, start: int) -> None:
    """x -= scale v (v . x), from an index on."""
    s = 0.0
    for i in range(start, len(v)):
        s += v[i] * x[i]
    s *= scale
    for i in range(start, len(v)):
        x[i] -= s * v[i]


@driver
def solve_first(columns: np.ndarray, R: np.ndarray, scales: np.ndarray, found: np.ndarray) -> bool:
    """First rows of (R^-1 Q^T) of a matrix given by its columns, by Householder's reflections; False if dependent.

    Native and in one thread: a library of linear algebra would wake others for it, which takes time that real time
    has not. columns, shape (n, m), m >= n, are overwritten; R (n, n) and scales (n) are room.
    """
    n, m = columns.shape
    count = found.shape[0]
    least, most = np.inf, 0.0
    for k in range(n):
        v = columns[k]
        size = 0.0
        for i in range(k, m):
            size += v[i] * v[i]
        size = np.sqrt(size)
        least, most = min(least, size), max(most, size)
        if not least > m * 2.3e-16 * most:  # so is what is not a number
            return False
        head = -size if v[k] > 0.0 else size
        for j in range(k):
            R[j, k] = v[j]
        R[k, k] = head
        scales[k] = 1.0 / (size * (size + abs(v[k])))
        v[k] -= head
        for j in range(k + 1, n):
            _reflect(v, columns[j], scales[k], k)
    for row in range(count):
        for j in range(n):  # R^T z = unit vector
            z = 1.0 if j == row else 0.0
            for i in range(j):
                z -= R[i, j] * found[row, i]
            found[row, j] = z / R[j, j]
        for k in range(n - 1, -1, -1):
            _reflect(columns[k], found[row], scales[k], k)
    return True
