"""Impacts within a step: parts that hit fly anew from their own instants, and nothing else is touched by that.

A model of one part, and one that follows an accuracy, ends a step at each impact instead: both must agree.
"""

import numpy as np
import pytest

import samara as sm

G = 9.81


def add_ball(model, name, position, *, radius=0.1, restitution=0.8, friction=0.0, **start):
    node = model.node(name, position=position, **start)
    model.add(f"{name}.body", sm.Body(node, mass=2.0, inertia=(0.4 * 2.0 * radius**2,) * 3))
    floor = {"place_a": (0, 0, 0), "shape": sm.BallShape(radius), "restitution": restitution, "friction": friction}
    model.add(f"{name}.floor", sm.Contact(model.ground, node, **floor))
    return node


def run(model, end, step, **more):
    return sm.transient(model, end, step, progress=False, **more)


def bouncing(height, restitution, t):
    """Height above the floor of a ball that falls from there."""
    fall = np.sqrt(2.0 * height / G)
    if t < fall:
        return height - 0.5 * G * t**2
    t, speed = t - fall, restitution * G * fall
    while t > 2.0 * speed / G:
        t, speed = t - 2.0 * speed / G, restitution * speed
    return speed * t - 0.5 * G * t**2


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_many_balls_bounce_as_the_closed_form_says(step):
    """Heights by chance, impacts at instants of their own: parabolas are exact, and so is the time of an impact."""
    heights = np.random.default_rng(3).uniform(0.1, 0.6, 12)
    model = sm.Model("together", gravity=(0, 0, -G))
    for k, z in enumerate(heights):
        add_ball(model, f"b{k}", (k, 0, 0.1 + z))
    found = run(model, 0.7, step)
    assert found.attrs.counters["impacts"] > 12
    for k, z in enumerate(heights):
        exact = [bouncing(z, 0.8, t) for t in found.time]
        # an instant is found to 1e-11 of a step: 3 m/s for as long are 3e-13 m, the shortest step is 1e-3 s
        np.testing.assert_allclose(found[f"b{k}.position"][:, 2] - 0.1, exact, atol=1e-11)


def test_impacts_do_not_renew_the_factors_of_all():
    """However many parts hit: the matrix of a step is the same before and after, and so is that of an impact."""
    found = {}
    for count in (2, 40):
        model = sm.Model("rain", gravity=(0, 0, -G))
        for k in range(count):
            add_ball(model, f"b{k}", (k, 0, 0.12 + 0.01 * k), restitution=1.0)
        found[count] = run(model, 1.0, 1e-3).attrs.counters
    assert found[40]["impacts"] > 5 * found[2]["impacts"] > 0
    print(found)
    assert found[40]["jacobians"] <= found[2]["jacobians"] + 2
    assert found[40]["steps"] == 1000


def pendulums(gap=0.05):
    """Two double pendulums whose bobs hit each other: joints, spin and impacts between parts."""
    model = sm.Model("pendulums", gravity=(0, 0, -G))
    bobs = []
    for side, x, angle in (("left", -0.1 - 0.5 * gap, 0.9), ("right", 0.1 + 0.5 * gap, 0.0)):
        above, at = model.ground, np.array([x, 0.0, 1.0])
        for k in range(2):
            way = 0.5 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
            node = model.node(f"{side}{k}", position=at + way)
            model.add(f"{side}{k}.body", sm.Body(node, mass=1.0 + k, inertia=(0.01, 0.02, 0.01)))
            model.add(f"{side}{k}.hinge", sm.Revolute(above, node, at=tuple(at), axis=(0, 1, 0)))
            above, at = node, at + way
        bobs.append(node)
    touch = {"surface": sm.SphereSurface(0.1), "shape": sm.BallShape(0.1), "restitution": 0.7}
    model.add("bobs", sm.Contact(*bobs, place_a=(0, 0, 0), **touch))
    return model


def test_impacts_of_mechanisms_are_of_second_order():
    """Against a run that ends its steps at impacts and follows an accuracy."""
    exact = run(pendulums(), 1.0, None, accuracy=1e-9)
    impacts, errors = exact.attrs.counters["impacts"], []
    for h in (4e-3, 2e-3, 1e-3):
        found = run(pendulums(), 1.0, h)
        assert found.attrs.counters["impacts"] == impacts
        last = [found[f"{side}1.position"][-1] - exact[f"{side}1.position"][-1] for side in ("left", "right")]
        errors.append(np.abs(last).max())
    assert errors[-1] < 1e-4
    assert np.log2(errors[0] / errors[-1]) / 2.0 > 1.7, errors


def test_a_ball_that_lands_and_slides_is_of_second_order():
    """Plastic impact with friction, then sliding: the speed after it falls by friction g t from the instant on."""
    speed, mu, height = 2.0, 0.1, 0.2
    fall = np.sqrt(2.0 * height / G)
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        model = sm.Model("landing", gravity=(0, 0, -G))
        for k in range(2):
            spec = {"restitution": 0.0, "friction": mu, "velocity": (speed, 0, 0)}
            add_ball(model, f"b{k}", (0, k, 0.1 + height), **spec)
        found = run(model, 0.3, h)
        v = speed - mu * G * fall - mu * G * (0.3 - fall)  # the impulse of the impact has friction as well
        errors.append(abs(found["b0.velocity"][-1, 0] - v))
        np.testing.assert_array_equal(found["b0.velocity"][:, 0], found["b1.velocity"][:, 0])
        assert abs(found["b0.floor.gap"][-1]) < 0.05 * G * h**2
    print(errors)
    assert max(errors) < 1e-3 and errors[-1] < 1e-4, errors


def test_a_part_that_is_hit_twice_and_others_that_wait_for_it():
    """A ball between two walls of balls in one long step: impacts follow each other, momentum and energy are kept."""
    model = sm.Model("row")
    for k, (x, v) in enumerate([(0.0, 3.0), (0.25, 0.0), (0.5, -2.0), (0.75, 0.0)]):
        node = model.node(f"b{k}", position=(x, 0, 0), velocity=(v, 0, 0))
        model.add(f"b{k}.body", sm.Body(node, mass=1.0, inertia=(4e-3,) * 3))
    for k in range(3):
        touch = {"surface": sm.SphereSurface(0.1), "shape": sm.BallShape(0.1), "restitution": 1.0}
        pair = model.nodes[f"b{k}"], model.nodes[f"b{k + 1}"]
        model.add(f"b{k}.b{k + 1}", sm.Contact(*pair, place_a=(0, 0, 0), **touch))
    found = run(model, 0.2, 0.1)
    assert found.attrs.counters["impacts"] >= 3
    speeds = np.array([found[f"b{k}.velocity"][-1, 0] for k in range(4)])
    np.testing.assert_allclose(np.sort(speeds), [-2.0, 0.0, 0.0, 3.0], atol=1e-9)  # equal masses exchange speeds
    assert np.all(np.diff(speeds) >= -1e-12)
    assert min(found[f"b{k}.b{k + 1}.gap"].min() for k in range(3)) > -1e-9
