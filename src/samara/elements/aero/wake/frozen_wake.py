"""The far wake of a rotor frozen from a free-wake run: velocities over azimuth, for trim, modes and Floquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from samara.elements.aero.inflow.inflow import Disk, Inflow
from samara.elements.aero.inflow.inflow_at_blade import BladeStation, Felt, FeltFar
from samara.elements.aero.wake.blade_vortices import BladeVortices, blade_strips, induced_by, near_matrices
from samara.model import ModelError, Output, State, number, numbers, option, setting

#: What the velocity of a frozen far wake is proportional to.
SCALINGS = ("thrust", "none")
#: Distance from the shaft that is added by squares [R], so that directions are known there.
AT_SHAFT = 1e-6
#: Strengths beyond which a run is told that its wake was frozen at another thrust.
STRENGTHS = (0.8, 1.25)


class FrozenWake(BladeVortices, Inflow):
    """The far wake of a `FreeWake`, frozen: its velocity at the stations as a Fourier series over their azimuth.

        v_i(psi) = s (V_i0 + sum over n of V_in cos(n psi) + W_in sin(n psi)),   radial, tangential and axial
        s = 1,   or   s = (T / rho A Omega R) / reference

    `frozen_wake(model, results)` makes one from a run with a `FreeWake`: the means over its last turns and all blades.
    Circulation and near wake of the blades remain states, as in the `FreeWake`. Nothing is sampled, so trim,
    periodic motions, modes, Floquet analysis and linear models accept it: the blades then move through a fixed far
    wake.

    radii [R]; series: V_0, V_1, W_1, V_2, ... for each station and direction [m/s], shape (stations, 3, 1 + 2 n).
    scaling:   "thrust": s follows the thrust without delay, like the circulation of all vortices in a wake of frozen
               geometry; "none": velocities are frozen too. The channel ``strength`` is s.
    reference: T / (rho A Omega R) of the run [m/s]. near: as of the `FreeWake` [rad].
    missed:    part of the far wake's velocity that the series does not represent, rms: differences between blades and
               between turns, and higher harmonics.
    matrix, shift, stations: filled in from the rotor.

    Limits: the wake neither lags behind the thrust nor moves with blades and craft; if controls or speed change, run
    the `FreeWake` there and freeze it again. It contains the velocities induced by all rotors of the original run, so
    frozen wakes of several rotors do not act on each other a second time. Trees (``formulation="recursive"``) accept it
    with scaling "none" only. Near the hub the flow reverses within a degree of azimuth: `floquet` needs about 360 steps
    per turn there.
    """

    radii: Any = numbers(unit="R")
    series: Any = numbers(unit="m/s")
    reference: float = number(unit="m/s", positive=True, plain=True)
    scaling: str = option(default="thrust", choices=SCALINGS)
    near: float = number(default=float(np.radians(30.0)), unit="rad", positive=True, plain=True)
    missed: float = number(default=0.0, nonnegative=True, plain=True)
    matrix: Any = numbers(default=(), init=False)
    shift: Any = numbers(default=(), init=False)
    stations: Any = setting(default=())

    def __post_init__(self) -> None:
        shape = np.shape(self.series)
        if len(shape) != 3 or shape[0] != len(self.radii) or shape[1] != 3 or shape[2] % 2 != 1:
            raise ModelError(
                f"FrozenWake: series must be of shape (stations, 3, 1 + 2 harmonics), got {shape}: frozen_wake makes it"
            )

    def bound_stations(self) -> Sequence[BladeStation]:
        return self.stations

    def flows(self) -> dict[str, int]:
        return super().flows() | {"strength": 0}

    def starts(self, u: float) -> dict[str, float]:
        return {"u": u, "strength": 1.0}

    def balances(self, disk: Disk) -> list:
        strength = disk.flows[1].value
        loaded = disk.thrust / (disk.density * disk.area * disk.tip * self.reference)
        return [*super().balances(disk), strength - (loaded if self.scaling == "thrust" else 1.0)]

    def felt(self, radii: np.ndarray) -> Felt:
        known, series = np.asarray(self.radii, float), np.asarray(self.series, float)
        at = [np.interp(radii, known, column) for column in series.reshape(len(known), -1).T]
        return FeltFrozen(np.stack(at, axis=1).reshape(len(radii), *series.shape[1:]))

    def station_states(self, radius: float, tip: float) -> dict[str, State]:
        text = "of the near wake at 1/4 of the chord less that at 3/4"
        return super().station_states(radius, tip) | {"shift": State(0, unit="m/s", scale=tip, description=text)}

    def bind(self, rotor: Any, blades: Sequence[Sequence[BladeStation]], field: Mapping[str, Inflow]) -> None:
        A, shift = near_matrices(blade_strips("FrozenWake", float(rotor.radius), blades[0]), float(self.near))
        object.__setattr__(self, "matrix", A.ravel())
        object.__setattr__(self, "shift", shift.ravel())
        object.__setattr__(self, "stations", tuple(station for blade in blades for station in blade))

    def governed(self) -> list[State]:
        return [*super().governed(), *(station.state("shift") for station in self.stations)]

    def near_balances(self, circulations: Sequence[Any]) -> list:
        return [*super().near_balances(circulations), *induced_by(self.shift, circulations)]

    def outputs(self, disk: Disk) -> list[Output]:
        u, strength = (state.value for state in disk.flows)
        return [
            Output("induced", "m/s", u, description="mean by momentum theory, against the thrust"),
            Output("strength", "1", strength, description="of the frozen far wake, by that of the run it is from"),
        ]

    def doubts(self, rotor: str, results: Any) -> list[str]:
        if f"{rotor}.strength" not in results.channels:
            return []
        last = float(results[f"{rotor}.strength"][-1])
        if STRENGTHS[0] < last < STRENGTHS[1]:
            return []
        return [
            f"its thrust is {last:.2f} times that at which its wake was frozen: freeze the wake again from a run here"
        ]


class FeltFrozen(FeltFar):
    """Velocities of the series at the azimuth of a station, times the strength of the wake."""

    own: ClassVar[int] = 3
    series: Any = numbers(unit="m/s")

    def places(self) -> tuple[int, ...]:
        return (1,)

    def far(self, flows, told, x, y, k):
        size = np.sqrt(x * x + y * y + AT_SHAFT**2)
        c, s = x / size, y / size
        waves = list(_waves(c, s, (len(self.series[k][0]) - 1) // 2))
        out, along, up = (sum(a * wave for a, wave in zip(row, waves, strict=True)) for row in self.series[k])
        return flows[0] * np.array([c * out - s * along, s * out + c * along, up])

    def shift(self, told, own, k):
        return own[2].value


def _waves(c: Any, s: Any, harmonics: int) -> Iterator[Any]:
    """1, cos psi, sin psi, cos 2 psi, ..."""
    yield 1.0
    a, b = 1.0, 0.0
    for _ in range(harmonics):
        a, b = a * c - b * s, a * s + b * c
        yield a
        yield b


def azimuth_series(azimuth: np.ndarray, polar: np.ndarray, harmonics: int) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients of samples (n, 3) over their azimuth, shape (3, 1 + 2 harmonics), and what is left, (n, 3)."""
    waves = np.stack([w * np.ones(len(azimuth)) for w in _waves(np.cos(azimuth), np.sin(azimuth), harmonics)], axis=1)
    found, *_ = np.linalg.lstsq(waves, polar, rcond=None)
    return found.T, polar - waves @ found
