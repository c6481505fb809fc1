"""Discrete PID controller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Never

from samara.realtime.controllers.blocks.block import NO_LIMIT, Block

ANTI_WINDUP = ("clamping", "back-calculation", "none")

#: Integral, derivative, rise of the integral, what the derivative is of, r, y, v and u after a sample.
_Memory = tuple[float, float, float, float, float, float, float, float]


class DiscretePID(Block):
    """Proportional, integral and derivative control of a sampled value y with the set point r.

        P_k = kp (b r_k - y_k)
        D_k = (Tf D_{k-1} + kd (d_k - d_{k-1})) / (Tf + h),      d = c r - y
        v_k = P_k + I_k + D_k + feedforward_k,                   u_k = v_k within [lower, upper]
        I_{k+1} = I_k + h ki (r_k - y_k)  + what keeps it from winding up

    kp [u/y], ki [u/(y s)], kd [u s/y]; filter Tf [s] of the derivative (backward Euler), zero for none; weights b and c
    of the set point: c = 0 keeps a jump of r out of the derivative. The integral is added after the output is made, so
    that an answer does not wait for it.

    Where samples were missed, h is the time that has elapsed since the last call: the integral first takes in what it
    lacks, with the error of that call.

    anti_windup: "clamping" does not integrate while v is beyond a limit and the error drives it further;
                 "back-calculation" adds h (u - v) / tracking, tracking [s] being the time in which it comes back.

    A change of gains by `tune` is bumpless: where there is an integral, it takes over what the proportional part jumps
    by, so that u goes on from where it was if r and y stand still. Without one (ki = 0) u jumps as kp says.

    Source: Astrom and Hagglund, Advanced PID Control, 2006, sections 3.4 to 3.6 and 13.4.
    """

    def __init__(
        self,
        kp: float,
        ki: float = 0.0,
        kd: float = 0.0,
        *,
        step: float,
        filter: float = 0.0,
        b: float = 1.0,
        c: float = 0.0,
        lower: float = -NO_LIMIT,
        upper: float = NO_LIMIT,
        anti_windup: str = "clamping",
        tracking: float | None = None,
    ) -> None:
        self.step = self.positive("step", step)
        self.kp, self.ki, self.kd = (self.finite(n, g) for n, g in (("kp", kp), ("ki", ki), ("kd", kd)))
        self.filter = self.nonnegative("filter", filter)
        self.b, self.c = self.finite("b", b), self.finite("c", c)
        self.lower, self.upper = self.limits(lower, upper)
        self.anti_windup = self.one_of("anti_windup", anti_windup, ANTI_WINDUP)
        self._tracking = None if tracking is None else self._tracked(tracking)
        self.reset()

    def _tracked(self, tracking: float) -> float:
        tracking = self.positive("tracking", tracking)
        if tracking < self.step:
            raise self.refuse(f"tracking ({tracking:g} s) must not be shorter than the step ({self.step:g} s)")
        return tracking

    @property
    def tracking(self) -> float:
        """Time in which back-calculation takes the integral back [s]: as given, else sqrt(Ti Td) or Ti."""
        if self._tracking is not None:
            return self._tracking
        if self.ki == 0.0 or self.kp == 0.0:
            return 10.0 * self.step
        Ti, Td = abs(self.kp / self.ki), abs(self.kd / self.kp)
        return max((Ti * Td) ** 0.5 if Td > 0.0 else Ti, self.step)

    def reset(self, integral: float = 0.0) -> None:
        """Forgets what was; the integral part begins at `integral`, in the unit of the output."""
        self.integral = self.finite("integral", integral)
        self.derivative = 0.0
        self.wanted = self.output = 0.0
        self._r = self._y = 0.0
        self._d: float | None = None
        self._rise = 0.0  # by which the integral grew last, a second

    def __call__(self, r: float, y: float, feedforward: float = 0.0, elapsed: float | None = None) -> float:
        """The output for set point r and measured value y; elapsed: since the last call [s], if not a step."""
        return self._keep(self._next(r, y, feedforward, elapsed))

    def _next(self, r: float, y: float, feedforward: float, elapsed: float | None) -> _Memory:
        """What there will be after a sample; nothing is changed yet."""
        r, y, feedforward = self.sampled("r", r), self.sampled("y", y), self.sampled("feedforward", feedforward)
        h, d, integral = self.step, self.c * r - y, self.integral
        since = h if elapsed is None else self.positive("elapsed", elapsed)
        if since > h:
            integral += (since - h) * self._rise
        change = 0.0 if self._d is None else d - self._d
        derivative = (self.filter * self.derivative + self.kd * change) / (self.filter + since)
        v = self.kp * (self.b * r - y) + integral + derivative + feedforward
        u = self.lower if v < self.lower else self.upper if v > self.upper else v
        rise = self.ki * (r - y)
        if self.anti_windup == "back-calculation":
            rise = rise + (u - v) / self.tracking if u != v else rise
        elif self.anti_windup == "clamping" and ((v > u and rise > 0.0) or (v < u and rise < 0.0)):
            rise = 0.0
        integral += h * rise
        self.answer(abs(v) + abs(d) + abs(integral) + abs(rise))
        return integral, derivative, rise, d, r, y, v, u

    def _keep(self, found: _Memory) -> float:
        """Goes on to the next sample; the output."""
        self.integral, self.derivative, self._rise, self._d, self._r, self._y, self.wanted, self.output = found
        return self.output

    def tune(
        self,
        kp: float | None = None,
        ki: float | None = None,
        kd: float | None = None,
        *,
        filter: float | None = None,
        lower: float | None = None,
        upper: float | None = None,
        tracking: float | None = None,
        **unknown: Never,
    ) -> None:
        """Other gains, filter and limits from the next call on, all or none; gains without a bump."""
        self.refuse_unknown(unknown)
        gains = [
            old if new is None else self.finite(name, new)
            for name, old, new in (("kp", self.kp, kp), ("ki", self.ki, ki), ("kd", self.kd, kd))
        ]
        lag = self.filter if filter is None else self.nonnegative("filter", filter)
        limits = self.limits(self.lower if lower is None else lower, self.upper if upper is None else upper)
        tracked = self._tracking if tracking is None else self._tracked(tracking)
        if gains[1] != 0.0 and self._d is not None:
            self.integral = self.answer(self.integral + (self.kp - gains[0]) * (self.b * self._r - self._y))
        self.kp, self.ki, self.kd = gains
        self.filter, self._tracking, (self.lower, self.upper) = lag, tracked, limits

    def track(self, u: float, r: float, y: float) -> None:
        """Follows an output that somebody else made (by hand, say): the next call goes on from there."""
        u, r, y = self.sampled("u", u), self.sampled("r", r), self.sampled("y", y)
        integral = self.answer(u - self.kp * (self.b * r - y))
        self.derivative, self._d, self._r, self._y = 0.0, self.c * r - y, r, y
        self.integral, self._rise = integral, 0.0
        self.wanted = self.output = u


class MultiPID(Block):
    """One `DiscretePID` an axis, such as a joint of a robot: u_i = PID_i(r_i, y_i).

    The list that a call returns is used again by the next.
    """

    def __init__(self, axes: Sequence[DiscretePID]) -> None:
        if not isinstance(axes, (list, tuple)):
            raise self.refuse(f"axes must be a list of DiscretePID(...), one per axis, got {axes!r}")
        if not axes:
            raise self.refuse("axes is empty: it needs one axis or more")
        for axis in axes:
            self.kind("axes", axis, DiscretePID)
        self.axes = tuple(axes)
        self.step = self.axes[0].step
        if any(axis.step != self.step for axis in self.axes):
            raise self.refuse("all axes must have the same sample time")
        self._u = [0.0] * len(self.axes)

    def reset(self) -> None:
        for axis in self.axes:
            axis.reset()

    def __call__(
        self,
        r: Sequence[float],
        y: Sequence[float],
        feedforward: Sequence[float] | None = None,
        elapsed: float | None = None,
    ) -> list[float]:
        """Outputs for the set points and measured values of all axes."""
        n = len(self.axes)
        wanted, seen = self.sampled_channels("r", r, n), self.sampled_channels("y", y, n)
        ahead = [0.0] * n if feedforward is None else self.sampled_channels("feedforward", feedforward, n)
        since = None if elapsed is None else self.positive("elapsed", elapsed)
        found = [axis._next(*v, since) for axis, *v in zip(self.axes, wanted, seen, ahead, strict=True)]
        self._u[:] = [axis._keep(memory) for axis, memory in zip(self.axes, found, strict=True)]
        return self._u
