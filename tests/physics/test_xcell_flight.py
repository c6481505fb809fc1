"""The X-Cell in flight: same in a head wind, on any heading and in a mirror; what its sticks do, and its limits."""

from itertools import pairwise

import numpy as np
import pytest

import samara as sm
from samara.models.helicopters import xcell
from samara.rotations import euler_from_rotation, rotation_z

FORWARD = np.diag([-1.0, 1.0, -1.0])
#: all four sticks at once
STIR = {
    "collective": sm.Cosine(0.2, 0.3, 0.2),
    "lateral": sm.Cosine(0.3, 0.3, 0.4),
    "longitudinal": sm.Cosine(-0.2, 0.3, 0.6),
    "pedal": sm.Cosine(0.3, 0.3, 0.8),
}
RECORD = ("fuselage.*", "rotor.*", "servo.*", "engine.*", "blade_1.*.angle", "tail.*")


def fly(end, airspeed=0.0, tolerance=1e-9, step=xcell.STEP, trimmed=None, commands=None, **how):
    settings = xcell.settings(airspeed, how.get("clockwise", True)) | (trimmed or {})
    model = xcell.xcell(settings, airspeed=airspeed, commands=commands, **how)
    return sm.transient(model, end, step, tolerance=tolerance, outputs=RECORD, progress=False)


def attitude(run):
    """Heading, pitch and roll [rad], shape (n, 3)."""
    angles = euler_from_rotation("ZYX", FORWARD @ run["fuselage.rotation"].reshape(-1, 3, 3) @ FORWARD)
    return np.unwrap(np.asarray(angles), axis=0)


def body_rates(run):
    """Rates of roll, pitch and yaw by differences [rad/s]."""
    heading, pitch, roll = np.gradient(attitude(run), run.time, axis=0).T
    return roll, pitch, heading


# ---- invariance
@pytest.mark.parametrize("controlled", [True, False])
def test_flight_equals_head_wind(controlled):
    """15 m/s through still air, or over one place in a wind as fast, with all sticks moving: the same to rounding.

    Newton's tolerance is 1e-9; what two seconds of free flight make of it stays below 1e-6 of all.
    """
    how = {"airspeed": 15.0, "commands": STIR, "controlled": controlled}
    one, other = (fly(2.0, wind=wind, **how) for wind in (0.0, 15.0))
    assert one["fuselage.position"][-1, 0] < -25.0
    assert np.abs(other["fuselage.position"]).max() < 5.0
    moved = one["fuselage.position"] - other["fuselage.position"] + np.outer(one.time, (15.0, 0.0, 0.0))
    assert np.abs(moved).max() < 1e-6
    assert np.abs(attitude(one) - attitude(other)).max() < 1e-6
    assert np.abs(one["rotor.thrust"] - other["rotor.thrust"]).max() < 1e-6 * xcell.WEIGHT


def test_any_heading():
    """A machine that starts to the right by 90 degrees flies the same way, turned: to rounding."""
    one, other = (fly(2.0, 10.0, commands=STIR, heading=heading) for heading in (0.0, 0.5 * np.pi))
    turned = one["fuselage.position"] @ rotation_z(-0.5 * np.pi).T
    assert np.abs(turned - other["fuselage.position"]).max() < 1e-6
    assert np.abs(attitude(other) - attitude(one) - [0.5 * np.pi, 0.0, 0.0]).max() < 1e-6
    assert other["fuselage.position"][-1, 1] > 15.0  # to the right
    for name in ("rotor.thrust", "blade_1.flap.angle", "blade_1.lag.angle", "tail.thrust"):
        assert one[name] == pytest.approx(other[name], abs=1e-5)


def test_mirror_image():
    """A machine whose rotor turns the other way, with lateral stick and pedal to the other side."""
    other_side = STIR | {name: -STIR[name] for name in ("lateral", "pedal")}
    one = fly(2.0, 10.0, commands=STIR)
    other = fly(2.0, 10.0, commands=other_side, clockwise=False)
    assert np.abs(one["fuselage.position"] * (1, -1, 1) - other["fuselage.position"]).max() < 1e-6
    assert np.abs(attitude(one) * (-1, 1, -1) - attitude(other)).max() < 1e-6
    for name in ("rotor.thrust", "blade_1.flap.angle", "blade_1.lag.angle", "tail.thrust", "servo.pedal.output.value"):
        assert one[name] == pytest.approx(other[name], abs=1e-5)
    assert one["engine.speed"] == pytest.approx(other["engine.speed"], rel=1e-7)


def test_second_order_in_the_step():
    """Half the step, a quarter of the error: the end of a flight with all sticks moving."""
    h = xcell.TURN / 60
    runs = [fly(30 * xcell.TURN, 5.0, step=h / 2**k, commands=STIR) for k in range(4)]
    for read in (lambda run: run["fuselage.position"][-1], lambda run: attitude(run)[-1]):
        errors = [np.linalg.norm(read(a) - read(b)) for a, b in pairwise(runs[1:])]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.3)


# ---- sticks
@pytest.mark.parametrize("controlled", [True, False])
@pytest.mark.parametrize("clockwise", [True, False])
def test_sticks_move_the_machine_where_they_point(controlled, clockwise):
    """A third of each stick for 0.4 s: up, right side down, nose up, nose right, whichever way the rotor turns.

    And by more than the other axes: less than half goes astray (without regulators the torque of a collective turns
    the nose; that is left out).
    """
    how = {"controlled": controlled, "clockwise": clockwise}
    found = {}
    for name in xcell.COMMANDS:
        run = fly(0.6, commands={name: sm.Step(0.33, 0.2)}, tolerance=1e-7, **how)
        heading, pitch, roll = attitude(run)[-1] - attitude(run)[0]
        found[name] = {"climb": run["fuselage.velocity"][-1, 2], "roll": roll, "pitch": pitch, "heading": heading}
    assert found["collective"]["climb"] > 0.5
    for stick, angle in (("lateral", "roll"), ("longitudinal", "pitch"), ("pedal", "heading")):
        moved = found[stick]
        assert moved[angle] > np.radians(4.0)
        astray = [abs(moved[other]) for other in ("roll", "pitch", "heading") if other != angle]
        assert max(astray) < 0.5 * moved[angle]
        assert abs(moved["climb"]) < 0.1


def test_attitude_follows_the_stick():
    """30 degrees at full stick: half of it is 15 degrees of roll from the trim, within a tenth after half a second.

    Pedal asks for a rate of turn: 120 degrees a second at full stick.
    """
    run = fly(1.2, commands={"lateral": sm.Step(0.5, 0.2)}, tolerance=1e-7)
    roll = attitude(run)[:, 2]
    assert roll[run.time > 0.9] - roll[0] == pytest.approx(np.radians(15.0), rel=0.1)
    run = fly(2.0, commands={"pedal": sm.Step(0.25, 0.2)}, tolerance=1e-7)
    late = run.time > 1.5
    assert body_rates(run)[2][late].mean() == pytest.approx(np.radians(30.0), rel=0.05)


def test_the_heading_is_held():
    """Collective changes the torque; the integral of the rate brings back most of what the nose has turned away."""
    run = fly(4.0, commands={"collective": sm.Step(0.2, 0.2)}, tolerance=1e-7)
    heading = np.degrees(attitude(run)[:, 0])
    free = fly(2.0, commands={"collective": sm.Step(0.2, 0.2)}, tolerance=1e-7, controlled=False)
    assert np.abs(heading).max() < 4.0
    assert np.abs(np.degrees(attitude(free)[-1, 0])) > 30.0
    assert np.abs(body_rates(run)[2][run.time > 3.5]).max() < np.radians(2.0)


def test_the_sticks_can_be_handed_over():
    """With augmentation 0 a regulated machine is the one without regulators, to rounding."""
    runs = []
    for controlled in (True, False):
        model = xcell.xcell(xcell.settings(), commands={"lateral": sm.Step(0.2, 0.1)}, controlled=controlled)
        if controlled:
            model.parameters["augmentation"].value = 0.0
        runs.append(sm.transient(model, 0.8, xcell.STEP, outputs=RECORD, tolerance=1e-9, progress=False))
    assert np.abs(attitude(runs[0]) - attitude(runs[1])).max() < 1e-7
    assert attitude(runs[0])[-1, 2] > np.radians(15.0)


def test_inputs_are_the_sticks():
    """Fed from outside, as a pilot does, the same comes as from a drive."""
    sim = sm.Simulation(xcell.build(), tolerance=1e-9)
    sim.system.set_input("lateral", 0.3)
    fed = sm.transient(sim, 0.3, xcell.STEP, outputs=RECORD, progress=False)
    driven = fly(0.3, commands={"lateral": 0.3})
    assert np.abs(attitude(fed) - attitude(driven)).max() < 1e-9
    with pytest.raises(sm.ModelError, match="no stick is called 'rudder'"):
        xcell.xcell(xcell.settings(), commands={"rudder": 1.0})


# ---- limits
@pytest.mark.filterwarnings("ignore:.*in the vortex-ring state:UserWarning")  # it tumbles through its wake
def test_servo_limits_hold():
    """Wild sticks: no servo leaves its range or is faster than it can, and both limits are met.

    Rates are differences of values; the multistep formula makes 1.5e-5 more of them where a rate jumps to its limit.
    """
    wild = {name: sm.Sine(6.0, 9.0, phase=0.7 * k) for k, name in enumerate(xcell.COMMANDS)}
    run = fly(1.0, commands=wild, controlled=False, tolerance=1e-7)
    ranges = {
        "collective": xcell.COLLECTIVE, "lateral": (-xcell.CYCLIC, xcell.CYCLIC),
        "longitudinal": (-xcell.CYCLIC, xcell.CYCLIC), "pedal": (-xcell.TAIL_PITCH, xcell.TAIL_PITCH),
    }  # fmt: skip
    for name, (lower, upper) in ranges.items():
        x = run[f"servo.{name}.output.value"]
        rate = np.diff(x) / np.diff(run.time)
        assert np.abs(rate).max() <= xcell.SERVO_RATE * (1 + 1e-4)
        assert np.abs(rate).max() > 0.9 * xcell.SERVO_RATE
        assert x.min() >= lower - 1e-9 and x.max() <= upper + 1e-9
        assert x.max() > 0.8 * upper or x.min() < 0.8 * lower


def test_power_is_limited():
    """All of the collective: the engine gives its 2200 W and not more, and the rotor slows down."""
    run = fly(2.0, commands={"collective": sm.Step(1.6, 0.2)}, tolerance=1e-7)
    assert run["engine.power"].max() <= xcell.POWER * (1 + 1e-6)
    assert run["engine.power"].max() > 0.99 * xcell.POWER
    assert run["engine.speed"].min() < 0.97 * xcell.SPEED


def test_rotor_speed_in_a_manoeuvre():
    """With all sticks moving the governor keeps the speed within 2 %."""
    run = fly(3.0, 5.0, commands=STIR, tolerance=1e-7)
    assert np.abs(run["engine.speed"] / xcell.SPEED - 1.0).max() < 0.02
