"""Periodic motion and trim on a rotor of hinged rigid blades: closed forms, and what cannot be met."""

import re

import numpy as np
import pytest

import samara as sm
from samara import KirchhoffAerofoil, Momentum, PittPeters
from samara.analysis import Harmonic, periodic, trim
from samara.models.rotors.hinged_rotor import CHORD, RADIUS, SLOPE, SPEED, hinged_rotor

PERIOD, STEP = 2 * np.pi / SPEED, 2 * np.pi / SPEED / 120
TIP, FLAP = SPEED * RADIUS, "blade_1.flap.angle"
SIGMA = 4 * CHORD / (np.pi * RADIUS)
NOMINAL = 1.225 * np.pi * RADIUS**2 * TIP**2


def test_a_periodic_motion_repeats_itself():
    found = periodic(hinged_rotor(wind=(15.0, 0.0, 0.0)), PERIOD, STEP, tolerance=1e-8)
    assert found.settled and found.residual < 1e-8
    again = sm.transient(found.simulation, found.simulation.time + 3 * PERIOD, STEP, progress=False)
    for name in ("rotor.thrust", FLAP):
        before, after = found.results[name], again[name][-120:]
        # what is left decays further: a multiple of the change a period
        np.testing.assert_allclose(after, before, rtol=0, atol=1e-6 * np.abs(before).max())


def test_a_motion_that_does_not_settle_says_so():
    found = periodic(hinged_rotor(wind=(15.0, 0.0, 0.0)), PERIOD, STEP, tolerance=1e-12, periods=3)
    assert not found.settled and found.periods == 3 and found.residual > 1e-12


def test_step_must_divide_the_period():
    with pytest.raises(sm.ModelError, match=r"does not divide the period .* 120 steps"):
        periodic(hinged_rotor(), PERIOD, STEP * 1.003)


def test_hover_thrust_against_the_closed_form():
    """theta = 6 CT / (sigma a) + 3/2 sqrt(CT / 2), within the small angles that it takes: 0.5 percent."""
    thrust = 900.0
    found = trim(hinged_rotor(), {"collective": 0.05}, {"rotor.thrust": thrust}, period=PERIOD, step=STEP)
    assert found.met, found
    assert found.measured["rotor.thrust"] == pytest.approx(thrust, rel=1e-4)
    CT = thrust / NOMINAL
    assert found.controls["collective"] == pytest.approx(6 * CT / (SIGMA * SLOPE) + 1.5 * np.sqrt(CT / 2), rel=5e-3)
    assert found.simulation.model.parameters["collective"].value == found.controls["collective"]


@pytest.mark.parametrize("inflow", [Momentum("drees"), PittPeters()], ids=["Drees", "Pitt-Peters"])
def test_thrust_without_flapping_in_forward_flight(inflow):
    """Cyclic pitch that keeps the disk across the shaft, and the balance of the hinge moments that it comes from.

    theta_1c = (4/3 mu beta_0 + k_x) / (1 + mu^2/2), theta_1s = (k_y - 8/3 mu (theta_0 - 3/4 lambda)) / (1 + 3/2 mu^2);
    squares of angles, reversed flow and drag make 1 percent of the largest angle at most.
    """
    mu, axial = 0.15, 0.015
    model = hinged_rotor(wind=(mu * TIP, 0.0, -axial * TIP), inflow=inflow)
    targets = {"rotor.thrust": 700.0, Harmonic(FLAP, "cos"): 0.0, Harmonic(FLAP, "sin"): 0.0}
    controls = {"collective": 0.05, "lateral": 0.0, "longitudinal": 0.0}
    found = trim(model, controls, targets, period=PERIOD, step=STEP, outputs=("rotor.*", "blade_*.flap.angle"))
    assert found.met, found
    assert max(abs(found.measured[f"{part} 1 of {FLAP}"]) for part in ("cos", "sin")) < 1e-4
    theta, lateral, longitudinal = found.controls.values()
    u, g_x, g_y = found.results["rotor.induced"].mean(axis=0) / TIP
    b0 = found.results[FLAP].mean()
    expected_lateral = (4 / 3 * mu * b0 + g_x) / (1 + mu**2 / 2)
    expected_longitudinal = (g_y - 8 / 3 * mu * (theta - 0.75 * (axial + u))) / (1 + 1.5 * mu**2)
    assert lateral == pytest.approx(expected_lateral, abs=0.01 * theta)
    assert longitudinal == pytest.approx(expected_longitudinal, abs=0.01 * theta)

    # the same controls on a rotor that starts anew lead to the same
    fresh = hinged_rotor(wind=(mu * TIP, 0.0, -axial * TIP), inflow=inflow)
    for name, value in found.controls.items():
        fresh.parameters[name].value = value
    run = sm.transient(fresh, end=25 * PERIOD, step=STEP, progress=False, outputs=("rotor.thrust", FLAP))
    assert run["rotor.thrust"][-120:].mean() == pytest.approx(700.0, rel=2e-4)
    assert np.abs(run[FLAP][-120:] - b0).max() < 0.2 * b0  # only higher harmonics are left


def test_autorotation():
    """Zero torque of a rotor that is turned at its speed: it would keep that speed by itself."""
    model = hinged_rotor(wind=(18.0, 0.0, 2.0), collective=0.05)
    found = trim(
        model, {"wind_z": 2.0}, {"rotor.torque": 0.0}, period=PERIOD, step=STEP, sizes={"rotor.torque": 10.0},
        outputs="rotor.*",
    )  # fmt: skip
    assert found.met, found
    assert abs(found.results["rotor.power"].mean()) < 10.0 * SPEED * 1e-4
    # what the air gives through the disk, drag takes: sigma cd / 8 (1 + 4.65 mu^2), the textbook's fit
    T, H = found.results["rotor.thrust"].mean(), found.results["rotor.force"].mean(axis=0)[0]
    u = found.results["rotor.induced"][:, 0].mean()
    given = T * (found.controls["wind_z"] - u) + H * 18.0
    mu = 18.0 / TIP
    assert given == pytest.approx(NOMINAL * TIP * SIGMA * 0.01 / 8 * (1 + 4.65 * mu**2), rel=0.05)


def test_a_control_at_its_limit_is_named():
    found = trim(
        hinged_rotor(), {"collective": 0.05}, {"rotor.CT_sigma": 0.1}, period=PERIOD, step=STEP,
        limits={"collective": (0.0, 0.12)},
    )  # fmt: skip
    assert found.status == "limited" and not found.met
    assert "'collective' is at its upper limit, 0.12" in found.message
    assert "rotor.CT_sigma is 0.0" in found.message and "where 0.1 is wanted" in found.message
    assert found.controls == {"collective": pytest.approx(0.12)}
    assert found.missed["rotor.CT_sigma"] == pytest.approx(found.measured["rotor.CT_sigma"] - 0.1)


def test_thrust_beyond_stall():
    """A NACA 0012 rotor gives CT / sigma of 0.2 or so at most: cl of 1.4 to 1.6 all over the blade make 0.23, 0.27."""
    found = trim(
        hinged_rotor(aerofoil=KirchhoffAerofoil()), {"collective": 0.15}, {"rotor.CT_sigma": 0.3}, period=PERIOD,
        step=PERIOD / 60, limits={"collective": (0.0, 0.8)}, periods=20,
    )  # fmt: skip
    assert found.status == "not met"
    assert "where 0.3 is wanted: no small change of the controls brings it nearer" in found.message
    stalled = re.search(r"sections stall, perhaps: 'blade_\d.air.alpha' reaches (\d+) degrees", found.message)
    assert 12 <= int(stalled[1]) < 40
    best = max((p for p in found.history if p.residual < 1e-6), key=lambda point: point.measured["rotor.CT_sigma"])
    assert found.measured["rotor.CT_sigma"] == best.measured["rotor.CT_sigma"]
    assert 0.12 < found.measured["rotor.CT_sigma"] < 0.27
    # the simulation is left there: it goes on at the same thrust
    again = sm.transient(
        found.simulation, found.simulation.time + PERIOD, PERIOD / 60, progress=False, outputs="rotor.*"
    )
    assert again["rotor.CT_sigma"].mean() == pytest.approx(found.measured["rotor.CT_sigma"], rel=1e-3)


def test_a_function_and_a_component_may_be_targets():
    def tilt(results):
        return results["rotor.force"][:, 0].mean()

    found = trim(
        hinged_rotor(), {"collective": 0.1, "longitudinal": 0.0}, {"rotor.force.z": 600.0, tilt: 20.0}, period=PERIOD,
        step=STEP,
    )  # fmt: skip
    assert found.met, found
    assert found.measured == {"rotor.force.z": pytest.approx(600.0, abs=0.1), "tilt": pytest.approx(20.0, abs=0.01)}
    # thrust stays across the disk of the blades: force_x = -T beta_1c, more or less
    assert found.controls["longitudinal"] == pytest.approx(20.0 / 600.0, rel=0.2)


@pytest.mark.parametrize(
    ("controls", "targets", "more", "words"),
    [
        ({"colective": 0.1}, {"rotor.thrust": 1.0}, {}, "no parameter or input 'colective'"),
        ({"collective": 0.1}, {}, {}, "the number of targets must equal the number of controls"),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"limits": {"collective": (0.2, 0.3)}}, "outside its limits"),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"limits": {"lateral": (0, 1)}}, "'lateral' is not a control"),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"limits": {"collective": (1, 0)}}, "the first below"),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"limits": {"collective": 1.0}}, "the first below"),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"limits": {"collective": (np.nan, 1)}}, "the first below"),
        ({"collective": 0.1}, {"rotor.thrust": np.nan}, {}, "the target 'rotor.thrust' must be a finite number"),
        ({"collective": 0.1}, {Harmonic(FLAP): np.inf}, {}, f"'mean of {FLAP}' must be a finite number"),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"sizes": {"rotor.trust": 1.0}}, "'rotor.trust' is not a target"),
        (
            {"collective": 0.1},
            {"rotor.thrust": 1.0},
            {"sizes": {"rotor.thrust": 0.0}},
            "the size of 'rotor.thrust' must be",
        ),
        (
            {"collective": 0.1},
            {"rotor.thrust": 1.0},
            {"sizes": {"rotor.thrust": np.nan}},
            "the size of 'rotor.thrust' must be",
        ),
        ({"collective": 0.1}, {"rotor.thrust": 1.0}, {"nudges": {"lateral": 0.1}}, "'lateral' is not a control"),
        (
            {"collective": 0.1},
            {"rotor.thrust": 1.0},
            {"nudges": {"collective": -1.0}},
            "the nudge of 'collective' must be",
        ),
    ],
)
def test_what_is_refused(controls, targets, more, words):
    with pytest.raises((sm.ModelError, sm.ArgumentError), match=words):
        trim(hinged_rotor(), controls, targets, period=PERIOD, step=STEP, **more)


def raises(results):
    raise KeyError("no such thing")


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (raises, "the target 'raises' fails: KeyError: 'no such thing'"),
        (lambda results: results["rotor.thrust"], "must return a number"),
        (lambda results: None, "must return a number"),
    ],
)
def test_functions_that_do_not_do(target, words):
    with pytest.raises(sm.ModelError, match=words):
        trim(hinged_rotor(), {"collective": 0.1}, {target: 1.0}, period=PERIOD, step=STEP)


@pytest.mark.parametrize(
    ("period", "words"),
    [
        (lambda controls: "long", "must be a positive number .* it is 'long' for"),
        (lambda controls: controls["speed"], "period fails for .*KeyError: 'speed'"),
    ],
)
def test_periods_that_do_not_do(period, words):
    with pytest.raises(sm.ModelError, match=words):
        trim(hinged_rotor(), {"collective": 0.1}, {"rotor.thrust": 1.0}, period=period, steps=36)


@pytest.mark.parametrize("thrust", [1e9, -1e9])
def test_a_target_out_of_reach(thrust):
    """A target beyond all bounds says nothing against the controls."""
    found = trim(hinged_rotor(), {"collective": 0.1}, {"rotor.thrust": thrust}, period=PERIOD, step=STEP)
    assert found.status == "not met"
    assert "'rotor.thrust' is out of reach: controls of their present size change it by" in found.message


def test_drives_that_still_change_are_named():
    """Wind that rises by a thousandth a turn: no motion repeats under it."""
    rising = sm.Expression(lambda t: 10.0 + 0.1 * t)
    found = trim(
        hinged_rotor(wind=(rising, 0.0, 0.0)), {"collective": 0.1}, {"rotor.thrust": 600.0}, period=PERIOD, step=STEP,
        periods=20,
    )  # fmt: skip
    assert not found.met
    assert "the drives are not the same a period later" in found.message


def test_unknown_channels_are_named():
    with pytest.raises(KeyError, match=r"rotor\.trust"):
        trim(hinged_rotor(), {"collective": 0.1}, {"rotor.trust": 1.0}, period=PERIOD, step=STEP)


def on_spring(force) -> sm.Model:
    """A mass on a damped spring of 50 N/m, pushed along x: its period is that of nothing in particular."""
    model = sm.Model("on a spring")
    mass = model.node("mass", position=(1, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, mass, axis=(1, 0, 0)))
    model.add("spring", sm.Spring(model.ground, mass, stiffness=50.0, damping=10.0, length=1.0))
    model.add("push", sm.Force(mass, force=(force, 0, 0)))
    return model


def test_an_input_may_be_a_control():
    """F = k x, whatever swings about it; the harmonic of the answer to sin(10 t) is the transfer function."""
    model = on_spring(sm.Input("push") + sm.Sine(1.0, 10.0))
    found = trim(
        model, {"push": 0.0}, {"mass.position.x": 1.1}, period=0.2 * np.pi, step=0.2 * np.pi / 400, outputs="mass.*"
    )
    assert found.met, found
    assert found.controls["push"] == pytest.approx(5.0, abs=50.0 * 1.1e-4)
    answer = 1.0 / (50.0 - 10.0**2 + 10.0j * 10.0)
    waves = [Harmonic("mass.position.x", part)(found.results) for part in ("sin", "cos")]
    assert waves == pytest.approx([answer.real, answer.imag], rel=2e-3)  # second order: (2 pi / 400)^2, and more


def test_a_control_without_effect_is_named():
    model = on_spring(sm.Input("push") + 0.0 * sm.Constant(sm.Parameter("idle", 1.0)) + sm.Sine(1.0, 10.0))
    wave = Harmonic("mass.position.x", "sin")
    found = trim(
        model, {"push": 0.0, "idle": 1.0}, {"mass.position.x": 1.1, wave: 0.1}, period=0.2 * np.pi, steps=100,
        sizes={wave: 1.0},
    )  # fmt: skip
    assert found.status == "singular"
    assert "'idle' changes no target: choose another control" in found.message
    assert found.measured["mass.position.x"] == pytest.approx(1.1, abs=0.02)  # as near as it gets


def test_a_target_that_no_control_reaches_is_named():
    model = on_spring(sm.Input("push") + sm.Sine(1.0, 10.0))
    found = trim(model, {"push": 0.0}, {Harmonic("mass.position.x", "sin"): 0.1}, period=0.2 * np.pi, steps=100)
    assert found.status == "singular"
    assert "'push' changes no target" in found.message


def test_controls_with_the_same_effect_are_named():
    model = on_spring(sm.Input("push") + 2.0 * sm.Input("pull"))
    targets = {"mass.position.x": 1.1, "spring.length": 1.2}
    found = trim(model, {"push": 0.5, "pull": 0.1}, targets, period=0.2 * np.pi, steps=100)
    assert found.status == "singular", found
    assert "'push' and 'pull' have the same effect on the targets" in found.message


def test_a_motion_that_breaks_down_is_told():
    model = on_spring(sm.Constant(sm.Parameter("size", 1.0)) * sm.Expression(lambda t: np.sqrt(0.5 - t)))
    found = trim(model, {"size": 1.0}, {"mass.position.x": 1.1}, period=0.2, step=0.01)
    assert found.status == "diverged" and found.results is None
    assert "breaks down under the first guess" in found.message and "'push'" in found.message
