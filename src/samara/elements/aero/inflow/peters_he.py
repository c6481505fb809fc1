"""Finite-state inflow: any number of harmonics around the disk and of shapes along its radius."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from samara.elements.aero.inflow.descent import DESCENTS
from samara.elements.aero.inflow.inflow import STILL_AIR_SPEED, Disk, Inflow
from samara.elements.aero.inflow.inflow_at_blade import Felt
from samara.elements.aero.inflow.inflow_shapes import (
    apparent_mass,
    area_products,
    mean_over_disk,
    radial_polynomial,
    wake_gain,
)
from samara.model import ModelError, Output, option

#: Harmonics and shapes that may be asked for: beyond, the numbers of the theory lose their digits.
MOST_HARMONICS, MOST_SHAPES = 12, 8


class InflowMode(NamedTuple):
    """A shape of harmonic m, n = m + 1, m + 3, ...; sine: whether of sin(m psi), else of cos."""

    m: int
    n: int
    sine: bool

    @property
    def name(self) -> str:
        return f"{'sin' if self.sine else 'cos'}{self.m}_{self.n}"


class PetersHe(Inflow):
    """Peters-He finite-state dynamic inflow, with shapes along the radius and harmonics in azimuth.

        v_i = sum a_n^m phi_n^m(r) (cos m psi or sin m psi)
        rho S_m R^2 (R K_n^m da/dt + V_m p + (V_T - V_m) c_n u / 2) = sum over the blades of phi_n^m (cos, sin) dT
        a = L(X) p,     u = sum c_n a_n^0,     S_0 = 4 pi, S_m = 2 pi,     c_n = integral of phi_n^0 2 r over r

    a: velocities [m/s], p: pressures over rho V [m/s], both states; u: mean over the disk. L: gains of the wake, skewed
    by the angle chi from the shaft, X = tan(chi / 2); K: apparent masses; see `inflow_shapes`. Through the last term
    the mean is governed by the speed V_T of momentum theory and deviations from it by V_m = d(u V_T) / du, as in small
    perturbations of annular momentum balances; at least V_T / 3, see `Disk.flow`.

    shapes:  number of radial shapes for each harmonic, from the mean on: (3, 2, 1) has three for harmonic 0, two for
             the first, one for the second: 3 + 2 (2 + 1) = 9 shapes. (1, 1) corresponds to Pitt and Peters' model.
    momentum: whether the gains are scaled such that momentum theory holds exactly in axial flow for any number of
             shapes, L -> S L S^T with S L(0) S^T = B^-1, B: integrals of phi_j phi_n r. Otherwise the gains are as
             published: one shape then gives 1.125 times the induced velocity, three shapes 1.03 times, and so on.
    descent: as in `Momentum`.

    Sources: as in `inflow_shapes`; signs and magnitudes were verified against integrals of the pressure along
    streamlines.
    Limits: an undistorted wake and small perturbations; velocity at the disk only. Blades are lines and stations
    points: with too many shapes and harmonics the induced velocity at these points increases without converging. There
    may not be more radial shapes than stations, and many harmonics for few blades are no gain.
    """

    by_station: ClassVar[bool] = True
    shapes: tuple[int, ...] = option(default=(3, 2, 1))
    momentum: bool = option(default=True, choices=(True, False))
    descent: str = option(default="measured", choices=DESCENTS)

    def __post_init__(self) -> None:
        given = self.shapes
        if isinstance(given, (list, np.ndarray)):
            given = self.shapes = tuple(given)
        whole = isinstance(given, tuple) and all(isinstance(k, (int, np.integer)) for k in given)
        if not whole or not given or not all(1 <= k <= MOST_SHAPES for k in given) or len(given) > MOST_HARMONICS + 1:
            raise ModelError(
                "PetersHe: shapes must be whole numbers, one for each harmonic from 0 on, such as (3, 2, 1): from 1 to "
                f"{MOST_SHAPES} each, up to harmonic {MOST_HARMONICS}; got {self.shapes!r}"
            )
        self.shapes = tuple(int(k) for k in given)

    @property
    def modes(self) -> tuple[InflowMode, ...]:
        return modes_of(self.shapes)

    def flows(self) -> dict[str, int]:
        names = [mode.name for mode in self.modes]
        return {"u": 0} | dict.fromkeys(names, 1) | {f"pressure_{name}": 0 for name in names}

    def starts(self, u: float) -> dict[str, float]:
        return {"u": u, "cos0_1": u / mean_over_disk(1)}

    def felt(self, radii: np.ndarray) -> Felt:
        return FeltShapes(self.shapes)

    def survey(self, radii: np.ndarray, areas: np.ndarray, ends: tuple[float, float], blades: int) -> None:
        stations = len(np.unique(np.round(radii, 6)))
        if max(self.shapes) > stations:
            raise ValueError(
                f"PetersHe: {max(self.shapes)} shapes along the radius, but loads at only {stations} "
                f"radii: give the blades more stations, or the inflow fewer shapes"
            )

    def balances(self, disk: Disk) -> list:
        modes = self.modes
        share, count = 1.0 / disk.ground, len(modes)
        u, rates = share * disk.u.value, [share * s.rate for s in disk.flows[1 : 1 + count]]
        velocities, pressures = ([share * s.value for s in part] for part in _halves(disk.flows[1:]))
        V_T, V_m = disk.flow(u, self.descent)
        rows = []
        for mode, rate, p in zip(modes, rates, pressures, strict=True):
            mean = 0.5 * mean_over_disk(mode.n) * (V_T - V_m) * u if mode.m == 0 else 0.0
            size = (4.0 if mode.m == 0 else 2.0) * np.pi * disk.density * disk.radius**2
            rows.append(size * (disk.radius * apparent_mass(mode.m, mode.n) * rate + V_m * p + mean))
        made = velocities_of(self.shapes, self.momentum, pressures, *_skew(disk))
        wake = [a - v for a, v in zip(velocities, made, strict=True)]
        first = u - sum(mean_over_disk(mode.n) * a for mode, a in zip(modes, velocities, strict=True) if mode.m == 0)
        return [first, *rows, *wake]

    def outputs(self, disk: Disk) -> list[Output]:
        names = ("u", *(mode.name for mode in self.modes))
        values = [state.value for state in disk.flows[: len(names)]]
        return [Output("induced", "m/s", values, names, "mean over the disk, and of each shape, against the thrust")]


class FeltShapes(Felt):
    """Induced velocity of all shapes at a point; lift counts in each with the value of the shape there."""

    shapes: tuple[int, ...] = option(default=(1,))

    def places(self) -> tuple[int, ...]:
        return tuple(range(1, 1 + len(modes_of(self.shapes))))

    def loaded(self) -> tuple[int, ...]:
        return self.places()

    def velocity(self, flows, x, y, k):
        return sum(a * shape for a, shape in zip(flows, shapes_at(self.shapes, x, y), strict=True))

    def shares(self, lifts):
        rows: list[Any] = [0.0] * len(self.places())
        for lift in lifts:
            for i, shape in enumerate(shapes_at(self.shapes, lift.x, lift.y)):
                rows[i] = rows[i] - shape * lift.force
        return rows


@cache
def modes_of(shapes: tuple[int, ...]) -> tuple[InflowMode, ...]:
    """All modes: harmonic by harmonic, cosines before sines."""
    return tuple(
        InflowMode(m, m + 1 + 2 * k, sine)
        for m, count in enumerate(shapes)
        for sine in ((False, True) if m else (False,))
        for k in range(count)
    )


def shapes_at(shapes: tuple[int, ...], x: Any, y: Any) -> Iterator[Any]:
    """phi_n^m(r) cos(m psi) or sin(m psi) of all modes at (x, y) = r (cos psi, sin psi) [R]: polynomials."""
    square = x * x + y * y
    c, s = 1.0, 0.0  # r^m cos(m psi), r^m sin(m psi)
    for m, count in enumerate(shapes):
        if m:
            c, s = c * x - s * y, s * x + c * y
        along = [_polynomial(radial_polynomial(m, m + 1 + 2 * k), square) for k in range(count)]
        yield from (c * phi for phi in along)
        if m:
            yield from (s * phi for phi in along)


def velocities_of(shapes: tuple[int, ...], momentum: bool, pressures: list, X_x: Any, X_y: Any) -> list:
    """a = L(X) p for a wake that goes towards (X_x, X_y), of the size tan(chi / 2).

    In complex numbers, with A = a_cos + i a_sin of harmonic r, P alike of harmonic m, and X = X_x + i X_y:

        A = Gamma (X^(r - m) P + (-1)^min(r, m) X^(r + m) conj(P)),   half of its real part for r = 0

    where a negative power is one of the conjugate.
    """
    scale = _scales(shapes) if momentum else [np.eye(count) for count in shapes]
    loads = list(_complex(shapes, pressures))
    powers: list[tuple[Any, Any]] = [(1.0, 0.0)]
    for _ in range(2 * (len(shapes) - 1)):
        a, b = powers[-1]
        powers.append((a * X_x - b * X_y, a * X_y + b * X_x))
    found = []
    for r, count in enumerate(shapes):
        real: list[Any] = [0.0] * count
        imaginary: list[Any] = [0.0] * count
        for m, (cosines, sines) in enumerate(loads):
            gains = scale[r] @ _gains(shapes, r, m) @ scale[m].T
            (a, b), (c, d) = powers[abs(r - m)], powers[r + m]
            b = b if r >= m else -b
            sign = -1.0 if min(r, m) % 2 else 1.0
            for k in range(count):
                P = sum(g * p for g, p in zip(gains[k], cosines, strict=True))
                Q = sum(g * p for g, p in zip(gains[k], sines, strict=True)) if m else 0.0
                real[k] = real[k] + a * P - b * Q + sign * (c * P + d * Q)
                imaginary[k] = imaginary[k] + a * Q + b * P + sign * (d * P - c * Q)
        found += [0.5 * value for value in real] if r == 0 else [*real, *imaginary]
    return found


def _complex(shapes: tuple[int, ...], values: list) -> Iterator[tuple[list, list]]:
    """Cosines and sines of each harmonic."""
    at = 0
    for m, count in enumerate(shapes):
        yield values[at : at + count], values[at + count : at + 2 * count] if m else [0.0] * count
        at += 2 * count if m else count


@cache
def _gains(shapes: tuple[int, ...], r: int, m: int) -> np.ndarray:
    """Gamma of velocities of harmonic r by pressures of harmonic m."""
    rows, columns = ([h + 1 + 2 * k for k in range(shapes[h])] for h in (r, m))
    return np.array([[wake_gain(r, j, m, n) for n in columns] for j in rows])


@cache
def _scales(shapes: tuple[int, ...]) -> list[np.ndarray]:
    """S of each harmonic, lower triangular, with S Gamma S^T = B^-1."""
    found = []
    for m, count in enumerate(shapes):
        exact = np.linalg.inv(area_products(m, [m + 1 + 2 * k for k in range(count)]))
        found.append(np.linalg.cholesky(exact) @ np.linalg.inv(np.linalg.cholesky(_gains(shapes, m, m))))
    return found


def _skew(disk: Disk) -> tuple[Any, Any]:
    """tan(chi / 2) along the wake, as a vector in the disk; smooth in hover."""
    through = np.sqrt(disk.through**2 + STILL_AIR_SPEED**2)
    size = disk.total + through
    return -disk.speed[0] / size, -disk.speed[1] / size


def _halves(flows) -> tuple[Any, Any]:
    half = len(flows) // 2
    return flows[:half], flows[half:]


def _polynomial(coefficients: tuple[float, ...], x: Any) -> Any:
    value: Any = coefficients[-1]
    for c in coefficients[-2::-1]:
        value = value * x + c
    return value
