"""Wright's omega function, used by diodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.tracing import fmax, fmin, select

#: Below this argument the function is less than 1e-260, and counts as constant.
LOWEST = -600.0
ROUNDS = 2


def omega(x: Any) -> Any:
    """The solution w > 0 of w + ln w = x to rounding error, for plain and traced numbers; no argument overflows.

    Two iterations of the fourth-order scheme of Fritsch, Shafer and Crowley (Algorithm 443, Communications of the
    ACM 16, 1973, 123-124) from a guess within 12 %.
    """
    x = fmax(x, LOWEST)
    small, large = np.exp(fmin(x, 0.0)), fmax(x, 1.0)
    log = np.log(large)
    # ln w of the guess is known where w itself is tiny
    w = select(x < 0.0, small / (1.0 + small), select(x < 1.0, 0.567 + 0.433 * x, large - log + log / large))
    for _ in range(ROUNDS):
        rest = x - w - np.log(w)
        c = (1.0 + w) * (1.0 + w + 2.0 / 3.0 * rest)
        w = w * (1.0 + rest / (1.0 + w) * (c - 0.5 * rest) / (c - rest))
    return w
