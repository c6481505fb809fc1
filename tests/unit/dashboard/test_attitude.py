"""Attitude as a pilot reads it, against rotations about one axis after the other."""

import numpy as np
import pytest

from samara.dashboard.flight.attitude import attitude, readings
from samara.rotations import rotation_x, rotation_y, rotation_z

STICKS = {
    "name": "body", "forward": [-1.0, 0.0, 0.0], "up": [0.0, 0.0, 1.0], "north": [-1.0, 0.0, 0.0], "ground": 2.0,
}  # fmt: skip


def pose(R, height=0.0):
    return np.r_[1.0, 2.0, height, np.asarray(R).ravel()]


def test_level_it_is_all_zero():
    found = attitude(STICKS, pose(np.eye(3), 12.0))
    assert (found.roll, found.pitch, found.heading, found.height) == pytest.approx((0.0, 0.0, 0.0, 10.0))


@pytest.mark.parametrize(("roll", "pitch", "heading"), [(0.3, -0.2, 1.0), (-2.5, 0.7, 4.0), (1.0, 1.4, 6.0)])
def test_angles_are_those_of_the_helicopter(roll, pitch, heading):
    """Its axes are aft, right, up: R = Rz(-heading) Ry(pitch) Rx(-roll)."""
    R = rotation_z(-heading) @ rotation_y(pitch) @ rotation_x(-roll)
    found = attitude(STICKS, pose(R))
    assert (found.roll, found.pitch, found.heading) == pytest.approx((roll, pitch, heading))


def test_any_axes_of_the_craft_will_do():
    """The same craft with x forward, z down."""
    turned = np.diag([-1.0, 1.0, -1.0])
    other = STICKS | {"forward": [1.0, 0.0, 0.0], "up": [0.0, 0.0, -1.0]}
    R = rotation_z(-1.0) @ rotation_y(0.4) @ rotation_x(-0.3)
    found = attitude(other, pose(R @ turned))
    assert (found.roll, found.pitch, found.heading) == pytest.approx((0.3, 0.4, 1.0))


def test_what_is_not_measured_is_left_out():
    scene = {"sticks": STICKS, "rotors": [{"name": "main"}, {"name": "tail"}]}
    assert readings(scene, {}) == {}
    latest = {"body.velocity.x": -3.0, "body.velocity.y": 4.0, "body.velocity.z": 1.5, "main.speed": -np.pi}
    assert readings(scene, latest) == pytest.approx({"speed": 5.0, "climb": 1.5, "main rpm": 30.0})
