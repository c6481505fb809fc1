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
    """Noise with a flat spectrum up to a frequency, and none beyond: a function of time, whatever steps are taken.

        y(t) = deviation sqrt(2 / n) sum of cos(2 pi k t / period + phi_k),     k = 1 .. n = bandwidth period

    Phases phi are random; another seed is another sample. Mean zero and standard deviation are exact over a period for
    all seeds; values are normally distributed, as of a sum of many waves. The one-sided spectral density is
    deviation^2 / bandwidth [unit^2 / Hz].

    deviation: in the unit of what it drives. bandwidth [Hz]; steps in time must resolve it: ten in its shortest wave.
    period: after which it repeats [s]; at least the length of the run. seed: a whole number.
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
                f"BandLimitedNoise: bandwidth times period is {waves} waves: from 8, for values that are normally "
                f"distributed, to {MOST_WAVES}, for the table's sake"
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
