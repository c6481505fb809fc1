"""Unsteady flow as states of the stations: Theodorsen's exact function, the dynamic-stall model, steady limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import hankel2

import samara as sm
from samara import (
    AeroBeam3,
    AeroBody,
    Air,
    DynamicStall,
    KirchhoffAerofoil,
    LeishmanBeddoes,
    Momentum,
    QuasiSteady,
    Rotor,
    Stations,
    Theodorsen,
    ThinAerofoil,
    apparent_mass,
    theodorsen,
)

SPEED, CHORD, DENSITY = 60.0, 0.6, 1.225
B = CHORD / 2
STEPS = 400


def exact(k: float) -> complex:
    """Theodorsen's function (NACA Report 496, equation XII)."""
    return hankel2(1, k) / (hankel2(1, k) + 1j * hankel2(0, k))


def amplitude(values: np.ndarray) -> complex:
    """x = Re(amplitude exp(i omega t)) over the last period of STEPS steps that ends at a whole number of periods."""
    last = values[-STEPS:]
    phase = 2 * np.pi * np.arange(1, STEPS + 1) / STEPS
    return complex(2 * (last * np.exp(-1j * phase)).mean())


def section(centre: float, half: float = 0.5) -> Stations:
    return Stations([0.0], [2 * half], [CHORD], [1.0], [0.0], [centre], [0.0])


def moved(unsteady, aerofoil, alpha, h=0.0, a=0.0, beam=False, sound=340.0) -> sm.Model:
    """A section of 1 m in a wind: pitches by alpha(t) about a semi-chords behind mid-chord, goes down by h(t)."""
    model = sm.Model("section")
    motion = sm.Motion(position=(0, 0, -1.0 * sm.Expression(h) if callable(h) else 0.0), rotation=(alpha, 0, 0))
    air = Air(density=DENSITY, sound=sound, wind=(0.0, -SPEED, 0.0))
    common = {"stations": section(B * (a + 0.5)), "aerofoil": aerofoil, "unsteady": unsteady, "air": air}
    if beam:
        nodes = [model.prescribed(n, motion, position=(x, 0, 0)) for n, x in zip("abc", (-0.5, 0.0, 0.5), strict=True)]
        model.add("wing", AeroBeam3(*nodes, **common))
    else:
        model.add("wing", AeroBody(model.prescribed("n", motion), **common))
    return model


@pytest.mark.parametrize("beam", [False, True], ids=["AeroBody", "AeroBeam3"])
@pytest.mark.parametrize(("k", "a"), [(0.1, -0.5), (0.3, 0.3), (1.0, 0.0)])
def test_pitch_and_plunge_against_theodorsen(k, a, beam):
    """Lift and moment per unit span in Theodorsen's own form, with the exact C(k).

    Jones's lags are off from C(k) by 0.0146 at most; the integrator's h^2, (2 pi / 400)^2 / 6, is far below.
    """
    omega, h, alpha = k * SPEED / B, 2e-3, 5e-3
    model = moved(
        Theodorsen(), ThinAerofoil(), lambda t: alpha * np.cos(omega * t), lambda t: h * np.sin(omega * t), a, beam
    )
    count = int(np.ceil(30.0 / (2 * np.pi / k * 0.0455))) + 1  # until the slower lag has forgotten its start
    period = 2 * np.pi / omega
    results = sm.transient(model, end=count * period, step=period / STEPS, progress=False)
    if beam:
        lift, moment = results["wing.normal"], results["wing.pitching"]
    else:
        lift, moment = results["wing.force"][:, 2], results["wing.moment"][:, 0]

    H, A = -1j * h, alpha  # Re(H exp(i omega t)) = h sin(omega t)
    h1, a1, h2, a2 = 1j * omega * H, 1j * omega * A, -(omega**2) * H, -(omega**2) * A
    w = h1 + SPEED * A + B * (0.5 - a) * a1
    circulatory = 2 * np.pi * DENSITY * SPEED * B * w
    inertia = np.pi * DENSITY * B**2
    expected = inertia * (h2 + SPEED * a1 - B * a * a2) + circulatory * exact(k)
    about = inertia * (B * a * h2 - SPEED * B * (0.5 - a) * a1 - B**2 * (0.125 + a**2) * a2)
    about += circulatory * B * (a + 0.5) * exact(k)
    assert abs(amplitude(lift) - expected) < 0.015 * abs(circulatory)
    if beam:  # the moment of the strip is about the quarter chord
        about -= B * (a + 0.5) * expected
        assert abs(amplitude(moment) - about) < 1e-3 * abs(circulatory) * B
    else:
        assert abs(amplitude(moment) - about) < 0.015 * abs(circulatory) * B * (a + 0.5) + 1e-3 * abs(circulatory) * B


def test_apparent_mass_is_that_of_the_section_function():
    _, cl, cm = theodorsen([0.0, 0.0], 0.0, 3.0, 0.4, 7.0, SPEED, CHORD)
    normal, moment = apparent_mass(DENSITY, CHORD, 3.0, 0.4, 7.0, SPEED)
    q = 0.5 * DENSITY * SPEED**2
    assert normal == pytest.approx(q * CHORD * cl)
    assert moment == pytest.approx(q * CHORD**2 * cm)


def test_dynamic_stall_is_the_function():
    """The states of the element against the function's own rates, integrated by another method to 1e-8.

    Second order in the step: with 400 steps a cycle loads are within 0.01 of a coefficient even where the vortex
    leaves, as the guide says.
    """
    stall = LeishmanBeddoes()
    speed, sound = SPEED, SPEED / 0.3
    omega = 0.1 * speed / B

    def alpha(t):
        return np.radians(12.0) + np.radians(8.0) * np.sin(omega * t)

    model = moved(DynamicStall(stall), KirchhoffAerofoil(), alpha, a=-0.5, sound=sound)
    period = 2 * np.pi / omega
    results = sm.transient(model, end=2 * period, step=period / STEPS, progress=False)

    fast = np.sqrt(speed**2 + 1.0)
    rate = lambda t: np.radians(8.0) * omega * np.cos(omega * t)  # noqa: E731

    def rates(t, y):
        return stall(y, alpha(t), rate(t), fast, CHORD, sound)[0]

    start = [s.value for s in model["wing"].owned.values()]
    path = solve_ivp(rates, (0, 2 * period), start, method="LSODA", t_eval=results.time, rtol=1e-8, atol=1e-9)
    loads = np.array(
        [stall(y, alpha(t), rate(t), fast, CHORD, sound)[1:] for t, y in zip(path.t, path.y.T, strict=True)]
    )
    q = 0.5 * DENSITY * speed**2
    cl, cd, cm = loads.T
    normal = q * CHORD * (cl * np.cos(alpha(path.t)) + cd * np.sin(alpha(path.t)))
    second = slice(STEPS, None)
    assert normal.max() > 1.7 * q * CHORD * 1.0  # deep stall: beyond the steady maximum of 1.5 or so
    np.testing.assert_allclose(results["wing.normal"][second], normal[second], rtol=0, atol=0.01 * q * CHORD)
    np.testing.assert_allclose(
        results["wing.pitching"][second], (q * CHORD**2 * cm)[second], rtol=0, atol=0.01 * q * CHORD**2
    )


def test_dynamic_stall_gives_way_to_the_section_in_reversed_flow():
    """At rest at any angle beyond 45 degrees the loads are those of the aerofoil."""
    section = KirchhoffAerofoil()
    for angle in (1.0, 2.5, 3.1, -2.0):
        model = moved(DynamicStall(), section, lambda t, angle=angle: angle + 0.0 * t)
        results = sm.transient(model, end=0.05, step=1e-3, progress=False)
        cl, cd, _ = section.coefficients(angle, SPEED / 340.0)
        normal = 0.5 * DENSITY * SPEED**2 * CHORD * (cl * np.cos(angle) + cd * np.sin(angle))
        assert results["wing.normal"][-1] == pytest.approx(normal, rel=1e-3, abs=1e-3)
        assert np.isfinite(results.table).all()


@pytest.mark.parametrize("unsteady", [Theodorsen(), DynamicStall()], ids=["Theodorsen", "Leishman-Beddoes"])
def test_a_rotor_in_hover_is_steady(unsteady):
    """What does not change in the blade's axes is steady: thrust as with quasi-steady stations."""
    radius, speed, chord = 2.0, 60.0, 0.1

    def thrust(flow):
        model = sm.Model("hover")
        hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: speed * t)))
        rotor = Rotor(model.ground, hub, radius=radius, speed=speed, inflow=Momentum(), start=3.0)
        model.add("rotor", rotor)
        along = Stations.gauss(0.4, radius, 3, chord, twist=0.1, centre=0.0)
        for k, turn in enumerate((np.eye(3), np.diag([-1.0, -1.0, 1.0]))):
            place = sm.Placement((0, 0, 0), turn)
            blade = AeroBody(hub, place=place, stations=along, aerofoil=KirchhoffAerofoil(), rotor=rotor, unsteady=flow)
            model.add(f"blade_{k}", blade)
        results = sm.transient(model, end=1.5, step=2 * np.pi / speed / 60, progress=False, outputs="rotor.thrust")
        return results["rotor.thrust"][-1]

    assert thrust(unsteady) == pytest.approx(thrust(QuasiSteady()), rel=2e-3)


def test_states_have_names():
    model = moved(Theodorsen(), ThinAerofoil(), 0.1)
    assert list(model.states) == ["wing.station_1.lag_1", "wing.station_1.lag_2"]
