"""Numbers by their bits: those that are not negative are ordered as the integers of the same bits, nan above all.

So the largest of many is found several at a time, and none that is no number is lost.
"""

from __future__ import annotations

import numpy as np

from samara.tracing.driver.driver_cache import inner


@inner
def bits_of(x):
    """An integer of the same bits."""
    return np.float64(x).view(np.int64)


@inner
def number_of(bits):
    """The number of these bits."""
    return np.int64(bits).view(np.float64)


@inner
def largest_of(a, b):
    """The larger of two numbers that are not negative; nan if one of them is."""
    return number_of(max(bits_of(a), bits_of(b)))


@inner
def largest_in(x):
    """Largest absolute value in an array."""
    largest = 0
    for i in range(x.size):
        largest = max(largest, bits_of(abs(x[i])))
    return number_of(largest)
