"""Rotors on supports that are free, move, or have no blades, against equations written down by hand.

Blades of mass m and inertia I about their centre, at r from lag hinges at e, hub plane x, y; zeta_k the lag angles:

    (I + m r^2) zeta_k'' + c zeta_k' + (k + e m r Omega^2) zeta_k + m r (y'' cos psi_k - x'' sin psi_k) = 0
    M x'' ... = m r sum (zeta_k sin psi_k)'',     M y'' ... = -m r sum (zeta_k cos psi_k)''
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import samara as sm

M, KX, KY, CX, CY = 800.0, 6e5, 9e5, 1.2e3, 2.0e3
MASS, ARM, HINGE, INERTIA, STIFFNESS, DAMPING = 40.0, 2.1, 0.25, 60.0, 1.5e3, 250.0
CRAFT, HUB = 3000.0, 1e-3
SPEED, STEPS = 22.0, 120
TURN = 2.0 * np.pi / SPEED


def free_craft(count: int, velocity=(0.0, 0.0, 0.0), tie: float = 0.0) -> sm.Model:
    """A rotor on a springy support of a craft in empty space, which flies on."""
    model, V = sm.Model("free craft"), np.array(velocity)
    craft, support = model.node("craft", velocity=V), model.node("support", velocity=V)
    model.add("craft.body", sm.Body(craft, mass=CRAFT, inertia=(2e4, 3e4, 4e4)))
    model.add("support.body", sm.Body(support, mass=M, inertia=(10, 10, 10)))
    held = {"hold_position": (False, False, True), "hold_rotation": (True, True, True)}
    model.add("plane", sm.TotalJoint(craft, support, **held))
    model.add("x", sm.Axial(craft, support, axis=(1, 0, 0), law=sm.LinearLaw(KX, CX)))
    model.add("y", sm.Axial(craft, support, axis=(0, 1, 0), law=sm.LinearLaw(KY, CY)))
    add_rotor(model, support, count, V)
    return model


def add_rotor(
    model: sm.Model, support: sm.Node, count: int, V=(0.0, 0.0, 0.0), start: float = 0.0, damper=None
) -> None:
    """Blades on lag hinges; damper(k): law of a damper of its own."""
    spin = np.array([0, 0, SPEED])
    hub = model.node("hub", rotation=sm.rotations.rotation_z(start), velocity=V, angular_velocity=spin)
    model.add("hub.body", sm.Body(hub, mass=HUB, inertia=(0.1, 0.1, 0.1)))
    model.add("bearing", sm.Revolute(support, hub, axis=(0, 0, 1)))
    model.add("shaft", sm.PrescribedAngle(support, hub, axis=(0, 0, 1), angle=lambda t: SPEED * t))
    names = [f"blade_{k + 1}" for k in range(count)]
    for k, name in enumerate(names):
        R = sm.rotations.rotation_z(start + 2 * np.pi * k / count)
        at, about = R @ (HINGE + ARM, 0, 0), {"at": R @ (HINGE, 0, 0), "axis": (0, 0, 1)}
        blade = model.node(name, at, R, velocity=V + np.cross(spin, at), angular_velocity=spin)
        model.add(f"{name}.body", sm.Body(blade, mass=MASS, inertia=(0.01, INERTIA, INERTIA)))
        model.add(f"{name}.lag", sm.Revolute(hub, blade, **about))
        law = sm.LinearLaw(STIFFNESS, 0.0 if damper else DAMPING)
        model.add(f"{name}.spring", sm.Torsion(hub, blade, law=law, **about))
        if damper:
            model.add(f"{name}.damper", sm.Torsion(hub, blade, law=damper(start + 2 * np.pi * k / count), **about))
    model.declare_rotor("rotor", hub=hub, blades=names, radius=5.0, craft=support)


def equations(t: float, count: int, damping=lambda psi: DAMPING, craft: bool = True) -> np.ndarray:
    """A(t) of x, y of the support, of the craft, and the lag angles, with their rates."""
    n = 4 + count
    m, c, k = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    m[:4, :4] = np.diag([M + HUB + count * MASS] * 2 + [CRAFT] * 2)
    for a, stiffness, damper in ((0, KX, CX), (1, KY, CY)):
        tie = np.zeros(n)
        tie[a], tie[a + 2] = 1.0, -1.0 if craft else 0.0
        k += stiffness * np.outer(tie, tie)
        c += damper * np.outer(tie, tie)
    if not craft:
        k[2:4, 2:4] = np.eye(2)  # held elsewhere
    S = MASS * ARM
    for j in range(count):
        psi, i = SPEED * t + 2 * np.pi * j / count, 4 + j
        sin, cos = np.sin(psi), np.cos(psi)
        m[i, i], c[i, i], k[i, i] = INERTIA + MASS * ARM**2, damping(psi), STIFFNESS + HINGE * S * SPEED**2
        m[i, 0] = m[0, i] = -S * sin
        m[i, 1] = m[1, i] = S * cos
        c[0, i], c[1, i] = -2 * S * SPEED * cos, -2 * S * SPEED * sin
        k[0, i], k[1, i] = S * SPEED**2 * sin, -S * SPEED**2 * cos
    inverse = np.linalg.inv(m)
    return np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ k, -inverse @ c]])


def rates(count: int, **options) -> np.ndarray:
    """Of growth over a turn, the least stable first; neutral ones left out."""
    n = 2 * (4 + count)

    def flow(t, flat):
        return (equations(t, count, **options) @ flat.reshape(n, n)).ravel()

    end = solve_ivp(flow, (0, TURN), np.eye(n).ravel(), method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    found = np.log(np.abs(np.linalg.eigvals(end.reshape(n, n)))) / TURN
    return np.sort(found[found < -0.1])[::-1]


def periodic(model: sm.Model) -> sm.Periodic:
    return sm.periodic(model, TURN, TURN / STEPS, outputs="model.violation")


@pytest.mark.parametrize("velocity", [(0.0, 0.0, 0.0), (40.0, 3.0, -7.0)])
@pytest.mark.parametrize("count", [3, 4])
def test_a_craft_that_nothing_holds(count, velocity):
    """The same rates wherever and however fast it flies; rigid motions are labelled, and are zero."""
    expected = rates(count)[::2]
    alone = DAMPING / (INERTIA + MASS * ARM**2) / 2  # what all blades do together turns the craft as well: not above
    expected = expected[np.abs(expected + alone) > 1e-4]
    assert expected.size == 4
    motion = periodic(free_craft(count, velocity))
    for find, within in (
        (lambda: sm.modes(motion), 2e-5),
        (lambda: sm.floquet(motion, without_step=True), 1e-4),
        (lambda: sm.floquet(motion, without_step=True, exchange=False), 1e-4),
    ):
        found = find()
        assert (found.eigenvalues[found.rigid] == 0.0).all()
        assert found.rigid.sum() == 6
        left = found.eigenvalues[~found.rigid].real
        damped = np.sort(left[left < -0.1])[::-1]
        for one in expected:
            assert np.abs(damped - one).min() < within
        assert left.max() < 1e-5  # the craft's slow turning back and forth on its rotor is not damped
    assert sm.floquet(motion).exchanged == count
    assert sm.floquet(motion).stable


def pulsing(start: float) -> sm.Model:
    """Dampers that pulse once per turn couple what alternates from blade to blade to the rest."""

    def damper(psi):
        return sm.DrivenLaw(sm.DamperLaw(DAMPING), sm.Sine(0.8, frequency=SPEED, phase=psi + np.pi / 2, offset=1.0))

    model = sm.Model("pulsing")
    support = model.node("support")
    model.add("support.body", sm.Body(support, mass=M, inertia=(10, 10, 10)))
    held = {"hold_position": (False, False, True), "hold_rotation": (True, True, True)}
    model.add("plane", sm.TotalJoint(model.ground, support, **held))
    model.add("x", sm.Axial(model.ground, support, axis=(1, 0, 0), law=sm.LinearLaw(KX, CX)))
    model.add("y", sm.Axial(model.ground, support, axis=(0, 1, 0), law=sm.LinearLaw(KY, CY)))
    add_rotor(model, support, 4, start=start, damper=damper)
    return model


def test_an_even_number_of_blades_is_averaged_over_twice_the_way():
    """That coupling changes its sign when blades have changed places: a mean over less depends on where it begins."""
    expected = rates(4, damping=lambda psi: DAMPING * (1 + 0.8 * np.cos(psi)), craft=False)[::2]
    found = {}
    for start in (0.0, 0.3, 0.6):
        motion = periodic(pulsing(start))
        found[start] = sm.modes(motion)
        assert found[start].periodic > 1e-3
        exact = sm.floquet(motion, without_step=True)
        assert np.sort(exact.eigenvalues.real)[::-1] == pytest.approx(expected, abs=1e-4)
    first = np.sort(found[0.0].eigenvalues.real)[::-1]
    assert first == pytest.approx(expected, abs=0.03)  # a mean, beside what the pulse makes of it
    for one in found.values():
        assert np.sort(one.eigenvalues.real)[::-1] == pytest.approx(first, abs=1e-6)


@pytest.mark.parametrize("speed", [30.0, 90.0])
def test_a_disc_on_an_uneven_support_has_modes_in_fixed_axes(speed):
    """Gyroscopic: x, y of the bearing and its tilts a, b; h above it a disc of 1 kg, I = 0.05, J = 0.09 kg m^2."""
    h, model = 0.4, sm.Model("disc")
    support = model.node("support")
    model.add("support.body", sm.Body(support, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    for name, axis, k, tilt, c in zip(
        "xyz", np.eye(3), (2e3, 5e3, 1e5), (300.0, 700.0, 1e5), (1.0, 2.0, 0.0), strict=True
    ):
        model.add(f"way_{name}", sm.Axial(model.ground, support, axis=axis, law=sm.LinearLaw(k, c)))
        model.add(f"tilt_{name}", sm.Torsion(model.ground, support, axis=axis, law=sm.LinearLaw(tilt, 0.05)))
    disc = model.node("disc", (0, 0, h), angular_velocity=(0, 0, speed))
    model.add("disc.body", sm.Body(disc, mass=1.0, inertia=(0.05, 0.05, 0.09)))
    about = {"at": (0, 0, h), "axis": (0, 0, 1)}
    model.add("bearing", sm.Revolute(support, disc, **about))
    model.add("shaft", sm.PrescribedAngle(support, disc, angle=lambda t: speed * t, **about))
    with pytest.raises(sm.ModelError, match="hub 'disc' is not a blade"):
        model.declare_rotor("rotor", hub=disc, blades=["disc"], radius=0.3, craft=support)
    model.declare_rotor("rotor", hub=disc, blades=[], radius=0.3, craft=support)
    turn = 2 * np.pi / speed
    motion = sm.periodic(model, turn, turn / 120, outputs="model.violation")

    mass = np.diag([3.0, 3.0, 0.15 + h**2, 0.15 + h**2])
    mass[0, 3] = mass[3, 0] = h
    mass[1, 2] = mass[2, 1] = -h
    c, k = np.diag([1.0, 2.0, 0.05, 0.05]), np.diag([2e3, 5e3, 300.0, 700.0])
    c[2, 3], c[3, 2] = 0.09 * speed, -0.09 * speed
    A = np.block([[np.zeros((4, 4)), np.eye(4)], [-np.linalg.solve(mass, k), -np.linalg.solve(mass, c)]])
    expected = np.linalg.eigvals(A)
    found, exact = sm.modes(motion), sm.floquet(motion, without_step=True)
    assert found.periodic < 1e-9
    for one in expected[expected.imag > 0]:
        assert np.abs(found.eigenvalues - one).min() < 1e-8 * abs(one)
        assert np.abs(exact.eigenvalues - one).min() < 1e-3 * abs(one)
    assert exact.stable  # modes of the shaft's length, which the step does not resolve, are not called unstable


def test_blades_that_differ_by_an_inertia_alone_are_not_alike():
    model = free_craft(4)
    model.add("blade_1.gear", sm.Body(model.nodes["blade_1"], mass=1e-9, inertia=(80.0, 80.0, 80.0)))
    motion = periodic(model)
    found = sm.floquet(motion)
    assert found.exchanged == 1
    whole = sm.floquet(motion, exchange=False)
    assert found.eigenvalues.real[:12] == pytest.approx(whole.eigenvalues.real[:12], abs=1e-5)


def test_modes_of_a_motion_that_was_left_are_refused():
    motion = periodic(free_craft(4))
    motion.simulation.state.set_twist(motion.simulation.model.nodes["support"], np.array([1.0, 0, 0, 0, 0, 0]))
    with pytest.raises(sm.SolveError, match="no longer in the periodic motion"):
        sm.modes(motion)
