"""Leishman and Beddoes' model: steady and attached limits, loops of dynamic stall, and the same in a kernel."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import hankel2

import samara as sm
from samara import KirchhoffAerofoil, LeishmanBeddoes
from samara.model import record

SOUND, CHORD = 340.0, 0.5
MODEL = LeishmanBeddoes()


def pitch(mach: float, mean: float, amplitude: float, k: float, cycles: int = 2, count: int = 400):
    """Angles [degrees], (cl, cd, cm) and states over the last of some cycles of pitching about the quarter chord."""
    speed = mach * SOUND
    omega = 2 * speed * k / CHORD

    def angle(t):
        return np.radians(mean + amplitude * np.sin(omega * t))

    def rate(t):
        return np.radians(amplitude) * omega * np.cos(omega * t)

    period = 2 * np.pi / omega
    times = np.linspace((cycles - 1) * period, cycles * period, count + 1)
    start = MODEL.steady(angle(0.0), 0.0, speed, CHORD, SOUND)
    run = solve_ivp(
        lambda t, y: MODEL(y, angle(t), rate(t), speed, CHORD, SOUND)[0],
        (0.0, cycles * period), start, method="BDF", t_eval=times, rtol=1e-6, atol=1e-8, max_step=period / 400,
    )  # fmt: skip
    loads = [MODEL(y, angle(t), rate(t), speed, CHORD, SOUND)[1:] for t, y in zip(times, run.y.T, strict=True)]
    return np.degrees(angle(times)), np.array(loads), run.y.T


def halves(angles: np.ndarray, values: np.ndarray, at: float) -> tuple[float, float]:
    """A load at an angle while it rises, and while it falls."""
    n = angles.size // 4
    up = np.r_[np.arange(3 * n, 4 * n), np.arange(0, n + 1)]
    down = np.arange(n, 3 * n + 1)[::-1]
    return np.interp(at, angles[up], values[up]), np.interp(at, angles[down], values[down])


@pytest.mark.parametrize("mach", [0.3, 0.45, 0.6])
def test_steady_flow_is_the_kirchhoff_aerofoil(mach, rng):
    """At rest, below the normal force at which a vortex leaves: no rates, and the loads of the steady formulas."""
    steady = KirchhoffAerofoil()
    limit = MODEL.constants.cn_1(mach) / MODEL.constants.slope(mach)
    for alpha in rng.uniform(-limit, limit, 20):
        states = MODEL.steady(alpha, 0.0, mach * SOUND, CHORD, SOUND)
        rates, *loads = MODEL(states, alpha, 0.0, mach * SOUND, CHORD, SOUND)
        np.testing.assert_allclose(rates, 0.0, atol=1e-9)
        np.testing.assert_allclose(loads, steady.coefficients(alpha, mach), atol=1e-12)


@pytest.mark.parametrize("k", [0.05, 0.1, 0.2])
def test_small_pitching_is_near_theodorsen(k):
    """Pitch of 1 degree about the quarter chord at Mach 0.3: first harmonic of cl over slope, against exact theory.

    Exponentials fitted to compressible indicial functions are not those of Jones, and the impulses of a compressible
    flow are not the apparent mass; at Mach 0.3 they agree within 6 percent in size and 6 degrees in phase to k = 0.2.
    """
    angles, loads, _ = pitch(0.3, 0.0, 1.0, k)
    phase = np.linspace(0, 2 * np.pi, angles.size)[:-1]
    harmonic = 2j * np.mean(loads[:-1, 0] * np.exp(-1j * phase)) / (np.radians(1.0) * MODEL.constants.slope(0.3))
    circulation = hankel2(1, k) / (hankel2(1, k) + 1j * hankel2(0, k))
    theory = circulation * (1 + 1j * k) + 0.5 * (1j * k - 0.5 * k**2)
    assert abs(harmonic) == pytest.approx(abs(theory), rel=0.06)
    assert np.angle(harmonic, deg=True) == pytest.approx(np.angle(theory, deg=True), abs=6.0)


def test_small_pitching_is_linear_and_damped():
    """Twice the amplitude, twice the loads (f is 0.998 there); and the moment takes energy out of the pitching."""
    _, one, _ = pitch(0.3, 0.0, 1.0, 0.1)
    angles, two, states = pitch(0.3, 0.0, 2.0, 0.1)
    np.testing.assert_allclose(two[:, 0], 2 * one[:, 0], atol=0.004 * two[:, 0].max())
    np.testing.assert_allclose(two[:, 2], 2 * one[:, 2], atol=0.02 * two[:, 2].max())
    assert np.trapezoid(two[:, 2], np.radians(angles)) < 0.0
    assert not np.any(states[:, 10:])  # no vortex


def test_impulse_is_piston_theory():
    """At the first instant of a step of the angle cn = 4 alpha / M (Lomax, NACA Report 1077)."""
    for mach in (0.3, 0.6):
        rest = MODEL.steady(0.0, 0.0, mach * SOUND, CHORD, SOUND)
        _, cl, _, _ = MODEL(rest, 1e-3, 0.0, mach * SOUND, CHORD, SOUND)
        assert cl == pytest.approx(4e-3 / mach, rel=1e-4)


@pytest.fixture(scope="module")
def deep():
    """Deep stall of the NACA 0012: 15 + 10 sin, k = 0.1, Mach 0.3."""
    return pitch(0.3, 15.0, 10.0, 0.1)


def test_lift_overshoots_and_comes_back_late(deep):
    """W. J. McCroskey, The phenomenon of dynamic stall, NASA TM-81264 (1981): in deep stall the lift rises beyond the
    static maximum past the static stall angle, breaks, and stays lower while the angle falls, with late reattachment.
    """
    angles, loads, _ = deep
    steady = KirchhoffAerofoil()
    static = np.array([steady.coefficients(np.radians(a), 0.3)[0] for a in np.linspace(0, 25, 251)])
    peak = int(loads[:, 0].argmax())
    assert 1.2 * static.max() < loads[peak, 0] < 2.0 * static.max()
    assert angles[peak] > np.linspace(0, 25, 251)[static.argmax()] + 3.0
    for at in (12.0, 15.0, 18.0, 20.0):
        up, down = halves(angles, loads[:, 0], at)
        assert down < up - 0.1, at
    # falling through the static stall angle the section is still stalled
    assert halves(angles, loads[:, 0], 14.0)[1] < steady.coefficients(np.radians(14.0), 0.3)[0] - 0.2


def test_moment_breaks_before_the_lift(deep):
    """The same source: moment stall comes with the vortex, before the lift breaks, with a strong nose-down peak after;
    drag peaks with it. The nose-down peak of the static section, about 0.13 of cn, is exceeded.
    """
    angles, loads, states = deep
    rising = slice(0, int(angles.argmax()) + 1)
    peak = int(loads[rising, 0].argmax())
    # where the moment has fallen by 0.05 from what it was at the start of the vortex
    begin = int(np.argmax(states[:, 11] > 0.0)) if states[0, 11] < 0.1 else 0
    fallen = begin + int(np.argmax(loads[begin:, 2] < loads[begin, 2] - 0.05))
    assert fallen < peak
    assert loads[:, 2].min() < -0.2
    assert peak <= int(loads[:, 2].argmin())
    assert loads[:, 1].max() > 0.5


def test_slower_pitching_is_nearer_to_steady():
    """The overshoot is due to the motion: it shrinks with the reduced frequency (McCroskey 1981)."""
    peaks = [pitch(0.3, 15.0, 10.0, k)[1][:, 0].max() for k in (0.02, 0.05, 0.1)]
    assert peaks[0] < peaks[1] < peaks[2]


def test_states_of_the_mirrored_motion_mirror():
    a, up, _ = pitch(0.3, 12.0, 8.0, 0.1)
    b, down, _ = pitch(0.3, -12.0, 8.0, 0.1)
    n = (a.size - 1) // 2
    mirrored = np.r_[down[n:], down[1 : n + 1]]  # half a cycle later
    np.testing.assert_allclose(np.r_[b[n:], b[1 : n + 1]], -a, atol=1e-9)
    np.testing.assert_allclose(mirrored * [-1, 1, -1], up, atol=2e-3)


class Section(sm.Element):
    """The model's twelve states in an element, driven by an angle over time, for the tests."""

    n: sm.Node = sm.node(kw_only=False)
    section: LeishmanBeddoes = record()
    alpha: object = sm.driven(default=0.0, unit="rad")
    rate: object = sm.driven(default=0.0, unit="rad/s")
    speed: float = sm.number(unit="m/s")

    def own_states(self):
        start = self.section.steady(np.radians(15.0), 0.0, 0.3 * SOUND, CHORD, SOUND)
        return {f"y{i}": sm.State(1, value=float(v), unit="1", scale=0.1) for i, v in enumerate(start)}

    def formulate(self, site):
        values = [s.value for s in site.states]
        rates, cl, cd, cm = self.section(values, self.alpha, self.rate, self.speed, CHORD, SOUND)
        balances = [s.rate - r for s, r in zip(site.states, rates, strict=True)]
        return sm.Contribution(
            [np.zeros(6)],
            balances=balances,
            outputs=[sm.Output("loads", "1", np.array([cl, cd, cm]), ("cl", "cd", "cm"))],
        )


def test_in_a_model(deep):
    """The same cycle with the package's own time steps, 400 a cycle: 0.16 semi-chords each.

    Second order: the shortest lag that matters has 1.7 semi-chords, (0.16 / 1.7)^2 / 6 = 0.0015 of loads of about 2.
    """
    speed = 0.3 * SOUND
    omega = 2 * speed * 0.1 / CHORD
    period = 2 * np.pi / omega
    model = sm.Model("section")
    amplitude = np.radians(10.0)
    alpha = sm.Sine(amplitude, omega, offset=np.radians(15.0))
    rate = sm.Sine(amplitude * omega, omega, phase=np.pi / 2)
    node = model.node("n")
    model.add("mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("section", Section(node, section=MODEL, alpha=alpha, rate=rate, speed=speed))
    results = sm.transient(model, end=2 * period, step=period / 400, progress=False)
    found = results["section.loads"][400:]
    assert np.abs(found - deep[1]).max() < 0.003
