"""Modes about rest and about steady rotation, against closed forms. Matrices are exact, so only rounding is left."""

import numpy as np
import pytest
from scipy.linalg import eigh

import samara as sm
from samara.analysis import first_order, linearise, mac
from samara.models.rotors import tm4760
from samara.system.memory.blocks import ETA

GRAVITY = 9.81


def pendulum(length=0.7, mass=2.0, inertia=0.3) -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(0, 0, -length))
    model.add("body", sm.Body(bob, mass=mass, inertia=(inertia, inertia, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def test_pendulum():
    found = sm.modes(pendulum())
    expected = np.sqrt(2.0 * GRAVITY * 0.7 / (0.3 + 2.0 * 0.7**2))
    assert found.frequencies == pytest.approx([expected], rel=1e-10)
    assert found.frequencies_hz == pytest.approx([expected / (2 * np.pi)], rel=1e-10)
    assert found.damping == pytest.approx([0.0], abs=1e-10)
    # the bob turns about the hinge: displacement 0.7 m a radian
    shape = found.shape(0, "bob")
    assert abs(shape[0] / shape[4]) == pytest.approx(0.7, rel=1e-10)
    assert "Hz" in str(found)


def test_pendulum_about_another_static_state():
    """Placed at 50 degrees, it is first brought to rest at the bottom."""
    model = sm.Model("tilted", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(0.7 * np.sin(0.9), 0, -0.7 * np.cos(0.9)))
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.3, 0.3, 0.3)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    expected = np.sqrt(2.0 * GRAVITY * 0.7 / (0.3 + 2.0 * 0.7**2))
    assert sm.modes(model).frequencies == pytest.approx([expected], rel=1e-9)


def test_double_pendulum():
    m1, m2, l1, l2, J1, J2 = 1.0, 0.6, 0.8, 0.5, 0.05, 0.02
    model = sm.Model("double", gravity=(0, 0, -GRAVITY))
    upper, lower = model.node("upper", (0, 0, -l1 / 2)), model.node("lower", (0, 0, -l1 - l2 / 2))
    model.add("first", sm.Body(upper, mass=m1, inertia=(J1, J1, J1)))
    model.add("second", sm.Body(lower, mass=m2, inertia=(J2, J2, J2)))
    model.add("top", sm.Revolute(model.ground, upper, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("elbow", sm.Revolute(upper, lower, at=(0, 0, -l1), axis=(0, 1, 0)))
    # absolute angles
    mass = np.array([[J1 + m1 * l1**2 / 4 + m2 * l1**2, m2 * l1 * l2 / 2], [m2 * l1 * l2 / 2, J2 + m2 * l2**2 / 4]])
    stiffness = GRAVITY * np.diag([m1 * l1 / 2 + m2 * l1, m2 * l2 / 2])
    assert sm.modes(model).frequencies == pytest.approx(np.sqrt(eigh(stiffness, mass)[0]), rel=1e-10)


def two_pendulums(gravity) -> sm.Model:
    """Two rods of a metre, hanging, each a point of 1 kg in its middle: no inertia of their own to speak of."""
    model = sm.Model("hanging", gravity=(0, 0, gravity))
    last = model.ground
    for k in (1, 2):
        node = model.node(f"b{k}", (0, 0, -k))
        model.add(f"m{k}", sm.Body(node, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
        model.add(f"h{k}", sm.Revolute(last, node, at=(0, 0, 1 - k), axis=(0, 1, 0)))
        last = node
    return model


@pytest.mark.parametrize("frozen", [False, True])
def test_a_simulation_that_nothing_has_put_together(frozen):
    """Reactions are those of the state: w^2 = (2 -+ sqrt 2) g / l, and without them it would be said to grow."""
    expected = np.sqrt(GRAVITY * (2.0 + np.array([-1.0, 1.0]) * np.sqrt(2.0)))
    sim = sm.Simulation(two_pendulums(-GRAVITY))
    assert sm.modes(sim, frozen=frozen).eigenvalues == pytest.approx(1j * expected, rel=1e-8, abs=1e-9)
    system = sm.state_space(sim, inputs=(), outputs="b1.position", frozen=frozen)
    assert np.sort(np.linalg.eigvals(system.A).imag)[2:] == pytest.approx(expected, rel=1e-8)
    assert sm.modes(sm.linearise(sim)).frequencies == pytest.approx(expected, rel=1e-8)
    assert not sim.state.multipliers.any()  # the simulation is as it was


def test_reactions_of_before_are_not_taken_for_those_of_now():
    """A rope that pulls the lower pendulum down, and pulls harder from now on."""
    model, pull = two_pendulums(0.0), sm.Parameter("pull", 10.0, unit="N")
    model.add("rope", sm.Force(model["b2"], force=(0, 0, -1.0 * sm.Constant(pull))))
    sim = sm.Simulation(model)
    sm.static(sim)
    before = sm.modes(sim).frequencies
    sim.system.set_parameter("pull", 40.0)
    sim.state.set_time(sim.time)
    assert sm.modes(sim).frequencies == pytest.approx(2.0 * before, rel=1e-8)


def slider(damping: float) -> sm.Model:
    model = sm.Model("slider")
    cart = model.node("cart", position=(1, 0, 0))
    model.add("mass", sm.Body(cart, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, at=(1, 0, 0), axis=(1, 0, 0)))
    model.add("spring", sm.Spring(model.ground, cart, stiffness=50.0, damping=damping))
    return model


def test_damped_mass_on_a_spring():
    found = sm.modes(slider(4.0))
    assert found.eigenvalues == pytest.approx([-1.0 + 1j * np.sqrt(24.0)], rel=1e-10)
    assert found.damping == pytest.approx([0.2], rel=1e-10)
    assert found.natural == pytest.approx([5.0], rel=1e-10)


def test_overdamped_mass_has_two_real_eigenvalues():
    found = sm.modes(slider(40.0))
    assert found.eigenvalues == pytest.approx([-10 + np.sqrt(75), -10 - np.sqrt(75)], rel=1e-9)
    assert found.frequencies == pytest.approx([0.0, 0.0])


def test_state_is_left_alone_and_the_run_goes_on():
    sim = sm.Simulation(pendulum())
    sim.state.write(sim.model.nodes["bob"], ETA, [-0.56, 0.0, 0.0, 0.0, 0.8, 0.0])
    sm.transient(sim, 0.1, 1e-3, progress=False)
    before, coefficients = sim.state.copy(), sim.system.arrays.coef.copy()
    linearise(sim)
    assert np.array_equal(before, sim.system.arrays.state)
    assert np.array_equal(coefficients, sim.system.arrays.coef)
    sm.transient(sim, 0.2, 1e-3, progress=False)


# ---- massless nodes


def chain_with_massless_node(damping: float) -> sm.Model:
    """Mass 2 kg on springs of 100 and 300 N/m in series, a massless node between them."""
    model = sm.Model("series")
    middle = model.node("middle", (1, 0, 0), static=True)
    mass = model.node("mass", (2, 0, 0))
    model.add("body", sm.Body(mass, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail_1", sm.Prismatic(model.ground, middle, at=(1, 0, 0), axis=(1, 0, 0)))
    model.add("rail_2", sm.Prismatic(model.ground, mass, at=(2, 0, 0), axis=(1, 0, 0)))
    model.add("spring_1", sm.Spring(model.ground, middle, stiffness=100.0, damping=damping))
    model.add("spring_2", sm.Spring(middle, mass, stiffness=300.0))
    return model


def test_massless_node_is_condensed():
    assert sm.modes(chain_with_massless_node(0.0)).frequencies == pytest.approx([np.sqrt(75.0 / 2.0)], rel=1e-9)


def test_damped_massless_node_has_one_state():
    found = sm.modes(chain_with_massless_node(20.0)).eigenvalues
    full = np.roots([2.0 * 20.0, 2.0 * 400.0, 300.0 * 20.0, 300.0 * 100.0])  # (2 s^2 + 300)(20 s + 400) = 300^2
    expected = sorted(full[full.imag >= 0], key=abs)
    assert found == pytest.approx(expected, rel=1e-9)


# ---- steady rotation


@pytest.mark.parametrize(("axial", "across"), [(0.9, 0.5), (0.3, 0.5)])
def test_free_spinning_body(axial, across):
    """Seen from the body: a tilted axis turns back at the speed, the wobble at (J - I) / I times the speed."""
    speed = 12.0
    model = sm.Model("gyroscope")
    rotor = model.node("rotor")
    model.add("body", sm.Body(rotor, mass=3.0, inertia=(across, across, axial)))
    model.add("pivot", sm.Spherical(model.ground, rotor, at=(0, 0, 0)))
    found = sm.modes(sm.steady_rotation(model, speed))
    expected = sorted([speed, abs(axial - across) / across * speed])
    assert found.frequencies[-2:] == pytest.approx(expected, rel=1e-9)
    assert found.natural[:-2] == pytest.approx(0.0, abs=1e-6)


def test_sleeping_top():
    """World frequencies of the tilt: I nu^2 - J Omega nu + m g l = 0; seen from the top, nu - Omega."""
    speed, m, l, across, axial = 60.0, 2.0, 0.3, 0.1, 0.15
    model = sm.Model("top", gravity=(0, 0, -GRAVITY))
    top = model.node("top", (0, 0, l))
    model.add("body", sm.Body(top, mass=m, inertia=(across, across, axial)))
    model.add("tip", sm.Spherical(model.ground, top, at=(0, 0, 0)))
    found = sm.modes(sm.steady_rotation(model, speed))
    nu = np.roots([across + m * l**2, -axial * speed, m * GRAVITY * l]).real
    assert found.frequencies[-2:] == pytest.approx(np.sort(np.abs(nu - speed)), rel=1e-8)
    assert found.damping[-2:] == pytest.approx([0.0, 0.0], abs=1e-8)


def rotating_mass(kx=300.0, ky=500.0, kz=200.0) -> sm.Model:
    model = sm.Model("rotating mass")
    speed = sm.Parameter("speed", 5.0)
    spin = sm.Constant(speed) * sm.Expression(lambda t: t)
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, spin)))
    mass = model.node("mass")
    model.add("body", sm.Body(mass, mass=2.0, inertia=(1, 1, 1)))
    for name, axis, k in (("x", (1, 0, 0), kx), ("y", (0, 1, 0), ky), ("z", (0, 0, 1), kz)):
        model.add(f"spring_{name}", sm.Axial(hub, mass, axis=axis, law=sm.LinearLaw(k)))
    for name, axis in (("yz", (1, 0, 0)), ("zx", (0, 1, 0)), ("xy", (0, 0, 1))):
        model.add(f"torsion_{name}", sm.Torsion(hub, mass, axis=axis, law=sm.LinearLaw(1e6)))
    return model


def test_coriolis():
    """s^4 + (a + b + 2 W^2) s^2 + (a - W^2)(b - W^2) = 0 for stiffness over mass a, b in axes that turn at W."""
    a, b, speed = 150.0, 250.0, 5.0
    found = sm.modes(sm.steady_rotation(rotating_mass(), speed), count=3)
    squares = np.roots([1.0, a + b + 2 * speed**2, (a - speed**2) * (b - speed**2)])
    expected = np.sort([*np.sqrt(-squares), np.sqrt(100.0)])
    assert found.frequencies == pytest.approx(expected, rel=1e-9)


def test_campbell_follows_modes_through_a_crossing():
    """The mode across the plane stays at 10 rad/s while the slower one in the plane passes it."""
    speeds = np.linspace(0.0, 8.0, 9)
    fan = sm.campbell(rotating_mass(), speeds, count=3, parameter="speed")
    assert fan.frequencies[:, 0] == pytest.approx(10.0, rel=1e-9)
    a, b = 150.0, 250.0
    for speed, row in zip(speeds, fan.frequencies, strict=True):
        squares = np.roots([1.0, a + b + 2 * speed**2, (a - speed**2) * (b - speed**2)])
        assert row[1:] == pytest.approx(np.sort(np.sqrt(-squares)), rel=1e-9)
    assert fan.frequencies[0, 1] > 10.0 > fan.frequencies[-1, 1]
    assert fan.likeness.min() > 0.9
    assert fan.plot().axes[0].get_xlabel() == "speed [rpm]"
    assert fan.modes[0].plot(1).axes


def test_pendulum_on_a_turning_hub():
    """It hangs out at cos = g / (l W^2) and swings there with w^2 = m l^2 W^2 sin^2 / (m l^2 + J)."""
    m, l, J, speed = 1.5, 0.8, 0.2, 6.0
    model = sm.Model("governor", gravity=(0, 0, -GRAVITY))
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: speed * t)))
    bob = model.node("bob", (l * np.sin(0.7), 0, -l * np.cos(0.7)))  # a guess
    model.add("body", sm.Body(bob, mass=m, inertia=(J, J, J)))
    model.add("hinge", sm.Revolute(hub, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    sim = sm.steady_rotation(model, speed)
    cosine = GRAVITY / (l * speed**2)
    assert -sim.state.pose(bob).p[2] == pytest.approx(l * cosine, rel=1e-9)
    expected = speed * np.sqrt(m * l**2 * (1 - cosine**2) / (m * l**2 + J))
    assert sm.modes(sim).frequencies == pytest.approx([expected], rel=1e-9)
    # and a run from there stays
    run = sm.transient(sim, 0.5, 2e-3, outputs="bob.position", progress=False)
    assert run["bob.position"][:, 2] == pytest.approx(-l * cosine, abs=1e-8)


def test_wrong_rotations_are_refused():
    with pytest.raises(sm.ModelError, match=r"hub.*does not turn with the rotation"):
        sm.steady_rotation(rotating_mass(), 6.0)
    with pytest.raises(sm.ModelError, match="must not be zero"):
        sm.steady_rotation(rotating_mass(), 5.0, axis=(0, 0, 0))
    with pytest.raises(sm.ModelError, match="'mass' cannot be carried"):
        sm.steady_rotation(rotating_mass(), 5.0, carried=["mass"])


def test_rate_constraint_leaves_one_state_less():
    """An arm that turns at a given rate has an angle, but no speed of its own."""
    model = sm.Model("driven hinge")
    arm = model.node("arm", (1, 0, 0))
    model.add("body", sm.Body(arm, mass=1.0, inertia=(1, 1, 1)))
    model.add("hinge", sm.Revolute(model.ground, arm, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("motor", sm.PrescribedRate(model.ground, arm, axis=(0, 0, 1), rate=3.0))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    reduced = first_order(linearise(sim))
    assert reduced.A.shape == (1, 1)
    assert reduced.A == pytest.approx(0.0, abs=1e-12)


def test_mac():
    a = np.array([[1.0, 0.0], [1.0, 1j]])
    assert mac(a, 2j * a) == pytest.approx(np.array([[1.0, 0.5], [0.5, 1.0]]))


def test_a_fan_that_starts_at_rest_keeps_its_modes():
    """At rest the hinged blade has rigid flap and lag of no frequency, both twice: they must not be lost."""
    model = tm4760.build(speed_rpm=0.0, push=0.0)
    fan = sm.campbell(model, [0.0, 10.0, 20.0], count=4, parameter="speed")
    flap, lag = fan.frequencies[:, :2].max(axis=1), fan.frequencies[:, :2].min(axis=1)
    # rigid flap of an offset hinge is a little above one per turn, rigid lag a third of it
    assert flap[1:] == pytest.approx([10.45, 20.9], rel=0.02)
    assert lag[2] == pytest.approx(2.0 * lag[1], rel=1e-3)
    assert fan.likeness.min() > 0.9


def test_a_mode_that_a_fan_loses_is_named(monkeypatch):
    """From the second speed on the model has one mode less to give."""
    from samara.analysis.modal import campbell as module

    given = iter([3, 2])
    monkeypatch.setattr(module, "modes", lambda sim, count: sm.modes(sim, next(given)))
    with pytest.warns(UserWarning, match="mode 3 does not exist at all speeds and is omitted"):
        fan = sm.campbell(rotating_mass(), [1.0, 1.5], count=3, parameter="speed")
    assert fan.frequencies.shape == (2, 2)
