"""Trajectories: ends, largest speed and acceleration, and that rates are the derivatives of what they belong to."""

import numpy as np
import pytest

from samara import BlockError, Cubic, Quintic, SineSweep, TableTrajectory, Trapezoid, TwoParabolas

PATHS = {
    "two parabolas": TwoParabolas(0.2, 1.7, 5.0, begin=0.5),
    "cubic": Cubic(1.0, -2.0, 3.0, begin=1.0),
    "quintic": Quintic(0.0, 2.0, 4.0),
    "trapezoid": Trapezoid(0.0, 3.0, speed=1.0, acceleration=2.0, begin=0.3),
    "triangle": Trapezoid(1.0, -0.5, speed=10.0, acceleration=2.0),
    "sweep": SineSweep(0.3, 0.5, 4.0, 5.0, offset=1.0),
    "logarithmic sweep": SineSweep(0.3, 0.5, 4.0, 5.0, logarithmic=True),
    "table": TableTrajectory([0.0, 1.0, 1.5, 4.0], [0.0, 2.0, -1.0, 1.0]),
}


@pytest.mark.parametrize("name", PATHS)
def test_rates_are_derivatives(name):
    """Central differences, away from the jumps of the acceleration; their error is h^2 / 6 of the third derivative."""
    path, h = PATHS[name], 1e-4
    t = path.begin + path.duration * np.linspace(0.013, 0.987, 97)
    p, v, a = np.array([[path(x + s) for s in (-h, 0.0, h)] for x in t]).transpose(2, 1, 0)
    smooth = np.abs(a[2] - a[0]) < 1e-2 * np.abs(a).max() + 1e-9
    assert smooth.sum() > 90
    # cubic terms: the sweeps have third derivatives of 0.3 (2 pi 4)^3 = 4800, times h^2 / 6
    assert (p[2] - p[0])[smooth] / (2 * h) == pytest.approx(v[1][smooth], abs=1e-5)
    assert (v[2] - v[0])[smooth] / (2 * h) == pytest.approx(a[1][smooth], abs=3e-4)


@pytest.mark.parametrize("name", [n for n in PATHS if "sweep" not in n])
def test_they_stand_still_before_and_after(name):
    path = PATHS[name]
    for t in (path.begin - 1.0, path.begin, path.begin + path.duration, path.begin + path.duration + 9.0):
        assert path(t).rate == 0.0
    end = path.begin + path.duration
    assert path(end - 1e-9).position == pytest.approx(path(end).position, abs=1e-8)
    assert path(path.begin + 1e-9).position == pytest.approx(path(path.begin).position, abs=1e-8)
    assert path.done(end) and not path.done(end - 1e-6)


@pytest.mark.parametrize(
    ("path", "rate", "acceleration"),
    [
        (TwoParabolas(0.0, np.pi / 2, 5.0), np.pi / 5, 2 * np.pi / 25),  # 0.6283 rad/s, 0.2513 rad/s^2: the robot's
        (Cubic(0.0, 1.0, 2.0), 0.75, 1.5),
        (Quintic(0.0, 1.0, 2.0), 1.875 / 2, 10 / np.sqrt(3) / 4),
        (Trapezoid(0.0, 3.0, 1.0, 2.0), 1.0, 2.0),
        (Trapezoid(0.0, 0.5, 9.0, 2.0), 1.0, 2.0),
    ],
)
def test_largest_speed_and_acceleration(path, rate, acceleration):
    """On a grid of 4000 points, which misses the summits by (1 / 4000)^2 of them, and the ends by 1 / 4000."""
    points = np.array([path(t) for t in np.linspace(0.0, path.duration, 4001)])
    assert np.abs(points[:, 1]).max() == pytest.approx(rate, rel=1e-6)
    assert np.abs(points[:, 2]).max() == pytest.approx(acceleration, rel=1e-3)


def test_durations_of_trapezoids():
    assert Trapezoid(0.0, 3.0, 1.0, 2.0).duration == pytest.approx(3.5)
    assert Trapezoid(0.0, 0.5, 9.0, 2.0).duration == pytest.approx(1.0)
    still = Trapezoid(1.0, 1.0, 1.0, 1.0)
    assert still.duration == 0.0 and still(0.5) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_sweep_goes_from_the_first_frequency_to_the_last(logarithmic):
    """From the times between zero crossings: half a period each."""
    path = SineSweep(1.0, 2.0, 20.0, 20.0, logarithmic=logarithmic)
    t = np.linspace(0.0, 20.0, 400_001)
    q = np.array([path(x).position for x in t])
    crossings = t[1:][np.diff(np.sign(q)) != 0]
    frequency = 0.5 / np.diff(crossings)
    middle = 0.5 * (crossings[1:] + crossings[:-1])
    expected = 2.0 * 10 ** (middle / 20) if logarithmic else 2.0 + 18 * middle / 20
    assert frequency == pytest.approx(expected, rel=0.02)  # of one half period, 1 / (4 f) of a change of 0.9 Hz/s


def test_a_table_goes_through_its_points():
    times, values = [0.0, 1.0, 1.5, 4.0], [0.0, 2.0, -1.0, 1.0]
    for smoothly in (True, False):
        path = TableTrajectory(times, values, smoothly)
        assert [path(t).position for t in times] == pytest.approx(values)
    assert TableTrajectory(times, values, smoothly=False)(1.25).position == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("TwoParabolas: duration must be a positive number", lambda: TwoParabolas(0, 1, 0)),
        ("TableTrajectory: times must increase", lambda: TableTrajectory([0, 0], [1, 2])),
        ("TableTrajectory: give at least two times, and as many values", lambda: TableTrajectory([0, 1], [1])),
        ("SineSweep: first must be positive", lambda: SineSweep(1, 0, 1, 1)),
    ],
)
def test_wrong_numbers_are_refused(words, make):
    with pytest.raises(BlockError, match=words):
        make()
