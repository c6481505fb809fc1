"""Hydraulic lag dampers on the Puma's rotor: linear for small motion, limited for large, and nothing lost."""

import numpy as np
import pytest

import samara as sm
from samara.experiments.rotors.lag_dampers import HOVER, decay, flight, forced, measured, unaccounted
from samara.models.articulated_rotors import puma, puma_hydraulic
from samara.models.articulated_rotors.lag_damper import HydraulicLagDamper
from samara.models.articulated_rotors.puma_rotor import LAG_DAMPER
from samara.models.helicopters import helicopter

DAMPER = HydraulicLagDamper(LAG_DAMPER)
OMEGA = puma.SPEED


def test_size_follows_from_the_damping():
    """Slow motion: c = V^2 / G, G that of a laminar orifice, here by a small speed; a bent law keeps 1e-5 of it."""
    assert DAMPER.rate(1.0) == pytest.approx(1.0 / LAG_DAMPER, rel=1e-5)
    bore, Re, mu, Cd = DAMPER.diameter, DAMPER.transition, DAMPER.viscosity, DAMPER.discharge
    G = 2.0 * Cd**2 * 0.25 * np.pi * bore**3 / (Re * mu) + 0.5 * DAMPER.bleed / DAMPER.density
    assert DAMPER.displacement**2 / G == pytest.approx(LAG_DAMPER, rel=1e-12)


@pytest.mark.parametrize("amplitude", [1e-4, 2e-3, 0.2])
def test_equivalent_damping_of_a_limited_moment(amplitude):
    """The steady law is between a linear damper that stops at `limit` less the bend of the valves, and one at its top.

    Of M = min(c rate, L): c 2/pi (arcsin q + q sqrt(1 - q^2)), q = L / (c omega X): at last 4 L / (pi omega X).
    """

    def limited(moment):
        q = min(1.0, moment / (LAG_DAMPER * OMEGA * amplitude))
        return LAG_DAMPER * 2.0 / np.pi * (np.arcsin(q) + q * np.sqrt(1.0 - q * q))

    bend = 0.1 * (DAMPER.full - DAMPER.opening) * DAMPER.displacement
    moment = np.linspace(0.0, DAMPER.full * DAMPER.displacement, 20001)
    top = float(np.interp(OMEGA * amplitude, DAMPER.rate(moment), moment))
    found = DAMPER.equivalent(amplitude, OMEGA)
    # 1 %: the orifice is a little turbulent below the limit
    assert 0.99 * limited(DAMPER.limit - bend) < found < 1.01 * limited(max(top, DAMPER.limit))
    assert limited(1e-3) == pytest.approx(4e-3 / (np.pi * OMEGA * amplitude), rel=1e-4)


def test_small_lag_motion_decays_as_with_linear_dampers():
    """But for the oil, a spring in series: I s^2 + c s / (1 + s c / k) + ... moves s by c^2 s^2 / (k (2 I s + c)).

    A tenth of that: first order in s c / k = 0.03, and the chambers are not alike at the mean lag.
    """
    linear, hydraulic = decay("linear"), decay("hydraulic")
    span = puma.blade()
    piece = span.piece(puma.LAG_HINGE, puma.RADIUS)
    inertia = piece.inertia[2, 2] + piece.mass * (piece.com[0] - puma.LAG_HINGE) ** 2
    s = linear
    moved = LAG_DAMPER**2 * s**2 / (DAMPER.stiffness * (2.0 * inertia * s + LAG_DAMPER))
    assert abs(hydraulic - linear - moved) < 0.1 * abs(moved)
    assert hydraulic.real == pytest.approx(linear.real, rel=0.03)


@pytest.mark.parametrize("degrees", [0.2, 2.0, 4.0])
def test_damping_on_the_rotor_by_amplitude(degrees):
    """The steady law, less what the spring of the oil takes at the most, (c omega / k)^2, 0.012; and |M| <= top."""
    run = forced("hydraulic", degrees)
    amplitude, found = measured(run)
    spring = (LAG_DAMPER * OMEGA / DAMPER.stiffness) ** 2
    assert found == pytest.approx(DAMPER.equivalent(amplitude, OMEGA), rel=1.2 * spring)
    top = np.abs(run["blade_1.lag.damper.effort"][-90:]).max()
    assert found <= 4.0 * top / (np.pi * OMEGA * amplitude)
    if degrees >= 2.0:
        # relief: at most a fifth above the limit, and never less than the bend of the valves below
        assert 0.95 < found / DAMPER.coulomb(amplitude, OMEGA) < 1.2


def test_linear_dampers_stay_what_they_are():
    """7000 N m s/rad at any amplitude: the last turn is periodic to 1e-3."""
    for degrees in (0.5, 4.0):
        assert measured(forced("linear", degrees, 24))[1] == pytest.approx(LAG_DAMPER, rel=2e-3)


def test_manoeuvre_at_400_hz():
    """Steps of real time: none is divided, the moment is limited, and work is heat and what the oil holds.

    Work and heat are integrated by trapezoids from samples of 2.5 ms; a turn has 90 of them, and pressures 10 in a
    reversal: 1e-3 of the work.
    """
    runs = [flight(kind, -6.0) for kind in ("linear", "hydraulic")]
    counters = runs[1].attrs.counters
    assert counters["divided"] == counters["unconverged"] == counters["rejected"] == 0
    largest = [max(np.abs(run[f"blade_{k}.lag.damper.effort"]).max() for k in (1, 2, 3, 4)) for run in runs]
    assert largest[0] > 2.5 * DAMPER.limit
    assert DAMPER.limit < largest[1] < 1.1 * DAMPER.limit
    for k in (1, 2, 3, 4):
        assert abs(unaccounted(runs[1], f"blade_{k}.lag.damper")) < 1e-3


def test_machines_take_them():
    """Each says that sizes are made up, and moves."""
    for build in (puma.build, puma_hydraulic.build, helicopter.build):
        model = build(lag_damper="hydraulic")
        assert "lag dampers" in model.stand_in
        assert sum(isinstance(one, sm.HydraulicHingeDamper) for one in model.elements.values()) == puma.BLADES
        assert "lag dampers" not in build().stand_in
    results = sm.transient(helicopter.build(lag_damper="hydraulic"), 0.1, 2.5e-3, progress=False)
    assert np.abs(results["main.blade_1.lag.damper.effort"]).max() > 100.0


def test_mirrored_rotor():
    """Counter-clockwise the damper's effort is the same: lag counts back in both."""
    runs = [
        sm.transient(puma.build(lag_damper="hydraulic", clockwise=c, **HOVER), 0.1, 2.5e-3, progress=False)
        for c in (True, False)
    ]
    first, second = (run["blade_1.lag.damper.effort"] for run in runs)
    np.testing.assert_allclose(first, second, atol=1e-6 * np.abs(first).max())


def test_refusals():
    with pytest.raises(sm.ModelError, match="lag_damper"):
        puma.build(lag_damper="dry")
    with pytest.raises(sm.ModelError, match="lag"):
        puma.build(lag_damper="hydraulic", lag="locked")
