"""A modal body against the beams that it was reduced from."""

import numpy as np
import pytest

import samara as sm

LENGTH, TIP_MASS = 2.0, 1.0
SPAN = sm.Span(
    station=[0.0, LENGTH],
    mass=1.2,
    EA=4e6,
    GJ=150.0,
    EI_y=900.0,
    EI_z=2000.0,
    inertia_y=2e-4,
    inertia_z=4e-4,
    com_y=0.01,
)
TURN = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # the arm's x axis along the world's y


def free_arm(elements: int = 3) -> sm.Model:
    """The arm alone, free in space, its root frame turned against the world."""
    model = sm.Model("arm alone")
    root = model.node("root", (0.3, -0.2, 0.5), TURN)
    sm.add_beam(model, "arm", SPAN, root=root, elements=elements)
    return model


def tip(elements: int = 3) -> str:
    return f"arm.n{2 * elements}"


def reduction(modes: int, elements: int = 3) -> sm.Reduction:
    return sm.craig_bampton(free_arm(elements), "root", [tip(elements)], modes)


def with_beams(model: sm.Model, hub: sm.Node, elements: int = 3) -> sm.Node:
    nodes = sm.add_beam(model, "arm", SPAN, root=hub, elements=elements)
    return nodes[-1]


def with_modes(model: sm.Model, hub: sm.Node, modes: int = 6, elements: int = 3) -> sm.Node:
    end = model.node("tip", (LENGTH, 0.0, 0.0), frame=hub)
    arm = model.add("arm", sm.ModalBody(hub, reduction=reduction(modes, elements)))
    model.add("end", sm.ModalInterface(hub, end, body=arm, point=tip(elements)))
    return end


def clamped(attach) -> sm.Model:
    model = sm.Model("clamped arm")
    hub = model.node("hub")
    model.add("clamp", sm.Clamp(model.ground, hub))
    model.add("hub_body", sm.Body(hub, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    end = attach(model, hub)
    model.add("tip_body", sm.Body(end, mass=TIP_MASS, inertia=(0.01, 0.01, 0.01)))
    return model


def test_mass_properties_are_those_of_the_structure():
    found = reduction(2)
    assert found.mass == pytest.approx(1.2 * LENGTH, rel=1e-12)
    np.testing.assert_allclose(found.s, 1.2 * LENGTH * np.array([LENGTH / 2, 0.01, 0.0]), atol=1e-12)
    slender = 1.2 * LENGTH**3 / 3
    np.testing.assert_allclose(
        found.J0[1:, 1:], np.diag([slender + 4e-4, slender + 8e-4 + 2.4e-4]), rtol=1e-3, atol=1e-9
    )


def test_clamped_frequencies_with_a_mass_on_the_interface():
    """Static modes of the interface carry a tip mass that the reduction knew nothing of."""
    exact = sm.modes(clamped(with_beams), 4).frequencies
    found = sm.modes(clamped(with_modes), 4).frequencies
    np.testing.assert_allclose(found, exact, rtol=1e-3)  # six modes with the interface held


def test_more_modes_come_closer_and_all_of_them_are_exact():
    exact = sm.modes(clamped(lambda m, h: with_beams(m, h, 1)), 6).frequencies
    every = [
        sm.modes(clamped(lambda m, h, k=k: with_modes(m, h, k, elements=1)), 6).frequencies
        for k in (0, 3, 6)  # 6: all that the inner node has
    ]
    errors = [np.abs(found / exact - 1.0).max() for found in every]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-6  # of a reduction that keeps everything: rounding of its stiff directions
    for found in every:
        assert np.all(found >= exact * (1.0 - 1e-6))  # Rayleigh: a smaller space is stiffer


def slewing(attach) -> sm.Model:
    """On a hinge, turned by one period of a torque: it comes to rest again and rings."""
    model = sm.Model("slewing arm")
    hub = model.node("hub")
    model.add("hinge", sm.Revolute(model.ground, hub, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("hub_body", sm.Body(hub, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    torque = sm.Expression(lambda t: sm.select(t < 0.5, 20.0 * np.sin(4.0 * np.pi * t), 0.0))
    model.add("motor", sm.RotaryActuator(model.ground, hub, at=(0, 0, 0), axis=(0, 0, 1), torque=torque))
    end = attach(model, hub)
    model.add("tip_body", sm.Body(end, mass=TIP_MASS, inertia=(0.01, 0.01, 0.01)))
    return model


def test_a_slewing_arm_moves_as_the_beams_do():
    ends = []
    for attach, name in ((with_beams, tip(8)), (with_modes, "tip")):
        model = slewing(lambda m, h, a=attach: a(m, h, elements=8))
        results = sm.transient(model, 1.0, 0.001, progress=False)
        angle = results["hinge.angle"]
        across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
        ends.append(np.sum(results[f"{name}.position"][:, :2] * across, axis=1))
    bending = np.abs(ends[0]).max()
    assert 0.004 < bending < 0.02
    # six modes, and linear ones: what bending shortens is missing
    assert np.abs(ends[0] - ends[1]).max() < 0.01 * bending


def test_a_free_body_keeps_energy_and_momentum():
    """Spinning about all axes and ringing at once; rho_inf = 1 removes nothing."""
    model = sm.Model("tumbling")
    hub = model.node("hub", velocity=(0.1, 0.2, 0.3), angular_velocity=(1.0, 2.0, -1.5))
    model.add("hub_body", sm.Body(hub, mass=20.0, inertia=(5.0, 6.0, 7.0)))
    found = reduction(3)
    start = np.zeros(found.count)
    start[:2] = 0.05, -0.03
    model.add("arm", sm.ModalBody(hub, reduction=found, start=start))
    drift = []
    for step in (4e-4, 2e-4):
        results = sm.transient(model, 0.4, step, integrator=sm.TwoStep(1.0), progress=False)
        energy = results["model.kinetic"] + results["model.potential"]
        momentum = results["arm.momentum"] + results["hub_body.momentum"]
        size = np.linalg.norm(momentum[0])
        drift.append([np.ptp(energy) / energy[0], np.linalg.norm(momentum - momentum[0], axis=1).max() / size])
    assert np.all(np.array(drift[1]) < 1e-4)
    np.testing.assert_allclose(np.log2(np.divide(*drift)), 2.0, atol=0.4)


def test_from_arrays_a_bar_of_two_masses():
    """Two masses on a massless bar of which one is sprung along it: closed form."""
    found = sm.Reduction.from_arrays(
        positions=[(0, 0, 0), (1, 0, 0)],
        shapes=np.array([[[0.0]] * 6, [[1.0]] + [[0.0]] * 5]),
        mass=[3.0, 1.0],
        stiffness=[200.0],
        names=["", "end"],
    )
    model = sm.Model("bar")
    node = model.node("n")
    model.add("extra", sm.Body(node, mass=1e-6, inertia=(0.1, 0.1, 0.1)))
    model.add("bar", sm.ModalBody(node, reduction=found, start=[0.01]))
    assert sm.modes(sm.Simulation(model)).frequencies.max() == pytest.approx(np.sqrt(200 * (1 + 1 / 3)), rel=1e-6)


def test_what_cannot_be_reduced_is_refused():
    model = free_arm()
    model.add("clamp", sm.Clamp(model.ground, model.nodes["root"], at=(0, 0, 0)))
    with pytest.raises(sm.ModelError, match="constrained or loaded externally"):
        sm.craig_bampton(model, "root", [tip()], 2)
    with pytest.raises(sm.ModelError, match=r"no node .*'nowhere'"):
        sm.craig_bampton(free_arm(), "nowhere")
    with pytest.raises(sm.ModelError, match="modes = 99"):
        sm.craig_bampton(free_arm(), "root", [tip()], 99)
    with pytest.raises(sm.ModelError, match="positive definite"):
        sm.Reduction.from_arrays([(0, 0, 0)], np.zeros((1, 6, 1)), [1.0], [0.0])
