"""What lets one source serve floats, complex numbers and traced numbers: choices without branches.

A traced number cannot answer `if x < 1`, because its value is known only when the compiled kernel runs. A
comparison of traced numbers is itself traced and offers `.select(if_true, if_false)`. The functions of this
package therefore never branch on a value: they evaluate both sides and `choose`. The side not chosen must
stay finite, and its derivatives too, which is why arguments are replaced by harmless ones before a root or a
division.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Scalar: TypeAlias = Any
"""A float, a complex number or a traced number."""

VectorLike: TypeAlias = Sequence[Any] | NDArray[Any]
"""Anything with numbers at [0], [1], [2]: a list, a float array, an object array of traced numbers."""

LEAST_DIVISOR = 1e-300
"""Stands in for a divisor of zero: below any quantity of a model, above the subnormal numbers."""

Vector: TypeAlias = NDArray[Any]
Matrix: TypeAlias = NDArray[Any]


def choose(condition: Any, if_true: Any, if_false: Any) -> Any:
    """`if_true` where `condition` holds, else `if_false`.

    The condition is a traced comparison, a plain truth value, or an array of either; the alternatives are
    numbers or arrays. Both alternatives are evaluated by the caller, so both must be finite.
    """
    if hasattr(condition, "select"):
        if isinstance(if_true, np.ndarray) or isinstance(if_false, np.ndarray):
            return np.frompyfunc(condition.select, 2, 1)(if_true, if_false)
        return condition.select(if_true, if_false)
    if isinstance(condition, np.ndarray) and condition.ndim > 0:
        if condition.dtype == object:
            return np.frompyfunc(choose, 3, 1)(condition, if_true, if_false)
        return np.where(condition, if_true, if_false)
    return if_true if condition else if_false


def is_less(a: Scalar, b: Scalar) -> Any:
    """a < b, on the real parts of complex numbers: a complex step takes the side of its real point."""
    return _real(a) < _real(b)


def arctan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the point (x, y), rad, also analytic for complex arguments, for which NumPy's is not defined.

    Half-angle forms for complex numbers, with r = sqrt(x^2 + y^2): 2 arctan(y / (r + x)) on the right half
    plane, 2 arctan((r - x) / y) on the left one.
    """
    if not (np.iscomplexobj(y) or np.iscomplexobj(x)):
        return np.arctan2(y, x)
    r = np.sqrt(x * x + y * y)
    if x.real >= 0.0:
        return 2.0 * np.arctan(y / (r + x))
    return 2.0 * np.arctan((r - x) / y)


def wrapped(angle: Scalar) -> Scalar:
    """The same angle within -pi .. pi [rad], with the slope of the angle itself."""
    return angle - 2.0 * np.pi * np.floor((np.real(angle) + np.pi) / (2.0 * np.pi))


def horner(coefficients: Sequence[float], t: Scalar) -> Scalar:
    """Polynomial c0 + c1 t + c2 t^2 + ... in nested form: one product and one sum a term."""
    value: Scalar = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        value = value * t + c
    return value


def _real(x: Scalar) -> Scalar:
    """Real part of a plain number, as a Python float: a NumPy one would ask a traced number for its truth."""
    return float(x.real) if isinstance(x, (float, complex, np.number)) else x
