"""A load or an angle of a blade's stations as a map over the rotor disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.arguments import finite, instance, names, real_numbers
from samara.model import ModelError
from samara.results import Results
from samara.results.columns import column
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
        figure = canvas(5.4, 4.6)
        self.draw(figure.add_subplot(projection="polar"), title)
        if path is not None:
            figure.savefig(path, dpi=150)
        return figure

    def draw(self, axes: Axes, title: str | None = None) -> None:
        """The same on polar axes of a figure."""
        axes.set_theta_zero_location("S")  # type: ignore[attr-defined]
        axes.set_theta_direction(1 if self.sense > 0 else -1)  # type: ignore[attr-defined]
        psi, values = np.append(self.azimuth, self.azimuth[0] + 2 * np.pi), np.vstack([self.values, self.values[:1]])
        drawn = axes.contourf(psi, self.radius, values.T, levels=24, cmap="viridis")
        for edge in getattr(drawn, "collections", ()):
            edge.set_edgecolor("face")
        label = f"{self.name} [{'-' if self.unit == '1' else self.unit}]"
        axes.figure.colorbar(drawn, ax=axes, label=label, shrink=0.8)
        axes.set_ylim(0.0, float(np.abs(self.radius).max()))
        axes.set_title(title or "", fontsize=11)


def disk_map(
    results: Results,
    channel: str | Sequence[str],
    radius,
    azimuth: str | np.ndarray = "rotor.azimuth",
    *,
    sense: float = 1.0,
    ahead: float = 0.0,
) -> DiskMap:
    """Maps the last revolution of a station channel of one blade, such as "blade_1.air.normal", onto the disk.

    channel: or several, one after the other, of a blade whose stations belong to several elements.
    radius:  of the stations [m], `model["blade_1.air"].stations.x` for a blade that starts at the centre.
    azimuth: of the hub, a channel or an array [rad]; sense: -1 for a rotor that turns clockwise; ahead: of this blade
             over the hub's azimuth, in the sense of rotation [rad].
    """
    instance("disk_map: results", results, Results, "; take those of a run")
    channels = list(names("disk_map: channel", channel, "name a channel of a blade's stations, or several"))
    channel = channels[0]
    values = np.hstack([results[name].reshape(len(results), -1) for name in channels])
    radius = np.abs(real_numbers("disk_map: radius", radius))
    if radius.size != values.shape[1]:
        raise ModelError(f"{channel!r} has {values.shape[1]} stations, {radius.size} radii are given")
    sense, ahead = finite("disk_map: sense", sense), finite("disk_map: ahead", ahead)
    hub = column(results, azimuth) if isinstance(azimuth, str) else azimuth
    psi = np.unwrap(sense * real_numbers("disk_map: azimuth", hub, results.time.shape)) + ahead
    chosen = psi > psi[-1] - 2 * np.pi + 1e-9
    if psi[-1] - psi[0] < 2 * np.pi * (1 - 1.5 / max(chosen.sum(), 1)):
        raise ModelError(f"{channel!r}: less than one revolution was recorded")
    turn, values = np.mod(psi[chosen], 2 * np.pi), values[chosen]
    order, out = np.argsort(turn), np.argsort(radius)
    return DiskMap(
        channel, results.unit(channel), turn[order], radius[out], values[order][:, out], float(np.sign(sense))
    )
