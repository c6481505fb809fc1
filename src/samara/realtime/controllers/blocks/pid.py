"""Discrete PID controller."""

from __future__ import annotations

from collections.abc import Sequence

from samara.realtime.controllers.blocks.block import NO_LIMIT, Block

ANTI_WINDUP = ("clamping", "back-calculation", "none")


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
        if anti_windup not in ANTI_WINDUP:
            raise self.refuse(f"anti_windup must be one of {', '.join(ANTI_WINDUP)}, got {anti_windup!r}")
        self.anti_windup = anti_windup
        if tracking is not None:
            tracking = self.positive("tracking", tracking)
            if tracking < self.step:
                raise self.refuse(f"tracking ({tracking:g} s) must not be shorter than the step ({self.step:g} s)")
        self._tracking = tracking
        self.reset()

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
        h, d = self.step, self.c * r - y
        if self._d is None:
            self._d = d
        since = h if elapsed is None else elapsed
        if since > h:
            self.integral += (since - h) * self._rise
        self.derivative = (self.filter * self.derivative + self.kd * (d - self._d)) / (self.filter + since)
        v = self.kp * (self.b * r - y) + self.integral + self.derivative + feedforward
        u = self.lower if v < self.lower else self.upper if v > self.upper else v
        rise = self.ki * (r - y)
        if self.anti_windup == "back-calculation":
            rise = rise + (u - v) / self.tracking if u != v else rise
        elif self.anti_windup == "clamping" and ((v > u and rise > 0.0) or (v < u and rise < 0.0)):
            rise = 0.0
        self.integral += h * rise
        self._rise = rise
        self._d, self._r, self._y = d, r, y
        self.wanted, self.output = v, u
        return u

    def tune(self, kp: float | None = None, ki: float | None = None, kd: float | None = None) -> None:
        """Other gains from the next call on, without a bump."""
        before = self.kp
        self.kp = before if kp is None else self.finite("kp", kp)
        self.ki = self.ki if ki is None else self.finite("ki", ki)
        self.kd = self.kd if kd is None else self.finite("kd", kd)
        if self.ki != 0.0 and self._d is not None:
            self.integral += (before - self.kp) * (self.b * self._r - self._y)

    def track(self, u: float, r: float, y: float) -> None:
        """Follows an output that somebody else made (by hand, say): the next call goes on from there."""
        self.derivative, self._d, self._r, self._y = 0.0, self.c * r - y, r, y
        self.integral, self._rise = u - self.kp * (self.b * r - y), 0.0
        self.wanted = self.output = u


class MultiPID(Block):
    """One `DiscretePID` an axis, such as a joint of a robot: u_i = PID_i(r_i, y_i).

    The list that a call returns is used again by the next.
    """

    def __init__(self, axes: Sequence[DiscretePID]) -> None:
        if not axes:
            raise self.refuse("needs one axis or more")
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
        u = self._u
        for i, axis in enumerate(self.axes):
            u[i] = axis(r[i], y[i], feedforward[i] if feedforward is not None else 0.0, elapsed)
        return u
