"""What a trim asks for: means and harmonics of channels over a period, or any function of it, and their derivatives."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from samara.arguments import one_of, whole
from samara.model import ModelError
from samara.results import Results
from samara.results.columns import column
from samara.solve.measures import channels
from samara.system.system import System

#: Part of a nudge by which a function of results is moved to and fro for its derivative.
SHORT = 1e-2


@dataclass(frozen=True)
class Harmonic:
    """A harmonic of a channel over a period T as a trim target, with psi = 2 pi t / T + azimuth.

        mean = <x>,   cos: 2 <x cos(order psi)>,   sin: 2 <x sin(order psi)>

    part: "mean", "cos" or "sin"; order: of the harmonic, from 1 on.
    channel: its name, with ".x" or the like behind it for a component; azimuth: of the blade at t = 0 [rad], counted in
    the sense of rotation; or the name of a channel that has the azimuth, "rotor.azimuth", which is then psi, whatever
    the speed and the sense of rotation.
    """

    channel: str
    part: Literal["mean", "cos", "sin"] = "mean"
    order: int = 1
    azimuth: float | str = 0.0

    def __post_init__(self) -> None:
        one_of("Harmonic: part", self.part, ("mean", "cos", "sin"))
        whole("Harmonic: order", self.order)

    def __call__(self, results: Results) -> float:
        x = column(results, self.channel)
        if self.part == "mean":
            return float(x.mean())
        psi = self.psi(results)
        wave = np.cos if self.part == "cos" else np.sin
        return float(2.0 * (x * wave(self.order * psi)).mean())

    def psi(self, results: Results) -> np.ndarray:
        """The azimuth [rad] of each sample."""
        if isinstance(self.azimuth, str):
            psi = np.unwrap(column(results, self.azimuth))
            return psi if psi[-1] > psi[0] else -psi
        step = results.time[1] - results.time[0]
        return 2.0 * np.pi * results.time / (step * len(results)) + self.azimuth

    def slope(self, results: Results, moved: Results) -> float:
        """Derivative: that of the channel, and that of the azimuth where a channel tells it."""
        x = column(moved, self.channel)
        if self.part == "mean":
            return float(x.mean())
        psi = self.psi(results)
        wave, turned = (np.cos, lambda a: -np.sin(a)) if self.part == "cos" else (np.sin, np.cos)
        total = x * wave(self.order * psi)
        if isinstance(self.azimuth, str):
            sense = np.sign(np.unwrap(column(results, self.azimuth))[-1] - column(results, self.azimuth)[0])
            turning = sense * self.order * column(moved, self.azimuth)
            total = total + column(results, self.channel) * turned(self.order * psi) * turning
        return float(2.0 * total.mean())

    def __str__(self) -> str:
        return f"mean of {self.channel}" if self.part == "mean" else f"{self.part} {self.order} of {self.channel}"


Measure = Callable[[Results], float]
Target = str | Harmonic | Measure


def measure_of(target: Target) -> Measure:
    """The function of a period's results that a target is."""
    if isinstance(target, str):
        return Harmonic(target)
    return target if isinstance(target, Harmonic) else _checked(target)


def _checked(function: Measure) -> Measure:
    """A user's function of results, whose failures name it."""
    label = label_of(function)

    @functools.wraps(function, assigned=("__name__", "__doc__"))
    def measure(results: Results) -> float:
        try:
            value = function(results)
        except Exception as error:
            raise ModelError(f"trim: the target {label!r} fails: {type(error).__name__}: {error}") from error
        if np.ndim(value) != 0 or not isinstance(np.asarray(value).item(), (int, float)):
            raise ModelError(f"trim: the target {label!r} must return a number for a period's Results, got {value!r}")
        return float(value)

    return measure


def label_of(target: Target) -> str:
    """How a target is called in tables and messages."""
    if isinstance(target, (str, Harmonic)):
        return str(target)
    return getattr(target, "__name__", repr(target))


def slope_of(measure: Measure, results: Results, moved: Results, nudge: float) -> float:
    """Derivative of a measure where channels have the derivatives `moved`; nudge: a small change of what moves them.

    That of a function of results is taken by central differences of the function alone, not of the motion.
    """
    if isinstance(measure, Harmonic):
        return measure.slope(results, moved)
    eps, known = SHORT * nudge, np.isfinite(moved.table)
    there, back = (
        measure(Results(results.channels, results.time, results.table + sign * np.where(known, moved.table, 0.0)))
        for sign in (eps, -eps)
    )
    return float((there - back) / (2.0 * eps))


def channels_of(system: System, measures: list[Measure]) -> tuple[str, ...] | None:
    """Channels that measures need; None where one is a function, which may look at all of them."""
    waves = [m for m in measures if isinstance(m, Harmonic)]
    if len(waves) < len(measures):
        return None
    named = [m.channel for m in waves] + [m.azimuth for m in waves if isinstance(m.azimuth, str)]
    return tuple({_channel(system, name): None for name in named})


def _channel(system: System, name: str) -> str:
    known = channels(system)[0]
    if name in known:
        return name
    channel = name.rpartition(".")[0]
    if channel in known and known[channel].components:
        return channel
    known.select(name)  # raises, with near misses
    return name
