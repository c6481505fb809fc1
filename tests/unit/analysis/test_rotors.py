"""Which unknowns are a rotor's, and how its blades change places."""

import numpy as np
import pytest

import samara as sm
from samara.analysis.rotors.find import rotor_frames
from samara.analysis.rotors.turn import steps_per_period, turn
from samara.models.rotors import hammond
from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor


def hub_with_blades(names=("blade_1", "blade_2", "blade_3"), stray: bool = False, heavy: float = 1.0) -> sm.Model:
    """Three bodies on lag hinges of a hub that turns at 20 rad/s; and one beside the shaft."""
    model = sm.Model("hub")
    hub = model.node("hub", angular_velocity=(0, 0, 20.0))
    model.add("hub.body", sm.Body(hub, mass=5.0, inertia=(1, 1, 2)))
    model.add("bearing", sm.Revolute(model.ground, hub, axis=(0, 0, 1)))
    model.add("shaft", sm.PrescribedAngle(model.ground, hub, axis=(0, 0, 1), angle=sm.Expression(lambda t: 20.0 * t)))
    for k, name in enumerate(names):
        R = sm.rotations.rotation_z(2 * np.pi * k / len(names))
        node = model.node(name, R @ (1.0, 0, 0), R, velocity=20.0 * R @ (0, 1.0, 0), angular_velocity=(0, 0, 20.0))
        model.add(f"{name}.mass", sm.Body(node, mass=heavy if k == 0 else 1.0, inertia=(0.1, 0.1, 0.1)))
        model.add(f"{name}.lag", sm.Revolute(hub, node, at=R @ (0.2, 0, 0), axis=(0, 0, 1)))
        law = sm.LinearLaw(50.0, damping=2.0)
        model.add(f"{name}.spring", sm.Torsion(hub, node, at=R @ (0.2, 0, 0), axis=(0, 0, 1), law=law))
    if stray:
        node = model.node("weight", (0, 0.5, 0), velocity=(-10.0, 0, 0), angular_velocity=(0, 0, 20.0))
        model.add("weight.body", sm.Body(node, mass=0.1, inertia=(0.01, 0.01, 0.01)))
        model.add("weight.clamp", sm.Clamp(hub, node, at=(0, 0.5, 0)))
    model.declare_rotor("rotor", hub=hub, blades=names, radius=1.5, sense=1, craft=model.ground)
    return model


def started(model: sm.Model) -> sm.Simulation:
    sim = sm.Simulation(model)
    sm.transient(sim, 0.05, 1e-3, outputs="model.violation", progress=False)
    return sim


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7])
def test_transformation_is_orthogonal_and_its_derivatives_are_right(count):
    (frame,) = rotor_frames(started(hub_with_blades([f"blade_{k + 1}" for k in range(count)])))
    T = frame.transformation(0.4).toarray()
    assert T.T @ T == pytest.approx(np.eye(len(T)), abs=1e-12)
    for order in (1, 2):
        ahead, behind = (frame.transformation(0.4 + d, order - 1).toarray() for d in (1e-5, -1e-5))
        assert frame.transformation(0.4, order).toarray() == pytest.approx((ahead - behind) / 2e-5, abs=1e-7)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_blades_are_home_after_a_turn(count):
    (frame,) = rotor_frames(started(hub_with_blades([f"blade_{k + 1}" for k in range(count)])))
    P = np.linalg.matrix_power(frame.exchange().toarray(), count)
    assert P == pytest.approx(np.eye(len(P)), abs=1e-12)
    assert frame.alike


def test_a_heavier_blade_is_not_alike():
    (frame,) = rotor_frames(started(hub_with_blades(heavy=1.001)))
    assert not frame.alike


def test_blades_with_axes_of_their_own_are_alike_all_the_same():
    """Axes of nodes along the world's, not along the blades'."""
    model = sm.Model("stars")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: 20.0 * t)))
    for k in range(3):
        R = sm.rotations.rotation_z(2 * np.pi * k / 3)
        name, at = f"blade_{k + 1}", R @ (1.0, 0, 0)
        node = model.node(name, at, velocity=20.0 * R @ (0, 1.0, 0), angular_velocity=(0, 0, 20.0))
        model.add(f"{name}.mass", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add(f"{name}.lag", sm.Revolute(hub, node, at=R @ (0.2, 0, 0), axis=(0, 0, 1)))
    model.declare_rotor("rotor", hub=hub, blades=("blade_1", "blade_2", "blade_3"), radius=1.5, sense=1)
    (frame,) = rotor_frames(started(model))
    assert frame.alike
    assert frame.align is not None


def test_what_belongs_to_no_blade_is_named():
    model = hub_with_blades(stray=True)
    found = sm.periodic(model, 2 * np.pi / 20.0, 2 * np.pi / 20.0 / 60, outputs="model.violation")
    with pytest.raises(sm.SolveError, match=r"node 'weight' turns with rotor 'rotor', .*blade_1\.weight"):
        sm.modes(found)
    assert sm.floquet(found).stable  # and Floquet does without


def test_periods_of_rotors():
    sim = sm.Simulation(hammond.build(speed_rpm=250.0))
    sm.assemble(sim)
    assert turn(sim) == pytest.approx(60.0 / 250.0)
    assert steps_per_period(sim, 0.24, 0.01) == 24
    assert steps_per_period(sim, 0.24, 0.0099) == 28
    sim = sm.Simulation(hinged_rotor(speed=-SPEED))
    sm.assemble(sim)
    assert turn(sim) == pytest.approx(2 * np.pi / SPEED)
    still = sm.Model("still")
    still.add("body", sm.Body(still.node("node"), mass=1.0, inertia=(1, 1, 1)))
    with pytest.raises(sm.SolveError, match=r"'still' declares no rotor that is rotating now: give the period"):
        turn(sm.Simulation(still))
