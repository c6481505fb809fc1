"""Manoeuvres of a tiltrotor: run-up of the shaft, conversion of the nacelle, couples on blades."""

from __future__ import annotations

import numpy as np

from samara.model import Constant, Cosine, Drive, Expression, Parameter
from samara.tracing import fmax, fmin


def wind_up(speed: float | Parameter, time: float) -> Drive:
    """Angle of a shaft [rad] that reaches `speed` [rad/s] at `time` [s] along half a cosine, and then keeps it.

        W / W_ref = (1 - cos(pi t / time)) / 2        t <= time

    Quaranta and others (2000) print a plus, with which the rotor would start at its speed and come to rest. A time of
    zero: the shaft has its speed from the start.
    """
    if time == 0.0:
        return Constant(speed) * Expression(lambda t: t)

    def turned(t):
        s = fmin(t, time)
        return 0.5 * (s - time / np.pi * np.sin(np.pi * s / time)) + (t - s)

    return Constant(speed) * Expression(turned)


def conversion(angle: float, rate: float, start: float, smoothing: float) -> Drive:
    """From 0 to `angle` [rad] at a constant `rate` [rad/s], whose ends are half cosines, `smoothing` long [s].

    It lasts angle / rate + smoothing. start: when it begins [s].
    """
    steady = abs(angle) / rate - smoothing
    sense = np.sign(angle)

    def along(t):
        up = fmin(fmax(t - start, 0.0), smoothing)
        straight = fmin(fmax(t - start - smoothing, 0.0), steady)
        down = fmin(fmax(t - start - smoothing - steady, 0.0), smoothing)
        swing = smoothing / np.pi * (np.sin(np.pi * down / smoothing) - np.sin(np.pi * up / smoothing))
        return sense * rate * (0.5 * (up + down + swing) + straight)

    return Expression(along)


def pulse(amount: float, start: float, length: float) -> Drive:
    """A smooth push that begins at `start`, is largest half of `length` later, and is over at its end [s]."""
    half = 0.5 * length
    return Cosine(amount, half, start) + Cosine(-amount, half, start + half)
