"""Blocks as laws that can be compiled: a `SampledBlock` of a model runs them in hard real time too.

An `update` does on flat arrays what a call of its block does: from the same memory and the same sample the same answer.
What a block was given are its numbers; what it remembers is its memory, at first as `reset()` leaves it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from samara.model.sampled import NativeLaw, native_form
from samara.realtime.controllers.blocks.delay import Delay
from samara.realtime.controllers.blocks.filters import Derivative, Filter, MovingAverage, Unwrap
from samara.realtime.controllers.blocks.limits import DeadZone, RateLimit, Saturation
from samara.realtime.controllers.blocks.observer import Observer
from samara.realtime.controllers.blocks.state_space import StateSpaceBlock
from samara.realtime.controllers.blocks.transfer_function import TransferFunction

TURN = 2.0 * math.pi


def _numbers(*given: Any) -> np.ndarray:
    return np.concatenate([np.zeros(0), *(np.ravel(one) for one in given)])


# ---- linear systems
@native_form.register
def _(law: StateSpaceBlock) -> NativeLaw:
    n, inputs, outputs = len(law.A), law.B.shape[1], len(law.C)
    rows = np.block([[law.C, law.D], [law.A, law.B]])
    takes = ((inputs,), 1) if inputs == 1 else ((inputs,),)
    return NativeLaw(update_state_space, _numbers(rows), np.zeros(2 * n), takes, outputs)


def update_state_space(t, numbers, memory, u, y):
    """y = C x + D u, then x <- A x + B u: rows [C D; A B]; memory: x, and room for the next."""
    n, width = memory.size // 2, memory.size // 2 + u.size
    for i in range(y.size + n):
        total = 0.0
        for j in range(n):
            total += numbers[width * i + j] * memory[j]
        for j in range(u.size):
            total += numbers[width * i + n + j] * u[j]
        if i < y.size:
            y[i] = total
        else:
            memory[n + i - y.size] = total
    for i in range(n):
        memory[i] = memory[n + i]


@native_form.register
def _(law: Observer) -> NativeLaw:
    n, inputs, outputs = law._sizes
    takes = ((inputs, outputs), 2) if inputs == outputs == 1 else ((inputs, outputs),)
    return NativeLaw(update_observer, _numbers(law._by), np.zeros(n), takes, n)


def update_observer(t, numbers, memory, u, y):
    """x^ <- (A - L C) x^ + (B - L D) u + L y: rows of all three; what goes in is u, then y; the answer is x^."""
    n, width = memory.size, memory.size + u.size
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += numbers[width * i + j] * memory[j]
        for j in range(u.size):
            total += numbers[width * i + n + j] * u[j]
        y[i] = total
    for i in range(n):
        memory[i] = y[i]


@native_form.register
def _(law: TransferFunction) -> NativeLaw:
    order = law.denominator.size
    return NativeLaw(update_transfer, _numbers(law.numerator, law.denominator), np.zeros(order))


def update_transfer(t, numbers, memory, u, y):
    """y = b_0 u + w_1,  w_i <- b_i u - a_i y + w_(i+1); the last w stays zero."""
    n = memory.size
    y[0] = numbers[0] * u[0] + memory[0]
    for i in range(1, n):
        memory[i - 1] = numbers[i] * u[0] - numbers[n + i] * y[0] + memory[i]


@native_form.register
def _(law: Filter) -> NativeLaw:
    transfer = law.transfer
    return NativeLaw(
        update_filter,
        _numbers(transfer.numerator, transfer.denominator),
        np.zeros(transfer.denominator.size + 1),
    )


def update_filter(t, numbers, memory, u, y):
    """A transfer function that the first sample finds at rest; the last of the memory is 1 from then on."""
    n = memory.size - 1
    if memory[n] == 0.0:
        memory[n] = 1.0
        above, below = 0.0, 0.0
        for i in range(n):
            above += numbers[i]
            below += numbers[n + i]
        rest, w = u[0] * above / below, 0.0
        for i in range(n - 1, 0, -1):
            w += numbers[i] * u[0] - numbers[n + i] * rest
            memory[i - 1] = w
    y[0] = numbers[0] * u[0] + memory[0]
    for i in range(1, n):
        memory[i - 1] = numbers[i] * u[0] - numbers[n + i] * y[0] + memory[i]


# ---- one signal
@native_form.register
def _(law: Delay) -> NativeLaw:
    memory = np.full(law.samples + 1, law.initial)
    memory[-1] = 0.0
    return NativeLaw(update_delay, np.zeros(0), memory)


def update_delay(t, numbers, memory, u, y):
    """A ring of samples, and where it is."""
    n = memory.size - 1
    y[0] = u[0]
    if n > 0:
        at = int(memory[n])
        y[0], memory[at] = memory[at], u[0]
        memory[n] = float((at + 1) % n)


@native_form.register
def _(law: Saturation) -> NativeLaw:
    return NativeLaw(update_saturation, _numbers(law.lower, law.upper), np.zeros(0))


def update_saturation(t, numbers, memory, u, y):
    """y = u within [lower, upper]."""
    y[0] = numbers[0] if u[0] < numbers[0] else numbers[1] if u[0] > numbers[1] else u[0]


@native_form.register
def _(law: DeadZone) -> NativeLaw:
    return NativeLaw(update_dead_zone, _numbers(law.lower, law.upper), np.zeros(0))


def update_dead_zone(t, numbers, memory, u, y):
    """What goes beyond [lower, upper]."""
    y[0] = u[0] - numbers[1] if u[0] > numbers[1] else u[0] - numbers[0] if u[0] < numbers[0] else 0.0


@native_form.register
def _(law: RateLimit) -> NativeLaw:
    return NativeLaw(update_rate_limit, _numbers(law.rise * law.step, law.fall * law.step), np.zeros(2))


def update_rate_limit(t, numbers, memory, u, y):
    """y follows u by so much up, or so much down, per sample; memory: y, and 1 after the first sample."""
    y[0] = u[0]
    if memory[1] != 0.0:
        up, down = memory[0] + numbers[0], memory[0] - numbers[1]
        y[0] = up if u[0] > up else down if u[0] < down else u[0]
    memory[0], memory[1] = y[0], 1.0


@native_form.register
def _(law: Derivative) -> NativeLaw:
    return NativeLaw(update_derivative, _numbers(law.time, law.step), np.zeros(3))


def update_derivative(t, numbers, memory, u, y):
    """y <- (time y + u - u_1) / (time + h); memory: y, u_1, and 1 after the first sample."""
    if memory[2] != 0.0:
        memory[0] = (numbers[0] * memory[0] + u[0] - memory[1]) / (numbers[0] + numbers[1])
    memory[1], memory[2] = u[0], 1.0
    y[0] = memory[0]


@native_form.register
def _(law: MovingAverage) -> NativeLaw:
    return NativeLaw(update_moving_average, np.zeros(0), np.zeros(law.count + 2))


def update_moving_average(t, numbers, memory, u, y):
    """The mean of a ring; memory: the ring, where it is, how many samples there were. Neumaier's sum."""
    n = memory.size - 2
    at = int(memory[n])
    memory[at] = u[0]
    memory[n], memory[n + 1] = float((at + 1) % n), min(memory[n + 1] + 1.0, float(n))
    total, lost = 0.0, 0.0
    for i in range(n):
        more = total + memory[i]
        lost += (total - more) + memory[i] if abs(total) >= abs(memory[i]) else (memory[i] - more) + total
        total = more
    y[0] = (total + lost) / memory[n + 1]


@native_form.register
def _(law: Unwrap) -> NativeLaw:
    return NativeLaw(update_unwrap, np.zeros(0), np.zeros(3))


def update_unwrap(t, numbers, memory, u, y):
    """Whole turns that keep changes within pi; memory: the last angle, the turns, 1 after the first sample."""
    if memory[2] != 0.0:
        memory[1] -= TURN * np.rint((u[0] - memory[0]) / TURN)
    memory[0], memory[2] = u[0], 1.0
    y[0] = u[0] + memory[1]
