"""Proportional, integral and derivative control."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from samara.blocks.block import Block, Inlet
from samara.blocks.control_law import ControlLaw
from samara.blocks.corners import clamped, within
from samara.model import State, number, option, records
from samara.tracing import fmax, select

#: Ways in which an integral is kept from winding up.
ANTI_WINDUP = ("back-calculation", "clamping", "none")


class _Terms(NamedTuple):
    asked: Any  # the sum, before limits
    slope: Any  # rate of c r - y, behind the lag


def _change(start: Any, end: Any) -> Any:
    return end - start


class PID(ControlLaw):
    """A PID controller with output limits, set-point weights and anti-windup.

        v = proportional (b r - y) + x + derivative de_f/dt + feedforward,      u = clamp(v)
        dx/dt = integral (r - y) - (v - u) / tracking,            lag de_f/dt = (c r - y) - e_f

    r: the target, y: the measured value; with the weights b = c = 1 all three terms act on the error e = r - y. u: the
    output, algebraic; x: the integral, which starts at `start`, as does the output if b r = y initially; e_f: c r - y
    filtered by a lag, whose rate approximates the derivative up to the frequency 1 / lag. The filter starts in steady
    state, without a kick.

    Sampled, with h the time since the last sample, the filter is backward Euler, and the integral advances by h times
    the rate at the last sample; both account for the elapsed time if samples were missed:

        D_k = derivative (d_k - f_{k-1}) / (lag + h),   f_k = f_{k-1} + h (d_k - f_{k-1}) / (lag + h),   d = c r - y
        x_k = x_{k-1} + h (dx/dt)_{k-1},   x_0 = initial;   limits are sharp, tracking is no shorter than h

    b, c: set-point weights. A jump of r by d causes a derivative kick of c derivative d / lag exp(-t / lag): with c = 0
    the derivative acts on the measured value only, without a kick; b below 1 reduces the jump of the output and the
    overshoot. The response to loads and noise does not depend on the weights, nor does the steady state, because of the
    integral; without an integral the output settles at b r. For angles, differences are wrapped to the shorter way
    round; if b is not 1, keep the target within half a turn.

    proportional, integral [1/s], derivative [s]: in units of the output by those of the error; lag [s], zero in sampled
    laws only; initial: the integral of a sampled law at its first sample.
    anti_windup: "back-calculation": an integral beyond a limit returns with the time constant `tracking` [s];
    "clamping": the integral is frozen while v is beyond a limit and the error drives it further; "none".

    Changing parameters while it runs is bumpless: the filter state is adjusted to keep the derivative, and the
    integral, if there is one, absorbs any other jump of v.

    Source: Astrom and Hagglund, Advanced PID Control, 2006, sections 3.4 to 3.6 and 13.4.
    """

    proportional: float = number(default=0.0)
    integral: float = number(default=0.0)
    derivative: float = number(default=0.0)
    lag: float = number(default=0.01, unit="s", nonnegative=True)
    tracking: float = number(default=0.1, unit="s", positive=True)
    b: float = number(default=1.0, nonnegative=True)
    c: float = number(default=1.0, nonnegative=True)
    initial: float = number(default=0.0)
    anti_windup: str = option(default="back-calculation", choices=ANTI_WINDUP)

    # ---- what both forms have in common
    def _terms(
        self, x: Any, lagged: Any, error: Any, target: Any, h: Any, difference: Callable[[Any, Any], Any]
    ) -> _Terms:
        slope = difference(lagged, error - (1.0 - self.c) * target) / (self.lag + h)
        return _Terms(self.proportional * (error - (1.0 - self.b) * target) + x + self.derivative * slope, slope)

    def _rise(self, asked: Any, u: Any, error: Any, tracking: Any) -> Any:
        """The rate of the integral; one that nothing feeds stands, and learns nothing from a limit."""
        rise = self.integral * error
        if self.anti_windup == "back-calculation":
            fed = (self.integral > 0.0) | (self.integral < 0.0)
            return select(fed, rise - (asked - u) / tracking, 0.0)
        if self.anti_windup == "clamping":
            further = ((asked > u) & (rise > 0.0)) | ((asked < u) & (rise < 0.0))
            return select(further, 0.0, rise)
        return rise

    # ---- in continuous time
    def require_continuous(self) -> None:
        super().require_continuous()
        if not float(self.lag) > 0.0:
            raise self.refuse(f"lag must be positive in continuous time, got {float(self.lag):g} s")

    def own_states(self, start, unit, scale):
        return {
            "output": State(0, value=start, unit=unit, scale=scale),
            "integral": State(1, value=start, unit=unit, scale=scale),
            "lagged": State(1, scale=1.0, settled=True),
        }

    def answers(self, states, error, target, difference):
        u, x, lagged = states
        asked, slope = self._terms(x.value, lagged.value, error, target, 0.0, difference)
        within = clamped(asked, self.lower, self.upper, self.corner)
        return [u.value - within, x.rate - self._rise(asked, within, error, self.tracking), lagged.rate - slope]

    # ---- sampled
    def ports(self):
        return {"r": Inlet(), "y": Inlet(), "feedforward": Inlet(default=0.0)}

    def start(self, u):
        """Integral, its rate, and what the derivative is of, behind the lag."""
        r, y, _ = u
        return [self.initial, 0.0, (r - y) - (1.0 - self.c) * r]

    def _sampled(self, x: Sequence[Any], u: Sequence[Any], h: Any) -> tuple[Any, _Terms]:
        (kept, rise, lagged), (r, y, ahead) = x, u
        integral = kept + h * rise
        asked, slope = self._terms(integral, lagged, r - y, r, h, _change)
        return integral, _Terms(asked + ahead, slope)

    def _within(self, asked: Any) -> Any:
        return within(asked, self.lower, self.upper)

    def output(self, x, u, h):
        return [self._within(self._sampled(x, u, h)[1].asked)]

    def next(self, x, u, h):
        integral, (asked, slope) = self._sampled(x, u, h)
        rise = self._rise(asked, self._within(asked), u[0] - u[1], fmax(self.tracking, h))
        return [integral, rise, x[2] + h * slope]

    def carried(self, before, x, u, h):
        was, x = before._sampled(x, u, h)[1], list(x)
        d = (u[0] - u[1]) - (1.0 - self.c) * u[0]
        kept = before.derivative * was.slope
        x[2] = d - kept * (self.lag + h) / self.derivative if self.derivative != 0.0 else d
        if self.integral != 0.0:
            x[0] += was.asked - self._sampled(x, u, h)[1].asked
        return x

    def track(self, u: float, r: float, y: float) -> None:
        """Follows an output that somebody else made (by hand, say): the next call goes on from there."""
        u, r, y = self.sample("u", u), self.sample("r", r), self.sample("y", y)
        law = self.plain()
        x = law.start([r, y, 0.0])
        x[0] = u - law.proportional * (law.b * r - y)
        self.resume(x, [r, y, 0.0])


class MultiPID(Block):
    """One `PID` per axis, such as the joints of a robot: u_i = PID_i(r_i, y_i), with lists of equal length.

    axes: the controllers, all with the same sample time.
    """

    axes: Sequence[PID] = records()

    def validate(self) -> None:
        if not isinstance(self.axes, (list, tuple)) or not self.axes:
            raise self.refuse(f"axes must be a list of PID(...), one per axis, got {self.axes!r}")
        if not all(isinstance(axis, PID) for axis in self.axes):
            raise self.refuse(f"axes must be made by PID(...), got {self.axes!r}")
        super().validate()
        if len({self.step, *(axis.step for axis in self.axes)} - {None}) > 1:
            raise self.refuse("all axes must have the same sample time")
        if self.step is None:
            object.__setattr__(self, "step", self.axes[0].step)

    def answer(self, y):
        return [float(one) for one in y]

    def ports(self):
        n = len(self.axes)
        return {"r": Inlet(n), "y": Inlet(n), "feedforward": Inlet(n, default=0.0)}

    def _each(self, u: Sequence[Any], x: Sequence[Any] = ()) -> Iterator[tuple[PID, Sequence[Any], list]]:
        n, m = len(self.axes), len(x) // len(self.axes)
        for i, axis in enumerate(self.axes):
            yield axis, x[m * i : m * (i + 1)], [u[i], u[n + i], u[2 * n + i]]

    def start(self, u):
        return [one for axis, _, v in self._each(u) for one in axis.start(v)]

    def output(self, x, u, h):
        return [one for axis, own, v in self._each(u, x) for one in axis.output(own, v, h)]

    def next(self, x, u, h):
        return [one for axis, own, v in self._each(u, x) for one in axis.next(own, v, h)]

    def carried(self, before, x, u, h):
        if len(before.axes) != len(self.axes):
            raise self.refuse("axes must be as many as before")
        each = zip(before.axes, self._each(u, x), strict=True)
        return [one for old, (axis, own, v) in each for one in axis.carried(old, own, v, h)]
