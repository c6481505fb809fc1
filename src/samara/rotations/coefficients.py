"""The scalar functions of the squared angle t = phi.phi that the exponential and its tangents are made of.

    b = (1 - cos x) / x^2      c = (x - sin x) / x^3      d = (1 - (x/2) cot(x/2)) / x^2      x = sqrt(t)

All three are smooth in t, even at t = 0, and the usual others follow without loss: sin x / x = 1 - t c and
cos x = 1 - t b. Each has two flavours:

- general: any angle; trigonometry above 1 rad, the power series below (both are evaluated, one is chosen);
- small: the power series alone, `terms` of them. The error is the first term left out, so it is known
  beforehand.

Derivatives with respect to t are needed by SE(3) (a screw motion is a rotation by a dual angle).
Series: Bauchau & Trainelli, The vectorial parameterization of rotation, Nonlinear Dynamics 32, 2003, give the
closed forms; the coefficients are computed here in exact rational arithmetic.
"""

from fractions import Fraction
from math import factorial

import numpy as np

from .scalars import Scalar, choose, horner, is_less

TERMS = 9
"""Terms of b and c for an error below 1e-16 up to 1 rad."""

INVERSE_TERMS = 11
"""Terms of d, whose series only converges below 2 pi, for an error below 1e-16 up to 1 rad."""

_MOST_TERMS = 16
_SWITCH = 1.0  # rad^2: from here on the closed forms lose less than one digit


def _quotient(numerator: list[Fraction], denominator: list[Fraction]) -> list[Fraction]:
    """Power series of a quotient."""
    result: list[Fraction] = []
    for k, top in enumerate(numerator):
        known = sum((denominator[k - j] * result[j] for j in range(k)), Fraction(0))
        result.append((top - known) / denominator[0])
    return result


def _series() -> tuple[list[float], list[float], list[float]]:
    sign = [Fraction((-1) ** k) for k in range(_MOST_TERMS + 1)]
    b = [s / factorial(2 * k + 2) for k, s in enumerate(sign)]
    c = [s / factorial(2 * k + 3) for k, s in enumerate(sign)]
    # d = (1 - (sin x / x) / (2 b)) / t = ((2 b - 1) / t + c) / (2 b)
    top = [2 * b[k + 1] + c[k] for k in range(_MOST_TERMS)]
    d = _quotient(top, [2 * x for x in b])
    return [float(x) for x in b[:-1]], [float(x) for x in c[:-1]], [float(x) for x in d]


_B, _C, _D = _series()


def _slope(series: list[float]) -> list[float]:
    return [k * x for k, x in enumerate(series)][1:]


def check_terms(terms: int) -> None:
    """Raise ValueError unless 1 <= terms <= 16."""
    if not 1 <= terms <= _MOST_TERMS:
        raise ValueError(f"terms must be from 1 to {_MOST_TERMS}, got {terms}")


def exp_coefficients_small(t: Scalar, terms: int = TERMS) -> tuple[Scalar, Scalar]:
    """b, c from `terms` terms of their series."""
    check_terms(terms)
    return horner(_B[:terms], t), horner(_C[:terms], t)


def exp_slopes_small(t: Scalar, terms: int = TERMS) -> tuple[Scalar, Scalar]:
    """db/dt, dc/dt of the truncated series; zero for one term."""
    check_terms(terms)
    if terms == 1:
        return 0.0, 0.0
    return horner(_slope(_B[:terms]), t), horner(_slope(_C[:terms]), t)


def exp_coefficients(t: Scalar) -> tuple[Scalar, Scalar]:
    """b, c at any angle."""
    near = is_less(t, _SWITCH)
    t_far = choose(near, _SWITCH, t)
    x = np.sqrt(t_far)
    b, c = exp_coefficients_small(t)
    return choose(near, b, (1.0 - np.cos(x)) / t_far), choose(near, c, (1.0 - np.sin(x) / x) / t_far)


def exp_slopes(t: Scalar, b: Scalar, c: Scalar) -> tuple[Scalar, Scalar]:
    """db/dt = (1 - t c - 2 b) / (2 t), dc/dt = (b - 3 c) / (2 t) at any angle."""
    near = is_less(t, _SWITCH)
    half = 0.5 / choose(near, _SWITCH, t)
    b_near, c_near = exp_slopes_small(t, TERMS + 1)
    return choose(near, b_near, (1.0 - t * c - 2.0 * b) * half), choose(near, c_near, (b - 3.0 * c) * half)


def inverse_coefficient_small(t: Scalar, terms: int = INVERSE_TERMS) -> Scalar:
    """d from `terms` terms: 1/12 + t/720 + t^2/30240 + ..."""
    check_terms(terms)
    return horner(_D[:terms], t)


def inverse_slope_small(t: Scalar, terms: int = INVERSE_TERMS) -> Scalar:
    """dd/dt of the truncated series; zero for one term."""
    check_terms(terms)
    return 0.0 if terms == 1 else horner(_slope(_D[:terms]), t)


def inverse_coefficient(t: Scalar) -> Scalar:
    """d at any angle below 2 pi, where the tangent map is singular."""
    near = is_less(t, _SWITCH)
    t_far = choose(near, _SWITCH, t)
    half = 0.5 * np.sqrt(t_far)
    return choose(near, inverse_coefficient_small(t), (1.0 - half / np.tan(half)) / t_far)


def inverse_slope(t: Scalar, d: Scalar) -> Scalar:
    """dd/dt = (1/8 - 3/2 d + t d^2 / 2) / t at any angle below 2 pi.

    From z = (x/2) cot(x/2) = 1 - t d, which obeys dz/dt = z (1 - z) / (2 t) - 1/8.
    """
    near = is_less(t, _SWITCH)
    far = (0.125 - 1.5 * d + 0.5 * t * d * d) / choose(near, _SWITCH, t)
    return choose(near, inverse_slope_small(t, INVERSE_TERMS + 1), far)
