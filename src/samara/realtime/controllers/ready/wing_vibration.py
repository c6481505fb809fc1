"""Controllers of the ready model `tiltrotor-gusts`: predictive control damps the wing through the swashplate."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from samara.blocks.linear.filters import HighPass
from samara.blocks.predictive.adaptive import AdaptivePredictiveControl
from samara.blocks.predictive.design import Horizons
from samara.blocks.predictive.lags import Lags
from samara.blocks.predictive.samples import LARGEST_SCALED, usable
from samara.realtime.controllers.controller import Controller, ControllerError
from samara.realtime.controllers.tunable import tunable

SWASHPLATE = ("added", "theta1c", "theta1s")
WING = ("wing.q1.value", "wing.q2.value", "wing.q3.value")
VANE = ("vane_x.output.value", "vane_z.output.value")
OUTPUT_SCALE, INPUT_SCALE, GUST_SCALE = 2e-3, math.radians(0.5), 1.0  # m, rad, m/s: sizes that count as one
GAP = 1.5  # periods between two samples, from which on one was missed
WATCHED = 1.0  # s, over which the size of the vibration is taken
MEAN_HZ = 0.2  # of the high-pass filter that takes the wing's mean deflection away


class WingVibration(Controller):
    """Generalised predictive control of three wing modes by collective and cyclic pitch, with on-line identification.

    During the first `learning` seconds of samples only the dither acts; then the loop is closed. Horizons [samples of
    10 ms], weights, forgetting factor, dither and limit can be changed while it runs; `loop` opens and closes the loop,
    `learn` freezes the model. Samples after a gap are not used for identification, see
    `AdaptivePredictiveControl.missed`. If the wing vibrates more than `tolerated` times as much with the loop closed as
    with it open, the loop is opened and identification restarts; `given_up` counts this. A sample that is not finite,
    or beyond 2 km, is replaced by the last one; `law.bad` counts these.

    noise: of the measurements, relative to their scale of 2 mm, for tests (seeded); none if the sensors have their own.
    """

    rate = 100.0
    session = "tiltrotor-gusts"
    sensors: ClassVar[tuple[str, ...]] = WING
    actuators = SWASHPLATE
    lags: ClassVar[int] = 12

    loop = tunable(1.0, "1", 0.0, 1.0, "1: closed once it has learnt; 0: open", whole=True)
    learn = tunable(1.0, "1", 0.0, 1.0, "1: the model is corrected at every sample; 0: held", whole=True)
    learning = tunable(4.0, "s", 0.0, description="dither alone before the loop is closed")
    first = tunable(1.0, "1", 1.0, 60.0, "first sample ahead that counts", whole=True)
    horizon = tunable(20.0, "1", 1.0, 60.0, "last sample ahead that counts", whole=True)
    controls = tunable(20.0, "1", 1.0, 60.0, "samples of free control, not more than the horizon", whole=True)
    weight_1 = tunable(1.0, "1", 0.0, description="of the first mode, by 2 mm")
    weight_2 = tunable(1.0, "1", 0.0, description="of the second mode")
    weight_3 = tunable(1.0, "1", 0.0, description="of the third mode")
    control_weight = tunable(1e-2, "1", 0.0, description="of the pitch angles, by half a degree")
    increment_weight = tunable(0.0, "1", 0.0, description="of their changes per sample")
    forgetting = tunable(0.999, "1", 0.9, 1.0, "of a sample before")
    dither = tunable(0.3, "1", 0.0, 2.0, "random pitch while it learns, by half a degree")
    quiet = tunable(0.0, "1", 0.0, 1.0, "part of the dither that stays when the loop is closed")
    tolerated = tunable(2.0, "1", 1.0, description="size of the vibration, by that of the open loop")
    limit = tunable(math.radians(1.5), "rad", 1e-6, description="largest pitch angle, each")
    noise = tunable(0.0, "1", 0.0, description="of the measurements, by 2 mm, for trials")

    def start(self, t, y):
        disturbances = len(self.sensors) - len(WING)
        lags = Lags(
            len(WING), len(SWASHPLATE), self.lags, self.lags, disturbances, self.lags if disturbances else 0
        )  # fmt: skip
        self.law = AdaptivePredictiveControl(
            lags, self._horizons(), step=self.period, output_scale=OUTPUT_SCALE, input_scale=INPUT_SCALE,
            disturbance_scale=GUST_SCALE, lower=-self.limit, upper=self.limit, every=5, closed=False,
        )  # fmt: skip
        self.filters = [HighPass(MEAN_HZ, step=self.period) for _ in WING]
        self.chance = np.random.default_rng(1)
        self.values, self.size, self.open_size, self.given_up = np.zeros(len(WING)), 0.0, 0.0, 0
        self.changed(())

    def examine(self, values):
        last = values["horizon"]
        for name in ("first", "controls"):
            if values[name] > last:
                raise ControllerError(
                    f"{name} = {values[name]:g} must not be more than horizon = {last:g}: change both together"
                )

    def _horizons(self) -> Horizons:
        return Horizons(round(self.horizon), round(self.controls), round(self.first))

    def changed(self, names):
        law, ahead = self.law, self._horizons()
        law.tune(
            first=ahead.first, last=ahead.last, controls=ahead.controls,
            output_weight=(self.weight_1, self.weight_2, self.weight_3), control_weight=self.control_weight,
            increment_weight=self.increment_weight,
        )  # fmt: skip
        law.identification.tune(self.forgetting)
        law.dither, law.quiet, law.learn = self.dither, self.quiet, self.learn >= 0.5
        law.upper[:], law.lower[:] = self.limit / INPUT_SCALE, -self.limit / INPUT_SCALE

    def step(self, t, y):
        whole = usable(np.array(y.values[: len(WING)]), LARGEST_SCALED * OUTPUT_SCALE)
        for i, take in enumerate(self.filters):
            self.values[i] = take(y[i]) if whole else math.nan  # a filter would remember a bad sample for long
        if self.noise:
            self.values += self.noise * OUTPUT_SCALE * self.chance.standard_normal(len(WING))
        if self.elapsed is not None and self.elapsed > GAP * self.period:
            self.law.missed()
        if whole:
            self._watch()
        closed = self.loop >= 0.5 and self.law.learnt * self.period >= self.learning - 0.5 * self.period
        if closed != self.law.closed:
            self.law.close(closed)
        return self.law(self.values, y.values[len(WING) :] or None).tolist()

    def _watch(self) -> None:
        """Sizes of the vibration, and whether the loop makes it worse."""
        part = self.period / WATCHED
        self.size += part * (float(self.values @ self.values) - self.size)
        if not self.law.closed:
            self.open_size += part * (self.size - self.open_size)
        elif self.size > self.tolerated**2 * self.open_size and self.law.learn:
            self.law.relearn()
            self.given_up += 1

    def stop(self, t):
        return (0.0,) * len(SWASHPLATE)


class WingVibrationFed(WingVibration):
    """The same with feedforward of the gust measured by a vane."""

    sensors = WING + VANE
