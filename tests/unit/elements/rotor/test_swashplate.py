"""The swashplate gives the blades the pitch that was asked for, to the accuracy of its geometry."""

import numpy as np
import pytest
from scipy.optimize import brentq

import samara as sm
from samara.rotations import exp_so3, rotation_z

SPEED, HORN, STATION, LINK = 25.0, 0.2, 0.3, 0.4
CONTROLS = np.deg2rad([8.0, 3.0, -5.0])  # collective, cos, sin


def rotor(controls, blades=4, link=None, frame=None, **swashplate) -> sm.Model:
    """Rigid blades that may only feather, on a hub that spins as told, with pitch links down to a swashplate.

    frame: where the hub and its axes are in the world.
    """
    model, frame = sm.Model("rotor with swashplate"), frame or sm.Placement()
    mast = model.prescribed("mast", sm.Motion(), frame=frame)
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)), frame=frame)
    spin = frame.direction((0, 0, SPEED))
    plate = sm.add_swashplate(
        model, "swash", mast=mast, hub=hub, place=sm.Placement((0, 0, -LINK)), horn=HORN, station=STATION,
        collective=controls[0], lateral=controls[1], longitudinal=controls[2], **swashplate,
    )  # fmt: skip
    for k in range(blades):
        azimuth = 2 * np.pi * k / blades
        R = rotation_z(azimuth)
        p, R_W = R @ [2.0, 0, 0], frame.rotation @ R
        v = np.cross(spin, frame.direction(p))
        blade = model.node(f"blade_{k}", p, R, velocity=v, angular_velocity=spin, frame=frame)
        model.add(f"body_{k}", sm.Body(blade, mass=20.0, inertia=(0.5, 20.0, 20.0)))
        root, horn = frame.point(R @ [STATION, 0, 0]), frame.point(R @ [STATION, HORN, 0])
        model.add(f"feather_{k}", sm.Revolute(hub, blade, at=root, axis=R_W[:, 0]))
        sm.add_pitch_link(model, f"link_{k}", plate, blade, azimuth=azimuth, horn=horn, **(link or {}))
    return model


def asked(controls, psi):
    return controls[0] + controls[1] * np.cos(psi) + controls[2] * np.sin(psi)


def by_hand(controls, psi):
    """Pitch at which the link has its length, from the pose of the plate: no tracing, no joints."""
    radius, lead = np.hypot(STATION, HORN), np.arctan2(HORN, STATION)
    a = HORN / radius * (controls[1] * np.sin(lead) + controls[2] * np.cos(lead))
    b = -HORN / radius * (controls[1] * np.cos(lead) - controls[2] * np.sin(lead))
    foot = exp_so3(np.array([a, b, 0.0])) @ rotation_z(psi) @ [STATION, HORN, 0] + [0, 0, HORN * controls[0] - LINK]

    def gap(pitch):
        head = rotation_z(psi) @ [STATION, HORN * np.cos(pitch), HORN * np.sin(pitch)]
        return np.linalg.norm(head - foot) - LINK

    return brentq(gap, -1.0, 1.0, xtol=1e-14)


@pytest.fixture(scope="module")
def run():
    return sm.transient(rotor([sm.Cosine(c, duration=0.2) for c in CONTROLS]), 0.6, 2e-3, progress=False)


def test_pitch_is_what_was_asked_for(run):
    """Up to pitch^3 / 6 and horn pitch^4 / (8 link), the errors of the geometry."""
    t = run.time[run.time > 0.2]
    for k in range(4):
        psi = SPEED * t + k * np.pi / 2
        found, wanted = run[f"feather_{k}.angle"][run.time > 0.2], asked(CONTROLS, psi)
        largest = np.abs(wanted).max()
        assert np.abs(found - wanted).max() < largest**3 / 6 + largest**4
        assert np.abs(found - wanted).max() > 0.2 * largest**3 / 6  # it is the geometry indeed


def test_pitch_is_that_of_the_linkage(run):
    """Against the link's length solved for by hand: to the tolerance of Newton's method."""
    for i in np.flatnonzero(run.time > 0.2)[::37]:
        for k in range(4):
            pitch = by_hand(CONTROLS, SPEED * run.time[i] + k * np.pi / 2)
            assert run[f"feather_{k}.angle"][i] == pytest.approx(pitch, abs=1e-8)


def test_it_does_not_matter_where_the_rotor_stands(run):
    """A mast that leans, elsewhere: the same pitch."""
    frame = sm.Placement((3.0, -1.0, 2.0), exp_so3(np.array([0.4, -0.9, 0.3])))
    other = sm.transient(rotor([sm.Cosine(c, duration=0.2) for c in CONTROLS], frame=frame), 0.3, 2e-3, progress=False)
    for k in range(4):
        found, expected = other[f"feather_{k}.angle"], run[f"feather_{k}.angle"][: len(other.time)]
        np.testing.assert_allclose(found, expected, atol=1e-8)


def test_cyclic_shares_are_harmonics(run):
    """Over one turn: mean, cos and sin of the pitch are the three controls, to second order of the angles."""
    turn = 2 * np.pi / SPEED
    t = run.time[0] + 0.3 + np.arange(180) / 180 * turn
    pitch = np.interp(t, run.time, run["feather_0.angle"])
    found = [pitch.mean(), 2 * (pitch * np.cos(SPEED * t)).mean(), 2 * (pitch * np.sin(SPEED * t)).mean()]
    np.testing.assert_allclose(found, CONTROLS, rtol=0.02)


def test_elastic_actuators_follow_an_input():
    """A jump of the collective is followed through the stiffness, and settles where rigid actuators would be."""
    collective = sm.Input("collective", initial=0.0)
    model = rotor(
        [collective, 0.0, 0.0],
        stiffness=2e6,
        damping=4e3,
        link={"stiffness": 2e6, "damping": 1e3},
        fixed_body={"mass": 4.0, "inertia": (0.1, 0.1, 0.2)},
        rotating_body={"mass": 4.0, "inertia": (0.1, 0.1, 0.2)},
    )
    sim = sm.Simulation(model)
    sim.system.set_input("collective", 0.1)
    run = sm.transient(sim, 0.5, 1e-3, progress=False)
    pitch = run["feather_1.angle"][-1]
    assert pitch == pytest.approx(by_hand([0.1, 0.0, 0.0], 0.0), abs=5e-3)  # the propeller moment bends the links


@pytest.mark.parametrize("shares", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (0.3, 0.5, 0.7)])
def test_servos_add_to_the_pitch(shares):
    """An autopilot's state of 0.04 rad: a blade on a hub at rest gets what the same controls would give it.

    To second order in the tilt, 0.04^2 / 8; the actuators have come to rest.
    """
    state, psi = 0.04, 0.5 * np.pi
    told = [0.02 + shares[0] * state, shares[1] * state, shares[2] * state]
    wanted = by_hand(told, psi)
    model = sm.Model("rotor with servos")
    mast = model.prescribed("mast", sm.Motion())
    hub = model.prescribed("hub", sm.Motion())
    output = model.add(
        "autopilot",
        sm.AttitudeRegulator(model.ground, hub, angle="pitch", law=sm.PID(proportional=1.0), target=state),
    ).output
    plate = sm.add_swashplate(
        model, "swash", mast=mast, hub=hub, place=(0, 0, -LINK), horn=HORN, station=STATION, collective=0.02,
        stiffness=1e8, damping=1e5, servos=[(output, shares)],
    )  # fmt: skip
    R = rotation_z(psi)
    blade = model.node("blade", R @ [2.0, 0, 0], R)
    model.add("body", sm.Body(blade, mass=20.0, inertia=(0.5, 20.0, 20.0)))
    model.add("feather", sm.Revolute(hub, blade, at=R @ [STATION, 0, 0], axis=R[:, 0]))
    sm.add_pitch_link(model, "link", plate, blade, azimuth=psi, horn=R @ [STATION, HORN, 0])
    run = sm.transient(model, 0.2, 1e-3, progress=False)
    assert run["feather.angle"][-1] == pytest.approx(wanted, abs=2e-4)


def test_servos_need_a_stiffness():
    model = sm.Model("bad")
    hub = model.node("hub")
    output = model.state("x")
    with pytest.raises(sm.ModelError, match="servos need actuators with a stiffness"):
        sm.add_swashplate(
            model, "swash", mast=model.ground, hub=hub, horn=0.2, station=0.3, servos=[(output, (1.0, 0.0, 0.0))]
        )


def test_a_named_parameter_moves_the_plate():
    collective = sm.Parameter("collective", 0.05)
    model = rotor([collective, 0.0, 0.0])
    sim = sm.Simulation(model)
    sm.assemble(sim)
    run = sm.transient(sim, 0.01, 1e-3, progress=False)
    assert run["feather_2.angle"][0] == pytest.approx(np.arcsin(0.05), rel=1e-3)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"horn": 0.0}, "horn must not be zero"),
        ({"actuator_azimuths": (0.0, 1.0)}, "a plate is held by three actuators"),
        ({"hub": "hub"}, "swashplate 'swash': hub must be a node, got 'hub'"),
        ({"mast": None}, "mast must be a node"),
        ({"place": "top"}, "place must be a Placement, or a point"),
    ],
)
def test_mistakes_are_named(fields, words):
    model = sm.Model("bad")
    hub = model.node("hub")
    with pytest.raises(sm.ModelError, match=words):
        sm.add_swashplate(model, "swash", **{"mast": model.ground, "hub": hub, "horn": 0.2, "station": 0.3, **fields})
    assert list(model.nodes) == ["ground", "hub"]


def test_a_pitch_link_names_what_it_lacks():
    model = sm.Model("bad")
    blade = model.node("blade")
    with pytest.raises(
        sm.ModelError, match=r"pitch link 'link': swashplate must be the object returned by add_swashplate\(...\)"
    ):
        sm.add_pitch_link(model, "link", "swash", blade, azimuth=0.0, horn=(1, 0, 0))
