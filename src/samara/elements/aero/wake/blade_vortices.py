"""Common part of free and frozen wakes: circulation and near wake of the blades as states of their stations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from samara.elements.aero.inflow.inflow import MASS, Disk
from samara.elements.aero.inflow.inflow_at_blade import BladeStation
from samara.elements.aero.wake.near import near_wake
from samara.model import State

#: How far outside of its strip a station may lie [R]: radii are those of a reference pose.
OUTSIDE = 1e-3


class BladeVortices:
    """An inflow whose stations have their circulation and the velocity of their blade's near wake as states.

        Gamma_i = s_i U_i c_i cl(alpha_i) / 2,     c_i / 2 U_i w_i' + w_i = A_ij Gamma_j

    See `samara.elements.aero.wake.near` for A. The mean ``u``, which bodies and other rotors feel, is that of
    `Momentum` at the thrust.
    """

    by_blade: ClassVar[bool] = True
    by_station: ClassVar[bool] = True
    vortices: ClassVar[bool] = True
    matrix: Any

    def bound_stations(self) -> Sequence[BladeStation]:
        """Of all blades, blade by blade from the root on; none before they are known."""
        raise NotImplementedError

    def flows(self) -> dict[str, int]:
        return {"u": 1}

    def balances(self, disk: Disk) -> list:
        share, size = 1.0 / disk.ground, disk.density * disk.area
        v, lag = share * disk.u.value, MASS * disk.radius * share * disk.u.rate
        return [size * (lag + 2.0 * disk.flow(v, "measured")[0] * v) - disk.thrust]

    def station_states(self, radius: float, tip: float) -> dict[str, State]:
        return {
            "circulation": State(0, unit="m^2/s", scale=0.1 * tip * radius, description="of the bound vortex"),
            "downwash": State(1, unit="m/s", scale=tip, description="of the near wake, along the shaft"),
        }

    def governed(self) -> list[State]:
        return [station.state("downwash") for station in self.bound_stations()]

    def reads(self) -> list[State]:
        return [station.state("circulation") for station in self.bound_stations()]

    def near_balances(self, circulations: Sequence[Any]) -> list:
        """Minus what the near wake induces: stations give the velocity itself."""
        return induced_by(self.matrix, circulations)


def induced_by(matrix: Any, circulations: Sequence[Any]) -> list:
    """Minus the product with a matrix, given row by row, of the circulations of each blade."""
    n = round(len(matrix) ** 0.5)
    rows = [matrix[n * i : n * i + n] for i in range(n)]
    return [
        -sum(a * g for a, g in zip(row, circulations[first : first + n], strict=True))
        for first in range(0, len(circulations), n)
        for row in rows
    ]


def blade_strips(who: str, radius: float, first: Sequence[BladeStation]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Radii of the stations of a blade, edges between them, and chords [m]; ValueError where they do not fit."""
    radii = np.array([station.r for station in first])
    edges = np.cumsum([first[0].start, *(station.width for station in first)])
    if len(radii) < 4:
        raise ValueError(f"{who}: blades need at least 4 stations, these have {len(radii)}")
    off = np.maximum(edges[:-1] - radii, radii - edges[1:])
    if off[k := int(off.argmax())] > OUTSIDE:
        raise ValueError(
            f"{who}: the station at {radii[k]:.3f} R is not in the strip that its length tells, "
            f"{edges[k]:.3f} to {edges[k + 1]:.3f} R: lengths must fill the blade from its root"
        )
    return radius * radii, radius * edges, np.array([station.chord for station in first])


def near_matrices(strips: tuple[np.ndarray, np.ndarray, np.ndarray], angle: float) -> tuple[np.ndarray, np.ndarray]:
    """A of `near_wake`, and B - A, from 3/4 of the chord to 1/4."""
    A, B = near_wake(*strips, angle)
    return A, B - A
