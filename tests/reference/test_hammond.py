"""Hammond's helicopter against its linear equations, which are derived in `lag_hub_equations` (VALIDATION, row 1).

The nonlinear multibody starts from a lag of 1e-3 degrees: what is of second order in it is 1e-5 of the motion.
"""

import numpy as np
import pytest
from lag_hub_equations import LagHub
from pencil import exponents
from scipy.optimize import brentq

import samara as sm
from samara import models
from samara.model import ModelError
from samara.models.rotors.hammond import DATA
from samara.solve import TwoStep, transient

KICK_DEG = 1e-3
RPM = np.pi / 30


def equations(out: int = 0, blades: int = 4, **start) -> LagHub:
    """With the damper of blade `out` taken away."""
    return LagHub(
        blades, DATA.blade_mass, DATA.blade_moment, DATA.blade_inertia, DATA.hinge, DATA.lag_spring,
        tuple(0.0 if k + 1 == out else DATA.lag_damper for k in range(blades)),
        DATA.mass, DATA.stiffness, DATA.damping, **start,
    )  # fmt: skip


def simulated(end: float, step: float, **settings) -> tuple[np.ndarray, np.ndarray]:
    """Times, and hub x, y and lag angles, rows; without numerical damping."""
    model = models.find("hammond").make(kick_deg=KICK_DEG, **settings)
    blades = settings.get("blades", 4)
    run = transient(model, end, step, integrator=TwoStep(1.0), progress=False)
    lag = [run[f"blade_{k + 1}.lag.angle"] for k in range(blades)]
    return run.time, np.column_stack([run["mast.position"][:, :2], *lag])


def extrapolated(end: float, step: float, **settings) -> tuple[np.ndarray, np.ndarray]:
    """The same to fourth order: the scheme is of second order with an error in even powers."""
    times, coarse = simulated(end, step, **settings)
    fine = simulated(end, 0.5 * step, **settings)[1][::2]
    return times, (4.0 * fine - coarse) / 3.0


def expected(found: LagHub, speed: float, times: np.ndarray) -> np.ndarray:
    start = np.zeros(2 * (2 + found.blades))
    start[2] = np.deg2rad(KICK_DEG)
    return found.history(speed, start, times)[:, : 2 + found.blades]


# ---- the equations themselves
def test_the_equations_give_the_published_eigenvalues(data):
    """The file has eight digits."""
    rows = np.loadtxt(data / "hammond_coleman_maxreal.csv", delimiter=",", skiprows=2)
    found = [equations().coleman(rpm * RPM) for rpm in rows[:, 0]]
    worst = [values[np.argmax(values.real)] for values in found]
    np.testing.assert_allclose(np.real(worst), rows[:, 2], atol=1e-6)
    assert np.real(worst).max() < 0.0  # stable at all speeds


@pytest.mark.parametrize("blades", [3, 4, 5])
def test_floquet_and_coleman_agree_where_both_hold(blades):
    """Real parts of all exponents; both are exact, and the integration has 1e-12."""
    found, speed = equations(blades=blades), 250.0 * RPM
    by_coleman = np.sort(found.coleman(speed).real)
    np.testing.assert_allclose(np.sort(found.floquet(speed).real), by_coleman, atol=1e-8)


# ---- Samara
@pytest.mark.parametrize("out", [0, 2])
@pytest.mark.parametrize("speed_rpm", [150.0, 250.0])
def test_motion_after_a_kick(speed_rpm, out):
    """Two seconds, all dampers and one out: 1e-4 of the largest displacement and of the largest lag."""
    times, found = extrapolated(2.0, 1e-3, speed_rpm=speed_rpm, out=out)
    wanted = expected(equations(out), speed_rpm * RPM, times)
    size = np.array([np.abs(wanted[:, :2]).max()] * 2 + [np.deg2rad(KICK_DEG)] * 4)
    assert (np.abs(found - wanted) / size).max() < 1e-4


def test_other_sense_other_start_and_three_blades():
    """The same equations mirrored, and begun at another azimuth."""
    settings = {"speed_rpm": -220.0, "azimuth_deg": 35.0, "blades": 3, "out": 3}
    times, found = extrapolated(1.0, 1e-3, **settings)
    other = equations(3, 3, sense=-1, azimuth=np.deg2rad(35.0))
    wanted = expected(other, 220.0 * RPM, times)
    size = np.array([np.abs(wanted[:, :2]).max()] * 2 + [np.deg2rad(KICK_DEG)] * 3)
    assert (np.abs(found - wanted) / size).max() < 1e-4


def growth(speed_rpm: float, turns: int, **settings) -> float:
    """Rate of the slowest mode [1/s] from a run of so many turns: from one turn to the next the map is constant."""
    period, per_turn = 60.0 / speed_rpm, 60
    _, found = extrapolated(turns * period, period / per_turn, speed_rpm=speed_rpm, **settings)
    return exponents(found[::per_turn], period, 12)[0].real


def test_the_unstable_range_with_one_damper_out():
    """Floquet: 210.4 to 307.1 rpm. The multibody grows 2 rpm inside and decays 2 rpm outside, with the same rates."""
    low, high = (
        brentq(lambda rpm: equations(1).floquet(rpm * RPM).real.max(), *ends, xtol=1e-3)
        for ends in ((205.0, 215.0), (300.0, 312.0))
    )
    assert (low, high) == pytest.approx((210.4, 307.1), abs=0.1)
    for rpm, sign in ((low - 2, -1), (low + 2, 1), (high - 2, 1), (high + 2, -1)):
        found = growth(rpm, 20, out=1)
        assert found * sign > 0.0
        assert found == pytest.approx(equations(1).floquet(rpm * RPM).real.max(), abs=1e-3)


@pytest.mark.parametrize(("speed_rpm", "out"), [(150.0, 0), (250.0, 0), (400.0, 0), (250.0, 4)])
def test_rates_of_the_slowest_mode(speed_rpm, out):
    """All dampers: the published eigenvalues; one out: Floquet. To 1e-3 1/s, from transients."""
    found = growth(speed_rpm, 20, out=out)
    assert found == pytest.approx(equations(out).floquet(speed_rpm * RPM).real.max(), abs=1e-3)


@pytest.mark.parametrize(("blades", "azimuth_deg", "exchange"), [(2, 0.0, True), (2, 30.0, False), (3, 0.0, False)])
def test_floquet_at_azimuths_where_pivots_vanish(blades, azimuth_deg, exchange):
    """A blade that passes along an axis of the carriage has nothing to eliminate with there: other pivots are taken.

    Rates of all modes to the third order of the step, 120 a turn.
    """
    model, turn = models.find("hammond").make(blades=blades, azimuth_deg=azimuth_deg), 60.0 / 250.0
    found = sm.floquet(model, turn, turn / 120, exchange=exchange, without_step=True)
    wanted = equations(blades=blades).floquet(250.0 * RPM).real
    assert np.repeat(np.sort(found.eigenvalues.real), 2) == pytest.approx(np.sort(wanted), rel=2e-4)
    assert found.stable


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"blades": 1}, "blades must be 2 or more, got 1"), ({"out": 5}, r"out names a blade, 1 .. 4, or is 0 for none")],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ModelError, match=message):
        models.find("hammond").make(**settings)
