"""Recursive identification of sampled linear models."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from samara.blocks.checks import plain_number
from samara.blocks.predictive.armax import ARMAX
from samara.blocks.predictive.lags import Lags, Regressor
from samara.blocks.predictive.samples import LARGEST_SCALED, read
from samara.blocks.predictive.spread import Spread
from samara.blocks.python_block import PythonBlock
from samara.tracing.driver.driver_cache import driver

#: An error of so many times the usual one is an outlier: none in 1e15 of noise that is normally distributed.
OUTLIER = 8.0


@driver
def forget(U: np.ndarray, d: np.ndarray, forgetting: float, ceiling: float) -> None:
    """P = U diag(d) U^T grows by 1 / forgetting, but none of its terms d_j |u_j|^2 beyond the ceiling."""
    for j in range(len(d)):
        size = 0.0
        for i in range(j + 1):
            size += U[i, j] * U[i, j]
        d[j] = min(d[j] / forgetting, max(ceiling / size, 0.0))


@driver
def doubt(U: np.ndarray, d: np.ndarray, phi: np.ndarray) -> float:
    """1 + phi^T P phi: square of an error of prediction to be expected, by that of the noise."""
    total = 1.0
    for j in range(len(d)):
        f = phi[j]
        for i in range(j):
            f += U[i, j] * phi[i]
        total += d[j] * f * f
    return total


@driver
def measure(U: np.ndarray, d: np.ndarray, phi: np.ndarray, gain: np.ndarray) -> None:
    """P becomes (P^-1 + phi phi^T)^-1 in its factors, and gain P phi: Bierman's update, which cannot lose its sign."""
    before = 1.0
    for j in range(len(d)):
        f = phi[j]
        for i in range(j):
            f += U[i, j] * phi[i]
        v = d[j] * f
        after = before + v * f
        d[j] *= before / after
        for i in range(j):
            u = U[i, j]
            U[i, j] = u - gain[i] * f / before
            gain[i] += u * v
        gain[j] = v
        before = after
    for j in range(len(d)):
        gain[j] /= before


@driver
def correct(theta: np.ndarray, gain: np.ndarray, error: np.ndarray) -> None:
    """theta += gain error^T, in place."""
    for i in range(len(gain)):
        for j in range(len(error)):
            theta[i, j] += gain[i] * error[j]


class RecursiveIdentification(PythonBlock):
    """Recursive least-squares identification of an ARX or ARMAX model with several inputs and outputs.

        e_k = y_k - theta^T phi_{k-1},      theta += K_k e_k^T,     K_k = P phi / (1 + phi^T P phi)
        P <- (P^-1 + phi phi^T)^-1,  then  P / forgetting

    All outputs share one P, kept as U diag(d) U^T with a unit upper triangle U: it stays symmetric and positive however
    long it runs (Bierman, Factorization Methods for Discrete Sequential Estimation, 1977, chapter V).

    forgetting: 1: no forgetting; below, a sample n steps old has the weight forgetting^n: a memory of 1 / (1 -
    forgetting).
    ceiling:    unexcited directions are forgotten too, and P would grow without bound (windup) until noise causes large
                changes of the coefficients. Each term d_j |u_j|^2 of P is limited to it, so the trace of P stays below
                ceiling times the size of the regressor.
    start:      the initial P is start times the identity, start <= ceiling: the uncertainty of the first guess.

    With past errors in the lags (ARMAX) the errors that are not known stand by those that are left after the update
    (extended least squares: Ljung and Soderstrom, Theory and Practice of Recursive Identification, 1983, section
    2.5.1). It converges where 1 / C(z) - 1/2 is positive real, C the polynomial of the noise: not for any noise.

    The regressors should be of order one: scale the data.

    A sample of y or w that is not finite, or exceeds `largest`, is not used for learning, nor are those after it until
    it has left the regressor, where the predicted value replaces it (`Regressor.mend`). `bad` counts them.

    outlier: a sample whose error exceeds this multiple of the usual error is not used either, nor are those after it
    until it has left the regressor, where it stays as measured; `outliers` counts them. The usual error is the root
    mean square of e / sqrt(1 + phi^T P phi) over the last 50 samples, see `Spread`; a third consecutive large error is
    taken as a change of the plant and used. Outliers among the first samples, 10 more than twice the size of the
    regressor, are not detected. Infinite: all samples are used. `learns`: whether the last sample was used.
    """

    def __init__(
        self,
        lags: Lags,
        *,
        step: float,
        forgetting: float = 1.0,
        start: float = 1e3,
        ceiling: float = 1e6,
        theta: Any = None,
        largest: float = LARGEST_SCALED,
        outlier: float = OUTLIER,
    ) -> None:
        self.step = self.positive("step", step)
        self.kind("lags", lags, Lags)
        self.lags = lags
        self.largest = self.positive("largest", largest)
        self.start = self.positive("start", start)
        self.ceiling = self.positive("ceiling", ceiling)
        if self.start > self.ceiling:
            raise self.refuse(f"start ({self.start:g}) must not be above the ceiling ({self.ceiling:g})")
        self.tune(forgetting)
        far = plain_number(type(self).__name__, "outlier", outlier)
        if not far > 1.0:
            raise self.refuse(f"outlier must be above 1: it counts usual errors, got {far:g}")
        self.spread = Spread(lags.outputs, far, 2 * lags.size + 10)
        self.history = Regressor(lags)
        n, shape = lags.size, (lags.size, lags.outputs)
        self._first = np.zeros(shape) if theta is None else self.numbers("theta", theta)
        if self._first.shape != shape:
            raise self.refuse(f"theta must have shape {shape}, got {self._first.shape}")
        if not np.isfinite(self._first).all():
            raise self.refuse("theta must be finite")
        self.theta, self.U, self.d = np.zeros(shape), np.zeros((n, n)), np.zeros(n)
        self._gain, self._left = np.zeros(n), np.zeros(lags.outputs)
        self.predicted, self.error = np.zeros(lags.outputs), np.zeros(lags.outputs)
        self._y, self._w = np.zeros(lags.outputs), np.zeros(lags.disturbances)
        self._u = np.zeros(lags.inputs)
        self.reset()

    def tune(self, forgetting: float) -> None:
        """Another forgetting factor from the next sample on."""
        forgetting = self.positive("forgetting", forgetting)
        if forgetting > 1.0:
            raise self.refuse(f"forgetting must be above 0 and not above 1, got {forgetting:g}")
        self.forgetting = forgetting

    def reset(self) -> None:
        """Forgets all samples and goes back to the first guess."""
        self.history.reset()
        self.relearn()
        self.theta[:] = self._first
        self.predicted[:] = self.error[:] = 0.0
        self.bad = self.outliers = self._unsure = 0
        self.learns = False

    def relearn(self) -> None:
        """Trusts the coefficients no more than at the start, and keeps them as a first guess."""
        self.U[:] = 0.0
        np.fill_diagonal(self.U, 1.0)
        self.d[:] = self.start
        self.spread.reset()

    def missed(self) -> None:
        """Tells that samples were missed before the next call: nothing is learnt until the past is whole again."""
        lags = self.lags
        self._unsure = max(lags.past_outputs, lags.past_inputs, lags.past_disturbances, lags.past_errors) + 1

    def __call__(self, y: Any, w: Any, learn: bool = True) -> np.ndarray:
        """A new sample, after the control that led to it was told by `control`; the error of what was predicted.

        learn: without it the coefficients stay.
        """
        phi, theta, error = self.history.phi, self.theta, self.error
        read(self, "y", y, self._y)
        read(self, "w", w, self._w)
        y, w = self._y, self._w
        np.dot(phi, theta, out=self.predicted)
        whole = self.history.mend(y, w, self.predicted, self.largest, self.largest)
        self.learns = learn and whole and not self._unsure
        self._unsure = max(self._unsure - 1, 0)
        if not whole:
            self.bad += 1
            self.missed()
        np.subtract(y, self.predicted, out=error)
        left = error
        if self.learns and self.spread.outlying(error / math.sqrt(doubt(self.U, self.d, phi)), y):
            self.learns = False
            self.outliers += 1
            self.missed()
        if self.learns:
            measure(self.U, self.d, phi, self._gain)
            correct(theta, self._gain, error)
            forget(self.U, self.d, self.forgetting, self.ceiling)
            if self.lags.past_errors:
                np.dot(phi, theta, out=self._left)
                left = np.subtract(y, self._left, out=self._left)
        self.history.sample(y, w, left)
        return error

    def control(self, u: Any) -> None:
        """The control that acts until the next sample, as it really is: after limits."""
        read(self, "u", u, self._u)
        if not np.isfinite(self._u).all():
            raise self.refuse(f"u must be finite numbers, those that act, got {u!r}")
        self.history.control(self._u)

    @property
    def covariance(self) -> np.ndarray:
        """P: of the coefficients of each output, by the variance of its error."""
        return (self.U * self.d) @ self.U.T

    @property
    def model(self) -> ARMAX:
        """The model as it is known now."""
        return ARMAX.of(self.lags, self.theta.copy())
