"""Kernels of a vortex wake against closed forms: line, ring, helix, elliptic wing."""

import numpy as np
import pytest

from samara.elements.aero.wake.near import near_wake
from samara.elements.aero.wake.segments import induced_velocity, own_velocity

TURN = 2 * np.pi


def circle(count: int) -> np.ndarray:
    angle = np.arange(count) * TURN / count
    return np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)


def of_polygon(points, at, core, **how) -> np.ndarray:
    return induced_velocity(points, np.roll(points, -1, axis=0), 1.0, core, at, **how)


@pytest.mark.parametrize("moving", [False, True])
def test_line(moving):
    """Swirl of an endless line with each core: r / 2 pi sqrt(r^4 + r_c^4), and r / 2 pi (r^2 + d^2)."""
    core, r = 0.1, 0.5
    ends = np.array([[0, 0, -1e4], [0, 0, 0], [0, 0, 1e4]])
    u = induced_velocity(ends[:-1], ends[1:], 1.0, core, [[r, 0, 0]], moving=moving)[0]
    d = np.exp(0.444 - 1.0) * core
    exact = r / TURN / (r**2 + d**2) if moving else r / TURN / np.sqrt(r**4 + core**4)
    assert u == pytest.approx([0, exact, 0], rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("z", [0.0, 0.7])
@pytest.mark.parametrize("moving", [False, True])
def test_axis_of_a_ring(z, moving):
    """G R^2 / 2 (R^2 + z^2)^(3/2); a polygon of n sides is off by pi^2 / n^2 at most."""
    for count in (36, 360):
        u = of_polygon(circle(count), [[0, 0, z]], 1e-3, moving=moving)[0, 2]
        assert u == pytest.approx(0.5 / (1 + z * z) ** 1.5, rel=np.pi**2 / count**2)


@pytest.mark.parametrize("degrees", [5, 8, 10, 12, 15, 20, 24, 30])
@pytest.mark.parametrize("core", [0.02, 0.03, 0.05])
def test_own_speed_of_a_ring(degrees, core):
    """G / 4 pi R (ln(8 R / r_c) - 0.444), Saffman's for a Lamb-Oseen core, within 2 % however far markers are apart."""
    ring = circle(360 // degrees)
    exact = (np.log(8 / core) - 0.444) / (4 * np.pi)
    others = of_polygon(ring, ring[:1], core, moving=True)[0, 2]
    own = own_velocity(np.vstack([ring[-1:], ring[:2]]), 1.0, core)[1, 2]
    assert others + own == pytest.approx(exact, rel=0.02)


def test_core_of_stations_slows_a_ring_down():
    """Why markers have another core: Vatistas's takes away 42 % of the speed even of a fine ring."""
    ring, exact = circle(3600), (np.log(8 / 0.03) - 0.444) / (4 * np.pi)
    speed = of_polygon(ring, ring[:1], 0.03)[0, 2]
    assert speed / exact - 1 == pytest.approx(-0.42, abs=0.01)


def test_endless_helix():
    """On its axis G / pitch; half of it, at its end, half as much. 400 turns of pitch 0.3 R: 1e-3."""
    count, turns, pitch = 36, 400, 0.3
    angle = np.arange(-turns * count, turns * count + 1) * TURN / count
    helix = np.stack([np.cos(angle), np.sin(angle), pitch * angle / TURN], axis=1)
    u = induced_velocity(helix[:-1], helix[1:], 1.0, 0.02, [[0, 0, 0]], moving=True)[0, 2]
    assert u == pytest.approx(1 / pitch, rel=1e-3)
    half = helix[: turns * count + 1]
    u = induced_velocity(half[:-1], half[1:], 1.0, 0.02, [[0, 0, 0]], moving=True)[0, 2]
    assert u == pytest.approx(0.5 / pitch, rel=1e-3)


@pytest.mark.parametrize("ratio", [6.0, 12.0])
def test_elliptic_wing(ratio):
    """A wing far out on a large circle, circulation solved at 1/4 or 3/4 of the chord.

    A lifting line has Prandtl's lift, 2 pi / (1 + 2 / AR), to 0.5 %. Weissinger's points take the chord into account:
    Van Dyke's lifting surface, 2 pi / (1 + 2 / AR + 16 / (pi AR)^2 (ln(pi AR) - 9 / 8)), to 1.5 % (its chord is
    straight in the middle, not at 1/4). Induced drag, lift normal to the flow at 1/4: CL^2 / pi AR to 1 % in both.
    """
    count, far = 32, 1e4
    edge = -0.5 * np.cos(np.linspace(0, np.pi, count + 1))
    middle = -0.5 * np.cos(np.pi * (np.arange(count) + 0.5) / count)
    chord = 4 / (np.pi * ratio) * np.sqrt(1 - 4 * middle**2)
    A, B = near_wake(far + middle, far + edge, chord, 0.03)
    slope = np.pi * chord  # of Gamma by the angle at unit speed: c / 2 times 2 pi
    area, width = 1 / ratio, np.diff(edge)
    surface = 2 / ratio + 16 / (np.pi * ratio) ** 2 * (np.log(np.pi * ratio) - 9 / 8)
    for matrix, correction, close in ((B, 2 / ratio, 0.005), (A, surface, 0.015)):
        gamma = np.linalg.solve(np.eye(count) - slope[:, None] * matrix, slope)
        lift = 2 * gamma @ width / area
        assert lift == pytest.approx(TURN / (1 + correction), rel=close)
        drag = 2 * (-(B @ gamma) * gamma) @ width / area
        assert drag * np.pi * ratio / lift**2 == pytest.approx(1.0, rel=0.01)


def wild(rng, count=300):
    """A messy filament, points about it, circulations and cores."""
    start = rng.normal(size=(count, 3))
    ends = start + 0.3 * rng.normal(size=(count, 3))
    return start, ends, rng.normal(size=count), rng.uniform(0.02, 0.1, count), rng.normal(size=(77, 3))


@pytest.mark.parametrize("moving", [False, True])
def test_single_is_double_to_its_rounding(moving, rng):
    """Of 300 segments 1e-5 of the largest velocity: sums of 300 terms of 6e-8 each, near and far."""
    given = wild(rng)
    one, two = (induced_velocity(*given, single=single, moving=moving) for single in (True, False))
    assert np.abs(one - two).max() < 2e-5 * np.abs(two).max()


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("moving", [False, True])
def test_mirrored_exactly(moving, single, rng):
    """In the mirror y -> -y vortices turn the other way: to the last bit."""
    start, end, G, core, points = wild(rng)
    mirror = np.array([1.0, -1.0, 1.0])
    one = induced_velocity(start, end, G, core, points, single=single, moving=moving)
    two = induced_velocity(start * mirror, end * mirror, -G, core, points * mirror, single=single, moving=moving)
    assert np.array_equal(one * mirror, two)
