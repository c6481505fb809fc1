"""Static solutions against closed forms."""

import numpy as np
import pytest

import samara as sm


def test_a_hanging_mass_stretches_its_spring():
    model = sm.Model("scale", gravity=(0, 0, -9.81))
    pan = model.node("pan", position=(0, 0, -1))
    model.add("mass", sm.Body(pan, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    model.add("guide", sm.Prismatic(model.ground, pan))
    model.add("spring", sm.Spring(model.ground, pan, stiffness=100.0, length=1.0))
    result = sm.static(model)
    assert result["pan.position"][-1, 2] == pytest.approx(-1.0 - 2.0 * 9.81 / 100.0, rel=1e-10)
    np.testing.assert_allclose(result["pan.velocity"][-1], 0.0, atol=1e-15)


def test_a_pendulum_settles_where_its_couple_balances_gravity():
    """sin(angle) = M / (m g l)."""
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.1, 0, -0.99))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("couple", sm.Couple(bob, couple=(0, -3.0, 0)))
    x, _, z = sm.static(model)["bob.position"][-1]
    assert x / np.hypot(x, z) == pytest.approx(3.0 / (9.81 * np.hypot(0.1, 0.99)), rel=1e-9)


def test_prescribed_nodes_stand_still():
    """A damper to a node that moves at 2 m/s would pull; at rest it does not, and the spring is at its own length."""
    model = sm.Model("slide")
    carriage = model.prescribed("carriage", sm.Motion(position=(lambda t: 2.0 * t, 0, 0)), position=(5, 0, 0))
    mass = model.node("mass", position=(1.5, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, mass, at=(0, 0, 0), axis=(1, 0, 0)))
    model.add("damper", sm.Damper(mass, carriage, damping=5.0))
    model.add("spring", sm.Spring(model.ground, mass, stiffness=10.0, length=2.0))
    assert sm.static(model)["mass.position"][-1, 0] == pytest.approx(2.0, rel=1e-9)


def test_a_run_from_the_equilibrium_stays_there():
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.6, 0, -0.8))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    sim = sm.Simulation(model)
    sm.transient(sim, 0.2, 1e-3, progress=False)  # it swings
    sm.static(sim)
    run = sm.transient(sim, 0.5, 1e-3, progress=False)
    np.testing.assert_allclose(run["bob.position"][:, 0], 0.0, atol=1e-9)


def test_a_simulation_is_as_it_was_after_a_static_solution_that_fails():
    """A free body has no equilibrium; it flies on at its speed."""
    model = sm.Model("flying")
    body = model.node("body", velocity=(2.0, 0, 0), angular_velocity=(0, 0, 3.0))
    model.add("mass", sm.Body(body, mass=1.0, inertia=(0.1, 0.1, 0.2)))
    sim = sm.Simulation(model)
    sm.transient(sim, 0.1, 1e-3, progress=False)
    with pytest.raises(sm.SolveError):
        sm.static(sim)
    run = sm.transient(sim, 0.2, 1e-3, progress=False)
    np.testing.assert_allclose(run["body.position"][-1], (0.4, 0, 0), atol=1e-5)  # bends by (w h)^2
    np.testing.assert_allclose(run["body.angular_velocity"][-1], (0, 0, 3.0), atol=1e-9)


def tumbling() -> sm.Model:
    """Two bodies on a ball joint that fly and tumble: carriers, multipliers and a past of two steps are at work."""
    model = sm.Model("tumbling", gravity=(0, 0, -9.81))
    a = model.node("a", velocity=(20.0, 0, 0), angular_velocity=(0, 1, 3.0))
    b = model.node("b", position=(1, 0, 0), velocity=(20.0, 1.5, -0.5), angular_velocity=(0, 1, 3.0))
    for node in (a, b):
        model.add(f"mass_{node.name}", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.2)))
    model.add("ball", sm.Spherical(a, b, at=(0.5, 0, 0)))
    return model


@pytest.mark.filterwarnings("ignore:.*is inconsistent with the joints")
@pytest.mark.parametrize(
    ("attempt", "error"),
    [({}, sm.SolveError), ({"outputs": "nothing"}, KeyError), ({"steps": 3, "stable": False}, sm.SolveError)],
    ids=["no equilibrium", "no such output", "load steps"],
)
def test_a_flight_goes_on_bit_by_bit_after_a_static_solution_that_fails(attempt, error):
    runs, sims = [], []
    for tries in (False, True):
        sim = sm.Simulation(tumbling())
        sm.transient(sim, 0.1, 1e-3, progress=False)
        if tries:
            with pytest.raises(error):
                sm.static(sim, **attempt)
        runs.append(sm.transient(sim, 0.2, 1e-3, progress=False))
        sims.append(sim)
    for name in ("a.position", "b.rotation", "a.velocity", "b.acceleration", "ball.force"):
        assert np.array_equal(runs[0][name], runs[1][name]), name
    assert np.array_equal(sims[0].memory.words, sims[1].memory.words) and np.array_equal(
        sims[0].counters, sims[1].counters
    )
