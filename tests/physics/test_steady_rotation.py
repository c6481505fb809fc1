"""A mechanism that spins steadily: its twists are constant, its matrix too, and both show."""

import numpy as np
import pytest

import samara as sm

SPEED = 28.0  # rad/s
STEP = 2 * np.pi / SPEED / 90


def turned(azimuth, vector):
    c, s = np.cos(azimuth), np.sin(azimuth)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ vector


def rotor(gravity=(0.0, 0.0, 0.0)) -> sm.Model:
    """A hub on a bearing and three chains of three links with flap and lag hinges: ten bodies, 110 unknowns."""
    model = sm.Model("rotor", gravity=gravity)
    hub = model.node("hub", angular_velocity=(0, 0, SPEED))
    model.add("hub_body", sm.Body(hub, mass=20.0, inertia=(1.0, 1.0, 2.0)))
    model.add("bearing", sm.Revolute(model.ground, hub, at=(0, 0, 0), axis=(0, 0, 1)))
    for blade in range(3):
        azimuth, before = 2 * np.pi * blade / 3, hub
        R = turned(azimuth, np.eye(3))
        for k in range(3):
            root, centre = R @ [0.2 + 0.8 * k, 0, 0], R @ [0.6 + 0.8 * k, 0, 0]
            name, spin = f"{blade}{k}", np.array([0, 0, SPEED])
            link = model.node(f"link{name}", centre, R, velocity=np.cross(spin, centre), angular_velocity=spin)
            model.add(f"body{name}", sm.Body(link, mass=4.0, inertia=(0.02, 0.3, 0.31)))
            hinge = R @ ([0, 1, 0] if k % 2 == 0 else [0, 0, 1])
            model.add(f"hinge{name}", sm.Revolute(before, link, at=root, axis=hinge))
            before = link
    return model


def test_steady_rotation_is_an_exact_solution():
    # ten thousand steps, a hundred and eleven revolutions; the twists may only gather rounding, 1e-16 a step
    sim = sm.Simulation(rotor())
    run = sm.transient(sim, 10_000 * STEP, STEP, every=50, progress=False)
    for node in sim.system.layout.free:
        R = run[f"{node.name}.rotation"].reshape(-1, 3, 3)
        for kind in ("velocity", "angular_velocity"):
            own = np.einsum("tji,tj->ti", R, run[f"{node.name}.{kind}"])
            size = SPEED * max(1.0, np.linalg.norm(node.position) if kind == "velocity" else 1.0)
            assert own == pytest.approx(np.broadcast_to(own[0], own.shape), abs=1e-11 * size)
    # centrifugal force at the root of a blade: m Omega^2 r over its three links
    pull = 4.0 * SPEED**2 * (0.6 + 1.4 + 2.2)
    assert np.linalg.norm(run["hinge00.force"], axis=1) == pytest.approx(np.full(len(run), pull), rel=1e-9)
    assert run.attrs.counters["jacobians"] == 2  # one to find the start, one for all steps
    assert run.attrs.counters["iterations"] <= 1.1 * run.attrs.counters["steps"]


def test_factorisation_is_kept_while_blades_flap():
    # under gravity the blades swing about their coning angle: a real motion, and still a nearly constant matrix
    sim = sm.Simulation(rotor(gravity=(0, 0, -9.81)))
    run = sm.transient(sim, 2000 * STEP, STEP, outputs=("*.angle", "model.*"), progress=False)
    assert np.ptp(run["hinge00.angle"]) > 0.01  # rad
    assert run.attrs.counters["jacobians"] < 0.05 * run.attrs.counters["steps"]
    energy = run["model.kinetic"] + run["model.potential"]
    assert np.ptp(energy) < 1e-6 * run["model.kinetic"][0]


def test_azimuth_and_translation_leave_the_matrix_alone():
    """The Jacobian of a rotor in space does not depend on where it is: the reason why it can be kept."""
    matrices = []
    for azimuth, place in ((0.0, np.zeros(3)), (1.1, np.array([5.0, -3.0, 2.0]))):
        model = sm.Model("two links")
        spin, before = np.array([0, 0, SPEED]), None
        for k in range(2):
            R, centre = turned(azimuth, np.eye(3)), turned(azimuth, np.array([0.5 + k, 0, 0]))
            link = model.node(f"link{k}", place + centre, R, velocity=np.cross(spin, centre), angular_velocity=spin)
            model.add(f"body{k}", sm.Body(link, mass=2.0, inertia=(0.1, 0.2, 0.25), com=(0.1, 0.02, 0)))
            if before is not None:
                at, axis = place + turned(azimuth, np.array([1.0, 0, 0])), turned(azimuth, np.array([0, 1.0, 0]))
                side = turned(azimuth, np.array([1.0, 0, 0]))
                model.add("hinge", sm.Revolute(before, link, at=at, axis=axis, axis_x=side))
            before = link
        sim = sm.Simulation(model)
        sm.assemble(sim)
        sim.analyse_for(STEP)
        matrices.append(sim.matrix_values())
    assert matrices[1] == pytest.approx(matrices[0], abs=1e-11 * np.abs(matrices[0]).max())
