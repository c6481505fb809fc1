"""Generalised predictive control of a known model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from samara.realtime.controllers.blocks.block import NO_LIMIT, Block
from samara.realtime.controllers.predictive.armax import ARMAX
from samara.realtime.controllers.predictive.design import Gains, Horizons, gains, predictions
from samara.realtime.controllers.predictive.lags import Lags, Regressor


class PredictiveLaw(Block):
    """What predictive controllers share: horizons, weights, limits and gains; it does not know where its model is from.

    horizons:  see `Horizons`. output_weight, control_weight, increment_weight: numbers, or one per channel, on squares.
    lower, upper: limits of the controls, numbers or one per channel. A control beyond is cut, and what was cut is what
               the model is told.
    """

    def __init__(
        self,
        lags: Lags,
        horizons: Horizons,
        *,
        step: float,
        output_weight: Any = 1.0,
        control_weight: Any = 0.0,
        increment_weight: Any = 0.0,
        lower: Any = -NO_LIMIT,
        upper: Any = NO_LIMIT,
    ) -> None:
        self.step = self.positive("step", step)
        self.lags, self.horizons = lags, horizons
        self.output_weight = self._weights("output_weight", output_weight, lags.outputs)
        self.control_weight = self._weights("control_weight", control_weight, lags.inputs)
        self.increment_weight = self._weights("increment_weight", increment_weight, lags.inputs)
        self.lower, self.upper = (
            self.per_channel(name, v, lags.inputs) for name, v in (("lower", lower), ("upper", upper))
        )
        if not (self.lower < self.upper).all():
            raise self.refuse("lower must be less than upper, for every input")
        self.wanted, self.output = np.zeros(lags.inputs), np.zeros(lags.inputs)
        self._more, self._free = np.zeros(lags.inputs), np.zeros(lags.inputs)
        self._no_disturbance = np.zeros(lags.disturbances)
        self.gains = Gains(*(np.zeros((lags.inputs, n)) for n in self._widths()))
        self._still = np.zeros((lags.inputs, lags.outputs))

    def tune(
        self,
        *,
        first: int | None = None,
        last: int | None = None,
        controls: int | None = None,
        beyond: str | None = None,
        output_weight: Any = None,
        control_weight: Any = None,
        increment_weight: Any = None,
    ) -> None:
        """Other horizons and weights from the next call on; all or none."""
        given = {"first": first, "last": last, "controls": controls, "beyond": beyond}
        horizons = replace(self.horizons, **{name: v for name, v in given.items() if v is not None})  # type: ignore[arg-type]
        weights = {
            name: self._weights(name, value, size)
            for name, value, size in (
                ("output_weight", output_weight, self.lags.outputs),
                ("control_weight", control_weight, self.lags.inputs),
                ("increment_weight", increment_weight, self.lags.inputs),
            )
            if value is not None
        }
        self.horizons = horizons
        for name, value in weights.items():
            setattr(self, name, value)
        self.redesign()

    def redesign(self) -> None:
        """Gains for the present model, horizons and weights."""
        raise NotImplementedError

    def _widths(self) -> tuple[int, int, int]:
        return self.horizons.last * self.lags.outputs, self.lags.size, self.lags.inputs

    def _design(self, theta: np.ndarray, disturbance: np.ndarray | None) -> None:
        F = predictions(theta, self.lags, self.horizons.last, disturbance)
        self.gains = gains(F, self.lags, self.horizons, self.output_weight, self.control_weight, self.increment_weight)
        parts = self.gains.reference.reshape(self.lags.inputs, self.horizons.last, self.lags.outputs)
        self._still = parts.sum(axis=1)

    def _law(self, phi: np.ndarray, r: Any) -> np.ndarray:
        """The control that the gains want, before limits."""
        u, more = self.wanted, self._more
        np.dot(self.gains.regressor, phi, out=u)
        np.negative(u, out=u)
        u += np.dot(self.gains.last, self.output, out=more)
        if r is not None:
            r = np.asarray(r, float)
            if r.ndim == 2:
                if r.shape != (self.horizons.last, self.lags.outputs):
                    raise self.refuse(
                        f"r must be the set points of {self.lags.outputs} outputs, or of {self.horizons.last} samples "
                        f"of them, got shape {r.shape}"
                    )
                u += np.dot(self.gains.reference, r.ravel(), out=more)
            else:
                u += np.dot(self._still, r, out=more)
        return u

    def _limited(self, u: np.ndarray) -> np.ndarray:
        np.maximum(u, self.lower, out=self.output)
        return np.minimum(self.output, self.upper, out=self.output)

    def _weights(self, name: str, value: Any, size: int) -> np.ndarray:
        found = self.per_channel(name, value, size)
        if not np.isfinite(found).all() or (found < 0.0).any():
            raise self.refuse(f"{name} must be a number or {size} numbers, none negative, got {value!r}")
        return found


class PredictiveControl(PredictiveLaw):
    """Generalised predictive control (GPC) of a sampled linear system that is known.

    At each sample the outputs of the next `last` samples are predicted, the best sequence of `controls` controls is
    found (see `gains`), and its first is given: a linear law, whose gains are made beforehand.

        gpc = PredictiveControl(model, Horizons(last=20, controls=5), step=0.01, control_weight=1e-3, lower=-1, upper=1)
        u = gpc(y)                      once a sample; u acts until the next

    model: an `ARMAX`. Where it has a measured disturbance, a call is given its sample w: it is fed forward. It is taken
    to stay as it is, or, with `disturbance`, to go on by itself: w_{k+1} = sum disturbance_i w_{k+1-i}, shape (lags,
    disturbances, disturbances), no more lags than the model has of it. An error of the prediction goes into the
    following ones where the model has C. The others are as in `PredictiveLaw`.

    The array that a call returns is used again by the next.
    """

    def __init__(
        self,
        model: ARMAX,
        horizons: Horizons,
        *,
        step: float,
        disturbance: Any = None,
        output_weight: Any = 1.0,
        control_weight: Any = 0.0,
        increment_weight: Any = 0.0,
        lower: Any = -NO_LIMIT,
        upper: Any = NO_LIMIT,
    ) -> None:
        super().__init__(
            model.lags, horizons, step=step, output_weight=output_weight, control_weight=control_weight,
            increment_weight=increment_weight, lower=lower, upper=upper,
        )  # fmt: skip
        self.model = model
        self.history = Regressor(model.lags)
        self._disturbance = None if disturbance is None else self._ahead(disturbance)
        self._error = np.zeros(model.lags.outputs)
        self.redesign()
        self.reset()

    def _ahead(self, disturbance: Any) -> np.ndarray:
        """Coefficients of the disturbance by the regressor."""
        given, lags = np.asarray(disturbance, float), self.lags
        n = lags.disturbances
        if given.ndim != 3 or given.shape[1:] != (n, n) or not 1 <= len(given) <= lags.past_disturbances:
            raise self.refuse(
                f"disturbance must have shape (lags, {n}, {n}) with at most {lags.past_disturbances} lags, got "
                f"{given.shape}"
            )
        found, at = np.zeros((lags.size, n)), lags.newest["w"].start
        found[at : at + n * len(given)] = np.moveaxis(given, 1, 2).reshape(-1, n)
        return found

    def redesign(self) -> None:
        """Gains for the present model, horizons and weights."""
        self._design(self.model.theta, self._disturbance)

    def reset(self) -> None:
        """Forgets what was: outputs, controls and errors were zero."""
        self.history.reset()
        self.output[:] = 0.0

    def __call__(self, y: Any, w: Any = None, r: Any = None) -> np.ndarray:
        """The controls for the sample y of the outputs, and w of the measured disturbance.

        r: set points, zero if left out: one number per output, or an array (last, outputs) of those ahead.
        """
        phi = self.history.phi
        if self.lags.past_errors:
            np.dot(phi, self.model.theta, out=self._error)
            np.subtract(y, self._error, out=self._error)
        self.history.sample(y, self._no_disturbance if w is None else w, self._error)
        u = self._limited(self._law(phi, r))
        self.history.control(u)
        return u

    def acted(self, u: Sequence[float]) -> None:
        """Tells what acts until the next sample, where it is not what was answered: another limit, or another hand."""
        self.output[:] = u
        self.history.control(self.output)

    @property
    def poles(self) -> np.ndarray:
        """Of the loop that this controller and its model make, without limits: inside the unit circle if stable.

        What the model has and no control reaches is among them: a constant stands at one.
        """
        lags, at = self.lags, self.lags.newest
        n, inputs = lags.size, lags.inputs
        M = np.zeros((n, n))
        for start, end, width in lags.parts:
            M[start + width : end, start : end - width] = np.eye(end - start - width)
        M[at["y"]] = self.model.theta.T
        if lags.disturbances:
            hold = np.zeros((n, lags.disturbances))
            hold[at["w"]] = np.eye(lags.disturbances)
            M[at["w"]] = (hold if self._disturbance is None else self._disturbance).T
        if lags.constant:
            M[-1, -1] = 1.0
        E = np.zeros((n, inputs))
        E[at["u"]] = np.eye(inputs)
        law = np.hstack([-self.gains.regressor, self.gains.last])  # by phi with its newest control zero, and the last
        kept = np.hstack([np.eye(n), np.zeros((n, inputs))])
        return np.linalg.eigvals(np.vstack([M @ (kept + E @ law), law]))
