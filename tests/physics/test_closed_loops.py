"""Ready controllers around ready models, off-line: each sample answered before the next step, or a sample late."""

import math

import numpy as np
import pytest

import samara as sm
from samara import Air, TwoParabolas, naca0012
from samara.models import find
from samara.models.robots.robot import ALUMINIUM, STEEL, angular_momentum
from samara.models.tiltrotors import tiltrotor as craft
from samara.realtime.controllers import Measures, SimulatedLink, run
from samara.realtime.controllers.ready import (
    PendulumLift,
    PendulumLiftByVoltage,
    PendulumSwing,
    PendulumSwingByVoltage,
    RobotPath,
    RobotPathByVoltage,
    TiltrotorSpeed,
)


def quiet(line):
    pass


def pendulum(controller, end, delay=0, **options):
    """From hanging, at 1 kHz; results, and the angle made continuous."""
    link = SimulatedLink(find("pendulum").make(motor=True, angle=0.0, **options), 1000.0, end, delay=delay)
    summary = run(controller, link, report=quiet)
    assert (summary.missed, summary.exceptions, summary.not_finite) == (0, 0, 0)
    results = link.results()
    return results, np.unwrap(results["hinge.angle"])


@pytest.mark.parametrize(("limit", "delay"), [(1.5, 1), (4.0, 0)])
def test_a_weak_motor_swings_the_pendulum_up_and_holds_it(limit, delay):
    """The torque is a sixth, or four tenths, of what holds the pendulum out sideways, m g l = 9.81 N m."""
    results, angle = pendulum(PendulumSwing(limit=limit), 14.0, delay)
    assert np.abs(results["motor.effort"]).max() <= limit * (1 + 1e-12)
    assert np.abs(np.abs(angle[-3000:]) - math.pi).max() < 1e-3
    # the energy that it holds then is what was fed: torque times rate, by trapezoids of the held torque
    energy = 9.81 * (1.0 - np.cos(angle)) + 0.5 * results["hinge.angle_rate"] ** 2
    power = -results["motor.effort"] * results["hinge.angle_rate"]
    work = np.concatenate([[0.0], np.cumsum(0.5e-3 * (power[1:] + power[:-1]))])
    assert work[-1] == pytest.approx(energy[-1], abs=0.02)
    assert energy[-1] == pytest.approx(2 * 9.81, rel=1e-6)


def test_the_pendulum_is_held_against_a_push():
    """Upright, and 0.1 rad/s of it: within what the torque can bring back, |z| < limit / (m g l) = 0.4."""
    link = SimulatedLink(find("pendulum").make(motor=True, angle=math.pi - 0.2, rate=0.1), 1000.0, 4.0)
    run(PendulumSwing(), link, report=quiet)
    off = np.abs(np.mod(link.results()["hinge.angle"], 2 * math.pi) - math.pi)
    assert off.max() < 0.25  # it never went round
    assert off[-1] < 1e-4


def test_a_strong_motor_lifts_it_by_angle_and_rate():
    """The law of the source: m l^2 q'' = k (pi - q) - c q' - m g l sin q, against SciPy's; it does not go round."""
    from scipy.integrate import solve_ivp

    results, angle = pendulum(PendulumLift(), 4.0)
    law = PendulumLift()

    def slopes(t, x):
        return [x[1], law.stiffness * (math.pi - x[0]) - law.damping * x[1] - 9.81 * math.sin(x[0])]

    expected = solve_ivp(slopes, (0.0, 4.0), [0.0, 0.0], rtol=1e-10, atol=1e-12, t_eval=results.time).y[0]
    # a held torque acts half a sample late on the average: 0.5 ms at up to 8 rad/s, and damped
    assert np.abs(angle - expected).max() < 6e-3
    assert angle[-1] == pytest.approx(math.pi, abs=1e-4)


@pytest.mark.parametrize("electric", [False, True])
def test_a_lift_that_rubs_sticks_where_it_must(electric):
    """On the way up it stops where the law's spring, less the weight, is as strong as the friction:

    (stiffness - m g l) d = friction + 0.1 * 0.02 m * m g, the last by what the bob's weight presses on the hinge.
    """
    kind = PendulumLiftByVoltage if electric else PendulumLift
    _, angle = pendulum(kind(), 4.0, electric=electric, friction=0.1)
    assert math.pi - angle[-1] == pytest.approx((0.1 + 0.002 * 9.81) / (30.0 - 9.81), rel=1e-3)
    assert np.ptp(angle[-500:]) < 1e-5  # rad: it has come to rest


@pytest.mark.parametrize("delay", [0, 1])
def test_a_direct_current_motor_swings_the_pendulum_up(delay):
    """As by a torque that lags by the armature's L / R = 1 ms; and what the source gives goes into heat and motion."""
    results, angle = pendulum(PendulumSwingByVoltage(), 9.0, delay, electric=True)
    assert np.abs(np.abs(angle[-3000:]) - math.pi).max() < 1e-3
    i, V = results["motor.current.value"], results["motor.voltage"]
    assert np.abs(results["motor.torque"]).max() < 4.0 * 1.05  # a held voltage overshoots while the rate changes
    fed = V * i - i**2 - 1e-3 * i * np.gradient(i, results.time)  # V i - R i^2 - L i di/dt: what is not heat or field
    given = np.concatenate([[0.0], np.cumsum(0.5e-3 * (fed[1:] + fed[:-1]))])
    energy = 9.81 * (1.0 - np.cos(angle)) + 0.5 * results["hinge.angle_rate"] ** 2
    assert np.abs(energy - given).max() < 0.02 * 19.62


def test_a_gain_changed_on_the_way_acts():
    """The torque in a step is that for the sample before it, with the gain of that moment."""
    link = SimulatedLink(find("pendulum").make(motor=True, angle=0.0), 1000.0, 3.0)
    controller = PendulumLift()
    run(controller, link, duration=0.5, report=quiet)
    link.change(stiffness=60.0)
    run(controller, link, report=quiet)
    results = link.results()
    angle, rate, torque = results["hinge.angle"], results["hinge.angle_rate"], -results["motor.effort"]
    for k, stiffness in ((300, 30.0), (700, 60.0)):
        expected = stiffness * (math.pi - np.unwrap(angle)[k]) - 9.0 * rate[k]
        assert torque[k + 1] == pytest.approx(expected, rel=1e-9)
    assert abs(abs(angle[-1]) - math.pi) < 1e-3


def test_a_lift_found_beyond_the_top_comes_back_the_short_way():
    link = SimulatedLink(find("pendulum").make(motor=True, angle=math.pi + 0.3), 1000.0, 2.0)
    run(PendulumLift(), link, report=quiet)
    assert np.ptp(np.unwrap(link.results()["hinge.angle"])) < 0.35


def robot(rate, controller=None, delay=0, outputs=("joint_*", "motor_*", "link_*.n2*"), **options):
    """The robot on its path, all of it, and 3.5 s more; model, results, errors of the joints [rad]."""
    kind = {"damping": 1e-3, **options}
    if "motor" not in kind:
        kind |= {"pulse_1": 0.0, "pulse_2": 0.0}
    model = find("robot").make(**kind)
    link = SimulatedLink(model, rate, 9.0, delay=delay, outputs=outputs)
    run(controller or RobotPath(), link, report=quiet)
    results = link.results()
    return model, results, np.array([results[f"joint_{k}.angle"] - wanted(results.time) for k in (1, 2)])


def wanted(times):
    path = TwoParabolas(0.0, math.pi / 2, 5.0, begin=0.5)
    return np.array([path(t).position for t in times])


def rigid_robot(rate, samples):
    """Errors of the joints of the same robot with rigid links under the same controller: RK4 between the samples.

    [a + c + 2 b cos q, c + b cos q; c + b cos q, c] (u', v') = (T_1 + b sin q v (2 u + v), T_2 - b sin q u^2)
    """
    first, second = (link.mass / 3 for link in (STEEL, ALUMINIUM))
    a, b, c = first + ALUMINIUM.mass, ALUMINIUM.mass / 2, second
    controller, y = RobotPath(), Measures(RobotPath.sensors)
    controller.period = h = 1.0 / rate
    controller.start(0.0, y)

    def slopes(x, torque):
        _, q, u, v = x
        cos, sin = b * math.cos(q), b * math.sin(q)
        f, g = torque[0] + sin * v * (2 * u + v), torque[1] - sin * u * u
        m11, m12, m22 = a + c + 2 * cos, c + cos, c
        det = m11 * m22 - m12 * m12
        return np.array([u, v, (m22 * f - m12 * g) / det, (m11 * g - m12 * f) / det])

    x, angles = np.zeros(4), []
    for k in range(samples):
        angles.append(x[:2].copy())
        y.values[:] = x[:2].tolist()
        torque = controller.step(k * h, y)
        k1 = slopes(x, torque)
        k2 = slopes(x + 0.5 * h * k1, torque)
        k3 = slopes(x + 0.5 * h * k2, torque)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + slopes(x + h * k3, torque))
    return np.array(angles).T - wanted(h * np.arange(samples))


@pytest.mark.parametrize(("rate", "delay"), [(330.0, 0), (330.0, 1), (3300.0, 0)])
def test_the_robot_follows_its_path(rate, delay):
    """0 to 90 degrees in 5 s, errors of some degrees, as those of the rigid robot under the same controller.

    The source shows its errors in a figure that is not at hand. Between rigid and flexible: the root of a link turns
    by what torques of 1 N m and 0.2 N m bend it, T L / (3 EI) = 2 and 7 mrad, and as much again as it swings.
    """
    _, results, error = robot(rate, delay=delay)
    expected = rigid_robot(rate, len(results.time))
    worst = np.degrees(np.abs(error).max(axis=1))
    assert 1.0 < worst[0] < 3.0 and 2.0 < worst[1] < 6.0
    assert np.abs(error[0] - expected[0]).max() < 4e-3
    assert np.abs(error[1] - expected[1]).max() < 14e-3
    assert np.abs(error[:, -1]).max() < math.radians(0.3)


@pytest.fixture(scope="module")
def plain():
    """The robot at 330 Hz as it is."""
    return robot(330.0)


def test_links_do_not_stretch_on_the_way(plain):
    """As the source notes of its figures 6 to 8: the end of the first link stays on its circle, that of the second
    within what it bends."""
    _, results, _ = plain
    radius = np.linalg.norm(results["link_1.n2.position"][:, :2], axis=1)
    assert np.abs(radius - 1.0).max() < 1e-3
    reach = np.linalg.norm(results["link_2.n2.position"] - results["link_1.n2.position"], axis=1)
    assert np.abs(reach - 1.0).max() < 1e-3
    end = results["link_2.n2.position"][-1]
    assert end[:2] == pytest.approx([-1.0, 1.0], abs=0.02)  # folded over by 180 degrees


def test_what_the_path_takes_can_be_fed_ahead(plain):
    """The errors shrink to what the rigid inertia does not know: the second link's changing place, and bending."""
    *_, helped = robot(330.0, RobotPath(inertia_1=3.8, inertia_2=0.8))
    assert (np.abs(helped).max(axis=1) < 0.4 * np.abs(plain[2]).max(axis=1)).all()


def test_joints_that_rub():
    """Friction of 0.5 N m: angular momentum is what the first motor gives less what its joint takes.

    The torque is held over each step, at the value that is recorded at its end; friction goes on by trapezoids.
    """
    model, results, error = robot(330.0, outputs=("*",), friction=0.5)
    taken = 0.02 * results["joint_1.friction"]
    sliding = (results.time > 1.5) & (results.time < 4.5)
    assert taken[sliding] == pytest.approx(0.5, rel=1e-2)  # what the links pull adds 0.1 * 0.02 m * 2 N
    held = -results["motor_1.effort"][1:] - 0.5 * (taken[1:] + taken[:-1])
    impulse = np.concatenate([[0.0], np.cumsum(held / 330)])
    momentum = angular_momentum(model, results)
    assert momentum.max() > 1.5
    assert np.abs(momentum - impulse).max() < 2e-3
    assert np.abs(error[:, -1]).max() < math.radians(1.0)  # it may stick off its place


def test_direct_current_motors(plain):
    """The same path by voltage: V = R i + k rate at slow change, and i = torque / k."""
    _, results, error = robot(330.0, RobotPathByVoltage(), motor="voltage")
    assert np.abs(error).max(axis=1) == pytest.approx(np.abs(plain[2]).max(axis=1), rel=0.1)
    i, rate = results["motor_1.current.value"], results["motor_1.angle_rate"]
    steady = (results.time > 2.0) & (results.time < 2.8)
    V = results["motor_1.voltage"][steady]
    # the voltage is held between the samples, up to L / (R h) = 0.3 of its change in one
    assert (1.0 * i + 2.0 * rate)[steady].mean() == pytest.approx(V.mean(), rel=1e-2)


def test_the_tiltrotors_governor_outside(monkeypatch):
    """A gust of 10 %: the rotor goes as with its controller inside, but for the lag of the actuator and one sample.

    The sum takes the error a sample late on one side (half of one), and the answer is held (half). The difference is
    proportional to the whole lag: (1 + 1) / (5 + 1) of it is left with an actuator of 1 ms.
    """
    pitch = craft.BLADE.windmill_pitch(naca0012(), Air.standard(), 50.0, craft.SPEED)
    wind = sm.Cosine(5.0, 0.2, start=0.3, initial=50.0)
    kind = {"wing": False, "gimbal": "joint", "wind": wind, "target": craft.SPEED, "speed": craft.SPEED, "pitch": pitch}
    inside = sm.transient(craft.tiltrotor(**kind), 3.0, 1e-3, outputs=("rotor.*",), tolerance=1e-6, progress=False)
    expected, off = inside["rotor.speed"], []
    for lag in (5e-3, 1e-3):
        monkeypatch.setattr(craft, "ACTUATOR", lag)
        link = SimulatedLink(craft.tiltrotor(**kind, outside=True), 1000.0, 3.0, tolerance=1e-6, outputs=("rotor.*",))
        run(TiltrotorSpeed(), link, report=quiet)
        speed = link.results()["rotor.speed"]
        assert speed[-1] == pytest.approx(craft.SPEED, abs=0.02)
        off.append(np.abs(speed - expected).max())
    assert off[0] < 0.1 * np.ptp(expected)
    assert off[1] / off[0] == pytest.approx(2.0 / 6.0, rel=0.1)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("robot: motor must be one of torque, voltage, current, got 'steam'", {"motor": "steam"}),
        ("robot: friction must not be negative, got -1 N m", {"friction": -1.0}),
    ],
)
def test_other_robots_are_refused(words, options):
    with pytest.raises(sm.ModelError, match=words):
        find("robot").make(**options)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("pendulum: electric says what kind of motor it is: set motor=true as well", {"electric": True}),
        ("pendulum: friction must not be negative, got -1 N m", {"friction": -1.0}),
    ],
)
def test_other_pendulums_are_refused(words, options):
    with pytest.raises(sm.ModelError, match=words):
        find("pendulum").make(**options)


def test_an_integral_law_that_misses_samples(monkeypatch):
    """Every second answer of the tiltrotor's governor is left out: as at half the rate, not with half the gain.

    At half the rate its own step of 2 ms adds 1 ms of lag to the 6.5 ms that it has: a sixth of what they do.
    """

    class Every(SimulatedLink):
        def wait(self, timeout=0.0):
            for _ in range(1 if self._sequence == 0 or not skipping else 2):
                sample = super().wait(timeout)
            return sample

    kind = {"wing": False, "outside": True, "gust": 10.0, "gust_start": 0.1}
    speeds = []
    for skipping in (False, True):
        link = Every(find("tiltrotor").make(**kind), 1000.0, 1.5, tolerance=1e-6, outputs=("rotor.*",))
        summary = run(TiltrotorSpeed(), link, report=quiet)
        assert summary.missed == (750 if skipping else 0)
        speeds.append(link.results()["rotor.speed"])
    change = np.ptp(speeds[0])
    assert np.abs(speeds[1] - speeds[0]).max() < 0.1 * change
