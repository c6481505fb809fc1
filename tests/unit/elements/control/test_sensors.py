"""Sensors of motion as signals, and noise: its statistics, its spectrum, and that steps do not change it."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_from_axes

BANDWIDTH, PERIOD, DEVIATION = 20.0, 8.0, 0.3


def noise(seed=1, **options):
    return sm.BandLimitedNoise(
        **{"deviation": DEVIATION, "bandwidth": BANDWIDTH, "period": PERIOD, "seed": seed} | options
    )


def sampled(drive, count=4096):
    t = np.arange(count) * (PERIOD / count)
    return t, np.array([float(drive(x)) for x in t])


def test_noise_has_its_mean_deviation_and_spectrum_over_a_period():
    for seed in range(3):
        _, y = sampled(noise(seed))
        assert y.mean() == pytest.approx(0.0, abs=1e-6)
        assert y.std() == pytest.approx(DEVIATION, rel=1e-3)  # the spline between 16 points in the shortest wave
        lines = np.abs(np.fft.rfft(y)) ** 2 * 2.0 / y.size**2  # power at multiples of 1 / period
        waves = round(BANDWIDTH * PERIOD)
        np.testing.assert_allclose(lines[1 : waves + 1], DEVIATION**2 / waves, rtol=0.01)
        assert lines[waves + 1 :].sum() < 1e-4 * DEVIATION**2


def test_noise_is_normally_distributed_and_seeds_are_other_samples():
    values = [sampled(noise(seed))[1] for seed in range(8)]
    y = np.concatenate(values) / DEVIATION
    independent = 8 * 2 * BANDWIDTH * PERIOD  # as many numbers as the waves have
    for limit, share in ((1.0, 0.6827), (2.0, 0.9545)):
        assert np.mean(np.abs(y) < limit) == pytest.approx(share, abs=4.0 * np.sqrt(0.25 / independent))
    assert np.mean(y**4) == pytest.approx(3.0, abs=4.0 * np.sqrt(96.0 / independent))
    correlation = np.corrcoef(values)
    assert np.abs(correlation - np.eye(8)).max() < 4.5 / np.sqrt(2 * BANDWIDTH * PERIOD)
    np.testing.assert_array_equal(values[3], sampled(noise(3))[1])


def test_noise_repeats_after_its_period_and_is_smooth_there():
    drive = noise()
    for t in (0.0, 0.013, 3.21):
        assert float(drive(t + PERIOD)) == pytest.approx(float(drive(t)), abs=1e-9)
    assert float(drive(PERIOD - 1e-9)) == pytest.approx(float(drive(PERIOD + 1e-9)), abs=1e-6)


def wheel(quantity="angle", speed=2.0, **options):
    model = sm.Model("wheel")
    node = model.node("wheel", angular_velocity=(0.0, 0.0, speed))
    hinge = {"axis": (0, 0, 1)}
    model.add("disc", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.2)))
    model.add("bearing", sm.Revolute(model.ground, node, **hinge))
    model.add("sensor", sm.MotionSensor(model.ground, node, quantity=quantity, **hinge, **options))
    return model


def test_the_result_of_a_noisy_sensor_does_not_depend_on_the_step():
    """Noise behind a lag: at half the step the same result to second order, not another sample."""
    found = {}
    for step in (4e-3, 2e-3, 1e-3):
        model = wheel("angle_rate", noise=noise())
        model.add("filter", sm.Lag(command=model["sensor"].output, time=0.05, start=2.0))
        found[step] = sm.transient(model, end=2.0, step=step, progress=False)
    coarse, middle, fine = (r["filter.output.value"][:: round(4e-3 / s)] for s, r in found.items())
    first, second = np.abs(coarse - middle).max(), np.abs(middle - fine).max()
    assert second < 2e-3 * DEVIATION
    assert first / second == pytest.approx(4.0, rel=0.25)
    raw = found[1e-3]["sensor.output.value"] - found[1e-3]["sensor.true"]
    drive = noise()
    exact = [float(drive(t)) for t in found[1e-3].time]
    np.testing.assert_allclose(raw, exact, atol=1e-7)  # up to the tolerance of Newton's method


@pytest.mark.parametrize(
    ("quantity", "exact"),
    [
        ("angle", lambda t: (2.0 * t + np.pi) % (2.0 * np.pi) - np.pi),
        ("angle_rate", lambda t: 2.0 + 0.0 * t),
    ],
)
def test_a_sensor_in_a_hinge(quantity, exact):
    results = sm.transient(wheel(quantity, gain=3.0, offset=0.5), end=1.0, step=1e-2, progress=False)
    np.testing.assert_allclose(results["sensor.output.value"], 3.0 * exact(results.time) + 0.5, atol=1e-8)
    np.testing.assert_allclose(results["sensor.true"], exact(results.time), atol=1e-8)


@pytest.mark.parametrize(
    ("quantity", "exact"),
    [
        ("x", lambda t: 1.0 + 3.0 * t),
        ("y", lambda t: 2.0 - 4.9 * t**2),
        ("x_rate", lambda t: 3.0 + 0.0 * t),
        ("y_rate", lambda t: -9.8 * t),
        ("distance", lambda t: np.hypot(1.0 + 3.0 * t, 2.0 - 4.9 * t**2)),
        (
            "distance_rate",
            lambda t: (
                ((1.0 + 3.0 * t) * 3.0 - (2.0 - 4.9 * t**2) * 9.8 * t) / np.hypot(1.0 + 3.0 * t, 2.0 - 4.9 * t**2)
            ),
        ),
    ],
)
def test_a_sensor_of_a_ball_that_is_thrown(quantity, exact):
    model = sm.Model("throw", gravity=(0.0, -9.8, 0.0))
    ball = model.node("ball", position=(1.0, 2.0, 0.0), velocity=(3.0, 0.0, 0.0))
    model.add("mass", sm.Body(ball, mass=2.0, inertia=(1, 1, 1)))
    model.add("sensor", sm.MotionSensor(model.ground, ball, quantity=quantity))
    results = sm.transient(model, end=0.4, step=1e-3, progress=False)
    np.testing.assert_allclose(results["sensor.output.value"], exact(results.time), atol=1e-6)


def test_a_quantised_sensor_gives_whole_steps():
    quantum = 0.05
    results = sm.transient(wheel(speed=1.0, quantum=quantum, width=0.01), end=1.0, step=1e-3, progress=False)
    x, y = results["sensor.true"] / quantum, results["sensor.output.value"] / quantum
    tread = np.abs(x - np.round(x)) < 0.3
    assert np.abs(y - np.round(x))[tread].max() < 0.02


def test_what_makes_no_noise_is_refused():
    with pytest.raises(sm.ModelError, match="bandwidth times period is 2 waves"):
        noise(period=0.1)
    with pytest.raises(sm.ArgumentError, match="bandwidth"):
        noise(bandwidth=-1.0)


def test_steps_that_do_not_follow_the_noise_are_warned_of():
    model = wheel("angle_rate", noise=0.5 * noise() + 0.1)
    with pytest.warns(
        UserWarning, match=r"'sensor': what drives it has waves of 0\.05 s, which steps of 0\.02 s do not"
    ):
        sm.transient(model, end=0.2, step=0.02, progress=False)


def flown(**motion):
    """A body in free flight under gravity, with an accelerometer off its centre along each axis."""
    model = sm.Model("flown", gravity=(0.0, 0.0, -9.8))
    body = model.node("body", **motion)
    model.add("mass", sm.Body(body, mass=2.0, inertia=(0.3, 0.3, 0.5)))
    for name, axis in (("along_x", (1, 0, 0)), ("along_y", (0, 1, 0)), ("along_z", (0, 0, 1))):
        place = sm.Placement((0.4, 0.0, 0.0), rotation_from_axes(z=axis, x=np.roll(axis, 1)))
        model.add(name, sm.Accelerometer(body, place=place))
    return model


def test_an_accelerometer_shows_weight_at_rest_nothing_in_free_fall_and_what_turning_makes():
    """On a body that falls and turns about its axis of symmetry: -w^2 r along the radius, and nothing else."""
    w = 3.0
    model = flown(velocity=(5.0, 0.0, 2.0), angular_velocity=(0.0, 0.0, w))
    results = sm.transient(model, end=1.0, step=1e-2, progress=False)
    np.testing.assert_allclose(results["along_x.output.value"], -(w**2) * 0.4, atol=1e-8)
    np.testing.assert_allclose(results["along_y.output.value"], 0.0, atol=1e-8)
    np.testing.assert_allclose(results["along_z.output.value"], 0.0, atol=1e-8)
    model = flown()
    model.add("stand", sm.Clamp(model.ground, model["body"]))
    results = sm.transient(model, end=0.1, step=1e-2, progress=False)
    np.testing.assert_allclose(results["along_z.output.value"], 9.8, atol=1e-8)
    np.testing.assert_allclose(results["along_x.output.value"], 0.0, atol=1e-8)
