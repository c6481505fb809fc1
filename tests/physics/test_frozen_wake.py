"""A far wake that a free one left, frozen: the same loads, and analyses of a turn or an instant take it."""

import numpy as np
import pytest

import samara as sm
from samara import FreeWake
from samara.models.rotors.hinged_rotor import LOCK, SPEED, hinged_rotor

TURN, STEPS = 2 * np.pi / SPEED, 30
WAKE = FreeWake(step=TURN / STEPS, turns=1.0)
FLIGHT = {"wind": (18.0, 0.0, -2.4)}
LAST = slice(-4 * STEPS, None)


def free(turns: int, **flight):
    model = hinged_rotor(inflow=WAKE, **flight)
    return model, sm.transient(model, turns * TURN, TURN / STEPS, progress=False)


@pytest.fixture(scope="module")
def forward():
    """At an advance ratio of 0.15."""
    return free(16, **FLIGHT)


@pytest.fixture(scope="module")
def hover():
    return free(24)


def test_loads_are_those_of_the_free_wake(forward):
    """Thrust, power and flapping, means of four turns: the series has all but what differs from turn to turn."""
    model, found = forward
    frozen = sm.frozen_wake(model, found)
    assert frozen.missed < 0.1
    again = sm.transient(hinged_rotor(inflow=frozen, **FLIGHT), 12 * TURN, TURN / STEPS, progress=False)
    for name in ("rotor.CT", "rotor.CQ"):
        assert again[name][LAST].mean() == pytest.approx(found[name][LAST].mean(), rel=2e-3)
    angle = "blade_1.flap.angle"
    np.testing.assert_allclose(again[angle][LAST], found[angle][LAST], atol=2e-3 * np.ptp(found[angle][LAST]) + 1e-4)
    assert again["rotor.strength"][LAST].mean() == pytest.approx(1.0, abs=2e-3)


def test_trim_finds_the_controls_of_the_free_wake(forward):
    """The thrust of the run asked for, collective pitch is that of the run."""
    model, found = forward
    CT = found["rotor.CT"][LAST].mean()
    frozen = hinged_rotor(inflow=sm.frozen_wake(model, found, harmonics=6), **FLIGHT)
    trimmed = sm.trim(frozen, {"collective": 0.08}, {"rotor.CT": CT}, period=TURN, steps=STEPS)
    assert trimmed.met and trimmed.controls["collective"] == pytest.approx(0.1, rel=2e-3)


def test_periodic_and_floquet(forward):
    """The motion repeats, and the flap modes decay as in hover on average: 30 / (1 + 4 / 20) 1/s to 5 %.

    Steps are short, for the flow turns around within a degree where a station enters reversed flow.
    """
    model, found = forward
    frozen = hinged_rotor(inflow=sm.frozen_wake(model, found, harmonics=3, scaling="none"), **FLIGHT)
    orbit = sm.periodic(frozen, TURN, TURN / 360, outputs=("rotor.CT",))
    assert orbit.settled
    assert orbit.results["rotor.CT"].mean() == pytest.approx(found["rotor.CT"][LAST].mean(), rel=5e-3)
    exponents = sm.floquet(orbit.simulation, TURN, TURN / 360).eigenvalues
    flap = [-s.real for s in exponents if s.imag > 0.0][:4]
    assert np.mean(flap) == pytest.approx(LOCK / 16 * SPEED / (1 + 4 / 20), rel=0.05)


def test_modes_in_hover(hover):
    """Flap damping in a far wake of fixed velocities: Lock number / 16 times Omega, less what the near wake takes.

    A wing of the aspect ratio A of a blade, 20, takes a part 1 / (1 + 4 / A) of it for loads that rise from one end to
    the other, as a rolling wing's do: found to 0.3 %. With the wake's strength following the thrust the collective flap
    mode is damped less: more thrust, more downwash.
    """
    model, found = hover
    rate = {}
    for scaling in ("none", "thrust"):
        frozen = sm.frozen_wake(model, found, harmonics=0, scaling=scaling)
        settled = sm.periodic(hinged_rotor(inflow=frozen), TURN, TURN / STEPS)
        modes = sm.modes(settled)
        flap = [s for s in modes.eigenvalues if s.imag > 0.0 and -s.real < 30.0]
        rate[scaling] = sorted(-s.real for s in flap)
        assert len(flap) == 4
    limit = LOCK / 16 * SPEED
    np.testing.assert_allclose(rate["none"], limit / (1 + 4 / 20), rtol=1e-2)
    np.testing.assert_allclose(rate["thrust"][1:], rate["none"][1:], rtol=1e-6)
    assert rate["thrust"][0] < 0.6 * rate["none"][0]


def test_wakes_of_other_thrusts_are_doubted(hover):
    model, found = hover
    other = hinged_rotor(inflow=sm.frozen_wake(model, found, harmonics=0), collective=0.05)
    with pytest.warns(UserWarning, match="its thrust is 0.5.* freeze the wake again"):
        sm.transient(other, 6 * TURN, TURN / STEPS, progress=False)


def test_free_wakes_are_refused_with_the_remedy():
    model = hinged_rotor(inflow=WAKE)
    for analysis in (
        lambda: sm.modes(model),
        lambda: sm.floquet(sm.Simulation(model), TURN, TURN / STEPS),
        lambda: sm.periodic(model, TURN, TURN / STEPS),
        lambda: sm.trim(model, {"collective": 0.1}, {"rotor.CT": 0.004}, period=TURN, steps=STEPS),
    ):
        with pytest.raises(sm.ArgumentError, match="frozen_wake"):
            analysis()


def test_what_cannot_be_frozen(hover):
    model, found = hover
    with pytest.raises(sm.ArgumentError, match="shorter than 40 turns"):
        sm.frozen_wake(model, found, turns=40)
    with pytest.raises(sm.ModelError, match="no rotor with a FreeWake"):
        sm.frozen_wake(hinged_rotor(), found)
    with pytest.raises(sm.ModelError, match="series must be of shape"):
        sm.FrozenWake(radii=(0.5,), series=((1.0,),), reference=1.0)
