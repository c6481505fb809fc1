"""A section that meets a gust, against the exact functions of Sears and Kuessner; its motion against Theodorsen's."""

import numpy as np
import pytest
from scipy.special import hankel2, jv

import samara as sm

SPEED, B, DENSITY = 60.0, 0.3, 1.225  # m/s, half chord [m], kg/m^3
SPAN = 1.0
ACROSS, UP = (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)  # the wind, and a gust from below
#: lift a unit of downwash without lag [N s/m]
UNIT = 2.0 * np.pi * DENSITY * SPEED * B * SPAN
#: of Jones's two exponentials, by which C(k) is off
JONES = 0.0146


def theodorsen(k):
    return hankel2(1, k) / (hankel2(1, k) + 1j * hankel2(0, k))


def sears(k):
    """Of the gust in the middle of the chord (Sears 1941)."""
    return (jv(0, k) - 1j * jv(1, k)) * theodorsen(k) + 1j * jv(1, k)


def kuessner(s):
    """(2/pi) int Re(S e^(-i k)) sin(k s) / k dk, s semi-chords since the leading edge met a step."""
    u = np.linspace(-16.0, 8.0, 100001)
    k = np.exp(u)
    real = (sears(k) * np.exp(-1j * k)).real
    return np.array([2.0 / np.pi * np.trapezoid(real * np.sin(k * x), u) for x in s])


def wing(gusts=(), wind=SPEED, motion=None, unsteady=None):
    """1 m of thin wing, leading edge along y, axis at mid-chord; in a wind against it, or on a way of its own."""
    model = sm.Model("wing")
    mount = model.prescribed("mount", motion) if motion else model.ground
    station = sm.Stations([0.0], [SPAN], [2 * B], [1.0], [0.0], [B / 2], [0.0])
    air = sm.Air(DENSITY, wind=(0.0, -wind, 0.0), gusts=gusts)
    unsteady = unsteady or sm.Theodorsen()
    surface = sm.AeroBody(mount, stations=station, aerofoil=sm.ThinAerofoil(), air=air, unsteady=unsteady)
    model.add("wing", surface)
    return model


def lift(model, end, step):
    results = sm.transient(model, end=end, step=step, progress=False, outputs="wing.force")
    return results.time, results["wing.force"][:, 2]


def harmonic(model, omega, settled):
    """Complex amplitude of sin(omega t) in the lift, in the last cycle of those it takes to settle so many seconds."""
    cycle = 2.0 * np.pi / omega
    t, L = lift(model, (np.ceil(settled / cycle) + 2) * cycle, cycle / 100)
    return 2j * (L[-100:] * np.exp(-1j * omega * t[-100:])).mean()


@pytest.mark.parametrize("k", [0.1, 0.5, 1.0, 2.0])
def test_harmonic_gust_against_sears(k):
    """The wind carries the gust along. The error is (J_0 - i J_1) times that of Jones's lags: 3 % and 2 degrees."""
    omega, small = k * SPEED / B, 0.5
    gust = sm.Front(sm.SineGust(small * np.array(UP), omega), direction=ACROSS, speed=SPEED)
    found = harmonic(wing(gust), omega, 120 * B / SPEED) / (UNIT * small)
    assert abs(found - sears(k)) < JONES * abs(jv(0, k) - 1j * jv(1, k)) + 2e-3
    assert abs(found) == pytest.approx(abs(sears(k)), rel=0.03)
    assert abs(np.angle(found / sears(k), deg=True)) < 2.0


@pytest.mark.parametrize("rise", [0.5, 2.0])
def test_front_against_kuessner(rise):
    """A gust that rises over so many semi-chords and stays, met by a wing that flies: Duhamel's sum of the exact steps.

    While it crosses the chord the four points see it one after the other, which shows with the steeper one.
    """
    final = 0.5
    front = sm.Standing(
        sm.SmoothStep(final * np.array(UP), rise * B / SPEED), direction=(0, 1, 0), speed=SPEED, point=(0, B, 0)
    )
    flown = sm.Motion(position=(0.0, sm.Ramp(SPEED), 0.0))
    t, L = lift(wing(front, wind=0.0, motion=flown), 20 * B / SPEED, 0.02 * B / SPEED)
    s = t * SPEED / B
    at = (np.arange(40) + 0.5) * rise / 40
    parts = 0.5 * np.pi / rise * np.sin(np.pi * at / rise) * rise / 40
    table = np.linspace(0.0, 20.0, 800)
    psi = kuessner(table)
    exact = sum(part * np.interp(s - x, table, psi, left=0.0) for part, x in zip(parts, at, strict=True))
    found = L / (UNIT * final)
    whole = s > 2.0 + rise
    assert np.abs(found - exact)[whole].max() < 0.01
    assert np.abs(found - exact)[~whole].max() < (0.02 if rise > 1 else 0.09)
    assert found[-1] == pytest.approx(exact[-1], abs=0.01)


@pytest.mark.parametrize("k", [0.3, 1.0])
def test_motion_keeps_theodorsens_lag_beside_a_gust(k):
    """A wing that heaves in a gust that travels: the lifts of heave and gust add up, each by its own function."""
    omega, h, small = k * SPEED / B, 1e-3, 0.1
    heave = sm.Motion(position=(0.0, 0.0, sm.Sine(-h, omega)))
    gust = sm.Front(sm.SineGust(small * np.array(UP), omega), direction=ACROSS, speed=SPEED)
    still = sm.Front(sm.SineGust(0.0 * np.array(UP), omega), direction=ACROSS, speed=SPEED)
    alone, beside, both = (harmonic(wing(g, motion=heave), omega, 60 * B / SPEED) for g in ((), still, gust))
    w = 1j * omega * h
    exact = UNIT * theodorsen(k) * w + np.pi * DENSITY * B**2 * SPAN * 1j * omega * w
    assert abs(alone - exact) < (JONES + 2e-3) * UNIT * abs(w)
    assert abs(alone - beside) < 1e-9 * abs(exact)
    assert abs(both - alone - UNIT * small * sears(k)) < (JONES + 2e-3) * UNIT * small


def test_uniform_gust_is_that_of_the_motion():
    """Air that rises everywhere at once has no edge: lift as of a wing that sinks, without the apparent mass."""
    k, small = 0.5, 0.1
    omega = k * SPEED / B
    found = harmonic(wing(sm.SineGust(small * np.array(UP), omega)), omega, 60 * B / SPEED)
    assert abs(found - UNIT * small * theodorsen(k)) < (JONES + 2e-3) * UNIT * small
