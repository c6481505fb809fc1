"""Numbers by their bits: non-negative numbers have the same order as the integers of the same bits, with nan above all.

The largest of many can thus be found several at a time, and no nan is lost.
"""

from __future__ import annotations

import numpy as np

from samara.tracing.driver.driver_cache import inner


@inner
def bits_of(x):
    """The integer with the same bits."""
    return np.float64(x).view(np.int64)


@inner
def number_of(bits):
    """The number with these bits."""
    return np.int64(bits).view(np.float64)


@inner
def largest_of(a, b):
    """The larger of two non-negative numbers; nan if either is nan."""
    return number_of(max(bits_of(a), bits_of(b)))


@inner
def largest_in(x):
    """Largest absolute value in an array."""
    largest = 0
    for i in range(x.size):
        largest = max(largest, bits_of(abs(x[i])))
    return number_of(largest)
