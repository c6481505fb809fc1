"""The helicopter with a turboshaft engine: speeds that are free, a governor, a failure, autorotation."""

import numpy as np
import pytest

import samara as sm
from samara.model.roles.inertia import total_mass
from samara.models.articulated_rotors import puma, tail_rotor
from samara.models.helicopters import helicopter, helicopter_drive, helicopter_trim

STEP = 2.5e-3


def fly(end=6.0, **options):
    model = helicopter.build(engine="turboshaft", **options)
    return sm.transient(model, end, STEP, every=4, progress=False)


@pytest.fixture(scope="module")
def hover():
    return fly()


def test_the_governor_holds_the_rotor_speed_in_hover(hover):
    """To 1 % through the release at 2 s. In the first second blades that start straight fall back in their hinges."""
    settled = hover.time > 1.0
    assert np.abs(hover["main.rotor.speed"][settled] / -puma.SPEED - 1.0).max() < 0.01
    assert np.abs(hover["tail.rotor.speed"][settled] / -tail_rotor.SPEED - 1.0).max() < 0.01
    assert np.abs(hover["main.rotor.speed"][-100:] / -puma.SPEED - 1.0).max() < 0.001


def test_gears_keep_both_rotors_together(hover):
    ratio = hover["tail.rotor.speed"] / hover["main.rotor.speed"]
    np.testing.assert_allclose(ratio, tail_rotor.GEAR, rtol=1e-9)


def test_the_engine_gives_what_the_rotors_take(hover):
    """In the mean over the last two seconds; the loss in the freewheel's damper is none in steady flight."""
    last = hover.time > 4.0
    taken = (hover["main.rotor.power"] + hover["tail.rotor.power"])[last].mean()
    assert hover["engine.turbine.power"][last].mean() == pytest.approx(taken, rel=0.01)


def test_it_hovers_like_the_one_with_prescribed_speeds(hover):
    """The same controls hold it: the governor has no droop. Both drift by centimetres after the release."""
    assert np.abs(hover["fuselage.position"][-1]).max() < 0.2
    assert np.abs(hover["fuselage.velocity"][-1]).max() < 0.1


def test_the_mirror_image(hover):
    """The other sense of rotation, with everything to the other side; roll and theta1c change their sign.

    A mirror is exact but for rounding, which an unstable machine lets grow: 1e-6 after six seconds.
    """
    controls = dict(zip(helicopter.CONTROLS, helicopter.HOVER, strict=True))
    mirrored = fly(clockwise=False, roll_deg=-controls["roll"])
    for name in ("engine.turbine.power", "engine.turbine.speed", "engine.valve.output.value", "main.rotor.thrust"):
        np.testing.assert_allclose(mirrored[name], hover[name], rtol=1e-6)
    np.testing.assert_allclose(mirrored["main.rotor.speed"], -hover["main.rotor.speed"], rtol=1e-8)
    np.testing.assert_allclose(mirrored["fuselage.position"] * [1, -1, 1], hover["fuselage.position"], atol=1e-6)


@pytest.mark.parametrize(
    ("airspeed", "options"), [(20.0, {}), (80.0, {}), (0.0, {"blades": "elastic"})], ids=["20", "80", "elastic"]
)
def test_the_governor_holds_the_rotor_speed_in_flight(airspeed, options):
    controls = {f"{name}_deg": value for name, value in helicopter_trim.first_guess(airspeed).items()}
    results = fly(5.0, airspeed=airspeed, **controls, **options)
    assert np.abs(results["main.rotor.speed"][results.time > 1.0] / -puma.SPEED - 1.0).max() < 0.01


def test_more_collective_asks_for_more_fuel():
    """One degree in a second: the speed gives way by some 2 % at most, and comes back; power follows."""
    up = sm.Cosine(1.0, 1.0, start=3.0, initial=helicopter.HOVER[0])
    results = fly(6.0, collective_deg=up)
    off = np.abs(results["main.rotor.speed"] / -puma.SPEED - 1.0)
    assert off[results.time > 1.0].max() < 0.02
    assert off[-50:].max() < 0.005
    before, after = np.abs(results.time - 2.8) < 0.2, np.abs(results.time - 4.5) < 0.2
    assert results["engine.turbine.power"][after].mean() > 1.05 * results["engine.turbine.power"][before].mean()


@pytest.mark.slow
def test_a_failure_ends_in_autorotation():
    """Level flight at 35 m/s, the flame out at 4 s, controls to those of `autorotation` within a second.

    The trim knows nothing of freewheel and engine: it asks for the sink at which both rotors take no power at their
    nominal speed. The run finds speed and sink by itself: the same to 1 %, forward speed still settling.
    """
    level, down = helicopter.trim(35.0), helicopter_trim.autorotation(35.0)
    assert level.met and down.met
    controls = {}
    for name in helicopter.CONTROLS:
        first, last = (float(np.degrees(found.controls[name])) for found in (level, down))
        controls[f"{name}_deg"] = sm.Cosine(last - first, 1.0, start=4.3, initial=first)
    results = fly(26.0, airspeed=35.0, failure=4.0, **controls)
    over = results.time > 22.0
    assert results["fuselage.velocity"][over, 2] == pytest.approx(-down.controls["wind_z"], rel=0.01)
    assert results["main.rotor.speed"][over] == pytest.approx(-puma.SPEED, rel=0.005)
    assert np.abs(results["engine.freewheel.torque"][over]).max() < 1e-6
    assert (results["engine.freewheel.overrun"][over] > 1.0).all()  # the rotor goes on without the engine
    assert results["engine.turbine.burnt"][-1] == 0.0


@pytest.mark.slow
def test_a_failure_in_hover_ends_there_too():
    """The nose goes down by 15 degrees for speed, pitch of the blades two degrees further; then as above.

    After 40 s the machine is still half a metre per second too fast: the sink, flat there, is met to 1 %.
    """
    down = helicopter_trim.autorotation(35.0)
    controls = {}
    for name, first in zip(helicopter.CONTROLS, helicopter.HOVER, strict=True):
        controls[f"{name}_deg"] = sm.Cosine(float(np.degrees(down.controls[name])) - first, 1.0, 3.3, first)
    controls["collective_deg"] += sm.Cosine(-2.0, 1.0, 3.3) + sm.Cosine(2.0, 4.0, 13.0)
    controls["pitch_deg"] += sm.Cosine(-15.0, 3.0, 3.3) + sm.Cosine(15.0, 4.0, 15.0)
    results = fly(40.0, failure=3.0, **controls)
    speed, over = results["main.rotor.speed"] / -puma.SPEED, results.time > 36.0
    assert speed.min() > 0.9 and speed.max() < 1.2
    assert speed[over] == pytest.approx(1.0, abs=0.005)
    assert results["fuselage.velocity"][over, 2] == pytest.approx(-down.controls["wind_z"], rel=0.01)


def test_a_trim_with_the_engine_is_that_without():
    """The governor has no droop: the trims, and those of `GUESS` in hover to their two decimals, are the same."""
    found = helicopter.trim(0.0, engine=helicopter_drive.Turboshaft())
    assert found.met
    for name, value in zip(helicopter.CONTROLS, helicopter.HOVER, strict=True):
        assert np.degrees(found.controls[name]) == pytest.approx(value, abs=0.01)
    assert found.results["main.rotor.speed"].mean() == pytest.approx(-puma.SPEED, rel=1e-5)


def test_a_drive_puts_the_flame_out():
    """Or an input, for a panel: what burns is the fuel times it."""
    flame = sm.Input("flame", initial=1.0)
    settings = dict(zip(helicopter.CONTROLS, helicopter.HOVER, strict=True))
    model = helicopter.helicopter(settings, engine=helicopter_drive.Turboshaft(burning=flame))
    assert [given.name for given in model.inputs] == ["flame"]
    with pytest.raises(sm.ModelError, match="give either failure or burning"):
        helicopter_drive.Turboshaft(failure=3.0, burning=flame)


def test_equations_are_counted():
    """One for each state and each gear, beside the two shafts with their bearings, less the two prescribed angles."""
    plain, driven = (helicopter.equations(helicopter.build(engine=e)) for e in helicopter_drive.KINDS)
    more = 2 * (12 + 5) - 2 + 2 + 5
    assert driven["source"] == plain["source"] + more


def test_arguments_name_themselves():
    with pytest.raises(sm.ModelError, match="failure"):
        helicopter.build(failure=3.0)
    with pytest.raises(sm.ModelError, match="engine must be one of prescribed, turboshaft"):
        helicopter.build(engine="steam")
    with pytest.raises(sm.ModelError, match="failure must not be negative"):
        helicopter_drive.Turboshaft(failure=-1.0)


def test_the_machine_weighs_what_it_did():
    plain, driven = helicopter.build(), helicopter.build(engine="turboshaft")
    masses = [total_mass(model.elements.values()) for model in (plain, driven)]
    assert masses[1] == pytest.approx(masses[0], rel=1e-12)
