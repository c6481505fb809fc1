"""Who flies with whom: what exerts nothing, or next to nothing, does not bend the path of what spins.

Carriers are exact, so velocities of what no force acts on stay to rounding. Before, any element between two nodes made
them one part, and parts stayed what they were at the start.
"""

import numpy as np
import pytest

import samara as sm

SPIN = 30.0  # rad/s
HELD = (True, True, True)


def pair(speed: float = 30.0) -> tuple[sm.Model, sm.Node, sm.Node]:
    """Two bodies that spin and part."""
    model = sm.Model("pair")
    a = model.node("a", (-0.5, 0.0, 0.0), velocity=(-speed, 0.0, 0.0), angular_velocity=(0.0, 0.0, SPIN))
    b = model.node("b", (0.5, 0.0, 0.0), velocity=(speed, 0.0, 0.0), angular_velocity=(0.0, 0.0, SPIN))
    for node in (a, b):
        model.add(f"body_{node.name}", sm.Body(node, mass=2.0, inertia=(0.2, 0.2, 0.25)))
    return model, a, b


LINKS = {
    "slack cable": lambda a, b: sm.Rod(a, b, law=sm.OneSidedLaw(sm.LinearLaw(1e4), side="tension"), length=1000.0),
    "stop out of reach": lambda a, b: sm.Rod(a, b, law=sm.OneSidedLaw(sm.LinearLaw(1e4)), length=0.5),
    "open lock": lambda a, b: sm.Lock(a, b, engaged=0.0, hold_position=HELD, hold_rotation=HELD),
    "spring of nothing": lambda a, b: sm.Spring(a, b, stiffness=1e-12, length=1.0),
}


@pytest.mark.parametrize("link", LINKS)
def test_what_exerts_nothing_leaves_both_alone(link):
    """At 0.3 rad per step, the two went 15 m/s off; now to rounding (and 1e-12 N/m makes 1e-10 m/s)."""
    model, a, b = pair()
    model.add("link", LINKS[link](a, b))
    run = sm.transient(model, 2.0, 0.01, progress=False)
    for name in "ab":
        v = run[f"{name}.velocity"]
        assert np.abs(v - v[0]).max() < 1e-9


@pytest.mark.parametrize("stiffness", [1e-12, 1e-3])
def test_a_weak_spring_to_the_ground_is_no_tie(stiffness):
    """One along x, or a stop in contact, made 200 m/s of nothing across the path."""
    model = sm.Model("leashed")
    node = model.node("b", velocity=(70.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 134.0))
    model.add("body", sm.Body(node, mass=5.0, inertia=(0.1, 0.1, 0.15)))
    model.add("spring", sm.Axial(model.ground, node, axis=(1.0, 0.0, 0.0), law=sm.LinearLaw(stiffness)))
    run = sm.transient(model, 2.0, 2.5e-3, progress=False)
    w = np.sqrt(stiffness / 5.0)
    # a force in the world on what turns by 0.3 rad per step is felt to 3 %, second order
    assert np.abs(run["b.velocity"][:, 1]).max() < 0.05 * 70.0 * w * 2.0 + 1e-9
    assert run["b.position"][-1, 0] == pytest.approx(70.0 * np.sin(2.0 * w) / w, rel=0.05 * (2.0 * w) ** 2 + 1e-9)


def locked(step: float, speed: float) -> sm.Results:
    """Two bodies that turn about their middle as one, let go at 0.2 s."""
    model, a, b = pair()
    a.begin(velocity=(speed, -SPIN * 0.5, 0.0))
    b.begin(velocity=(speed, SPIN * 0.5, 0.0))
    released = sm.Step(0.0, time=0.2, before=1.0)
    model.add("lock", sm.Lock(a, b, engaged=released, hold_position=HELD, hold_rotation=HELD, time=0.01))
    return sm.transient(model, 1.0, step, progress=False)


@pytest.mark.parametrize("speed", [0.0, 300.0])
def test_a_lock_ties_while_it_is_closed(speed):
    """Until then they turn as one body, at 15 m/s; then each goes straight, from the next step on."""
    left = []
    for step in (0.01, 0.005):
        run = locked(step, speed)
        until, after = run.time <= 0.2, run.time > 0.2 + 2 * step
        v = run["b.velocity"] - [speed, 0.0, 0.0]
        assert np.linalg.norm(v[until], axis=1) == pytest.approx(15.0, rel=1e-3)
        left.append(np.abs(v[after] - v[after][0]).max())
    assert left[0] < 0.01 and left[0] / left[1] > 4.0


@pytest.mark.parametrize("joint", [sm.Prismatic, sm.Cylindrical])
@pytest.mark.parametrize("other_way", [False, True])
def test_a_rail_under_load(joint, other_way):
    """A balanced rotor on a cart, gravity across the rail: nothing acts along it, and the mast carries the weight.

    Geometric stiffness of the loaded rail was taken for a tie: 152 N at a mast that carries 20 N.
    """
    model = sm.Model("rail", gravity=(0.0, 0.0, -9.81))
    cart = model.node("cart", velocity=(70.0, 0.0, 0.0))
    rotor = model.node("rotor", (0.0, 0.0, 0.0 if joint is sm.Cylindrical else 1.0))
    model.add("cart_body", sm.Body(cart, mass=10.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rotor_body", sm.Body(rotor, mass=2.0, inertia=(0.3, 0.3, 0.5)))
    ends = (cart, model.ground) if other_way else (model.ground, cart)
    model.add("rail", joint(*ends, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    model.add("mast", sm.Revolute(cart, rotor, at=rotor.position, axis=(0.0, 0.0, 1.0), start={"angle_rate": 40.0}))
    run = sm.transient(model, 1.0, 5e-3, progress=False)
    assert np.abs(run["cart.velocity"][:, 0] - 70.0).max() < 1e-8
    assert np.linalg.norm(run["mast.force"], axis=1) == pytest.approx(2.0 * 9.81, rel=1e-8)


def test_a_tether_is_no_tie():
    """On 100 m of it a body that spins circles at 30 m/s: T = m v^2 / L. At 0.15 rad per step it was 10.8 N off."""
    model = sm.Model("tether")
    node = model.node("b", (100.0, 0.0, 0.0), velocity=(0.0, 30.0, 0.0), angular_velocity=(0.0, 0.0, SPIN))
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.2, 0.2, 0.25)))
    model.add("tether", sm.Distance(model.ground, node))
    run = sm.transient(model, 2.0, 5e-3, progress=False)
    force = run["tether.force"].reshape(len(run.time), -1)
    assert np.abs(np.linalg.norm(force, axis=1)[20:] - 18.0).max() < 0.5


@pytest.mark.parametrize("damping", [0.0, 1e-3, 0.1])
def test_a_static_node_on_what_flies(damping):
    """Its velocity was left at zero: it is that of its balance, and no momentum comes from nowhere (142 m/s before)."""
    model = sm.Model("massless")
    a = model.node("a", velocity=(70.0, 0.0, 0.0))
    s = model.node("s", (1.0, 0.0, 0.0), static=True)
    model.add("body", sm.Body(a, mass=5.0, inertia=(1.0, 1.0, 1.5)))
    law = sm.LinearLaw6(stiffness=(1e5,) * 6, damping=damping)
    model.add("arm", sm.DeformableJoint(a, s, at=(1.0, 0.0, 0.0), law=law))
    run = sm.transient(model, 0.5, 4e-3, progress=False)
    assert np.abs(run["a.velocity"] - [70.0, 0.0, 0.0]).max() < 1e-8
    assert np.abs(run["s.velocity"] - [70.0, 0.0, 0.0]).max() < 1e-6
