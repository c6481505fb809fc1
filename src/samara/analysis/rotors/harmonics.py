"""Harmonics of a channel by n per revolution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.arguments import finite, instance, real_numbers, whole
from samara.model import ModelError
from samara.results import Results
from samara.results.columns import column


@dataclass(frozen=True)
class Harmonics:
    """Harmonics of a channel over the azimuth psi, in the sense of rotation.

        x = mean + sum_n amplitude_n cos(n psi - phase_n),     n = 1 .. orders

    channel, unit; components: labels, () of a scalar. mean (c,); amplitude, phase [rad] (n, c), the phase being the
    azimuth of the largest value times n; c columns, 1 of a scalar. turns: whole revolutions that they were taken from.
    rest: root mean square of the residual (c,).
    """

    channel: str
    unit: str
    components: tuple[str, ...]
    mean: np.ndarray
    amplitude: np.ndarray
    phase: np.ndarray
    turns: int
    rest: np.ndarray

    @property
    def orders(self) -> np.ndarray:
        """n of each row of amplitude and phase."""
        return np.arange(1, len(self.amplitude) + 1)

    def table(self) -> str:
        """Amplitudes and phases in lines, n by n."""
        labels = self.components or ("",)
        lines = [f"{self.channel} [{self.unit}], over {self.turns} turn{'s' * (self.turns > 1)}"]
        lines.append("  n/rev" + "".join(f"{label:>14} {'phase/deg':>10}" for label in labels))
        lines.append("      0" + "".join(f"{x:14.6g} {'':>10}" for x in self.mean))
        for n, (size, phase) in enumerate(zip(self.amplitude, np.degrees(self.phase), strict=True), 1):
            lines.append(f"{n:7d}" + "".join(f"{a:14.6g} {p:10.2f}" for a, p in zip(size, phase, strict=True)))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()


def harmonics(
    results: Results,
    channel: str,
    azimuth: str | np.ndarray = "rotor.azimuth",
    *,
    orders: int = 8,
    turns: int | None = None,
    sense: float | None = None,
) -> Harmonics:
    """Mean and n-per-revolution harmonics of all components of a channel, over the last whole revolutions.

    channel: of the results, "rotor.fixed_force" or "rotor.fixed_force.z".
    azimuth: a channel or an array [rad], taken as it turns; sense: 1 if it rises in the sense of rotation, -1 if it
             falls; as it does, if not given.
    orders:  the highest n; more samples than twice that are needed in a revolution.
    turns:   number of revolutions, counted from the end; by default all whole ones.

    By least squares, so samples need not be at equal azimuths. Harmonics of the channel above `orders` show in `rest`;
    at equal steps they do not disturb the others.
    """
    instance("harmonics: results", results, Results, "; take those of a run")
    whole("harmonics: orders", orders)
    found = results[channel].reshape(len(results), -1) if channel in results else column(results, channel)[:, None]
    psi = column(results, azimuth) if isinstance(azimuth, str) else real_numbers("harmonics: azimuth", azimuth)
    if psi.shape != results.time.shape:
        raise ModelError(f"harmonics: azimuth has the shape {psi.shape}, and {results.time.shape} is needed")
    psi = np.unwrap(psi)
    psi = psi * (np.sign(psi[-1] - psi[0]) if sense is None else np.sign(finite("harmonics: sense", sense)))
    step = (psi[-1] - psi[0]) / max(len(psi) - 1, 1)
    there = int((psi[-1] - psi[0] + step) / (2.0 * np.pi) + 1e-3)
    count = there if turns is None else whole("harmonics: turns", turns)
    if not 1 <= count <= there:
        raise ModelError(f"harmonics: {max(count, 1)} revolutions of {channel!r} are asked for, {there} were recorded")
    chosen = psi > psi[-1] - 2.0 * np.pi * count + 1e-3 * step
    psi, found = psi[chosen], found[chosen]
    if len(psi) <= 2 * orders * count:
        raise ModelError(
            f"harmonics: {len(psi) / count:.4g} samples per revolution resolve at most "
            f"{(len(psi) // count - 1) // 2} orders: record more, or ask for fewer"
        )
    n = np.arange(1, orders + 1)
    basis = np.column_stack([np.ones(len(psi)), np.cos(np.outer(psi, n)), np.sin(np.outer(psi, n))])
    fit = np.linalg.lstsq(basis, found, rcond=None)[0]
    c, s = fit[1 : orders + 1], fit[orders + 1 :]
    rest = np.sqrt(np.mean((found - basis @ fit) ** 2, axis=0))
    components = results.channels[channel].components if channel in results else ()
    unit = results.unit(channel if channel in results else channel.rpartition(".")[0])
    return Harmonics(channel, unit, components, fit[0], np.hypot(c, s), np.arctan2(s, c), count, rest)
