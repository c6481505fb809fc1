"""Predictive control of a known model as a law that can be compiled: see `samara.realtime.controllers.blocks.native`.

What learns its model on the way designs its gains anew, which is no work for a time step: it stays Python.
"""

from __future__ import annotations

import numpy as np

from samara.model.sampled import NativeLaw, native_form
from samara.realtime.controllers.predictive.control import PredictiveControl
from samara.realtime.controllers.predictive.samples import LARGEST_NUMBER
from samara.tracing.driver.driver_cache import inner

#: Sizes at the head of the numbers: outputs, inputs, disturbances, past samples of these and of errors, regressor.
SIZES = 8


@native_form.register
def _(law: PredictiveControl) -> NativeLaw:
    lags = law.lags
    ny, nu, nw, n = lags.outputs, lags.inputs, lags.disturbances, lags.size
    sizes = [ny, nu, nw, lags.past_outputs, lags.past_inputs, lags.past_disturbances, lags.past_errors, n]
    matrices = (law.model.theta, law.gains.regressor, law.gains.last, law._still, law.lower, law.upper, law.largest)
    memory = np.zeros(n + 2 * nu + 2 * ny + nw + 2)
    memory[n - 1] = float(lags.constant)  # the regressor at rest
    takes: list[int | tuple[int, ...]] = [(ny, nw), (ny, nw, ny)]
    if nw == 0:
        takes += [(ny,), *([1] if ny == 1 else [])]
    numbers = np.concatenate([np.array(sizes, float), *(np.ravel(m) for m in matrices)])
    return NativeLaw(update_predictive, numbers, memory, tuple(takes), nu)


@inner
def _sizes(numbers):
    """Outputs, inputs, disturbances, size of the regressor; first place of its newest input."""
    ny, nu, nw, n = int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[7])
    return ny, nu, nw, n, ny * int(numbers[3])


@inner
def _take_in(numbers, memory, u):
    """The sample, and what was expected of it; where it is bad, what stands for it (`Regressor.mend`). Whether not."""
    ny, nu, nw, n, first_u = _sizes(numbers)
    expected, sample, first_w = n + 2 * nu, n + 2 * nu + ny, first_u + nu * int(numbers[4])
    largest, seen, measured = SIZES + n * ny + nu * (n + nu + ny + 2), True, True
    for j in range(ny):
        total = 0.0
        for i in range(n):
            total += memory[i] * numbers[SIZES + ny * i + j]
        memory[expected + j], memory[sample + j] = total, u[j]
        seen = seen and abs(u[j]) <= numbers[largest + j]
    for j in range(nw):
        measured = measured and abs(u[ny + j]) <= LARGEST_NUMBER
    for j in range(nw):
        memory[sample + ny + j] = u[ny + j] if measured else memory[first_w + j]
    for j in range(ny):
        if not seen:
            past = 0.0
            for k in range(int(numbers[3])):
                past = max(past, abs(memory[ny * k + j]))
            guess = memory[expected + j] if abs(memory[expected + j]) < np.inf else memory[j]
            memory[sample + j] = min(max(guess, -past), past)
    return seen and measured


@inner
def _grow_older(numbers, memory):
    """Past outputs, inputs, disturbances and errors; the newest control is not known yet, and zero."""
    ny, nu, nw, n, _ = _sizes(numbers)
    expected, sample, start = n + 2 * nu, n + 2 * nu + ny, 0
    for part in range(4):
        width = nu if part == 1 else nw if part == 2 else ny
        end = start + width * int(numbers[3 + part])
        for i in range(end - 1, start + width - 1, -1):
            memory[i] = memory[i - width]
        for j in range(min(width, end - start)):
            if part == 0:
                memory[start + j] = memory[sample + j]
            elif part == 1:
                memory[start + j] = 0.0
            elif part == 2:
                memory[start + j] = memory[sample + ny + j]
            else:
                memory[start + j] = memory[sample + j] - memory[expected + j]
        start = end


def update_predictive(t, numbers, memory, u, y):
    """A call of `PredictiveControl`; what goes in is a sample of the outputs, of disturbances, and set points, if any.

    memory: the regressor, the last control, the one that is wanted, room for the prediction and for the sample, how
    many samples were bad, and how many answers were held.
    """
    ny, nu, nw, n, first_u = _sizes(numbers)
    output, wanted, counts = n, n + nu, n + 2 * nu + 2 * ny + nw
    regressor = SIZES + n * ny
    last, still, lower = regressor + nu * n, regressor + nu * (n + nu), regressor + nu * (n + nu + ny)
    sure = good = _take_in(numbers, memory, u)
    _grow_older(numbers, memory)
    for j in range(ny + nw, u.size):
        sure = sure and abs(u[j]) <= LARGEST_NUMBER
    for i in range(nu):
        total = 0.0
        for j in range(n):
            total -= numbers[regressor + n * i + j] * memory[j]
        for j in range(nu):
            total += numbers[last + nu * i + j] * memory[output + j]
        for j in range(u.size - ny - nw):
            total += numbers[still + ny * i + j] * u[ny + nw + j]
        memory[wanted + i] = total
        sure = sure and abs(total) < np.inf
    for i in range(nu):
        if not sure:
            memory[wanted + i] = memory[output + i]
        y[i] = min(max(memory[wanted + i], numbers[lower + i]), numbers[lower + nu + i])
        memory[output + i] = memory[first_u + i] = y[i]
    memory[counts] += 0.0 if good else 1.0
    memory[counts + 1] += 0.0 if sure else 1.0
