"""A sine whose frequency changes."""

from __future__ import annotations

import math

import numpy as np

from samara.blocks.trajectories.trajectory import Trajectory
from samara.model import number, option
from samara.tracing import fmax, fmin, select

TURN = 2.0 * math.pi


class SineSweep(Trajectory):
    """A sine sweep: offset + amplitude sin(phase), with a frequency from `first` to `last` [Hz] within `duration` [s].

    phase = 2 pi (f_0 t + (f_1 - f_0) t^2 / (2 T)), or 2 pi f_0 T / ln(f_1 / f_0) ((f_1 / f_0)^(t / T) - 1) if
    `logarithmic`: equal time per octave. t: since `begin` [s]. amplitude, offset: in the unit of the position.
    """

    amplitude: float = number(plain=True)
    first: float = number(unit="Hz", positive=True, plain=True)
    last: float = number(unit="Hz", positive=True, plain=True)
    duration: float = number(unit="s", positive=True, plain=True)
    begin: float = number(default=0.0, unit="s")
    offset: float = number(default=0.0)
    logarithmic: bool = option(default=False, choices=(False, True))
    growth: float = number(default=0.0, unit="1/s", init=False)  # ln(f_1 / f_0) / T

    def prepare(self) -> None:
        first, last, duration = (self.positive(name, getattr(self, name)) for name in ("first", "last", "duration"))
        self.keep(growth=math.log(last / first) / duration)

    def end(self):
        return self.begin + self.duration

    def output(self, x, u, h):
        since, T = u[0] - self.begin, self.duration
        t = fmin(fmax(since, 0.0), T)
        slope = (self.last - self.first) / T
        f, phase = self.first + slope * t, t * (self.first + 0.5 * slope * t)
        if self.logarithmic:
            same, k = self.growth == 0.0, select(self.growth == 0.0, 1.0, self.growth)
            grown = self.first * np.exp(self.growth * t)
            phase = select(same, phase, (grown - self.first) / k)
            f, slope = grown, self.growth * grown
        w, w_dot = TURN * f, TURN * slope
        sine, cosine = self.amplitude * np.sin(TURN * phase), self.amplitude * np.cos(TURN * phase)
        moves = (since >= 0.0) & (since <= T)
        moved = [self.offset + sine, w * cosine, w_dot * cosine - w * w * sine]
        return [select(moves, one, rest) for one, rest in zip(moved, [self.offset, 0.0, 0.0], strict=True)]
