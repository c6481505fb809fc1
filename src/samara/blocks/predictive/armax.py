"""Sampled linear models by their difference equation."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.block import BlockError
from samara.blocks.checks import finite_numbers, plain_numbers
from samara.blocks.predictive.lags import Lags, Regressor


class ARMAX:
    """A sampled linear model with several inputs and outputs, as a difference equation.

        y_k = sum A_i y_{k-i} + sum B_i u_{k-i} + sum D_i w_{k-i} + c + e_k + sum C_i e_{k-i},      i = 1, 2, ...

    A (na, outputs, outputs), B (nb, outputs, inputs), D (nw, outputs, disturbances), C (nc, outputs, outputs),
    c (outputs): A has the sign of a prediction. Without C it is an ARX model. u_k acts from sample k on, so it first
    affects y_{k+1}; w is a measured disturbance.

    theta: all coefficients, shape (size of the regressor, outputs): y_k = theta^T phi_{k-1} + e_k, see `Lags`.
    """

    def __init__(self, A: Any, B: Any, D: Any = None, C: Any = None, constant: Any = None) -> None:
        A, B = _lagged("A", A), _lagged("B", B)
        outputs = A.shape[1]
        D = np.zeros((0, outputs, 0)) if D is None else _lagged("D", D)
        C = np.zeros((0, outputs, outputs)) if C is None else _lagged("C", C)
        for name, found, columns in (
            ("A", A, outputs), ("B", B, B.shape[2]), ("C", C, outputs), ("D", D, D.shape[2]),
        ):  # fmt: skip
            if found.shape[1:] != (outputs, columns):
                raise BlockError(
                    f"ARMAX: {name} must have shape (lags, {outputs}, {columns}), got {found.shape}: one matrix a lag"
                )
        self.lags = Lags(outputs, B.shape[2], len(A), len(B), D.shape[2], len(D), len(C), constant is not None)
        parts = [np.moveaxis(part, 1, 2).reshape(-1, outputs) for part in (A, B, D, C)]
        if constant is not None:
            parts.append(_constant(constant, outputs))
        self.theta = np.ascontiguousarray(np.vstack(parts))
        if not np.isfinite(self.theta).all():
            raise BlockError("ARMAX: all coefficients must be finite numbers")

    @classmethod
    def of(cls, lags: Lags, theta: np.ndarray) -> ARMAX:
        """The model with these coefficients, in the order of the regressor."""
        y, u, w, e = lags.bounds
        ends = (0, y, u, w, e)
        widths = (lags.outputs, lags.inputs, lags.disturbances, lags.outputs)
        parts = [
            np.moveaxis(theta[start:end].reshape(-1, width, lags.outputs), 1, 2) if end > start else None
            for start, end, width in zip(ends, ends[1:], widths, strict=False)
        ]
        A, B, D, C = parts
        return cls(A, B, D, C, theta[-1] if lags.constant else None)

    @classmethod
    def from_state_space(cls, A: Any, B: Any, C: Any) -> ARMAX:
        """Of x_{k+1} = A x_k + B u_k, y_k = C x_k, exactly: with lags such that the past outputs tell the state.

        y_k = C A^p x_{k-p} + forced,    x_{k-p} from y_{k-p} .. y_{k-1} by least squares (their observability)
        """
        A, B, C = (np.atleast_2d(plain_numbers("ARMAX", name, m)) for name, m in (("A", A), ("B", B), ("C", C)))
        n = len(A)
        for name, found, shape in (("A", A, (n, n)), ("B", B, (n, B.shape[-1])), ("C", C, (len(C), n))):
            if found.shape != shape or not found.size:
                raise BlockError(f"ARMAX: {name} of the states must have shape {shape}, not empty, got {found.shape}")
            if not np.isfinite(found).all():
                raise BlockError(f"ARMAX: {name} of the states must be finite")
        seen = np.zeros((0, len(A)))
        for lags in range(1, len(A) + 1):
            seen = np.vstack([seen, C @ np.linalg.matrix_power(A, lags - 1)])
            if np.linalg.matrix_rank(seen) == len(A):
                break
        else:
            raise BlockError("ARMAX: the outputs do not tell the state: there is a mode that none of them sees")
        ahead = C @ np.linalg.matrix_power(A, lags) @ np.linalg.pinv(seen)  # by y_{k-p} .. y_{k-1}, oldest first
        pulses = [C @ np.linalg.matrix_power(A, j) @ B for j in range(lags)]
        a = [ahead[:, len(C) * (lags - i) : len(C) * (lags - i + 1)] for i in range(1, lags + 1)]
        # y_{k-i} holds the forced part of the same inputs, which is not the state's
        b = [pulses[j - 1] - sum((a[i - 1] @ pulses[j - i - 1] for i in range(1, j)), 0.0) for j in range(1, lags + 1)]
        return cls(np.array(a), np.array(b))

    @property
    def A(self) -> np.ndarray:
        """By past outputs, shape (na, outputs, outputs)."""
        return self._part(0, self.lags.bounds[0], self.lags.outputs)

    @property
    def B(self) -> np.ndarray:
        """By past inputs, shape (nb, outputs, inputs)."""
        return self._part(*self.lags.bounds[:2], self.lags.inputs)

    @property
    def D(self) -> np.ndarray:
        """By the past of the measured disturbance, shape (nw, outputs, disturbances)."""
        return self._part(*self.lags.bounds[1:3], self.lags.disturbances)

    @property
    def C(self) -> np.ndarray:
        """By past errors, shape (nc, outputs, outputs)."""
        return self._part(*self.lags.bounds[2:], self.lags.outputs)

    @property
    def constant(self) -> np.ndarray:
        """What the outputs have of their own, zero where the model has none."""
        return self.theta[-1].copy() if self.lags.constant else np.zeros(self.lags.outputs)

    @property
    def poles(self) -> np.ndarray:
        """Roots of the autoregressive part: inside the unit circle where the model is stable."""
        na, outputs = self.lags.past_outputs, self.lags.outputs
        companion = np.zeros((na * outputs, na * outputs))
        companion[:outputs] = np.hstack(list(self.A))
        companion[outputs:, :-outputs] = np.eye((na - 1) * outputs)
        return np.linalg.eigvals(companion)

    def simulate(self, u: Any, w: Any = None, e: Any = None) -> np.ndarray:
        """Outputs y_1 .. y_n of the inputs u_0 .. u_{n-1}, shape (n, inputs), from rest.

        w: of the same samples as u; e: errors e_1 .. e_n of the outputs' samples, none if left out.
        """
        u = _record("u", u, np.size(u) // self.lags.inputs, self.lags.inputs)
        w = _record("w", np.zeros((len(u), self.lags.disturbances)) if w is None else w, len(u), self.lags.disturbances)
        e = _record("e", np.zeros((len(u), self.lags.outputs)) if e is None else e, len(u), self.lags.outputs)
        history, rest = Regressor(self.lags), np.zeros(self.lags.outputs)
        history.sample(rest, w[0], rest)
        y = np.zeros((len(u), self.lags.outputs))
        for k in range(len(u)):
            history.control(u[k])
            y[k] = history.phi @ self.theta + e[k]
            history.sample(y[k], w[min(k + 1, len(u) - 1)], e[k])
        return y

    def _part(self, start: int, end: int, width: int) -> np.ndarray:
        found = self.theta[start:end]
        return (
            np.moveaxis(found.reshape(-1, width, self.lags.outputs), 1, 2)
            if end > start
            else np.zeros((0, self.lags.outputs, width))
        )


def _lagged(name: str, value: Any) -> np.ndarray:
    """Matrices of the lags; plain numbers are those of one input and one output."""
    found = finite_numbers("ARMAX", name, value)
    if found.ndim == 1:
        found = found[:, None, None]
    if found.ndim != 3 or not len(found):
        raise BlockError(f"ARMAX: {name} must be numbers or matrices, one a lag, got shape {np.shape(value)}")
    return found


def _constant(value: Any, outputs: int) -> np.ndarray:
    """A row, one number per output, or one for all."""
    found = finite_numbers("ARMAX", "constant", value)
    if found.shape not in ((), (1,), (outputs,)):
        raise BlockError(f"ARMAX: constant must be a number or {outputs} of them, one per output, got {value!r}")
    return np.array(np.broadcast_to(found, (1, outputs)))


def _record(name: str, value: Any, samples: int, width: int) -> np.ndarray:
    """A row per sample; a plain sequence is that of one channel."""
    found = plain_numbers("ARMAX.simulate", name, value)
    if not samples or found.shape not in ((samples, width), (samples,) if width == 1 else (samples, width)):
        raise BlockError(f"ARMAX.simulate: {name} must have shape (samples, {width}), got {found.shape}")
    return found.reshape(samples, width)
