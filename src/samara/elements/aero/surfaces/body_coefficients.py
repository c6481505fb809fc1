"""Airload coefficients of a body over incidence and sideslip."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import ArgumentError, finite, finite_numbers, instance, positive, rising, shown
from samara.elements.aero.aerofoils.tabulated import FULL_TURN, GIVING_WAY, PLATE_STEP
from samara.model import ModelError, Record, numbers, setting, table
from samara.tracing import Surface

#: Of the load, in order: along and about x forward, y to the right, z down.
COEFFICIENTS = ("c_x", "c_y", "c_z", "c_l", "c_m", "c_n")
#: Products of direction cosines, in order: which of (forward, right, down) with which.
PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class BodyCoefficients(Record):
    """Six coefficients of the air load on a body; subclasses give `coefficients`."""

    def coefficients(self, n, alpha, beta) -> Any:
        """c_x, c_y, c_z, c_l, c_m, c_n in a flow from n, the direction in which the body moves through the air.

        Axes x forward, y to the right, z down; n = (cos(alpha) cos(beta), sin(beta), sin(alpha) cos(beta)), of no more
        than length 1; incidence alpha from -pi to pi, sideslip beta from -pi/2 to pi/2 [rad].
        """
        raise NotImplementedError


class QuadraticCoefficients(BodyCoefficients):
    """Coefficients linear and quadratic in the flow direction: a closed form valid for any attitude.

        c_k = sum_j linear[k, j] n_j + sum_p quadratic[k, p] (n n)_p,   k: c_x, c_y, c_z, c_l, c_m, c_n
        (n n) = (n_x^2, n_y^2, n_z^2, n_x n_y, n_x n_z, n_y n_z)

    linear: 6 x 3; quadratic: 6 x 6; zeros cost nothing. The load is smooth everywhere, also at zero airspeed, since c
    V^2 is of second order in the velocity.

    Flat plates of areas S (`Drag`) are the linear part -diag(S) of the forces. A slender body of volume W has Munk's
    moment 2 W (k_2 - k_1) n_x n_z nose up (k: inertia of the fluid across and along, see `slender`). Circulatory lift
    is proportional to n_x n_z. R. K. Heffley and M. A. Mnich, Minimum-complexity helicopter simulation math model, NASA
    CR-177476 (1988), use some of these products of velocities for a fuselage; this class has all of them.
    """

    linear: Any = numbers(default=np.zeros((6, 3)))
    quadratic: Any = numbers(default=np.zeros((6, 6)))

    def validate(self) -> None:
        for name, shape in (("linear", (6, 3)), ("quadratic", (6, 6))):
            try:
                found = f"the shape {np.shape(getattr(self, name))}"
            except ValueError:
                found = "rows of unequal length"
            if found != f"the shape {shape}":
                raise ModelError(
                    f"QuadraticCoefficients: {name} must have {shape[0]} rows of {shape[1]} numbers, a row for each of "
                    f"{', '.join(COEFFICIENTS)}, got {found}"
                )
        super().validate()

    @classmethod
    def slender(cls, areas, munk: float, area: float, length: float) -> QuadraticCoefficients:
        """Of flat plates and of a slender body in an ideal fluid, for a `Fuselage` of that reference area and length.

            F = -q (S_x n_x, S_y n_y, S_z n_z),   M = q (0, 2 W n_x n_z, -2 W n_x n_y)

        areas: S [m^2]; munk: W = volume (k_2 - k_1) [m^3], nearly the volume for a slender body. The moment is
        destabilising: it turns the body broadside to the flow. Source: M. M. Munk, The aerodynamic forces on airship
        hulls, NACA Report 184 (1924).
        """
        of = "QuadraticCoefficients.slender"
        areas = finite_numbers(f"{of}: areas", areas, (3,))
        if areas.min() < 0.0:
            raise ArgumentError(f"{of}: areas", f"must not be negative, got {shown(areas.tolist())}")
        munk = finite(f"{of}: munk", munk)
        area, length = positive(f"{of}: area", area), positive(f"{of}: length", length)
        linear, quadratic = np.zeros((6, 3)), np.zeros((6, 6))
        linear[:3] = -np.diag(areas) / area
        quadratic[4, PRODUCTS.index((0, 2))] = 2.0 * munk / (area * length)
        quadratic[5, PRODUCTS.index((0, 1))] = -2.0 * munk / (area * length)
        return cls(linear, quadratic)

    def coefficients(self, n, alpha, beta):
        products = np.array([n[i] * n[j] for i, j in PRODUCTS])
        return np.asarray(self.linear) @ np.asarray(n) + np.asarray(self.quadratic) @ products


class CoefficientTables(BodyCoefficients):
    """Coefficients from tables over incidence and sideslip [rad], with bilinear interpolation.

    c_x, c_y, c_z, c_l, c_m, c_n: a `Surface` each, x the incidence from -pi to pi, y the sideslip from -pi/2 to pi/2;
    None means zero. Each may have its own points. Incidence is periodic, so both ends must agree; at a sideslip of 90
    degrees incidence is undefined, so all values there must be equal.

    Tables of lift, drag and side force are converted by `from_wind_axes`; tables over a limited range of angles are
    completed by `extended`.
    """

    c_x: Surface | None = setting(default=None)
    c_y: Surface | None = setting(default=None)
    c_z: Surface | None = setting(default=None)
    c_l: Surface | None = setting(default=None)
    c_m: Surface | None = setting(default=None)
    c_n: Surface | None = setting(default=None)
    forces: Surface = table(init=False)
    moments: Surface = table(init=False)

    def __post_init__(self) -> None:
        nothing = Surface((-np.pi, np.pi), (-np.pi / 2, np.pi / 2), np.zeros((2, 2)))
        given = [nothing if getattr(self, name) is None else getattr(self, name) for name in COEFFICIENTS]
        if all(isinstance(one, Surface) and one.components == 1 for one in given):
            self.forces, self.moments = Surface.joined(*given[:3]), Surface.joined(*given[3:])

    def validate(self) -> None:
        for name in COEFFICIENTS:
            if getattr(self, name) is not None:
                _check_table(name, getattr(self, name))
        super().validate()

    def coefficients(self, n, alpha, beta):
        return [*self.forces(alpha, beta), *self.moments(alpha, beta)]

    @classmethod
    def sampled(cls, alpha, beta, values) -> CoefficientTables:
        """From values[i, j, k] at alpha[i] and beta[j] [rad], k in the order of the six coefficients."""
        alpha, beta, values = _given_table("CoefficientTables.sampled", alpha, beta, values)
        return cls(*(Surface(alpha, beta, values[:, :, k]) for k in range(6)))

    @classmethod
    def from_wind_axes(cls, alpha, beta, values) -> CoefficientTables:
        """From lift, drag and side force instead of c_x, c_y, c_z: values[i, j] = (c_L, c_D, c_Y, c_l, c_m, c_n).

            F / (q S) = -c_D n + c_Y y_w - c_L z_w
            y_w = (-cos(alpha) sin(beta), cos(beta), -sin(alpha) sin(beta)),   z_w = (-sin(alpha), 0, cos(alpha))

        Moments are in axes of the body already.
        """
        alpha, beta, values = _given_table("CoefficientTables.from_wind_axes", alpha, beta, values)
        a, b = np.meshgrid(alpha, beta, indexing="ij")
        n = np.stack([np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b)], axis=-1)
        y = np.stack([-np.cos(a) * np.sin(b), np.cos(b), -np.sin(a) * np.sin(b)], axis=-1)
        z = np.stack([-np.sin(a), 0.0 * a, np.cos(a)], axis=-1)
        lift, drag, side = (values[:, :, k, None] for k in range(3))
        values[:, :, :3] = -drag * n + side * y - lift * z
        return cls.sampled(alpha, beta, values)

    @classmethod
    def extended(cls, alpha, beta, values, beyond: QuadraticCoefficients) -> CoefficientTables:
        """From values (as in `sampled`) over a limited range of angles, extended by a closed form.

        Over 15 degrees beyond the end the last value is blended linearly into that of `beyond`. Values outside the
        range are only as good as this closed form: check whether `alpha` and `beta` of the element go there. The ranges
        must include zero, and end 15 degrees before the full circle or reach it.
        """
        of = "CoefficientTables.extended"
        alpha, beta, values = _given_table(of, alpha, beta, values)
        instance(f"{of}: beyond", beyond, QuadraticCoefficients, ": coefficients that know all angles").validate()
        linear, quadratic = np.asarray(beyond.linear, float), np.asarray(beyond.quadratic, float)
        more_a, more_b = _beyond("alpha", alpha, np.pi), _beyond("beta", beta, np.pi / 2)
        known = [Surface(alpha, beta, values[:, :, k])._on_grid(more_a, more_b) for k in range(6)]
        a, b = np.meshgrid(more_a, more_b, indexing="ij")
        n = np.stack([np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b)])
        form = np.einsum("kj,jab->kab", linear, n)
        form += np.einsum("kp,pab->kab", quadratic, np.stack([n[i] * n[j] for i, j in PRODUCTS]))
        out = np.maximum(_distance(a, alpha), _distance(b, beta)) / GIVING_WAY
        share = np.clip(out, 0.0, 1.0)
        found = np.stack([(1 - share) * known[k] + share * form[k] for k in range(6)], axis=-1)
        found[-1] = found[0]
        if share[:, 0].min() == share[:, -1].min() == 1.0:  # sideways there is no incidence: rounding is taken off
            found[:, 0], found[:, -1] = found[0, 0], found[0, -1]
        return cls.sampled(more_a, more_b, found)


def _given_table(of: str, alpha: Any, beta: Any, values: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Incidences, sideslips, and six values at each of their pairs; `of` names who asks."""
    alpha, beta = rising(f"{of}: alpha", alpha), rising(f"{of}: beta", beta)
    return alpha, beta, finite_numbers(f"{of}: values", values, (len(alpha), len(beta), 6)).copy()


def _beyond(name: str, points: np.ndarray, end: float) -> np.ndarray:
    """The points of a range, and more of them up to the end of the circle on both sides."""
    sides: list[Any] = []
    for far in (-points[0], points[-1]):
        if not (0.0 < far <= end - GIVING_WAY or abs(far - end) < FULL_TURN):
            raise ModelError(
                f"CoefficientTables.extended: {name} covers {np.degrees(points[0]):g} to {np.degrees(points[-1]):g} "
                f"degrees: it must include zero and end {np.degrees(GIVING_WAY):g} degrees before "
                f"{np.degrees(end):g}, or "
                "reach it (are the angles in radians?)"
            )
        sides.append(np.arange(end, far + GIVING_WAY - 1e-9, -PLATE_STEP) if far < end - FULL_TURN else [])
    return np.concatenate([-np.asarray(sides[0]), points, np.asarray(sides[1])[::-1]])


def _distance(angle: np.ndarray, points) -> np.ndarray:
    """How far outside of a range [rad]."""
    return np.maximum(np.maximum(points[0] - angle, angle - points[-1]), 0.0)


def _check_table(name: str, surface) -> None:
    """A table goes around the circle and closes; `ModelError` says where it does not."""
    what = f"CoefficientTables: {name}"
    if instance(what, surface, Surface, " over incidence and sideslip").components > 1:
        raise ArgumentError(what, f"has {surface.components} values per point: give a Surface for each")
    for angle, points, end in (("incidence", surface.x, np.pi), ("sideslip", surface.y, np.pi / 2)):
        if abs(points[0] + end) > FULL_TURN or abs(points[-1] - end) > FULL_TURN:
            raise ArgumentError(
                what,
                f"covers {np.degrees(points[0]):g} to {np.degrees(points[-1]):g} degrees of {angle}: it must cover "
                f"{-np.degrees(end):g} to {np.degrees(end):g} (are its angles in radians?); "
                "`CoefficientTables.extended` goes on from a table that knows less",
            )
    if np.abs(surface.z[0] - surface.z[-1]).max() > 1e-9:
        raise ArgumentError(what, "differs between -180 and 180 degrees of incidence: the same flow")
    if max(np.ptp(surface.z[:, 0]), np.ptp(surface.z[:, -1])) > 1e-9:
        raise ArgumentError(what, "at 90 degrees of sideslip must not depend on the incidence")
