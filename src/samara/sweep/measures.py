"""Measures of a channel by name, "max:pylon.position.y": one number of a run for each component."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from samara.arguments import named
from samara.model import ArgumentError
from samara.models.registry import look_up
from samara.results import Channels, Results


@dataclass(frozen=True)
class CurveMeasure:
    """One number of a curve: `of(times, values)`, values (n,); `unit` makes its unit from that of the channel."""

    of: Callable[[np.ndarray, np.ndarray], float]
    meaning: str
    unit: Callable[[str], str] = str


def _mean(times: np.ndarray, values: np.ndarray) -> float:
    """Over time, by trapezia."""
    if len(times) < 2:
        return float(values.mean())
    return float(np.trapezoid(values, times) / (times[-1] - times[0]))


#: Measures by name; a new one is one line.
MEASURES: dict[str, CurveMeasure] = {
    "max": CurveMeasure(lambda t, x: float(x.max()), "largest value"),
    "min": CurveMeasure(lambda t, x: float(x.min()), "smallest value"),
    "mean": CurveMeasure(_mean, "mean over time"),
    "rms": CurveMeasure(lambda t, x: _mean(t, x * x) ** 0.5, "root of the mean square over time"),
    "last": CurveMeasure(lambda t, x: float(x[-1]), "value at the end"),
    "amplitude": CurveMeasure(lambda t, x: 0.5 * float(x.max() - x.min()), "half the range of values"),
}


@dataclass(frozen=True)
class ChannelMeasures:
    """Measures channels of a run for `sweep`, each by "measure:channel" or "measure:channel.component".

    names: such as "max:pylon.position.y"; "max:pylon.position" is a number for each component.
    after: time from which the run counts [s].
    """

    names: tuple[str, ...]
    after: float = 0.0

    def __post_init__(self) -> None:
        if not self.names:
            raise ArgumentError("no measure is given: give at least one, such as max:pylon.position.y")
        for name in self.names:
            kind, colon, channel = name.partition(":")
            if not colon or not channel:
                raise ArgumentError(f"measure {name!r}: expected MEASURE:CHANNEL, such as max:pylon.position.y")
            look_up(MEASURES, kind, "measure")

    def __call__(self, results: Results) -> dict[str, float]:
        """The numbers, by the names that they were asked for."""
        late = results.time >= self.after
        if not late.any():
            raise ArgumentError(f"nothing is recorded after {self.after:g} s: the run ends at {results.time[-1]:g} s")
        found = {}
        for name, kind, column, _ in self._curves(results.channels):
            found[name] = kind.of(results.time[late], results.table[late, column])
        return found

    def units(self, results: Results) -> dict[str, str]:
        """Of each number."""
        return {name: kind.unit(unit) for name, kind, _, unit in self._curves(results.channels)}

    def _curves(self, channels: Channels) -> Iterator[tuple[str, CurveMeasure, int, str]]:
        """Name and measure of each number; column and unit of the curve."""
        for name in self.names:
            kind, _, wanted = name.partition(":")
            owner, component = resolved(channels, wanted)
            first, unit = channels.offset(owner), channels[owner].unit
            if component is not None or not channels[owner].components:
                yield name, MEASURES[kind], first + (component or 0), unit
                continue
            for k, label in enumerate(channels[owner].labels):
                yield f"{kind}:{label}", MEASURES[kind], first + k, unit

    def recorded(self, channels: Channels) -> tuple[str, ...]:
        """Names of the channels that a run has to record."""
        return tuple(dict.fromkeys(resolved(channels, name.partition(":")[2])[0] for name in self.names))


def resolved(channels: Channels, wanted: str) -> tuple[str, int | None]:
    """Channel and number of the component of "pylon.position.y"; None for a channel by itself."""
    owner, _, label = wanted.rpartition(".")
    if wanted not in channels and owner in channels:
        components = channels[owner].components
        return owner, components.index(named(f"channel {owner!r}", "component", label, components, ArgumentError))
    return channels[wanted].name, None
