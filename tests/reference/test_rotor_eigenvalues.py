"""Stability straight from linearised models: multiblade coordinates and Floquet against equations derived by hand.

Hammond's helicopter (VALIDATION, row 1) with all dampers has constant equations in multiblade coordinates; with one of
them out only Floquet's theory is right. The propeller on its pylon (row 8) is one rigid body with blades.
"""

import numpy as np
import pytest
from scipy.optimize import brentq
from test_hammond import RPM, equations
from test_whirl_flutter import equations as whirl

import samara as sm
from samara.analysis import Periodic
from samara.models.rotors import hammond
from samara.models.tiltrotors import propeller_pylon

STEPS = 120


def motion(steps: int = STEPS, **settings) -> Periodic:
    """Hammond's helicopter at rest but for its rotation."""
    rpm = abs(settings.setdefault("speed_rpm", 250.0))
    model = hammond.build(kick_deg=0.0, **settings)
    return sm.periodic(model, 60.0 / rpm, 60.0 / rpm / steps, outputs="model.violation")


def forward(values: np.ndarray) -> np.ndarray:
    """One of each pair, the least stable first."""
    return np.array(sorted(values[values.imag > 1e-9], key=lambda s: (-round(s.real, 6), s.imag)))


def test_multiblade_gives_the_published_rates(data):
    """At 250 rpm the source says -0.32953; the model is not linear, and yet all digits of the file come out."""
    rows = np.loadtxt(data / "hammond_coleman_maxreal.csv", delimiter=",", skiprows=2)
    for rpm in (100.0, 200.0, 250.0, 320.0):
        found = sm.modes(motion(speed_rpm=rpm))
        assert found.periodic < 1e-5
        expected = forward(equations().coleman(rpm * RPM))
        assert forward(found.eigenvalues) == pytest.approx(expected, abs=2e-6)
        assert found.eigenvalues.real.max() == pytest.approx(rows[rows[:, 0] == rpm, 2][0], abs=1e-6)


@pytest.mark.parametrize("settings", [{}, {"azimuth_deg": 77.0}, {"speed_rpm": -250.0}, {"blades": 3}, {"blades": 5}])
def test_floquet_gives_the_same(settings):
    """Whatever the number of blades, the sense of rotation and the azimuth: what the step adds is taken out."""
    found = sm.floquet(motion(**settings), without_step=True)
    assert found.exchanged == settings.get("blades", 4)
    expected = equations(blades=settings.get("blades", 4)).coleman(250.0 * RPM)
    if settings.get("blades") == 5:  # two of the blades' own motions are waves of order two, seen in the fixed frame
        expected[-4:] += 2j * 250.0 * RPM * np.array([1, -1, -1, 1]) * np.sign(expected[-4:].imag)
    assert forward(found.eigenvalues) == pytest.approx(forward(expected), abs=2e-4)
    assert found.stable


def test_blades_that_change_places_and_a_whole_turn():
    """Multipliers of a turn are those of a part of it, as often as there are blades; the step is the same."""
    found = motion()
    whole, part = sm.floquet(found, exchange=False), sm.floquet(found)
    assert (whole.exchanged, part.exchanged) == (1, 4)
    one, four = (np.sort(np.abs(x)) for x in (whole.multipliers, part.multipliers**4))
    assert one == pytest.approx(four, rel=1e-6)


def test_what_the_step_adds_falls_with_its_square():
    exact = equations().coleman(250.0 * RPM).real.max()
    coarse, fine = (sm.floquet(motion(steps)).eigenvalues.real.max() - exact for steps in (60, 120))
    assert coarse / fine == pytest.approx(4.0, rel=0.1)


def rate(rpm: float) -> float:
    """With the damper of one blade out, to third order in the step."""
    return float(sm.floquet(motion(speed_rpm=rpm, out=1), without_step=True).eigenvalues.real.max())


def test_one_damper_out():
    """All exponents; an average in multiblade coordinates would not even see that it is unstable."""
    found = motion(out=1)
    expected = equations(out=1).floquet(250.0 * RPM)
    got = sm.floquet(found, without_step=True)
    assert got.exchanged == 1
    assert np.sort(got.eigenvalues.real)[::-1] == pytest.approx(np.sort(expected.real)[::-2], abs=1e-3)
    assert not got.stable
    without = sm.modes(found)
    assert without.periodic > 1e-3
    assert np.sort(without.eigenvalues.real)[::-1] == pytest.approx(np.sort(expected.real)[::-2], abs=1e-5)


@pytest.mark.slow
def test_the_range_that_is_unstable_with_one_damper_out():
    def expected(rpm: float) -> float:
        return float(equations(out=1).floquet(rpm * RPM).real.max())

    for low, high in ((205.0, 215.0), (300.0, 315.0)):
        edge = brentq(expected, low, high, xtol=1e-3)
        assert brentq(rate, low, high, xtol=0.02) == pytest.approx(edge, abs=0.2)


def test_an_instant_is_refused():
    """Eigenvalues of one instant said +0.89 where the truth is -0.33."""
    sim = sm.Simulation(hammond.build(kick_deg=0.0))
    sm.transient(sim, 0.01, 1e-3, progress=False)
    with pytest.raises(sm.NotConstant, match=r"model 'hammond' has fixed and rotating parts: ..*modes\(periodic"):
        sm.modes(sim)
    assert sm.modes(sim, frozen=True).eigenvalues.real.max() > 0.0
    with pytest.raises(sm.ModelError, match=r"'hammond' cannot rotate as a whole: .* prevents it"):
        sm.steady_rotation(hammond.build(kick_deg=0.0), 250.0 * RPM)


def test_names_tell_what_moves():
    found = sm.floquet(motion())
    assert found.names[0] == "lag regressing"
    assert {"lag collective", "lag differential", "lag progressing"} <= set(found.names)
    assert found.shares["lag"][0] > 0.6


# ---- whirl
def pylon(wind: float, **settings) -> Periodic:
    model = propeller_pylon.build(wind=wind, kick_deg=0.0, **settings)
    period = 60.0 / abs(settings.get("speed_rpm", propeller_pylon.SPEED_RPM))
    return sm.periodic(model, period, period / 60, outputs="model.violation")


@pytest.mark.parametrize("settings", [{}, {"blades": 3, "azimuth_deg": 20.0}, {"speed_rpm": -1020.0}])
def test_whirl(settings):
    """Both whirls, damped, neutral and growing, to the rounding of the equations' integrals."""
    for wind in (40.0, 129.0, 200.0):
        other = {"blades": settings.get("blades", 4), "sense": int(np.sign(settings.get("speed_rpm", 1.0)))}
        expected = forward(whirl(**other).eigenvalues(wind))
        assert forward(sm.modes(pylon(wind, **settings)).eigenvalues) == pytest.approx(expected, rel=1e-6)


def test_the_flutter_boundary_by_eigenvalues_and_by_floquet():
    wind, frequency = whirl().boundary(20.0, 240.0)

    def least_stable(v: float, find) -> complex:
        values = find(pylon(v)).eigenvalues
        return values[np.argmax(values.real)]

    for find, within in ((sm.modes, 1e-6), (lambda p: sm.floquet(p, without_step=True), 1e-3)):
        found = brentq(lambda v, find=find: least_stable(v, find).real, 110.0, 150.0, xtol=1e-5)
        assert found == pytest.approx(wind, rel=within)
        assert least_stable(found, find).imag == pytest.approx(frequency, rel=within)


def test_two_blades():
    """Equations in multiblade coordinates stay periodic; half a turn is enough for Floquet."""
    found = motion(blades=2)
    got = sm.floquet(found, without_step=True)
    assert got.exchanged == 2
    expected = equations(blades=2).floquet(250.0 * RPM)
    both = np.concatenate([got.eigenvalues, got.eigenvalues.conj()])
    assert np.sort(both.real) == pytest.approx(np.sort(expected.real), abs=1e-3)
    without = sm.modes(found)
    assert without.periodic > 1e-3
    assert np.sort(without.eigenvalues.real) == pytest.approx(np.sort(expected.real)[::2], abs=1e-5)
    assert "the equations change by 20 % within the period" in str(without)


def test_branches_along_the_speed():
    """Modes of successive speeds are joined by their shapes; the regressing lag mode stays itself."""
    speeds = np.arange(200.0, 281.0, 20.0)
    found = [sm.floquet(motion(speed_rpm=rpm)) for rpm in speeds]
    branches = sm.track(speeds * RPM, found, [f.vectors() for f in found], count=6)
    regressing = branches.index[:, 0]
    assert [f.names[i] for f, i in zip(found, regressing, strict=True)] == ["lag regressing"] * len(speeds)
