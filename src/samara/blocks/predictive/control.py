"""Generalised predictive control of a known model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from samara.blocks.block import Block, Inlet
from samara.blocks.checks import ChannelChecks
from samara.blocks.linear.combination import dot
from samara.blocks.predictive.armax import ARMAX
from samara.blocks.predictive.design import Gains, Horizons, design, not_finite
from samara.blocks.predictive.lags import Lags
from samara.blocks.predictive.samples import LARGEST_NUMBER, read, set_points
from samara.blocks.python_block import NO_LIMIT
from samara.model import numbers, setting
from samara.tracing import fmax, fmin, select


class PredictiveControl(ChannelChecks, Block):
    """Generalised predictive control (GPC) of a known sampled linear system.

    At each sample the outputs of the next `last` samples are predicted, the optimal sequence of `controls` controls is
    found (see `gains`), and the first of them is applied: a linear law with precomputed gains.

        gpc = PredictiveControl(model, Horizons(last=20, controls=5), step=0.01, control_weight=1e-3, lower=-1, upper=1)
        u = gpc(y)                      once per sample; u acts until the next
        u = gpc(y, w, r)                with a measured disturbance, and set points: one per output, or rows of them,
                                        one per sample ahead; zero by default

    model: an `ARMAX`. Where it has a measured disturbance, a call is given its sample w: it is fed forward. It is taken
    to stay as it is, or, with `disturbance`, to go on by itself: w_{k+1} = sum disturbance_i w_{k+1-i}, shape (lags,
    disturbances, disturbances), no more lags than the model has of it. An error of the prediction goes into the
    following ones where the model has C. horizons: see `Horizons`. output_weight, control_weight, increment_weight:
    numbers, or one per channel, on squares. lower, upper: limits of the controls, numbers or one per channel; a control
    beyond is cut, and what was cut is what the model is told.

    Bad samples: a call whose sample of y or w, or whose set point, is not finite or beyond `largest`, or whose answer
    would not be finite, answers what the last one did. `held` counts these calls; `bad` those where it was y or w. For
    a bad y what the model expects stands in the past, but no more than the largest of its own past, so that a model
    that is off does not run away over many of them; for a bad w what it was last.
    largest: sample of y that is used, a number or one per output; by default only what floats do not bear is left out:
    an outlier below is answered as the law says, within the limits, and forgotten after as many samples as the model
    has lags.
    """

    time_between = "even"

    model: Any = setting(default=None)
    horizons: Any = setting(default=None)
    disturbance: Any = setting(default=None, kw_only=True)
    output_weight: Any = setting(default=1.0, kw_only=True)
    control_weight: Any = setting(default=0.0, kw_only=True)
    increment_weight: Any = setting(default=0.0, kw_only=True)
    lower: Any = setting(default=-NO_LIMIT, kw_only=True)
    upper: Any = setting(default=NO_LIMIT, kw_only=True)
    largest: Any = setting(default=LARGEST_NUMBER, kw_only=True)
    theta: Any = numbers(default=(), init=False)  # by columns, one an output; the law, row by row; limits; see `Gains`
    regressor: Any = numbers(default=(), init=False)
    last: Any = numbers(default=(), init=False)
    reference: Any = numbers(default=(), init=False)
    still: Any = numbers(default=(), init=False)
    limits: Any = numbers(default=(), init=False)
    bounds: Any = numbers(default=(), init=False)

    def prepare(self) -> None:
        self.kind("model", self.model, ARMAX)
        self.kind("horizons", self.horizons, Horizons)
        self.positive("step", self.step)
        lags = self.lags
        lower, upper = (self.per_channel(name, getattr(self, name), lags.inputs) for name in ("lower", "upper"))
        if not (lower < upper).all():
            raise self.refuse("lower must be less than upper, for every input")
        largest = self.scales("largest", self.largest, lags.outputs)
        made = design(self.model.theta, lags, self.horizons, self._weights(), self._ahead())
        if made is None:
            raise self.refuse(not_finite(self.horizons.last, float(np.abs(self.model.poles).max())))
        limits = np.clip([lower, upper], -sys.float_info.max, sys.float_info.max)
        own = {"theta": self.model.theta.T, "limits": limits, "bounds": largest}
        self.keep(**made._asdict(), **own, still=made.still(lags.outputs))

    @property
    def lags(self) -> Lags:
        """What the model looks at of the past."""
        return self.model.lags

    def _weights(self) -> list[np.ndarray]:
        sizes = {"output_weight": self.lags.outputs} | dict.fromkeys(
            ("control_weight", "increment_weight"), self.lags.inputs
        )
        return [self.weights(name, getattr(self, name), size) for name, size in sizes.items()]

    def _ahead(self) -> np.ndarray | None:
        """Coefficients of the disturbance by the regressor."""
        if self.disturbance is None:
            return None
        given, lags = self.numbers("disturbance", self.disturbance), self.lags
        n = lags.disturbances
        if given.ndim != 3 or given.shape[1:] != (n, n) or not 1 <= len(given) <= lags.past_disturbances:
            raise self.refuse(
                f"disturbance must have shape (lags, {n}, {n}) with at most {lags.past_disturbances} lags, got "
                f"{given.shape}"
            )
        found, at = np.zeros((lags.size, n)), lags.newest["w"].start
        found[at : at + n * len(given)] = np.moveaxis(given, 1, 2).reshape(-1, n)
        return found

    # ---- what goes in
    def ports(self):
        return {
            "y": Inlet(self.lags.outputs),
            "w": Inlet(self.lags.disturbances, default=0.0),
            "r": Inlet(self.lags.outputs, default=0.0),
        }

    def counts(self):
        measured = self.lags.outputs + self.lags.disturbances
        return {measured, measured + self.lags.outputs, measured + self.lags.outputs * self.horizons.last}

    def taken(self, name, port, value):
        """Bad samples are what the law is to deal with."""
        if name != "y" and value is None:
            return super().taken(name, port, value)
        if name == "r":
            return set_points(self, value, self.lags.outputs, self.horizons.last).ravel().tolist()
        found = np.zeros(port.size)
        read(self, name, value, found)
        return found.tolist()

    def answer(self, y):
        return [float(one) for one in y]

    # ---- the law
    def start(self, u):
        """The regressor, the last control, how many samples were bad, and how many answers were held."""
        lags = self.lags
        return [0.0] * (lags.size - lags.constant) + [1.0] * lags.constant + [0.0] * (lags.inputs + 2)

    def output(self, x, u, h):
        return self.sampled(x, u, h)[0]

    def next(self, x, u, h):
        return self.sampled(x, u, h)[1]

    def sampled(self, x, u, h):
        lags = self.lags
        ny, nw, n, nu = lags.outputs, lags.disturbances, lags.size, lags.inputs
        phi, before, counts = list(x[:n]), x[n : n + nu], x[n + nu :]
        y, w, r = u[:ny], u[ny : ny + nw], u[ny + nw :]
        expected = [dot(row, phi) for row in self.theta.tolist()]
        y, w, good = self._mended(phi, expected, y, w)
        newest = {"y": y, "u": [0.0] * nu, "w": w, "e": [a - b for a, b in zip(y, expected, strict=True)]}
        kept = self._older(phi, newest)
        wanted = self._wanted(kept, before, r)
        sure = good
        for one in r:
            sure = sure & (abs(one) <= LARGEST_NUMBER)
        for one in wanted:
            sure = sure & (abs(one) < np.inf)
        lower, upper = self.limits.tolist()
        each = zip(wanted, before, lower, upper, strict=True)
        control = [fmin(fmax(select(sure, now, then), low), high) for now, then, low, high in each]
        at = lags.newest["u"].start
        kept[at : at + nu] = control
        missed = [count + select(fine, 0.0, 1.0) for count, fine in zip(counts, (good, sure), strict=True)]
        return control, [*kept, *control, *missed]

    def _mended(self, phi: list, expected: list, y: Sequence[Any], w: Sequence[Any]) -> tuple[list, list, Any]:
        """A sample, with what stands for it where it cannot be used; whether it can."""
        lags, seen, measured = self.lags, True, True
        for one, largest in zip(y, self.bounds.tolist(), strict=True):
            seen = (abs(one) <= largest) & seen
        for one in w:
            measured = (abs(one) <= LARGEST_NUMBER) & measured
        mended = []
        for j, (one, guess) in enumerate(zip(y, expected, strict=True)):
            past = 0.0
            for k in range(lags.past_outputs):
                past = fmax(past, abs(phi[lags.outputs * k + j]))
            stands = select(abs(guess) < np.inf, guess, phi[j])
            mended.append(select(seen, one, fmin(fmax(stands, -past), past)))
        first = lags.newest["w"].start
        known = [select(measured, one, phi[first + k]) for k, one in enumerate(w)]
        return mended, known, seen & measured

    def _older(self, phi: list, newest: dict[str, list]) -> list:
        """The regressor a sample later."""
        lags, kept = self.lags, list(phi)
        for start, end, width in lags.parts:
            kept[start + width : end] = phi[start : end - width]
        for name, part in lags.newest.items():
            kept[part] = newest[name][: part.stop - part.start]
        return kept

    def _wanted(self, phi: list, before: Sequence[Any], r: Sequence[Any]) -> list:
        """The control that the gains want, before limits."""
        by_set_points = self.still if len(r) == self.lags.outputs else self.reference
        rows = zip(self.regressor.tolist(), self.last.tolist(), by_set_points.tolist(), strict=True)
        return [dot(ahead, r, dot(own, before, -dot(past, phi))) for past, own, ahead in rows]

    # ---- what it knows
    def tune(self, *, horizons: Any = None, **changed: Any) -> None:
        """Other horizons and weights from the next call on, all or none: first, last, controls, beyond, and weights.

        Where no finite design is found for them, all stays as it was, and the error says so.
        """
        names = ("first", "last", "controls", "beyond")
        ahead = {name: changed.pop(name) for name in names if name in changed}
        known = ("output_weight", "control_weight", "increment_weight", "lower", "upper", "largest")
        for name in changed:
            if name not in known:
                raise self.refuse(f"tune has no parameter {name!r}, only {', '.join((*names, *known))}")
        ahead = {name: value for name, value in ahead.items() if value is not None}
        super().tune(horizons=replace(self.horizons if horizons is None else horizons, **ahead), **changed)

    def acted(self, u: Sequence[float]) -> None:
        """Tells what acts until the next sample, where it is not what was answered: another limit, or another hand."""
        found = np.zeros(self.lags.inputs)
        read(self, "u", u, found)
        if not np.isfinite(found).all():
            raise self.refuse(f"u must be finite numbers, those that act, got {u!r}")
        x, n, at = self._now(), self.lags.size, self.lags.newest["u"]
        x[at] = x[n : n + self.lags.inputs] = found.tolist()
        self.resume(x, self._last or self.filled([0.0] * (self.lags.outputs + self.lags.disturbances)))

    def _now(self) -> list[float]:
        """The memory, at first as it begins."""
        return self.memory or self.start([])

    @property
    def phi(self) -> np.ndarray:
        """The regressor."""
        return np.array(self._now()[: self.lags.size])

    @property
    def control(self) -> np.ndarray:
        """The control that acts now."""
        return np.array(self._now()[self.lags.size : self.lags.size + self.lags.inputs])

    @property
    def bad(self) -> int:
        """Calls whose sample could not be used."""
        return int(self._now()[-2])

    @property
    def held(self) -> int:
        """Calls that answered what the last one did."""
        return int(self._now()[-1])

    @property
    def gains(self) -> Gains:
        """Of the law."""
        return Gains(self.reference, self.regressor, self.last)

    @property
    def poles(self) -> np.ndarray:
        """Of the loop that this controller and its model make, without limits: inside the unit circle if stable.

        What the model has and no control reaches is among them: a constant stands at one.
        """
        lags, at = self.lags, self.lags.newest
        n, inputs, ahead = lags.size, lags.inputs, self._ahead()
        M = np.zeros((n, n))
        for start, end, width in lags.parts:
            M[start + width : end, start : end - width] = np.eye(end - start - width)
        M[at["y"]] = self.theta
        if lags.disturbances:
            hold = np.zeros((n, lags.disturbances))
            hold[at["w"]] = np.eye(lags.disturbances)
            M[at["w"]] = (hold if ahead is None else ahead).T
        if lags.constant:
            M[-1, -1] = 1.0
        E = np.zeros((n, inputs))
        E[at["u"]] = np.eye(inputs)
        law = np.hstack([-self.regressor, self.last])  # by phi with its newest control zero, and the last
        kept = np.hstack([np.eye(n), np.zeros((n, inputs))])
        return np.linalg.eigvals(np.vstack([M @ (kept + E @ law), law]))
