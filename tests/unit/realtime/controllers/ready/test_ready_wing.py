"""The ready controller of the wing: a bad sample of a sensor passes by."""

import math

import numpy as np
import pytest

from samara.realtime.controllers import Measures
from samara.realtime.controllers.ready.wing_vibration import WING, WingVibration


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e200])
def test_a_bad_sample_of_the_wing(bad):
    """Neither filters nor the watch remember it: answers are finite, held once, and go on."""
    controller, y = WingVibration(learning=0.5), Measures(WING)
    controller.period = controller.elapsed = 0.01
    controller.start(0.0, y)
    answers = []
    for k in range(120):
        y.values[:] = [2e-3 * math.sin(0.3 * k + i) for i in range(len(WING))]
        if k == 80:
            y.values[1] = bad
        answers.append(controller.step(0.01 * k, y))
    assert controller.law.closed
    assert np.isfinite(answers).all()
    assert answers[80] == answers[79] != answers[119]
    assert (controller.law.bad, controller.law.held) == (1, 1)
    # three waves of 2 mm: their mean square is below that of the peaks, doubled for the filters' start
    assert 0.0 < controller.size < 3 * (2 * 2e-3) ** 2
