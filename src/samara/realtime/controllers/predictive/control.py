"""Generalised predictive control of a known model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Never

import numpy as np

from samara.realtime.controllers.blocks.block import NO_LIMIT, BlockError, PythonBlock
from samara.realtime.controllers.predictive.armax import ARMAX
from samara.realtime.controllers.predictive.design import Gains, Horizons, gains, predictions
from samara.realtime.controllers.predictive.lags import Lags, Regressor
from samara.realtime.controllers.predictive.samples import LARGEST_NUMBER, as_sample, read, usable


class PredictiveLaw(PythonBlock):
    """What predictive controllers share: horizons, weights, limits and gains; a subclass has a model.

    horizons:  see `Horizons`. output_weight, control_weight, increment_weight: numbers, or one per channel, on squares.
    lower, upper: limits of the controls, numbers or one per channel. A control beyond is cut, and what was cut is what
               the model is told.

    Bad samples: a call whose sample of y or w, or whose set point, is not finite or beyond `largest`, or whose answer
    would not be finite, answers what the last one did. `held` counts these calls; `bad` those where it was y or w. For
    a bad y what the model expects stands in the past, for a bad w what it was last (`Regressor.mend`).
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
        self.kind("horizons", horizons, Horizons)
        self.lags, self.horizons = lags, horizons
        self.output_weight = self.weights("output_weight", output_weight, lags.outputs)
        self.control_weight = self.weights("control_weight", control_weight, lags.inputs)
        self.increment_weight = self.weights("increment_weight", increment_weight, lags.inputs)
        self.lower, self.upper = (
            self.per_channel(name, v, lags.inputs) for name, v in (("lower", lower), ("upper", upper))
        )
        if not (self.lower < self.upper).all():
            raise self.refuse("lower must be less than upper, for every input")
        self.wanted, self.output = np.zeros(lags.inputs), np.zeros(lags.inputs)
        self._more, self._free = np.zeros(lags.inputs), np.zeros(lags.inputs)
        self._y, self._w = np.zeros(lags.outputs), np.zeros(lags.disturbances)
        self.held = 0
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
        **unknown: Never,
    ) -> None:
        """Other horizons and weights from the next call on; all or none.

        Where no finite design is found for them, all stays as it was, and the error says so.
        """
        self.refuse_unknown(unknown)
        given = {"first": first, "last": last, "controls": controls, "beyond": beyond}
        horizons = replace(self.horizons, **{name: v for name, v in given.items() if v is not None})  # type: ignore[arg-type]
        weights = {
            name: self.weights(name, value, size)
            for name, value, size in (
                ("output_weight", output_weight, self.lags.outputs),
                ("control_weight", control_weight, self.lags.inputs),
                ("increment_weight", increment_weight, self.lags.inputs),
            )
            if value is not None
        }
        before = {name: getattr(self, name) for name in ("horizons", *weights)}
        for name, value in ({"horizons": horizons} | weights).items():
            setattr(self, name, value)
        if not self._redesigned():
            for name, value in before.items():
                setattr(self, name, value)
            raise self._not_finite(horizons.last)

    def redesign(self) -> None:
        """Gains for the present model, horizons and weights."""
        raise NotImplementedError

    def _redesigned(self) -> bool:
        """New gains for the present model; False, and those before stay, where they are not finite."""
        raise NotImplementedError

    def _largest_pole(self) -> float:
        """Of the present model, in size."""
        raise NotImplementedError

    def _not_finite(self, last: int) -> BlockError:
        """The error of a design that is not finite."""
        size = self._largest_pole()
        return self.refuse(
            f"predictions over {last} samples are not finite: the largest pole of the model is {size:g} in size; look "
            "less far ahead (last), or scale the model"
        )

    def _widths(self) -> tuple[int, int, int]:
        return self.horizons.last * self.lags.outputs, self.lags.size, self.lags.inputs

    def _design(self, theta: np.ndarray, disturbance: np.ndarray | None) -> bool:
        """New gains; False, and those before stay, where they are not finite."""
        lags, last = self.lags, self.horizons.last
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                F = predictions(theta, lags, last, disturbance)
                made = gains(F, lags, self.horizons, self.output_weight, self.control_weight, self.increment_weight)
        except np.linalg.LinAlgError:
            return False
        if not all(np.isfinite(part).all() for part in made):
            return False
        self.gains = made
        self._still = made.reference.reshape(lags.inputs, last, lags.outputs).sum(axis=1)
        return True

    def _set_points(self, r: Any) -> np.ndarray | None:
        """As an array of one per output, or of rows of them, one per sample ahead."""
        if r is None:
            return None
        found, n, last = as_sample(self, "r", r), self.lags.outputs, self.horizons.last
        if found.shape not in ((n,), (last, n)) and not (found.ndim == 0 and n == 1):
            raise self.refuse(
                f"r must be the set points of {n} outputs, or of {last} samples of them, got shape {found.shape}"
            )
        return found.reshape(-1, n) if found.ndim == 2 else found.reshape(n)

    def _law(self, phi: np.ndarray, r: np.ndarray | None) -> np.ndarray:
        """The control that the gains want, before limits."""
        u, more = self.wanted, self._more
        np.dot(self.gains.regressor, phi, out=u)
        np.negative(u, out=u)
        u += np.dot(self.gains.last, self.output, out=more)
        if r is not None:
            if r.ndim == 2:
                u += np.dot(self.gains.reference, r.ravel(), out=more)
            else:
                u += np.dot(self._still, r, out=more)
        return u

    def _hold(self) -> np.ndarray:
        """The last answer again."""
        self.held += 1
        self.wanted[:] = self.output
        return self._limited(self.wanted)

    def _limited(self, u: np.ndarray) -> np.ndarray:
        np.maximum(u, self.lower, out=self.output)
        return np.minimum(self.output, self.upper, out=self.output)


class PredictiveControl(PredictiveLaw):
    """Generalised predictive control (GPC) of a sampled linear system that is known.

    At each sample the outputs of the next `last` samples are predicted, the best sequence of `controls` controls is
    found (see `gains`), and its first is given: a linear law, whose gains are made beforehand.

        gpc = PredictiveControl(model, Horizons(last=20, controls=5), step=0.01, control_weight=1e-3, lower=-1, upper=1)
        u = gpc(y)                      once a sample; u acts until the next

    model: an `ARMAX`. Where it has a measured disturbance, a call is given its sample w: it is fed forward. It is taken
    to stay as it is, or, with `disturbance`, to go on by itself: w_{k+1} = sum disturbance_i w_{k+1-i}, shape (lags,
    disturbances, disturbances), no more lags than the model has of it. An error of the prediction goes into the
    following ones where the model has C. largest: sample of y that is used, a number or one per output; by default
    only what floats do not bear is left out: an outlier below is answered as the law says, within the limits, and
    forgotten after as many samples as the model has lags. The others are as in `PredictiveLaw`.

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
        largest: Any = LARGEST_NUMBER,
    ) -> None:
        self.kind("model", model, ARMAX)
        super().__init__(
            model.lags, horizons, step=step, output_weight=output_weight, control_weight=control_weight,
            increment_weight=increment_weight, lower=lower, upper=upper,
        )  # fmt: skip
        self.model = model
        self.largest = self.scales("largest", largest, model.lags.outputs)
        self.history = Regressor(model.lags)
        self._disturbance = None if disturbance is None else self._ahead(disturbance)
        self._error = np.zeros(model.lags.outputs)
        self.redesign()
        self.reset()

    def _ahead(self, disturbance: Any) -> np.ndarray:
        """Coefficients of the disturbance by the regressor."""
        given, lags = self.numbers("disturbance", disturbance), self.lags
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
        """Gains for the present model, horizons and weights; refused, and those before stay, if not finite."""
        if not self._redesigned():
            raise self._not_finite(self.horizons.last)

    def _redesigned(self) -> bool:
        return self._design(self.model.theta, self._disturbance)

    def _largest_pole(self) -> float:
        return float(np.abs(self.model.poles).max())

    def reset(self) -> None:
        """Forgets what was: outputs, controls and errors were zero."""
        self.history.reset()
        self.output[:] = 0.0
        self.bad = self.held = 0

    def __call__(self, y: Any, w: Any = None, r: Any = None) -> np.ndarray:
        """The controls for the sample y of the outputs, and w of the measured disturbance.

        r: set points, zero if left out: one number per output, or an array (last, outputs) of those ahead.
        """
        phi, wanted = self.history.phi, self._set_points(r)
        read(self, "y", y, self._y)
        read(self, "w", np.zeros(self._w.size) if w is None else w, self._w)
        np.dot(phi, self.model.theta, out=self._error)
        whole = self.history.mend(self._y, self._w, self._error, self.largest, LARGEST_NUMBER)
        self.bad += not whole
        np.subtract(self._y, self._error, out=self._error)
        self.history.sample(self._y, self._w, self._error)
        sure = whole and (wanted is None or usable(wanted, LARGEST_NUMBER))
        with np.errstate(over="ignore", invalid="ignore"):
            sure = sure and bool(np.isfinite(self._law(phi, wanted)).all())
        u = self._limited(self.wanted) if sure else self._hold()
        self.history.control(u)
        return u

    def acted(self, u: Sequence[float]) -> None:
        """Tells what acts until the next sample, where it is not what was answered: another limit, or another hand."""
        read(self, "u", u, self._more)
        if not np.isfinite(self._more).all():
            raise self.refuse(f"u must be finite numbers, those that act, got {u!r}")
        self.output[:] = self._more
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
