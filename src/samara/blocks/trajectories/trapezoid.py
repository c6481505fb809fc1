"""From rest to rest within a speed and an acceleration."""

from __future__ import annotations

import math

from samara.blocks.trajectories.trajectory import Trajectory
from samara.model import number
from samara.tracing import select


class Trapezoid(Trajectory):
    """Fastest rest-to-rest motion with limited speed [q/s] and acceleration [q/s^2]; a triangular profile if short.

    start_at, end_at: initial and final position; begin [s]: start of the motion.
    T = way / speed + speed / acceleration, or 2 sqrt(way / acceleration) where the speed is never reached.
    """

    start_at: float = number(plain=True)
    end_at: float = number(plain=True)
    speed: float = number(positive=True, plain=True)
    acceleration: float = number(positive=True, plain=True)
    begin: float = number(default=0.0, unit="s")
    top: float = number(default=0.0, init=False)  # the speed that is reached, with its sign; these follow from the rest
    ramp: float = number(default=0.0, unit="s", init=False)
    duration: float = number(default=0.0, unit="s", init=False)
    slope: float = number(default=0.0, init=False)

    def prepare(self) -> None:
        start, end = (self.sample(name, getattr(self, name)) for name in ("start_at", "end_at"))
        speed, slope = (self.positive(name, getattr(self, name)) for name in ("speed", "acceleration"))
        way, sign = abs(end - start), math.copysign(1.0, end - start)
        top = min(speed, math.sqrt(way * slope))
        ramp = top / slope
        duration = way / top + ramp if way > 0.0 else 0.0
        self.keep(top=sign * top, ramp=ramp, duration=duration, slope=sign * slope)

    def end(self):
        return self.begin + self.duration

    def output(self, x, u, h):
        t = u[0] - self.begin
        left = self.duration - t
        moves, starts, ends = (t > 0.0) & (left > 0.0), t < self.ramp, left < self.ramp
        up, down = self.start_at + 0.5 * self.slope * t * t, self.end_at - 0.5 * self.slope * left * left
        position = select(starts, up, select(ends, down, self.start_at + self.top * (t - 0.5 * self.ramp)))
        rate = select(starts, self.slope * t, select(ends, self.slope * left, self.top))
        acceleration = select(starts, self.slope, select(ends, -self.slope, 0.0))
        rest = select(left > 0.0, self.start_at, self.end_at)
        return [select(moves, position, rest), select(moves, rate, 0.0), select(moves, acceleration, 0.0)]
