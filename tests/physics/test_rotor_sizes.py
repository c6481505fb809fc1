"""Eigenvalues of rotors do not depend on how large they are, nor on what heavy thing stands beside them."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_z

BLADES, SPEED = 3, 18.0
MASS, MOMENT, INERTIA, HINGE = 40.0, 60.0, 130.0, 0.25  # of a blade, about its lag hinge; kg, kg m, kg m^2, m
SPRING, DAMPER = 900.0, 60.0  # of a lag hinge, N m/rad and N m s/rad
CARRIED = (700.0, 500.0)  # along x and along y, kg
STIFFNESS, DAMPING = (1.6e5, 2.4e5), (900.0, 700.0)  # N/m, N s/m


def rotor(scale: float = 1.0, heavy: float = 0.0) -> sm.Model:
    """A massless hub that slides in its plane, with blades on lag hinges: ground resonance.

    scale: of all lengths, densities staying: frequencies stay too. heavy: mass of a block beside it [kg].
    """
    model, mass, inertia = sm.Model("rotor"), scale**3, scale**5
    below = model.ground
    for k, (name, axis) in enumerate((("along", (1, 0, 0)), ("across", (0, 1, 0)))):
        node = model.node(name)
        own = mass * (CARRIED[0] - CARRIED[1] if k == 0 else CARRIED[1])
        model.add(f"{name}.body", sm.Body(node, mass=own, inertia=(own * scale**2,) * 3))
        model.add(f"{name}.slide", sm.Prismatic(below, node, axis=axis))
        law = sm.LinearLaw(mass * STIFFNESS[k], damping=mass * DAMPING[k])
        model.add(f"{name}.spring", sm.Axial(below, node, axis=axis, law=law))
        below = node
    spin = np.array([0.0, 0.0, SPEED])
    hub = model.node("hub", angular_velocity=spin, static=True)
    model.add("bearing", sm.Revolute(below, hub, axis=(0, 0, 1)))
    model.add("shaft", sm.PrescribedAngle(below, hub, axis=(0, 0, 1), angle=sm.Expression(lambda t: SPEED * t)))
    arm = MOMENT / MASS
    across = inertia * (INERTIA - MASS * arm**2)
    for k in range(BLADES):
        R = rotation_z(2 * np.pi * k / BLADES)
        at = R @ [scale * HINGE, 0, 0]
        blade = model.node(f"blade_{k}", at, R, velocity=np.cross(spin, at), angular_velocity=spin)
        body = sm.Body(blade, mass=mass * MASS, com=(scale * arm, 0, 0), inertia=(0.01 * across, across, across))
        model.add(f"blade_{k}.body", body)
        hinge = {"at": at, "axis": (0, 0, 1)}
        model.add(f"blade_{k}.lag", sm.Revolute(hub, blade, **hinge))
        law = sm.LinearLaw(inertia * SPRING, damping=inertia * DAMPER)
        model.add(f"blade_{k}.damper", sm.Torsion(hub, blade, law=law, **hinge))
    names = [f"blade_{k}" for k in range(BLADES)]
    model.declare_rotor("rotor", hub=hub, blades=names, radius=scale * (HINGE + 2 * arm), craft=below)
    if heavy:
        block = model.node("block", (0, 50.0, 0))
        model.add("block.body", sm.Body(block, mass=heavy, inertia=(heavy,) * 3))
        model.add("block.clamp", sm.Prismatic(model.ground, block, at=(0, 50.0, 0), axis=(1, 0, 0)))
        model.add("block.spring", sm.Axial(model.ground, block, axis=(1, 0, 0), law=sm.LinearLaw(9 * heavy, heavy)))
    return model


def coleman() -> np.ndarray:
    """Eigenvalues of the linear equations in multiblade coordinates, (x, y, z_c, z_s): of hub and cyclic lag, rad/s.

    A blade at psi: I z'' + c z' + (k + e S W^2) z = S (x'' sin psi - y'' cos psi), and the hub feels the second time
    derivatives of S sum z sin psi along x and of -S sum z cos psi along y: N/2 S times those of z_s and -z_c.
    """
    W, half = SPEED, 0.5 * BLADES
    M, C, K = (np.zeros((4, 4)) for _ in range(3))
    for k in range(2):
        M[k, k], C[k, k], K[k, k] = CARRIED[k] + BLADES * MASS, DAMPING[k], STIFFNESS[k]
    M[0, 3], M[1, 2] = -half * MOMENT, half * MOMENT
    own = SPRING + HINGE * MOMENT * W**2 - INERTIA * W**2
    M[2:, 2:], M[2, 1], M[3, 0] = INERTIA * np.eye(2), MOMENT, -MOMENT
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    C[2:, 2:] = DAMPER * np.eye(2) + 2 * W * INERTIA * turn
    K[2:, 2:] = own * np.eye(2) + W * DAMPER * turn
    zero, inverse = np.zeros((4, 4)), np.linalg.inv(M)
    return np.linalg.eigvals(np.block([[zero, np.eye(4)], [-inverse @ K, -inverse @ C]]))


@pytest.mark.parametrize(("scale", "heavy"), [(1.0, 0.0), (1.0, 1e9), (0.01, 0.0), (100.0, 0.0)])
def test_ground_resonance(scale, heavy):
    """A radius of 3 cm, 3 m and 300 m; a block of a million tons. Both ways find the growth, which has a closed form.

    1e-7: rounding of a motion that was stepped; 2e-6 is what the third order of the step leaves.
    """
    closed, period = coleman(), 2 * np.pi / SPEED
    worst = closed[np.argmax(closed.real)]
    worst = complex(worst.real, abs(worst.imag))
    motion = sm.periodic(rotor(scale, heavy), period, period / 120, outputs="model.violation")
    found = sm.modes(motion).eigenvalues
    for s in closed[closed.imag > 0]:
        assert np.abs(found - s).min() < 1e-7 * abs(s)
    exact = sm.floquet(motion, without_step=True)
    assert exact.eigenvalues[0].real == pytest.approx(worst.real, abs=2e-6)
    assert worst.real > 0.4 and not exact.stable


ACROSS, POLAR, SPRINGS, SPIN = 2.0, 3.5, (4e3, 6e3), 60.0  # of a gyroscope of 5 kg: kg m^2, N m/rad, rad/s


def ship_with_gyroscope(ship: float, small: float) -> sm.Model:
    """A disc in two rings without mass, on springs, in a ship on springs of 1 rad/s.

    ship: its mass [kg]; small: factor of all that the gyroscope weighs and of its springs.
    """
    model, at = sm.Model("ship"), (3.0, 0.0, 1.0)
    hull = model.node("hull")
    model.add("hull.body", sm.Body(hull, mass=ship, inertia=(4 * ship,) * 3))
    sea = sm.LinearLaw6(np.array([1.0, 1.0, 1.0, 4.0, 4.0, 4.0]) * ship)
    model.add("sea", sm.DeformableJoint(model.ground, hull, law=sea))
    outer, inner = (model.node(name, at, static=True) for name in ("outer", "inner"))
    disc = model.node("disc", at, angular_velocity=(0.0, 0.0, SPIN))
    inertia = small * np.array([ACROSS, ACROSS, POLAR])
    model.add("disc.body", sm.Body(disc, mass=5.0 * small, inertia=inertia))
    for k, (a, b, axis) in enumerate(((hull, outer, (1, 0, 0)), (outer, inner, (0, 1, 0)))):
        model.add(f"hinge_{k}", sm.Revolute(a, b, at=at, axis=axis))
        law = sm.LinearLaw(small * SPRINGS[k])
        model.add(f"spring_{k}", sm.Torsion(a, b, at=at, axis=axis, law=law))
    model.add("bearing", sm.Revolute(inner, disc, at=at, axis=(0, 0, 1)))
    return model


@pytest.mark.parametrize(("ship", "small"), [(1e5, 1.0), (1e5, 1e-3), (1e7, 1e-6), (1e9, 1.0)])
def test_a_gyroscope_in_a_ship(ship, small):
    """However small, it whirls as on firm ground, I^2 s^4 + (I (k_x + k_y) + (C W)^2) s^2 + k_x k_y = 0, but for what
    the ship gives way: some ten times its part of the mass."""
    s = np.roots([ACROSS**2, 0.0, ACROSS * sum(SPRINGS) + (POLAR * SPIN) ** 2, 0.0, np.prod(SPRINGS)])
    sim = sm.Simulation(ship_with_gyroscope(ship, small))
    sm.assemble(sim)
    found = sm.modes(sim).eigenvalues
    matrix = sm.state_space(sim, inputs=(), outputs="model.violation").A
    for closed in s[s.imag > 0]:
        for values in (found, np.linalg.eigvals(matrix)):
            assert np.abs(values - closed).min() < (50.0 * small / ship + 1e-9) * abs(closed)


@pytest.mark.parametrize(("scale", "heavy"), [(1.0, 0.0), (1.0, 1e9), (1.0, 1e13), (100.0, 0.0), (0.01, 1e3)])
def test_reactions_at_the_start(scale, heavy):
    """A shaft without mass that speeds up a disc: the motor's couple is J alpha, and m g is carried through it."""
    mass, inertia, gain = 5.0 * scale**3, 0.2 * scale**5, 2.0
    model = sm.Model("motor", gravity=(0.0, 0.0, -9.81))
    shaft, disc = model.node("shaft", static=True), model.node("disc", (0, 0, scale))
    model.add("body", sm.Body(disc, mass=mass, inertia=(inertia, inertia, inertia)))
    model.add("bearing", sm.Revolute(model.ground, shaft, axis=(0, 0, 1)))
    model.add("motor", sm.PrescribedAngle(model.ground, shaft, axis=(0, 0, 1), angle=lambda t: 0.5 * gain * t**2))
    model.add("flange", sm.Clamp(shaft, disc, at=(0, 0, scale)))
    if heavy:
        block = model.node("block", (0, 50.0, 0))
        model.add("block.body", sm.Body(block, mass=heavy, inertia=(heavy,) * 3))
        model.add("block.clamp", sm.Clamp(model.ground, block, at=(0, 50.0, 0)))
    run = sm.transient(model, 0.01, 1e-3, progress=False)
    assert run["motor.couple"][0, 2] == pytest.approx(inertia * gain, rel=1e-12, abs=0.0)
    assert run["bearing.force"][0, 2] == pytest.approx(mass * 9.81, rel=1e-12, abs=0.0)
    assert run["shaft.angular_acceleration"][0, 2] == pytest.approx(gain, rel=1e-12, abs=0.0)
