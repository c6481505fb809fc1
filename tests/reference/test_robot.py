"""Two-link flexible robot (Attolico and Masarati 2003, table 1): its links, its size, its motion as a whole.

The table gives lengths, masses and bending stiffnesses; frequencies of a clamped link follow from them by the
Euler-Bernoulli beam, 3.516 and 22.034 sqrt(EI / (m L^3)) / (2 pi), and were derived so, to three decimals, by those who
collected the data. The motion is compared with the rigid robot, integrated in joint angles by SciPy
(`samara.models.robots.robot_rigid`).
"""

import numpy as np
import pytest

import samara as sm
from samara.models import find
from samara.models.robots import robot
from samara.models.robots.robot_rigid import rigid_motion

FREQUENCIES = {"link_1": (robot.STEEL, (4.161, 26.077)), "link_2": (robot.ALUMINIUM, (2.066, 12.947))}
STEP = 1 / 330  # of the source


@pytest.mark.parametrize("name", FREQUENCIES)
def test_clamped_links(name):
    """In the plane. First mode within the three decimals; second within 0.2 %, what lumped masses leave (order two)."""
    link, expected = FREQUENCIES[name]
    found = sm.modes(robot.clamped_link(link, beams=8))
    plane = found.frequencies_hz[found.share((1, 5)) > 0.9]
    assert plane[0] == pytest.approx(expected[0], abs=6e-4)
    assert plane[1] == pytest.approx(expected[1], rel=2e-3)


@pytest.mark.parametrize("name", FREQUENCIES)
def test_one_beam_a_link_has_the_first_frequency(name):
    """The source's mesh: 0.35 % is seen. A second mode is beyond three nodes."""
    link, expected = FREQUENCIES[name]
    found = sm.modes(robot.clamped_link(link))
    assert found.frequencies_hz[found.share((1, 5)) > 0.9][0] == pytest.approx(expected[0], rel=5e-3)


def test_number_of_equations():
    """84 in the paper, with 12 a node; ours have 6, and torques are no unknowns."""
    model = robot.build()
    count = robot.equations(model)
    assert count["source"] == 84
    assert count["samara"] == 46 == sm.System(model).unknowns.size


def run(step=STEP, end=4.0, radius=0.6, **settings):
    model = robot.build(beams=2, **settings)
    sim = sm.Simulation(model, sm.TwoStep(radius), tolerance=1e-11)
    return model, sm.transient(sim, end, step, progress=False)


def test_free_motion():
    """Nothing acts: the motion stays in the plane, the moment of momentum about the first hinge stays as it is.

    Its error is that of the scheme, h^2: a quarter for half the step. Energy is only lost, to the scheme's damping:
    of vibrations that the sudden start brings along, 2e-4 of the energy at most.
    """
    errors = []
    for step in (STEP, STEP / 2):
        model, out = run(step, pulse_1=0.0, pulse_2=0.0, rate_1=1.0, rate_2=-2.0, angle_2=1.0)
        momentum = robot.angular_momentum(model, out)
        errors.append(np.abs(momentum / momentum[0] - 1).max())
        energy = out["model.kinetic"] + out["model.potential"]
        assert np.abs(out["link_2.n4.position"][:, 2]).max() < 1e-12
        assert (energy < energy[0] * (1 + 1e-9)).all()
        assert energy[-1] > energy[0] - out["model.potential"].max()
    assert errors[0] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize(("time", "within"), [(2.4, 1e-3), (4.8, 2.5e-4)])
def test_a_pulse_moves_the_links_as_if_rigid(time, within):
    """On average over their bending, that is, along their chords.

    The torques change slowly beside the first mode of the robot (9 Hz): bending follows them as in statics, and takes
    the chord off its place by some (acceleration / omega^2), which is a quarter at half the rate of change. Torques
    scale so that the links go equally far.
    """
    slower = (2.4 / time) ** 2
    pulses = {"pulse_1": 1.0 * slower, "pulse_2": -0.1 * slower, "pulse_time": time}
    model, out = run(STEP, 1.5 * time, angle_2=0.5, **pulses)
    expected = rigid_motion(1.0 * slower, -0.1 * slower, time, 0.5, 1.5 * time)(out.time)
    chords = np.array([out["link_1.n4.position"], out["link_2.n4.position"] - out["link_1.n4.position"]])
    first, second = np.unwrap(np.arctan2(chords[:, :, 1], chords[:, :, 0]))
    assert np.abs(expected[:2, -1] - [0.0, 0.5]).min() > 0.5  # it goes far
    assert np.abs(first - expected[0]).max() < within
    assert np.abs(second - expected[0] - expected[1]).max() < within
    # impulse and momentum, whatever bends: trapezoids are exact to h^2
    torque = -out["motor_1.effort"]
    impulse = np.concatenate([[0.0], np.cumsum(0.5 * STEP * (torque[1:] + torque[:-1]))])
    assert robot.angular_momentum(model, out) == pytest.approx(impulse, abs=1e-5)


def test_a_torque_can_be_fed():
    """A controller's way in: the inputs do what the pulses do."""
    model = find("robot").make(pulse_1=0.0, pulse_2=0.0)
    sim = sm.Simulation(model)
    sim.system.set_input("torque_1", 0.5)
    out = sm.transient(sim, 0.2, STEP, progress=False)
    assert robot.angular_momentum(model, out)[-1] == pytest.approx(0.5 * out.time[-1], rel=1e-6)
    sim.system.set_input("torque_1", 0.0)
    sim.system.set_input("torque_2", 0.3)  # between the links: no momentum for the whole
    later = sm.transient(sim, 0.4, STEP, progress=False)
    change = robot.angular_momentum(model, later)[-1] - robot.angular_momentum(model, out)[-1]
    # the torque ends at the jump; one step more of it would be 1.5e-3
    assert change == pytest.approx(0.0, abs=1e-3 * 0.5 * STEP)


def test_other_arms_are_refused():
    with pytest.raises(sm.ModelError, match="arm must be one of beam, modal, got 'rope'"):
        find("robot").make(arm="rope")


def test_a_modal_arm_agrees_with_the_beam_arm():
    """Under the pulses: angles of 0.3 rad, links that bend by some millimetres, at 0.3 rad/s."""
    runs = {}
    for arm, beams in (("beam", 8), ("modal", 1)):
        results = sm.transient(robot.build(arm=arm, beams=beams), 3.6, 1 / 330, progress=False)
        runs[arm] = np.column_stack([results["joint_1.angle"], results["joint_2.angle"]])
    assert np.ptp(runs["beam"][:, 0]) > 0.3
    # linear modes leave out what bending shortens, of the order of (bending / length)^2 = 1e-5
    assert np.abs(runs["beam"] - runs["modal"]).max() < 3e-5
