"""Noise as a drive, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import ModelError, not_negative, positive, whole
from samara.model.quantities.parameters import Parameter
from samara.model.schema.drives import VALUE, Drive
from samara.model.schema.fields import number, setting, table
from samara.tracing import Curve

#: Points of the table in the shortest wave, and periodic points beyond each end.
POINTS_A_WAVE, MARGIN = 16, 16
#: Waves that a table may have.
MOST_WAVES = 200_000


class BandLimitedNoise(Drive):
    """Noise with a flat spectrum up to a cut-off frequency: a function of time, independent of the time step.

        y(t) = deviation sqrt(2 / n) sum of cos(2 pi k t / period + phi_k),     k = 1 .. n = bandwidth period

    Phases phi are random; each seed gives another sample. Zero mean and standard deviation are exact over a period for
    all seeds; values are normally distributed, being sums of many waves. The one-sided spectral density is
    deviation^2 / bandwidth [unit^2 / Hz].

    deviation: in the unit of the quantity driven. bandwidth [Hz]; the time step must resolve it: ten steps per shortest
    wave. period: after which the noise repeats [s]; at least the length of the run. seed: a whole number.
    Source: M. Shinozuka and G. Deodatis, Simulation of stochastic processes by spectral representation, Appl. Mech.
    Rev. 44 (1991) 191. The sum is tabulated, 16 points in the shortest wave, and read as a spline.
    """

    deviation: float = number(unit=VALUE, nonnegative=True)
    bandwidth: float = setting(default=None)
    period: float = setting(default=None)
    seed: int = setting(default=0)
    repeats: float = number(default=1.0, unit="s", positive=True, init=False)  # the period, as the equations have it
    curve: Curve = table(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.deviation, Parameter):
            not_negative("BandLimitedNoise: deviation", self.deviation)
        bandwidth = positive("BandLimitedNoise: bandwidth", self.bandwidth)
        period = positive("BandLimitedNoise: period", self.period)
        seed = whole("BandLimitedNoise: seed", self.seed, least=0)
        waves = round(bandwidth * period)
        if not 8 <= waves <= MOST_WAVES:
            raise ModelError(
                f"BandLimitedNoise: bandwidth times period is {waves} waves, but must be between 8, for "
                f"a normal distribution, and {MOST_WAVES}, for the size of the table"
            )
        points = POINTS_A_WAVE * waves
        transform = np.zeros(points // 2 + 1, dtype=complex)
        phases = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, waves)
        transform[1 : waves + 1] = 0.5 * points * np.sqrt(2.0 / waves) * np.exp(1j * phases)
        values = np.fft.irfft(transform, points)
        index = np.arange(-MARGIN, points + MARGIN + 1)
        self.repeats = period
        self.curve = Curve(index * (period / points), values[index % points], "spline")

    def shortest_wave(self) -> float:
        return 1.0 / float(self.bandwidth)

    def __call__(self, t: Any) -> Any:
        s = t - self.repeats * np.floor(np.real(t) / self.repeats)
        return self.deviation * self.curve(s)
