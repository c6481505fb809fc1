"""What predictive laws share that learn their model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Never

import numpy as np

from samara.blocks.block import BlockError
from samara.blocks.predictive.design import Gains, Horizons, design, not_finite
from samara.blocks.predictive.lags import Lags
from samara.blocks.predictive.samples import set_points
from samara.blocks.python_block import NO_LIMIT, PythonBlock


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
        return self.refuse(not_finite(last, self._largest_pole()))

    def _widths(self) -> tuple[int, int, int]:
        return self.horizons.last * self.lags.outputs, self.lags.size, self.lags.inputs

    def _design(self, theta: np.ndarray, disturbance: np.ndarray | None) -> bool:
        """New gains; False, and those before stay, where they are not finite."""
        weights = (self.output_weight, self.control_weight, self.increment_weight)
        made = design(theta, self.lags, self.horizons, weights, disturbance)
        if made is not None:
            self.gains = made
            self._still = made.still(self.lags.outputs)
        return made is not None

    def _set_points(self, r: Any) -> np.ndarray | None:
        """As an array of one per output, or of rows of them, one per sample ahead."""
        return None if r is None else set_points(self, r, self.lags.outputs, self.horizons.last)

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
