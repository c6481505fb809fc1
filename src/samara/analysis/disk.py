"""A load or an angle of a blade's stations as a map over the rotor disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.model import ModelError
from samara.results import Results
from samara.results.columns import column

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class DiskMap:
    """A quantity over the disk: azimuth (n,), 0 to 2 pi in the sense of rotation; radius (m,) [m]; values (n, m)."""

    name: str
    unit: str
    azimuth: np.ndarray
    radius: np.ndarray
    values: np.ndarray
    sense: float = 1.0

    def plot(self, path: str | os.PathLike[str] | None = None, title: str | None = None) -> Figure:
        """Coloured map seen from above, psi = 0 (aft) below; an arrow shows where the rotor turns."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(5.4, 4.6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot(projection="polar")
        axes.set_theta_zero_location("S")  # type: ignore[attr-defined]
        axes.set_theta_direction(1 if self.sense > 0 else -1)  # type: ignore[attr-defined]
        psi, values = np.append(self.azimuth, self.azimuth[0] + 2 * np.pi), np.vstack([self.values, self.values[:1]])
        drawn = axes.contourf(psi, self.radius, values.T, levels=24, cmap="viridis")
        for edge in getattr(drawn, "collections", ()):
            edge.set_edgecolor("face")
        figure.colorbar(drawn, ax=axes, label=f"{self.name} [{'-' if self.unit == '1' else self.unit}]", shrink=0.8)
        axes.set_ylim(0.0, float(np.abs(self.radius).max()))
        axes.set_title(title or "", fontsize=11)
        if path is not None:
            figure.savefig(path, dpi=150)
        return figure


def disk_map(
    results: Results,
    channel: str,
    radius,
    azimuth: str | np.ndarray = "rotor.azimuth",
    *,
    sense: float = 1.0,
    ahead: float = 0.0,
) -> DiskMap:
    """The last revolution of a channel of the stations of one blade, such as "blade_1.air.normal", over the disk.

    radius:  of the stations [m], `model["blade_1.air"].stations.x` for a blade that starts at the centre.
    azimuth: of the hub, a channel or an array [rad]; sense: -1 for a rotor that turns clockwise; ahead: of this blade
             over the hub's azimuth, in the sense of rotation [rad].
    """
    values = results[channel].reshape(len(results), -1)
    radius = np.abs(np.asarray(radius, float))
    if radius.size != values.shape[1]:
        raise ModelError(f"{channel!r} has {values.shape[1]} stations, {radius.size} radii are given")
    psi = sense * (column(results, azimuth) if isinstance(azimuth, str) else np.asarray(azimuth, float))
    psi = np.unwrap(psi) + ahead
    chosen = psi > psi[-1] - 2 * np.pi + 1e-9
    if psi[-1] - psi[0] < 2 * np.pi * (1 - 1.5 / max(chosen.sum(), 1)):
        raise ModelError(f"{channel!r}: less than a revolution was recorded")
    turn, values = np.mod(psi[chosen], 2 * np.pi), values[chosen]
    order, out = np.argsort(turn), np.argsort(radius)
    return DiskMap(
        channel, results.unit(channel), turn[order], radius[out], values[order][:, out], float(np.sign(sense))
    )
