"""What has no mass at the start: balance where nothing damps, places that stay where dampers hold them."""

import numpy as np
import pytest

import samara as sm

ONLY_TURNS = {"hold_position": (False,) * 3, "hold_rotation": (True,) * 3}


def on_rails(name: str, **nodes: tuple[float, bool]) -> sm.Model:
    """Nodes on rails along x: where, and whether they have a mass of 1 kg; and something with mass elsewhere."""
    model = sm.Model(name)
    for label, (x, heavy) in {**nodes, "elsewhere": (9.0, True)}.items():
        node = model.node(label, (x, 0, 0), static=not heavy)
        model.add(f"{label}.rail", sm.Prismatic(model.ground, node, at=(0, 0, 0), axis=(1, 0, 0)))
        if heavy:
            model.add(f"{label}.body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    return model


def maxwell(damping: float = 2.0) -> sm.Model:
    """A spring of 10 N/m, stretched by 0.5 m, against a damper."""
    model = on_rails("maxwell", n=(1.5, False))
    n = model.nodes["n"]
    model.add("spring", sm.Spring(model.ground, n, stiffness=10.0, length=1.0))
    model.add("damper", sm.Damper(model.ground, n, place_a=(3.0, 0, 0), damping=damping))
    return model


def run(model: sm.Model, end: float, step: float) -> sm.Results:
    return sm.transient(model, end, step, progress=False)


def test_the_place_of_a_damped_node_is_a_state():
    """x = 1 + 0.5 exp(-k t / c), k / c = 5 / s: of second order from the start on."""
    errors = []
    for step in (0.02, 0.01, 0.005):
        found = run(maxwell(), 1.0, step)
        exact = 1.0 + 0.5 * np.exp(-5.0 * found.time)
        errors.append(np.abs(found["n.position"][:, 0] - exact).max())
    assert found["n.position"][0, 0] == pytest.approx(1.5, abs=1e-14)
    assert found["n.velocity"][0, 0] == pytest.approx(-2.5, abs=1e-12)
    assert found.attrs.notes == ()
    assert errors[0] < 2e-4 and errors[0] > 3.8 * errors[1] > 3.8**2 * errors[2]


def test_what_dies_out_within_a_small_part_of_a_step_is_in_balance_and_noted():
    """k / c = 5e5 / s and steps of 1 ms: the velocity would be 2.5e5 m/s."""
    found = run(maxwell(damping=2e-5), 0.01, 1e-3)
    assert found["n.position"][:, 0] == pytest.approx(1.0, abs=1e-11)
    assert np.abs(found["n.velocity"]).max() < 1e-9
    assert found.attrs.notes == ("the equilibrium of massless parts moved node 'n' by 0.5 m",)


def test_a_damper_between_nodes_without_mass_keeps_its_length_alone():
    """100 N/m from the ground to a, 5 N s/m from a to b, 50 N/m from b to a mass at 3 m.

    100 (a - 0.9) = 50 (3 - b - 0.7) and b - a = 1: a = 31/30 m, a force of 40/3 N, and b recedes from a by 8/3 m/s, of
    which the softer spring takes two thirds.
    """
    model = on_rails("row", a=(1.0, False), b=(2.0, False), c=(3.0, True))
    a, b, c = (model.nodes[name] for name in "abc")
    model.add("first", sm.Spring(model.ground, a, stiffness=100.0, length=0.9))
    model.add("damper", sm.Damper(a, b, damping=5.0))
    model.add("second", sm.Spring(b, c, stiffness=50.0, length=0.7))
    found = run(model, 1e-3, 1e-3)
    assert found["damper.length"][0] == pytest.approx(1.0, abs=1e-11)
    assert found["a.position"][0, 0] == pytest.approx(31.0 / 30.0, abs=1e-11)
    assert found["a.velocity"][0, 0] == pytest.approx(-8.0 / 9.0, abs=1e-9)
    assert found["b.velocity"][0, 0] == pytest.approx(16.0 / 9.0, abs=1e-9)
    (note,) = found.attrs.notes
    assert "node 'a' by 0.0333 m; and 1 more" in note


def test_directions_that_mix_are_told_apart():
    """Four springs and a damper along an odd line: across it the node goes into balance, along it it stays."""
    at, away = np.array([1.0, 0.3, 0.2]), np.array([3.0, 2.0, 1.0])
    ends, lengths = np.array([(0, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1.0)]), (1.0, 1.0, 0.9, 0.7)
    model = on_rails("odd")
    n = model.node("n", at, static=True)
    model.add("turns", sm.TotalJoint(model.ground, n, **ONLY_TURNS))
    for k, (end, length) in enumerate(zip(ends, lengths, strict=True)):
        model.add(f"spring{k}", sm.Spring(model.ground, n, place_a=end, stiffness=10.0, length=length))
    model.add("damper", sm.Damper(model.ground, n, place_a=away, damping=2.0))
    found = run(model, 1e-4, 1e-5)
    p, v = found["n.position"], found["n.velocity"]
    arms = [(p[0] - end, length) for end, length in zip(ends, lengths, strict=True)]
    springs = -sum(10.0 * (np.linalg.norm(d) - length) * d / np.linalg.norm(d) for d, length in arms)
    along = (p[0] - away) / np.linalg.norm(p[0] - away)
    assert springs == pytest.approx(2.0 * (v[0] @ along) * along, abs=1e-8)
    # it moved across by 16 cm along a straight line: to second order, 0.16^2 / (2 x 2.7) m, the damper kept its length
    assert abs(np.linalg.norm(p[0] - away) - np.linalg.norm(at - away)) < 5e-3 and np.linalg.norm(p[0] - at) > 0.1
    assert v[0] == pytest.approx((p[1] - p[0]) / 1e-5, abs=1e-4)  # the first step goes on with it, without a jump
    assert np.abs(np.diff(v, axis=0)).max() < 1e-4


def test_a_node_on_a_damper_alone_moves_with_it_from_the_start():
    """No spring: its place is whatever it is, its velocity F / c."""
    model = on_rails("piston", n=(1.5, False))
    n = model.nodes["n"]
    model.add("damper", sm.Damper(model.ground, n, place_a=(3.0, 0, 0), damping=2.0))
    model.add("push", sm.Force(n, force=(1.0, 0, 0)))
    found = run(model, 0.1, 0.01)
    assert found["n.velocity"][:, 0] == pytest.approx(0.5, abs=1e-12)
    assert found["n.position"][:, 0] == pytest.approx(1.5 + 0.5 * found.time, abs=1e-12)


def test_a_driven_rate_elsewhere_does_not_keep_it_from_its_balance():
    """An arm without mass on a turntable, 5 N on 1 kN/m: it starts bent, and turns along (10 m/s in the first step)."""
    model = sm.Model("turntable")
    table, tip = model.node("table"), model.node("tip", (1.0, 0, 0), static=True)
    model.add("body", sm.Body(table, mass=1.0, inertia=(1, 1, 1)))
    axis = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    model.add("bearing", sm.Revolute(model.ground, table, **axis))
    model.add("motor", sm.PrescribedRate(model.ground, table, rate=3.0, **axis))
    model.add("arm", sm.DeformableJoint(table, tip, at=(1.0, 0, 0), law=sm.LinearLaw6(stiffness=(1e3,) * 6)))
    model.add("load", sm.Force(tip, force=(0, 0, 5.0)))
    found = run(model, 0.01, 1e-3)
    assert found["tip.position"][:, 2] == pytest.approx(5e-3, abs=1e-11)
    assert found["tip.velocity"][0] == pytest.approx([0, 3.0, 0], abs=1e-9)
    assert np.abs(found["tip.velocity"][:, 2]).max() < 1e-8


def test_a_rate_of_its_own_is_no_place():
    """A node without mass on a hinge whose rate is prescribed stays where it was drawn, whatever pulls."""
    model = on_rails("crank")
    tip = model.node("tip", (1.0, 0, 0), static=True)
    axis = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    model.add("bearing", sm.Revolute(model.ground, tip, **axis))
    model.add("motor", sm.PrescribedRate(model.ground, tip, rate=3.0, **axis))
    model.add("pull", sm.Spring(model.ground, tip, place_a=(1, 2, 0), stiffness=10.0, length=1.0))
    found = run(model, 0.01, 1e-3)
    assert found["tip.position"][0] == pytest.approx([1.0, 0, 0], abs=1e-14)
    assert found["bearing.angle"] == pytest.approx(3.0 * found.time, abs=1e-12)


def test_moves_into_balance_are_listed_by_node():
    model = on_rails("row", middle=(1.0, False), cart=(2.1, True))
    middle, cart = model.nodes["middle"], model.nodes["cart"]
    model.add("first", sm.Spring(model.ground, middle, stiffness=100.0, length=1.0))
    model.add("second", sm.Spring(middle, cart, stiffness=100.0, length=1.0))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    (change,) = sim.adjusted.nodes
    assert (change.node, change.contradicts) == ("middle", False)
    assert change.position == pytest.approx(0.05, abs=1e-9)
    assert sim.adjusted.note() == "" and sim.adjusted.balanced == ("node 'middle' by 0.05 m",)


def test_friction_within_its_limit_keeps_a_node_where_it_was_drawn():
    """5 N of friction against 2 N of a spring: it sticks, but for the creep of the smoothed law below 1 mm/s."""
    model = on_rails("stuck")
    n = model.node("n", (1.2, 0, 0), static=True)
    guide = sm.Prismatic(model.ground, n, at=(0, 0, 0), axis=(1, 0, 0), friction=sm.Friction(coulomb=0.5))
    model.add("guide", guide)
    model.add("weight", sm.Force(n, force=(0, 0, -10.0)))
    model.add("spring", sm.Spring(model.ground, n, stiffness=10.0, length=1.0))
    found = run(model, 0.1, 1e-3)
    assert found["guide.friction"][0] == pytest.approx(-2.0, abs=1e-9)
    assert found["n.position"][0, 0] == pytest.approx(1.2, abs=1e-14)
    assert np.abs(found["n.velocity"][:, 0]).max() < 1e-3 and found.attrs.notes == ()


@pytest.mark.parametrize("boost", [0.0, 40.0])
@pytest.mark.parametrize(("base", "body"), [(0.6, 0.0), (0.0, 0.6), (0.6, 0.6)])
def test_between_a_base_that_is_moved_and_a_body_it_has_half_the_velocity_of_both(base, body, boost):
    """A node without mass on two equal springs; no joint is near that would say how it flies."""
    model, law = sm.Model("between"), sm.LinearLaw6(stiffness=(300.0, 300.0, 300.0, 80.0, 80.0, 80.0))
    moved = sm.Sine(base / 6.0, 6.0) + sm.Expression(lambda t: boost * t)
    hub = model.prescribed("hub", sm.Motion(position=(moved, 0, 0)))
    middle = model.node("middle", (1.0, 0, 0), static=True)
    cart = model.node("cart", (2.0, 0, 0), velocity=(body + boost, 0, 0))
    model.add("mass", sm.Body(cart, mass=1e3, inertia=(1e3, 1e3, 1e3)))
    model.add("near", sm.DeformableJoint(hub, middle, law=law, at=(0.5, 0, 0)))
    model.add("far", sm.DeformableJoint(middle, cart, law=law, at=(1.5, 0, 0)))
    results = sm.transient(model, end=5e-3, step=1e-3, progress=False)
    expected = (base * np.cos(6.0 * results.time) + body) / 2.0 + boost
    np.testing.assert_allclose(results["middle.velocity"][:, 0], expected, atol=2e-5)  # of second order in the step
