"""Rotors with free wakes in one field: each feels the vortices of all, whatever the order in which they were added."""

from functools import cache

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, FreeWake, Model, Motion, Placement, Ramp, Rotor, Stations, ThinAerofoil
from samara.rotations import rotation_z

RADIUS, CHORD, SPEED, STEPS = 1.143, 0.1905, 130.9, 30
STEP = 2 * np.pi / SPEED / STEPS
WAKE = {"step": STEP, "turns": 1.0, "precision": "double"}


def add_rotor(model: Model, name: str, place, sense: int = 1, **more) -> None:
    """Two blades at 8 degrees that turn about z; sense -1: the mirror image in y."""
    hub = model.prescribed(f"{name}.hub", Motion(position=[Ramp(0.0)] * 3, rotation=(0, 0, Ramp(sense * SPEED))), place)
    frame = Placement(place)
    blades = [f"{name}_blade_{k + 1}" for k in range(2)]
    disk = model.add(
        name,
        Rotor(
            model.ground, hub, disk=frame, radius=RADIUS, speed=sense * SPEED, inflow=FreeWake(**WAKE | more),
            start=5.0, blades=blades,
        ),
    )  # fmt: skip
    ends = (CHORD, RADIUS) if sense > 0 else (-RADIUS, -CHORD)
    along = Stations.gauss(*ends, 8, CHORD, np.radians(8.0))
    for k, blade in enumerate(blades):
        turned = Placement((0, 0, 0), rotation_z(sense * np.pi * k + (0.0 if sense > 0 else np.pi)))
        model.add(blade, AeroBody(hub, place=turned, stations=along, aerofoil=ThinAerofoil(), rotor=disk))


@cache
def run(*rotors: tuple[str, tuple, int], revolutions: int = 10) -> sm.Results:
    """Of rotors that are added in this order: name, place, sense."""
    model = Model("rotors")
    for name, place, sense in rotors:
        add_rotor(model, name, place, sense)
    outputs = ("*.thrust", "*.power")
    return sm.transient(model, revolutions * STEPS * STEP, STEP, progress=False, outputs=outputs)


def thrusts(*rotors, revolutions: int = 10) -> dict[str, np.ndarray]:
    return {name: run(*rotors, revolutions=revolutions)[f"{name}.thrust"] for name, _, _ in rotors}


def powers(*rotors) -> dict[str, np.ndarray]:
    return {name: run(*rotors)[f"{name}.power"] for name, _, _ in rotors}


UPPER, LOWER = ("upper", (0.0, 0.0, 0.2 * RADIUS), 1), ("lower", (0.0, 0.0, 0.0), -1)


def test_order_of_adding_does_not_matter():
    """To Newton's tolerance: only the order of unknowns differs, the law is the same."""
    one, two = thrusts(UPPER, LOWER), thrusts(LOWER, UPPER)
    for name in ("upper", "lower"):
        np.testing.assert_allclose(one[name], two[name], rtol=1e-6)


def test_coaxial_rotors_feel_each_other():
    """Both lift less than one alone, the lower one less than the upper one: it is in the wake.

    Without drag all power is induced. Beside two rotors alone that lift half as much each, momentum theory has 1.41
    times as much for disks in one plane, and 1.28 with the lower one where the wake has contracted: 1.2 to 1.5 here.
    """

    def induced(*rotors):
        names = [name for name, _, _ in rotors]
        last = {name: thrusts(*rotors)[name][-5 * STEPS :].mean() for name in names}
        return last, sum(powers(*rotors)[name][-5 * STEPS :].mean() for name in names)

    (alone, one), (both, two) = induced(LOWER), induced(UPPER, LOWER)
    assert 0.3 * alone["lower"] < both["lower"] < both["upper"] < alone["lower"]
    excess = (two / sum(both.values()) ** 1.5) / (one / alone["lower"] ** 1.5) * np.sqrt(2)
    assert 1.2 < excess < 1.5


def test_side_by_side_mirrored():
    """Rotors that are mirror images of each other have the same thrust, to rounding that turns have made grow."""
    left, right = ("left", (0.0, 1.2 * RADIUS, 0.0), 1), ("right", (0.0, -1.2 * RADIUS, 0.0), -1)
    found = thrusts(left, right, revolutions=3)
    np.testing.assert_allclose(found["left"], found["right"], rtol=1e-8)
    alone = thrusts(left, revolutions=3)["left"]
    assert np.abs(found["left"] / alone - 1)[-STEPS:].max() > 1e-3


def test_far_apart_each_is_alone():
    """A kilometre away a wake of 5 R is not felt: rings fall with the cube of the distance, (5 / 900)^3."""
    far = ("far", (1000.0, 0.0, 0.0), 1)
    together, alone = thrusts(LOWER, far, revolutions=2), thrusts(LOWER, revolutions=2)
    np.testing.assert_allclose(together["lower"], alone["lower"], rtol=1e-6)


def test_velocity_is_that_of_both():
    model = Model("rotors")
    for rotor in (UPPER, LOWER):
        add_rotor(model, *rotor)
    sim = sm.Simulation(model)
    sm.transient(sim, STEPS * STEP, STEP, progress=False, outputs="*.thrust")
    found = sm.wake_geometry(sim)
    assert {f.rotor for f in found.filaments} == {"upper", "lower"}
    heights = [np.mean([f.points[0, 2] for f in found.filaments if f.rotor == name]) for name in ("upper", "lower")]
    assert heights == pytest.approx([0.2 * RADIUS, 0.0], abs=1e-9)
    # circulations of mirror images: swirl is nearly taken out, what goes down is added
    swirl = found.velocity([[0.5 * RADIUS, 0.0, -0.5 * RADIUS]])[0]
    assert swirl[2] < -5.0 and abs(swirl[1]) < 0.2 * abs(swirl[2])


def test_samples_of_different_steps_are_refused():
    model = Model("rotors")
    add_rotor(model, *UPPER)
    add_rotor(model, *LOWER, step=2 * STEP)
    with pytest.raises(sm.ModelError, match="step and precision must be those of rotor"):
        sm.Simulation(model)
