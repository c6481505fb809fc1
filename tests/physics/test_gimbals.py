"""A rotor on a gimbal, with a spring at its hub and without: small motions in closed form."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_z

SPEED, BLADE, RADIUS, HUB = 30.0, 14.0, 1.5, (0.02, 0.02, 0.03)  # rad/s; kg, m: points; kg m^2


def gimballed(blades: int, spring: float, azimuth: float) -> sm.Model:
    """Points on a hub that a shaft turns through a constant velocity joint."""
    model, spin, disk = sm.Model("gimbal"), np.array([0.0, 0.0, SPEED]), rotation_z(azimuth)
    shaft = model.node("shaft", rotation=disk, angular_velocity=spin, static=True)
    hub = model.node("hub", rotation=disk, angular_velocity=spin)
    place = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    model.add("bearing", sm.Revolute(model.ground, shaft, **place))
    model.add("motor", sm.PrescribedAngle(model.ground, shaft, angle=sm.Expression(lambda t: SPEED * t), **place))
    model.add("gimbal", sm.Gimbal(shaft, hub, **place))
    model.add("hub.body", sm.Body(hub, mass=1.0, inertia=HUB))
    if spring:
        model.add("spring", sm.DeformableHinge(shaft, hub, at=(0, 0, 0), law=sm.LinearLaw3((spring, spring, 0.0))))
    names = [f"blade_{k}" for k in range(blades)]
    for k, name in enumerate(names):
        R = disk @ rotation_z(2 * np.pi * k / blades)
        at = R @ [RADIUS, 0, 0]
        blade = model.node(name, at, R, velocity=np.cross(spin, at), angular_velocity=spin)
        model.add(f"{name}.body", sm.Body(blade, mass=BLADE, inertia=(1e-9, 1e-9, 1e-9)))
        model.add(f"{name}.root", sm.Clamp(hub, blade, at=at))
    model.declare_rotor("rotor", hub=hub, blades=names, radius=RADIUS)
    return model


@pytest.mark.parametrize("spring", [0.0, 3000.0])
@pytest.mark.parametrize(("blades", "azimuth"), [(3, 0.0), (3, 0.7), (4, 0.3), (5, 0.0), (6, 0.1)])
def test_the_tilt_of_a_gimbal(blades, azimuth, spring):
    """J u'' - i C W u' + K u = 0 for the tilt u, x and y as one complex number. Without a spring zero is there twice,
    once for each direction of the tilt, whatever rounding makes of it."""
    polar = blades * BLADE * RADIUS**2 + HUB[2]
    across = 0.5 * blades * BLADE * RADIUS**2 + HUB[0]
    closed = np.sort(np.abs(np.roots([across, -1j * polar * SPEED, spring])))
    closed = closed if spring else np.array([0.0, 0.0, closed[1]])
    period = 2 * np.pi / SPEED
    motion = sm.periodic(gimballed(blades, spring, azimuth), period, period / 120, outputs="model.violation")
    found = sm.modes(motion)
    assert found.eigenvalues.real == pytest.approx(np.zeros(closed.size), abs=1e-8)
    assert found.eigenvalues.imag == pytest.approx(closed, rel=1e-8, abs=0.0)
    assert list(found.rigid) == [s == 0.0 for s in closed]
    exponents = sm.floquet(motion)
    assert np.count_nonzero(exponents.rigid) == np.count_nonzero(closed == 0.0)
