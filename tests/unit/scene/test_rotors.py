"""Rotors that models declare, and where their blades are."""

import numpy as np
import pytest

from samara import Body, Clamp
from samara.dashboard.views.azimuth import TURN, hub_azimuth
from samara.dashboard.views.tip_path import tip_path
from samara.model import Expression, Model, Motion
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.models.mechanisms import gimbal
from samara.models.robots import robot
from samara.models.rotors import air_resonance, hammond, rotor4
from samara.models.tiltrotors import propeller_pylon, soft_in_plane, tiltrotor, wrats
from samara.results.channels import Channel
from samara.results.columns import column
from samara.scene import scene_of, shown
from samara.scene.rotors import groups
from samara.solve import Simulation, assemble, transient
from samara.solve.measures import channels

#: Model, and of its rotors: blades, sense, radius [m], some measures of the blades.
FOUND = {
    "puma": (puma.build, {}, [(4, -1, puma.RADIUS, ("flap.angle", "lag.angle", "pitch.angle", "lag.couple.z"))]),
    "puma mirrored": (puma.build, {"clockwise": False}, [(4, 1, puma.RADIUS, ("flap.angle",))]),
    "puma elastic": (puma.build, {"blades": "elastic"}, [(4, -1, puma.RADIUS, ("flap.angle", "beam1.moment_1.y"))]),
    "tiltrotor": (tiltrotor.build, {}, [(3, 1, tiltrotor.BLADE.radius, ("pitch.angle", "pitch.couple.x"))]),
    "tiltrotor held": (tiltrotor.build, {"wing": False, "gimbal": "joints"}, [(3, 1, tiltrotor.BLADE.radius, ())]),
    "wrats": (wrats.build, {}, [(4, 1, wrats.BLADE.radius, ("hinge.angle_a", "pitch.angle", "spring.couple.y"))]),
    "wrats elastic": (wrats.build, {"blades": "elastic"}, [(4, 1, wrats.BLADE.radius, ("hinge.angle_b",))]),
    "helicopter": (
        helicopter.build,
        {},
        [(4, -1, puma.RADIUS, ("flap.angle", "lag.angle")), (5, -1, 1.56, ("flap.angle", "pitch.angle"))],
    ),
    "rotor4": (rotor4.build, {}, [(4, 1, rotor4.RADIUS, ("beam1.moment_1.y",))]),
    "hammond": (hammond.build, {}, [(4, 1, None, ("lag.angle", "lag.damper.effort"))]),
    "hammond mirrored": (hammond.build, {"speed_rpm": -250.0}, [(4, -1, None, ("lag.angle",))]),
    "propeller": (propeller_pylon.build, {}, [(4, 1, propeller_pylon.PROPELLER.radius, ("air.force.z",))]),
    "propeller mirrored": (propeller_pylon.build, {"speed_rpm": -1020.0, "blades": 3}, [(3, -1, None, ())]),
    "air resonance": (air_resonance.build, {"kick_deg": 0.0}, [(3, 1, air_resonance.DATA.radius, ("hinge.angle_b",))]),
    "soft in plane": (soft_in_plane.build, {}, [(3, 1, soft_in_plane.BLADE.radius, ("lag.angle", "lock.couple.z"))]),
    "soft in plane in air": (soft_in_plane.build, {"air": True, "nacelle_deg": 0.0}, [(3, 1, None, ("air1.force.x",))]),
    "gimbal": (gimbal.build, {}, [(3, 1, None, ("hinge.angle",))]),
    "robot": (robot.build, {}, []),
}


def prepared(model):
    sim = Simulation(model)
    assemble(sim)
    return sim, scene_of(sim.system, channels(sim.system)[0])()


@pytest.mark.parametrize("case", FOUND)
def test_rotors_are_as_declared(case):
    build, options, expected = FOUND[case]
    _, drawn = prepared(build(**options))
    assert len(drawn["rotors"]) == len(expected)
    for rotor, (count, sense, radius, measures) in zip(drawn["rotors"], expected, strict=True):
        assert len(rotor["blades"]) == count
        assert rotor["sense"] == sense
        assert radius is None or rotor["radius"] == pytest.approx(radius, rel=1e-9)
        ahead = [blade["ahead"] for blade in rotor["blades"]]
        assert np.diff(ahead) == pytest.approx(TURN / count, abs=1e-6)
        names = [blade["name"] for blade in rotor["blades"]]
        assert names == sorted(names)  # numbered as they follow each other
        for measure in measures:
            assert rotor["groups"][measure] == [f"{name}.{measure}" for name in names]


def test_what_is_not_measured_of_all_blades_is_no_group():
    measured = {"flap.angle": "rad", "body.kinetic": "J", "tip.position": "m", "body.momentum": "kg m/s"}
    channels = [Channel(f"{blade}.{name}", unit) for blade in ("b1", "b2") for name, unit in measured.items()]
    channels.append(Channel("b1.lag.angle", "rad"))
    assert groups(["b1", "b2"], channels, {"b1.tip", "b2.tip"}) == {"flap.angle": ["b1.flap.angle", "b2.flap.angle"]}


def moved(model, end, step):
    """The model's scene, results, and the poses of its last row."""
    sim, drawn = prepared(model)
    nodes = [node.name for node in shown(sim.system)]
    results = transient(sim, end=end, step=step, outputs=("*",), progress=False)
    poses = [np.r_[results[f"{n}.position"][-1], np.ravel(results[f"{n}.rotation"][-1])] for n in nodes]
    return drawn, results, np.array(poses)


def test_tips_are_where_the_azimuth_says():
    """Of both rotors of the helicopter after 0.2 s, nearly a turn: tips and shaft differ by the blades' lag alone."""
    drawn, results, poses = moved(helicopter.build(), 0.2, 2.5e-3)
    for rotor in drawn["rotors"]:
        time, psi = hub_azimuth(rotor, lambda name: (results.time, column(results, name)))
        assert len(time) == len(results)
        assert psi[-1] - psi[0] == pytest.approx(0.2 * abs(column(results, f"{rotor['name']}.speed")[-1]), rel=1e-3)
        tips = tip_path(drawn, rotor, poses)
        expected = psi[-1] + np.array([blade["ahead"] for blade in rotor["blades"]])
        off = np.mod(tips.psi - expected + np.pi, TURN) - np.pi
        assert np.abs(off).max() < np.radians(5.0)
    main = drawn["rotors"][0]
    flap = np.mean([column(results, f"{blade['name']}.flap.angle")[-1] for blade in main["blades"]])
    assert tip_path(drawn, main, poses).coning == pytest.approx(flap, rel=0.06)  # hinges 4 % of the radius out


def test_azimuth_from_the_hubs_rotation():
    """A model without air has no measure of the azimuth: the prescribed hub turns at 27 rad/s."""
    drawn, results, poses = moved(rotor4.build(beams=2), 0.5, 1e-3)
    (rotor,) = drawn["rotors"]
    time, psi = hub_azimuth(rotor, lambda name: (results.time, column(results, name)))
    assert psi - psi[0] == pytest.approx(rotor4.SPEED * (time - time[0]), abs=1e-9)
    tips = tip_path(drawn, rotor, poses)
    assert tips.elevation == pytest.approx(tips.coning, abs=1e-6)  # all blades hang alike
    assert tips.coning < 0.0


def test_a_rotor_on_a_craft_that_turns():
    """The azimuth is against the craft: a hub that turns at 3 rad/s on a craft that turns at 1 rad/s has 2 rad/s."""
    model = Model("carousel")
    craft = model.prescribed("craft", Motion(rotation=(0, 0, Expression(lambda t: t))))
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: 3.0 * t))))
    for k, name in enumerate(("a", "b")):
        tip = model.node(f"{name}.tip", (1.0 - 2.0 * k, 0.0, 0.0))
        model.add(f"{name}.body", Body(tip, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add(f"{name}.clamp", Clamp(hub, tip, at=tip.position))
    model.declare_rotor("wheel", hub=hub, craft=craft, blades=("a", "b"), radius=1.0)
    drawn, results, _ = moved(model, 1.0, 0.01)
    (rotor,) = drawn["rotors"]
    time, psi = hub_azimuth(rotor, lambda name: (results.time, column(results, name)))
    assert psi - psi[0] == pytest.approx(2.0 * (time - time[0]), abs=1e-9)
