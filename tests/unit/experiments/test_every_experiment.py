"""Every experiment that `samara experiment` lists runs to its end in a short form, and gives findings and a figure."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from samara import experiments

#: Settings of a short form. None: another test runs it, in Python or by the command, or a figure of the documentation.
SHORT: dict[str, dict | None] = {
    "cosimulation": {"case": "ball", "halvings": 1},
    "engine-failure": None,
    "forward-flight-sweep": None,
    "helicopter-trim": None,
    "hover-sweep": None,
    "hydraulic-beam": {"pieces": 4, "elements": 2},
    "lag-dampers": None,
    "landing": None,
    "pendulum-killed-controller": None,
    "pendulum-realtime": None,
    "puma-flight-123": None,
    "puma-hydraulic": {},
    "puma-realtime": None,
    "robot-motors": None,
    "robot-realtime": None,
    "rotor-sailing": None,
    "rotor-vibration": {"turns": 50, "steps": 60},
    "sailing-map": None,
    "tiltrotor-stability": None,
    "windmill-gust": None,
    "windmill-realtime": None,
    "windmill-spin-up": None,
    "wing-vibration": None,
    "wing-vibration-realtime": None,
    "xcell-steps": None,
}


def test_none_is_forgotten(root):
    assert sorted(SHORT) == sorted(experiments.names())
    files = [*(root / "tests").rglob("test_*.py"), *(root / "docs" / "figures").glob("*.py")]
    text = "".join(path.read_text("utf-8") for path in files if path.name != "test_every_experiment.py")
    for name, short in SHORT.items():
        runs = rf'find\(\s*"{name}"\)\s*\.run\(|drawn\("{name}"\)|\["experiment", "{name}"'
        assert short is not None or re.search(runs, text), name


@pytest.mark.parametrize("name", [name for name, short in SHORT.items() if short is not None])
def test_it_runs_to_its_end(name):
    outcome = experiments.find(name).run(**SHORT[name])
    assert outcome.findings and not outcome.problem
    for finding in outcome.findings:
        assert np.isfinite(finding.value), finding
    assert len(outcome.results.time) > 1
    for row in outcome.sheet.rows if outcome.sheet else ():
        assert len(row) == len(outcome.sheet.head)
    drawn = outcome.draw()
    assert any(axes.has_data() for axes in drawn.axes)
    plt.close(drawn)
