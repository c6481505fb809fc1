"""Shafts on a casing, for all tests of drive trains."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_from_axes


class Shafts:
    """A model with wheels of given inertia about z of theirs, on a casing that is the ground or a body."""

    def __init__(self, casing=None):
        self.model = sm.Model("train")
        self.casing = self.model.ground
        if casing is not None:
            self.casing = self.model.node("casing")
            self.model.add("casing.body", sm.Body(self.casing, mass=50.0, inertia=casing))

    def wheel(self, name, inertia, speed=0.0, axis=(0.0, 0.0, 1.0), position=(0.0, 0.0, 0.0), on=None):
        """A wheel about an axis; the Revolute is "name.bearing"."""
        z = np.asarray(axis, float) / np.linalg.norm(axis)
        frame = rotation_from_axes(z=z, x=np.eye(3)[int(np.argmin(np.abs(z)))])
        node = self.model.node(name, position, frame, angular_velocity=speed * z)
        self.model.add(f"{name}.body", sm.Body(node, mass=2.0, inertia=(inertia, inertia, inertia)))
        self.model.add(f"{name}.bearing", sm.Revolute(on or self.casing, node, at=position, axis=z))
        return node


@pytest.fixture
def shafts():
    return Shafts


def spins(results, node):
    """Angular velocity about z of the node's own axes [rad/s]."""
    return np.asarray(results[f"{node}.bearing.angle_rate"])


@pytest.fixture
def spin():
    return spins
