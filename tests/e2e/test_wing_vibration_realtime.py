"""A predictive controller in a process of its own, tuned while it runs; what is asserted is not how punctual it is."""

import numpy as np
import pytest

from samara import experiments
from samara.experiments.tiltrotors import wing_vibration_realtime as gusts
from samara.realtime.controllers.ready.wing_vibration import SWASHPLATE, WingVibration


@pytest.mark.slow
def test_the_loop_is_opened_and_closed_from_outside():
    """Every step is recorded; with the loop open and no dither nothing is commanded; what is keeps to the limit."""
    duration = 18.0
    found = experiments.find("wing-vibration-realtime").run(duration=duration)
    results = found.results
    assert found["dropped_rows"] == 0
    commands = np.column_stack([results[name] for name in SWASHPLATE])
    assert np.abs(commands).max() <= WingVibration().limit * (1.0 + 1e-12)
    ends = [part * duration for part, _ in gusts.ORDERS]
    opened = (results.time > ends[0] + 1.0) & (results.time < ends[1] - 0.2)
    assert (commands[opened] == 0.0).all()
    assert (commands[results.time < 3.0] != 0.0).any()  # it learns
    assert (commands[results.time > ends[1] + 1.0] != 0.0).any()
