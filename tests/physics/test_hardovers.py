"""Controls that jump to their limits, and attitudes far from flight, in real time on a clock that is made up."""

import json
import subprocess
import sys

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.system.memory.blocks import POSITION, ROTATION


def places(sim: sm.Simulation) -> np.ndarray:
    return np.array([sim.state.pose(node).p for node in sim.model.nodes.values()])


@pytest.mark.parametrize(
    ("name", "settings", "rate", "parameter", "jump"),
    [
        ("puma", {}, 400, "collective", np.deg2rad(5.0)),
        ("puma", {}, 400, "collective", np.deg2rad(-5.0)),
        ("helicopter", {"release": 0.5}, 400, "pedal", np.deg2rad(10.0)),
        ("helicopter", {"release": 0.5}, 400, "collective", np.deg2rad(5.0)),
        ("helicopter", {"release": 0.5}, 400, "theta1s", np.deg2rad(8.0)),
        ("tiltrotor", {}, 1000, "regulator_gain", -7.35),
        ("wrats", {}, 600, "collective", np.deg2rad(10.0)),
    ],
)
def test_a_hardover_is_that_of_a_run_off_line(name, settings, rate, parameter, jump):
    """At 0.5 s, and half a second after it. Bounded iterations and a tolerance of 1e-6 leave 1e-3 of the size."""
    assert apart(name, settings, rate, parameter, jump) < 1e-3


@pytest.mark.parametrize(
    ("name", "settings", "parameter", "jump"),
    [
        ("puma", {"blades": "elastic"}, "collective", np.deg2rad(5.0)),
        ("puma", {"blades": "elastic"}, "collective", np.deg2rad(-5.0)),
        ("helicopter", {"release": 0.5}, "pedal", np.deg2rad(-15.0)),
        pytest.param("helicopter", {"release": 0.5, "blades": "elastic"}, "pedal", 0.17, marks=pytest.mark.slow),
    ],
)
def test_harder_ones_take_a_step_in_parts(name, settings, parameter, jump):
    """Blades are turned too far for one step, which is divided as off-line; undivided, by Euler's formula, it runs too.

    Parts are found with fewer iterations and to 1e-6; off-line, a quarter of the step moves the result by 2e-2, and so
    may bounded iterations and Euler's formula. With the pedal at -15 degrees a run in real time ends 0.14 m from one at
    a sixteenth of the step, off-line 0.04 m.
    """
    assert apart(name, settings, 400, parameter, jump) < 2e-2
    assert apart(name, settings, 400, parameter, jump, substeps=1) < 2e-2


def apart(name, settings, rate, parameter, jump, **options) -> float:
    """Largest distance of a node in real time from where it is off-line, of the size of the model."""
    ready = models.find(name)
    half = rate // 2
    with RealTime(ready.make(**settings), rate, clock=made_up(), **options) as runner:
        assert runner.run(0.5).ended == "done"
        runner.sim.system.set_parameter(parameter, runner.sim.model.parameters[parameter].value + jump)
        report = runner.run(0.5)
    assert report.ended == "done", report.message
    stepper = sm.Stepper(ready.make(**settings), step=1.0 / rate)
    stepper.advance(half)
    before = places(stepper.sim)
    stepper.sim.system.set_parameter(parameter, stepper.sim.model.parameters[parameter].value + jump)
    stepper.advance(half)
    found, wanted, size = places(runner.sim), places(stepper.sim), runner.sim.length
    assert np.abs(wanted - before).max() > 1e-2 * size  # it moves
    return float(np.abs(found - wanted).max() / size)


ANGLES = (0.0, 45.0, 90.0, 135.0, 180.0)


# at 90 degrees of pitch no balance of the swashplate is found at the start
@pytest.mark.filterwarnings("ignore:model 'helicopter'. no initial equilibrium was found:UserWarning")
@pytest.mark.parametrize("angles", [{"roll_deg": a} for a in ANGLES] + [{"pitch_deg": a} for a in ANGLES[1:]])
def test_a_helicopter_of_any_attitude(angles):
    """Held at first, let go at 0.5 s, without autopilot: it falls, at most by g t^2 / 2 and its thrust, upside down."""
    model = models.find("helicopter").make(
        release=0.5, augmented=False, **{"roll_deg": 0.0, "pitch_deg": 0.0, **angles}
    )
    with RealTime(model, 400, clock=made_up()) as runner:
        report = runner.run(1.5)
    assert report.ended == "done", report.message
    R = runner.sim.system.state.read(model.nodes["fuselage"], ROTATION, 9).reshape(3, 3)
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-9
    z = float(runner.sim.system.state.read(model.nodes["fuselage"], POSITION, 3)[2])
    assert -1.2 * 9.81 * 1.0**2 < z < 1.0


@pytest.mark.filterwarnings("ignore:model 'helicopter'. no initial equilibrium was found:UserWarning")
@pytest.mark.parametrize("angles", [{"roll_deg": 180.0}, {"pitch_deg": 90.0}, {"pitch_deg": 180.0}])
def test_the_autopilot_of_any_attitude(angles):
    """The loop goes on, though at 90 degrees of pitch heading and roll are one; what it flies is not judged here."""
    with RealTime(models.find("helicopter").make(**angles), 400, clock=made_up()) as runner:
        report = runner.run(3.0)
    assert report.ended == "done", report.message
    assert np.isfinite(runner.sim.state.copy()).all()


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--policy", "degrade", "--substeps", "8"), ("--set", "roll_deg=120")])
def test_the_command_line_flies_it(tmp_path, options):
    """In real time of the machine: how late steps are is the machine's affair, that it flies is ours."""
    command = ["realtime", "helicopter", "--rate", "400", "--duration", "1.0", "--no-browser", "--json", *options]
    done = subprocess.run([sys.executable, "-m", "samara", *command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ended"] == "done"
