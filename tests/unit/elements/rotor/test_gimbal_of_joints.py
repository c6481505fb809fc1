"""The gimbal made of base joints moves as the ideal one; both keep the speed, a Cardan joint does not."""

import numpy as np
import pytest

import samara as sm
from samara.models.mechanisms import gimbal
from samara.rotations import log_so3, rotation_x, rotation_z
from samara.system import System


def run(coupling, end=4.0, steps=360, **settings):
    turn = 2 * np.pi / gimbal.SPEED
    return sm.transient(gimbal.build(coupling, **settings), end * turn, turn / steps, tolerance=1e-12, progress=False)


def hub_speed(results, tilt_deg=10.0):
    return results["hub.angular_velocity"] @ rotation_x(np.deg2rad(tilt_deg))[:, 2]


@pytest.mark.parametrize("coupling", ["gimbal", "joints"])
def test_the_hub_turns_as_evenly_as_the_mast(coupling):
    """At 10 degrees of tilt: a steady rotation is an exact solution of the scheme.

    The base joints of the second turn unevenly inside: the start finds that to third order, 1.4e-10 in the first steps.
    """
    results = run(coupling)
    np.testing.assert_allclose(hub_speed(results), gimbal.SPEED, rtol=1e-10 if coupling == "gimbal" else 1e-9)
    assert np.abs(results["blade_0.hinge.angle"]).max() < 1e-9


def test_a_cardan_joint_shows_twice_a_turn():
    """Speed between cos(tilt) and 1 / cos(tilt) of the mast's, two swings a turn; the blades answer in lag."""
    results = run("cardan")
    speed, tilt = hub_speed(results) / gimbal.SPEED, np.deg2rad(10.0)
    assert speed.max() == pytest.approx(1 / np.cos(tilt), rel=1e-4)
    assert speed.min() == pytest.approx(np.cos(tilt), rel=1e-4)
    spectrum = np.abs(np.fft.rfft(speed[1:] - speed[1:].mean()))
    assert np.argmax(spectrum) == 8  # four turns
    assert np.abs(results["blade_0.hinge.angle"]).max() > 1e-3


def rotor_in_free_tilt(coupling):
    """A gimballed hub without a bearing, driven, with different inertias across: it tilts as it likes."""
    model = sm.Model("free gimbal")
    spin, tumble = np.array([0, 0, 20.0]), np.array([4.0, -2.0, 0.0])
    mast = model.node("mast", angular_velocity=spin)
    model.add("mast_body", sm.Body(mast, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("bearing", sm.Revolute(model.ground, mast))
    model.add("motor", sm.PrescribedAngle(model.ground, mast, angle=lambda t: 20.0 * t))
    hub = model.node("hub", angular_velocity=spin + tumble)
    model.add("body", sm.Body(hub, mass=5.0, com=(0, 0, 0.02), inertia=(0.3, 0.5, 0.7)))
    spring = sm.DeformableHinge(mast, hub, law=sm.LinearLaw3((60.0, 60.0, 0.0), damping=1e-3))
    model.add("springs", spring)
    if coupling == "joints":
        sm.add_gimbal_of_joints(model, "coupling", mast, hub)
    else:
        model.add("coupling", sm.Gimbal(mast, hub))
    return model


def test_both_gimbals_move_alike_when_the_hub_tilts_freely():
    """The same constraint in other coordinates: differences are those of Newton's tolerance, not of the step."""
    one, two = (
        sm.transient(rotor_in_free_tilt(kind), 1.0, 1e-3, tolerance=1e-12, progress=False)
        for kind in ("ideal", "joints")
    )
    tilt = np.abs(one["coupling.tilt_x"]).max()
    assert tilt > 0.1
    np.testing.assert_allclose(two["hub.rotation"], one["hub.rotation"], atol=1e-9)
    # the rotation vector against the mast stays across the shaft, with the joints too
    for t, R in zip(two.time[::50], two["hub.rotation"][::50].reshape(-1, 3, 3), strict=True):
        assert abs(log_so3(rotation_z(20.0 * t).T @ R)[2]) < 1e-9


def test_count_of_equations():
    """25 equations more than nothing: 12 of the arms and 13 of their joints; one in the dedicated joint."""
    size = {}
    for kind in ("none", "joints", "ideal"):
        model = sm.Model("count")
        a, b = model.node("a"), model.node("b")
        for node in (a, b):
            model.add(f"body_{node.name}", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        if kind == "joints":
            sm.add_gimbal_of_joints(model, "gimbal", a, b, carries=False)
        elif kind == "ideal":
            model.add("gimbal", sm.GimbalRotation(a, b))
        size[kind] = System(model).unknowns.size
    assert size["joints"] - size["none"] == 25
    assert size["ideal"] - size["none"] == 1


def test_a_start_that_no_gimbal_could_have_is_refused():
    model = sm.Model("bad")
    a, b = model.node("a"), model.node("b", rotation=rotation_z(0.1))
    with pytest.raises(sm.ModelError, match="rotation of b relative to a must be perpendicular to z"):
        sm.add_gimbal_of_joints(model, "gimbal", a, b)
