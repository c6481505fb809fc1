"""Parts of machines on their own, and the three machines that are made of nothing else."""

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.model import ModelError, Placement
from samara.models import parts
from samara.models.helicopters import bo105, coaxial, quadrotor, tandem, uh60

SPEED, ROOT, RADIUS, MASS = 30.0, 0.2, 2.0, 3.0
PLAIN = parts.Blade.uniform(RADIUS, ROOT, MASS, 0.1)


def spun(rotor, end=2.0, step=1e-3, start=None):
    """A rotor on the ground, without air and without gravity."""
    model = sm.Model("bench")
    rotor.add(model, craft=model.ground, place=Placement(), start=start)
    return sm.transient(model, end, step, progress=False)


def frequency(time, angle):
    """Of an undamped swing about zero, by its zero crossings [rad/s]."""
    k = np.flatnonzero(np.diff(np.sign(angle)) > 0)
    at = time[k] - angle[k] * (time[k + 1] - time[k]) / (angle[k + 1] - angle[k])
    return 2.0 * np.pi * (len(at) - 1) / (at[-1] - at[0])


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("kind", ["flap", "lag"])
def test_an_articulated_blade_swings_with_the_frequency_of_the_textbook(kind, sense):
    """w^2 = W^2 (1 + e S / I) in flap, W^2 e S / I in lag: hinge offset e, first and second moment S, I about it."""
    e, length = 0.2, RADIUS - ROOT
    first, second = MASS * 0.5 * length, MASS * length**2 / 3.0
    hinges = parts.Hinges(**{kind: parts.BladeHinge(e)})
    rotor = parts.ArticulatedRotor(PLAIN, parts.Shaft(SPEED, sense), 3, hinges=hinges)
    run = spun(rotor, start={kind: {"angle": 1e-3}})
    wanted = SPEED * np.sqrt((kind == "flap") + e * first / second)
    for k in range(3):
        # thin sections and the step leave 1e-3; swings of 1e-3 rad are small
        assert frequency(run.time, run[f"blade_{k + 1}.{kind}.angle"]) == pytest.approx(wanted, rel=2e-3)


def test_a_teetering_rotor_swings_once_a_turn():
    """A flat rotor without springs: w^2 = W^2 (I_z - I_x) / I_y, one turn for slender blades."""
    model = sm.Model("bench")
    body = parts.MassProperties(1.0, inertia=(0.0, 1e-3, 1e-3))
    added = parts.TeeteringRotor(PLAIN, parts.Shaft(SPEED), 2, body=body).add(
        model, craft=model.ground, place=Placement()
    )
    head = added.blades[0].root
    kicked = np.add(head.angular_velocity, (0.0, -0.03, 0.0))
    head.begin(head.place, velocity=head.velocity, angular_velocity=kicked)
    run = sm.transient(model, 2.0, 1e-3, progress=False)
    assert frequency(run.time, run["teeter.angle"]) == pytest.approx(SPEED, rel=2e-3)
    assert np.abs(run["teeter.angle"]).max() == pytest.approx(0.03 / SPEED, rel=1e-2)


def test_stiff_blades_are_one_with_the_hub():
    """Kinetic energy of a propeller is I W^2 / 2, with I of bars of length RADIUS - ROOT from ROOT on."""
    rotor = parts.HingelessRotor(PLAIN, parts.Shaft(SPEED, -1), 4)
    model = sm.Model("bench")
    added = rotor.add(model, craft=model.ground, place=Placement((1.0, 2.0, 3.0)))
    assert {blade.root.name for blade in added.blades} == {"hub"}
    run = sm.transient(model, 0.01, 1e-3, progress=False)
    along = MASS * ((RADIUS - ROOT) ** 2 / 12.0 + (0.5 * (RADIUS + ROOT)) ** 2)
    about = 4 * (along + MASS * 0.025**2)
    assert run["model.kinetic"][0] == pytest.approx(0.5 * about * SPEED**2, rel=1e-12)


def test_masses_in_other_axes():
    """Inertia turns with its axes: two quarter turns give what is known."""
    model = sm.Model("bench")
    node = model.node("n")
    turned = Placement((1.0, 0.0, 0.0), [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    body = parts.MassProperties(2.0, (0.5, 0.0, 0.0), (1.0, 2.0, 3.0)).add(model, "b", node, turned)
    assert np.asarray(body.com) == pytest.approx([1.0, 0.5, 0.0])
    assert np.diag(np.reshape(body.inertia, (3, 3))) == pytest.approx([2.0, 1.0, 3.0])


@pytest.mark.parametrize(
    ("make", "culprit"),
    [
        (lambda: parts.TeeteringRotor(PLAIN, parts.Shaft(SPEED), 3), "count must be 2"),
        (lambda: parts.ArticulatedRotor(PLAIN, parts.Shaft(SPEED), 0), "count of blades"),
        (lambda: spun_with_control(), "bearing"),
    ],
)
def test_parts_that_do_not_fit_are_named(make, culprit):
    with pytest.raises(ModelError, match=culprit):
        make()


def spun_with_control():
    model = sm.Model("bench")
    control = parts.PitchServos({})
    parts.HingelessRotor(PLAIN, parts.Shaft(SPEED), 2).add(
        model, craft=model.ground, place=Placement(), control=control
    )


# ---- the three machines


@pytest.mark.parametrize(("machine", "airspeed"), [(coaxial, 0.0), (coaxial, 20.0), (tandem, 0.0), (tandem, 40.0)])
def test_trims_are_those_of_the_table(machine, airspeed):
    """To what a couple of 1e-4 of the weight, a metre from it, is in pedal; thrust carries the weight and the download.

    Disks lean by less than 0.15 rad, which takes 1 % of their thrust.
    """
    found = machine.trim(airspeed)
    assert found.met
    table = parts.between(machine.TRIM, airspeed)
    assert dict(found.controls) == pytest.approx(table, abs=2e-4)
    names = ("upper", "lower") if machine is coaxial else ("front", "rear")
    thrust = [found.results[f"{name}.rotor.thrust"].mean() for name in names]
    download = -found.results["fuselage.drag.force"][:, 2].mean()
    assert sum(thrust) == pytest.approx(machine.WEIGHT + download, rel=0.015)
    if machine is coaxial:  # yaw: torques cancel
        one, other = (found.results[f"{name}.rotor.power"].mean() for name in names)
        assert one == pytest.approx(other, rel=2e-3)


def test_the_quadrotor_hovers_at_the_voltage_of_its_motors():
    found = quadrotor.trim()
    assert found.met
    assert quadrotor.voltage(found) == pytest.approx(quadrotor.HOVER["collective"], rel=1e-4)
    for k in range(4):
        assert found.results[f"motor_{k + 1}.rotor.thrust"].mean() == pytest.approx(quadrotor.WEIGHT / 4, rel=1e-4)


@pytest.mark.parametrize("name", ["coaxial", "tandem", "quadrotor", "uh60", "bo105"])
def test_they_stay_where_they_are_trimmed(name):
    """Let go in hover, three seconds or what it takes: the table's digits leave centimetres."""
    ready = models.find(name)
    run = ready.run(end=min(ready.timeline.end, 3.0))
    size = {"coaxial": 4.0, "tandem": 9.0, "quadrotor": 0.2, "uh60": 8.2, "bo105": 4.9}[name]
    assert np.linalg.norm(run["fuselage.position"], axis=1).max() < 0.01 * size


@pytest.mark.parametrize("name", ["coaxial", "tandem", "quadrotor", "uh60", "bo105"])
def test_head_wind_is_airspeed(name):
    """In a wind as fast as it flies it stands where the other has flown to: the same flight but for rounding."""
    ready, fast = models.find(name), 3.0
    flying, standing = ready.run(end=1.0, airspeed=fast), ready.run(end=1.0, airspeed=fast, wind=fast)
    along = flying["fuselage.position"] + np.outer(flying.time, [fast, 0.0, 0.0])
    assert np.abs(along - standing["fuselage.position"]).max() < 1e-9


@pytest.mark.parametrize("name", ["coaxial", "tandem", "quadrotor", "uh60", "bo105"])
def test_a_stick_turns_the_craft_its_way(name):
    """Right, nose up, nose right: much of the angle that a held stick asks for is there three seconds later."""
    ready = models.find(name)
    for stick, angle in (("lateral", "roll"), ("longitudinal", "pitch"), ("pedal", "heading")):
        stepper = sm.Stepper(sm.Simulation(ready.make()), ready.timeline.step)
        stepper.advance(round(1.6 / ready.timeline.step))
        stepper.feed(f"stick.{stick}", 0.2)
        stepper.advance(round(3.0 / ready.timeline.step))
        run = stepper.results()
        turned = run[f"autopilot.{angle}.measured"] - run[f"autopilot.{angle}.measured"][0]
        assert turned[-1] + run[f"autopilot.{angle}.error"][-1] == pytest.approx(ASKED[name][stick], rel=1e-9)
        assert turned[-1] > 0.4 * ASKED[name][stick], (stick, angle)


#: What a stick at 0.2 asks for [rad].
ASKED = {
    name: {stick: 0.2 * full for stick, full in sticks.items()}
    for name, sticks in (
        ("coaxial", coaxial.CONTROLS.sticks),
        ("tandem", tandem.CONTROLS.sticks),
        ("uh60", uh60.CONTROLS.sticks),
        ("bo105", bo105.CONTROLS.sticks),
        ("quadrotor", quadrotor.STICKS),
    )
}
