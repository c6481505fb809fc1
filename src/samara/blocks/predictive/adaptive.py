"""Adaptive generalised predictive control."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.predictive.armax import ARMAX
from samara.blocks.predictive.design import Horizons
from samara.blocks.predictive.identification import OUTLIER, RecursiveIdentification
from samara.blocks.predictive.lags import Lags
from samara.blocks.predictive.predictive_law import PredictiveLaw
from samara.blocks.predictive.samples import LARGEST_NUMBER, LARGEST_SCALED, read, usable
from samara.blocks.python_block import NO_LIMIT


class AdaptivePredictiveControl(PredictiveLaw):
    """Predictive control with on-line identification of the model.

        gpc = AdaptivePredictiveControl(Lags(2, 3, 8, 8), Horizons(20, 5), step=0.005, output_scale=0.1)
        u = gpc(y)                      once per sample

    Each sample updates the model (`RecursiveIdentification`); the gains are recomputed every `every` samples. A regular
    unmeasured disturbance, such as a harmonic one, becomes part of the model if it has enough lags (two more per
    frequency), and is then predicted and compensated. A measured disturbance, w, has its own coefficients; its future
    is predicted from its past.

    output_scale, input_scale, disturbance_scale: sizes that count as one, numbers or one per channel: all inside, the
                weights too, is by these. Coefficients are then of like size, which the identification asks for.
    forgetting, start, ceiling: of the identification.
    dither:     size of a random excitation of the controls, by input_scale; without any, nothing is learnt of what a
                quiet plant would answer. quiet: how much of it stays once the loop is closed, 0 .. 1. seed: of chance.
    learn, closed: switches: whether the model is corrected; whether the loop is closed: open, only the dither acts. A
                loop that is to be closed later is made with closed=False.
    learning:   samples after whose learning an open loop closes by itself; None: it waits for `close`.
    largest:    of y and w by their scales. A sample beyond is bad, as is one that is not finite: nothing is learnt from
                it.
    outlier:    of the identification: errors so many times the usual one are not learnt from. The law answers such a
                sample as any other, within the limits; `outliers` counts them.
    lower, upper: limits of the controls, in their own units. The others are as in `PredictiveLaw`.

    A design that is not finite is refused: the gains before stay. `refused` counts them, `learnt` the samples that were
    learnt from, `bad` those that could not be used, `held` the calls that answered the last control again.
    """

    def __init__(
        self,
        lags: Lags,
        horizons: Horizons,
        *,
        step: float,
        output_scale: Any = 1.0,
        input_scale: Any = 1.0,
        disturbance_scale: Any = 1.0,
        output_weight: Any = 1.0,
        control_weight: Any = 0.0,
        increment_weight: Any = 0.0,
        lower: Any = -NO_LIMIT,
        upper: Any = NO_LIMIT,
        forgetting: float = 0.999,
        start: float = 100.0,
        ceiling: float = 1e4,
        every: int = 1,
        dither: float = 0.1,
        quiet: float = 0.0,
        seed: int = 0,
        closed: bool = True,
        learn: bool = True,
        learning: int | None = None,
        largest: float = LARGEST_SCALED,
        outlier: float = OUTLIER,
    ) -> None:
        self.kind("lags", lags, Lags)
        self.input_scale = self.scales("input_scale", input_scale, lags.inputs)
        super().__init__(
            lags, horizons, step=step, output_weight=output_weight, control_weight=control_weight,
            increment_weight=increment_weight, lower=self.per_channel("lower", lower, lags.inputs) / self.input_scale,
            upper=self.per_channel("upper", upper, lags.inputs) / self.input_scale,
        )  # fmt: skip
        self.output_scale = self.scales("output_scale", output_scale, lags.outputs)
        self.disturbance_scale = self.scales("disturbance_scale", disturbance_scale, lags.disturbances)
        self.dither, self.quiet = self.nonnegative("dither", dither), self.nonnegative("quiet", quiet)
        if self.quiet > 1.0:
            raise self.refuse(f"quiet must be a part of the dither, 0 .. 1, got {self.quiet:g}")
        self.every, self.seed = self.whole("every", every), self.whole("seed", seed, 0)
        self.learning = None if learning is None else self.whole("learning", learning, 0)
        self.learn, self._closed_first = self.switch("learn", learn), self.switch("closed", closed)
        how: dict[str, Any] = {
            "step": step,
            "forgetting": forgetting,
            "start": start,
            "ceiling": ceiling,
            "largest": largest,
            "outlier": outlier,
        }
        self.identification = RecursiveIdentification(lags, **how)
        self.stream: RecursiveIdentification | None = None  # how the disturbance goes on: its own past tells
        if lags.disturbances:
            own = Lags(lags.disturbances, 1, lags.past_disturbances, 1)
            self.stream = RecursiveIdentification(own, **how)
        self._none = np.zeros(0)
        self._answer = np.zeros(lags.inputs)
        self.reset()

    def reset(self) -> None:
        """Forgets what was and what was learnt."""
        self.identification.reset()
        if self.stream is not None:
            self.stream.reset()
        self.output[:] = 0.0
        self.closed = self._closed_first
        self.chance = np.random.default_rng(self.seed)
        self.samples = self.learnt = self.refused = self.held = 0
        self._w[:] = 0.0
        self.redesign()

    def redesign(self) -> None:
        """Gains for the model of now."""
        self.refused += not self._redesigned()

    def _redesigned(self) -> bool:
        return self._design(self.identification.theta, self._ahead())

    def _largest_pole(self) -> float:
        return float(np.abs(self.model.poles).max())

    def _ahead(self) -> np.ndarray | None:
        if self.stream is None:
            return None
        found, at = np.zeros((self.lags.size, self.lags.disturbances)), self.lags.newest["w"].start
        n = self.lags.disturbances * self.lags.past_disturbances
        found[at : at + n] = self.stream.theta[:n]
        return found

    def __call__(self, y: Any, w: Any = None, r: Any = None) -> np.ndarray:
        """The controls for the sample y of the outputs, and w of the measured disturbance; r: set points, or zero."""
        wanted, bad = self._set_points(r), self.bad
        read(self, "y", y, self._y)
        self._y /= self.output_scale
        if w is not None:
            read(self, "w", w, self._w)
            self._w /= self.disturbance_scale
        self.identification(self._y, self._w, self.learn)
        learn, whole = self.identification.learns, self.bad == bad
        self.learnt += learn
        if self.stream is not None:
            self.stream(self._w, self._none, self.learn)
            self._w[:] = self.identification.history.phi[self.lags.newest["w"]]  # as it was last, where it is bad
        if self.learning is not None and not self.closed and self.learnt >= self.learning:
            self.close()
        if learn and self.closed and self.samples % self.every == 0:
            self.redesign()
        self.samples += 1
        sure = whole and (wanted is None or usable(wanted, LARGEST_NUMBER))
        with np.errstate(over="ignore", invalid="ignore"):
            sure = sure and bool(np.isfinite(self._excited(wanted)).all())
        u = self._limited(self.wanted) if sure else self._hold()
        self.identification.control(u)
        return np.multiply(u, self.input_scale, out=self._answer)

    def _excited(self, r: np.ndarray | None) -> np.ndarray:
        """What the law wants, if the loop is closed, and the dither."""
        u = self.wanted
        if self.closed:
            self._law(self.identification.history.phi, None if r is None else np.divide(r, self.output_scale))
        else:
            u[:] = 0.0
        size = self.dither * (self.quiet if self.closed else 1.0)
        if size:
            u += np.multiply(self.chance.standard_normal(out=self._more), size, out=self._more)
        return u

    def acted(self, u: Any) -> None:
        """Tells what acts until the next sample, where it is not what was answered."""
        read(self, "u", u, self._more)
        if not np.isfinite(self._more).all():
            raise self.refuse(f"u must be finite numbers, those that act, got {u!r}")
        np.divide(self._more, self.input_scale, out=self.output)
        self.identification.control(self.output)

    def missed(self) -> None:
        """Tells that samples were missed before the next call: nothing is learnt until the past is whole again."""
        self.identification.missed()
        if self.stream is not None:
            self.stream.missed()

    @property
    def bad(self) -> int:
        """Samples that could not be used."""
        return self.identification.bad

    @property
    def outliers(self) -> int:
        """Samples of the outputs that were not learnt from, as they were too far from all expectation."""
        return self.identification.outliers

    def relearn(self) -> None:
        """Opens the loop, and trusts what was learnt no more than at the start."""
        self.closed, self.learnt = False, 0
        self.identification.relearn()
        if self.stream is not None:
            self.stream.relearn()

    def close(self, closed: bool = True) -> None:
        """Closes or opens the loop."""
        self.closed = self.switch("closed", closed)
        if closed:
            self.redesign()

    @property
    def model(self) -> ARMAX:
        """The model as it is known now, in the units of outputs, controls and disturbance."""
        lags, theta = self.lags, self.identification.theta.copy()
        sizes = [
            np.tile(self.output_scale, lags.past_outputs), np.tile(self.input_scale, lags.past_inputs),
            np.tile(self.disturbance_scale, lags.past_disturbances), np.tile(self.output_scale, lags.past_errors),
            np.ones(int(lags.constant)),
        ]  # fmt: skip
        return ARMAX.of(lags, theta * self.output_scale / np.concatenate(sizes)[:, None])
