"""Surfaces, invariances and penalty contacts of trees by time stepping.

Time stepping is of order one: an impact is met up to a step late, and directions of contacts are those at the start of
a step. Where a tolerance says "a step", that is why.
"""

from itertools import product

import numpy as np
import pytest
from scipy.special import ellipk

import samara as sm
from samara.rotations import rotation_from_axes, rotation_from_rotation_vector
from samara.tracing import Surface

G = 9.81
FLOOR = {"place_a": (0, 0, 0)}


def run(model, end, step, integrator=None, **more):
    return sm.transient(model, end, step, formulation="recursive", integrator=integrator, progress=False, **more)


def facing(normal, at=(0, 0, 0)):
    """A placement whose z axis is the normal."""
    x = (0, 1, 0) if abs(normal[1]) < 0.9 else (1, 0, 0)
    return sm.Placement(at, rotation_from_axes(z=normal, x=x))


def slope(steps, errors):
    """Order of errors, fitted over all steps: where in a step an impact falls is chance."""
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


def ball(
    surface=None, place=(0, 0, 0), *, gravity=(0, 0, -G), radius=0.1, mass=2.0, contact=sm.Contact, node=None, **more
):
    """A ball `ball` and its contact `c` with a surface; friction, restitution, ... go to the contact."""
    model = sm.Model("ball", gravity=gravity)
    body = model.node("ball", **(node or {"position": (0, 0, radius)}))
    model.add("body", sm.Body(body, mass=mass, inertia=(0.4 * mass * radius**2,) * 3))
    more = {"shape": sm.BallShape(radius), "surface": surface or sm.PlaneSurface(), **more}
    model.add("c", contact(model.ground, body, place_a=place, **more))
    return model


# Geometry ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("surface", "place"),
    [(sm.SphereSurface(1.0, hollow=True), (0, 0, 0)), (sm.CylinderSurface(1.0, hollow=True), facing((0, 1, 0)))],
    ids=["sphere", "cylinder"],
)
def test_a_ball_in_a_bowl_is_a_pendulum(surface, place):
    """Without friction a point on a circle of 0.9 m: T = 4 sqrt(l / g) K(sin(a/2)), first order of the step."""
    start, length, errors = 0.5, 0.9, []
    exact = 4 * np.sqrt(length / G) * ellipk(np.sin(start / 2) ** 2)
    for h in (1e-3, 2.5e-4):
        node = {"position": (length * np.sin(start), 0, -length * np.cos(start))}
        results = run(ball(surface, place, node=node), 2.6, h)
        x = results["ball.position"][:, 0]
        i = np.flatnonzero(x[1:] * x[:-1] < 0)
        errors.append(results.time[i[2]] - results.time[i[0]] - exact)
        # it moves along the tangent at the start of a step: v^2 h / 2r a second, and at most twice that
        assert results["c.gap"].min() > -2.6 * G * (1 - np.cos(start)) * h * 2
    assert np.abs(errors[1]) < 2e-3  # of 1.93 s


def test_a_ball_stays_on_its_bowl():
    """A step h moves by (v h)^2 / 2r off the tangent: overlaps may be so large, but must not add up."""
    h, start = 1e-3, 0.5
    node = {"position": (0.9 * np.sin(start), 0, -0.9 * np.cos(start))}
    results = run(ball(sm.SphereSurface(1.0, hollow=True), node=node), 5.0, h)
    assert results["c.gap"].min() > -1e-4


def test_a_ball_leaves_a_sphere_at_two_thirds():
    """cos = 2/3 cos(start), frictionless.

    Near the end the normal force vanishes linearly in time, so that a gap d of (v h)^2 / r leaves for good by the time
    (6 d / c)^(1/3) early, c = 30 m/s^3: 7 ms, or 0.015 of the cosine, at h = 2.5e-4.
    """
    start, h = 0.1, 2.5e-4
    node = {"position": (1.1 * np.sin(start), 0, 1.1 * np.cos(start))}
    results = run(ball(sm.SphereSurface(1.0), node=node), 1.2, h)
    last = np.flatnonzero(results["c.force"][:, 0] > 0)[-1]
    assert results["ball.position"][last, 2] / 1.1 == pytest.approx(2 / 3 * np.cos(start), abs=0.02)


def test_a_capsule_on_a_sphere():
    """It falls across the sphere, touching 0.1 m from its middle: p = (1 + e) |u| / (1/m + d^2/I)."""
    d, mass, inertia, e, h = 0.1, 2.0, 0.1, 0.5, 1e-4
    model = sm.Model("capsule", gravity=(0, 0, -G))
    R = rotation_from_rotation_vector((0, np.pi / 2, 0))
    rod = model.node("rod", position=(d, 0, 1.0), rotation=R, velocity=(0, 0, -1))
    model.add("body", sm.Body(rod, mass=mass, inertia=(inertia, inertia, 0.05)))
    shape = sm.CapsuleShape(0.1, 0.4)
    model.add("c", sm.Contact(model.ground, rod, **FLOOR, surface=sm.SphereSurface(0.5), shape=shape, restitution=e))
    results = run(model, 0.3, h)
    i = np.flatnonzero(results["c.force"][:, 0] > 0)[0]
    assert results.time[i] == pytest.approx((np.sqrt(1 + 2 * G * 0.4) - 1) / G, abs=2 * h)
    u = results["rod.velocity"][i - 1, 2]
    p = -(1 + e) * u / (1 / mass + d**2 / inertia)
    # g h in the speeds, over one step
    assert results["rod.velocity"][i, 2] == pytest.approx(u + p / mass, abs=2 * G * h)
    assert results["rod.angular_velocity"][i, 1] == pytest.approx(p * d / inertia, abs=2 * G * h / d)


def test_a_wheel_rolls():
    radius = 0.5
    model = sm.Model("wheel", gravity=(0, 0, -G))
    R = rotation_from_rotation_vector((-np.pi / 2, 0, 0))
    node = model.node(
        "wheel", position=(0, 0, radius - 1e-9), rotation=R, velocity=(2, 0, 0), angular_velocity=(0, 2 / radius, 0)
    )
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.125, 0.125, 0.25)))
    model.add("c", sm.Contact(model.ground, node, **FLOOR, shape=sm.WheelShape(0.05, radius - 0.05), friction=0.5))
    results = run(model, 1.0, 1e-3)
    assert results["wheel.position"][-1] == pytest.approx((2.0, 0, radius), abs=1e-8)
    assert np.abs(results["c.velocity"]).max() < 1e-8  # the point that touches is at rest
    assert results["c.force"][2:, 0] == pytest.approx(2.0 * G, rel=1e-8)


def test_a_tilted_field_of_heights_is_a_plane():
    x = np.linspace(-20, 20, 5)
    normal = np.array([-0.3, -0.1, 1.0]) / np.sqrt(1.1)
    node = {"position": 0.15 * normal, "velocity": (0.3, 1, 0.2)}
    field = sm.HeightField(Surface(x, x, 0.3 * x[:, None] + 0.1 * x[None, :]))
    more = {"node": node, "friction": 0.2, "restitution": 0.3}
    one, other = run(ball(field, **more), 1.0, 1e-3), run(ball(None, facing(normal), **more), 1.0, 1e-3)
    for name in ("ball.position", "ball.velocity", "ball.angular_velocity"):
        assert one[name] == pytest.approx(other[name], abs=1e-11)


def in_a_lift(acceleration):
    model = sm.Model("lift", gravity=(0, 0, -G))
    lift = model.prescribed("lift", sm.Motion(position=(0, 0, lambda t: 0.5 * acceleration * t**2)))
    body = model.node("ball", position=(0, 0, 0.1 - 1e-9))
    model.add("body", sm.Body(body, mass=2.0, inertia=(0.01,) * 3))
    model.add("c", sm.Contact(lift, body, **FLOOR, shape=sm.BallShape(0.1), friction=0.3))
    return model


@pytest.mark.parametrize("acceleration", [2.0, -4.0])
def test_a_lift_carries_weight_and_inertia(acceleration):
    """The mean over 0.1 s: it may hop from step to step; one force in a hundred steps, 1 %."""
    force = run(in_a_lift(acceleration), 1.0, 1e-3)["c.force"][:, 0]
    mean = np.convolve(force[1:], np.full(100, 0.01), "valid")
    assert mean == pytest.approx(2.0 * (G + acceleration), rel=0.03)


@pytest.mark.parametrize("acceleration", [2.0, -4.0])
def test_a_lift_stays_in_touch(acceleration):
    results = run(in_a_lift(acceleration), 2.0, 1e-3)
    assert np.abs(results["c.gap"]).max() < 1e-4
    assert results["c.force"][2:, 0] == pytest.approx(2.0 * (G + acceleration), rel=1e-6)


def test_an_impact_of_two_free_bodies_keeps_momentum():
    model = sm.Model("free")
    a = model.node("a", angular_velocity=(0.1, 0.2, 0.3))
    b = model.node("b", position=(0.2, 0.1, 0.5), velocity=(0.3, 0.1, -2), angular_velocity=(3, -2, 4))
    J = {"a": np.array((0.3, 0.4, 0.5)), "b": np.array((0.02, 0.03, 0.025))}
    model.add("A", sm.Body(a, mass=5.0, inertia=J["a"]))
    model.add("B", sm.Body(b, mass=2.0, inertia=J["b"]))
    plane = {"place_a": (0, 0, 0.1), "shape": sm.BallShape(0.1)}
    model.add("c", sm.Contact(a, b, **plane, friction=0.4, restitution=0.6))
    h = 1e-4
    results = run(model, 0.4, h)
    assert (results["c.force"][:, 0] > 0).sum() == 1
    p, L = 0.0, 0.0
    for name, mass in (("a", 5.0), ("b", 2.0)):
        R = results[f"{name}.rotation"].reshape(-1, 3, 3)
        v, w = results[f"{name}.velocity"], results[f"{name}.angular_velocity"]
        p = p + mass * v
        spin = np.einsum("nij,j,nkj,nk->ni", R, J[name], R, w)
        L = L + mass * np.cross(results[f"{name}.position"], v) + spin
    assert p == pytest.approx(np.broadcast_to(p[0], p.shape), abs=1e-12)
    # bodies turn by w h in a step whose impulse is found at its start, and impulses are some 3.5 N s at 0.3 m
    assert L == pytest.approx(np.broadcast_to(L[0], L.shape), abs=3.5 * 0.3 * 5.4 * h)


# Invariances ---------------------------------------------------------------------------------------------------------

AXES = {"turn": np.eye(3), "shift": np.zeros(3), "boost": np.zeros(3), "mirror": np.eye(3)}


def two_balls(*, turn, shift, boost, mirror, order=1, swap=1):
    """Two spinning balls meet each other and a deck; all of it moved, turned, mirrored."""
    flip = np.linalg.det(mirror)  # axial vectors
    model = sm.Model("two balls", gravity=turn @ mirror @ (0.5, 0.3, -9.7))
    motion = sm.Motion(position=tuple((lambda t, c=c: c * t) for c in boost))
    deck = model.prescribed("deck", motion, position=shift, rotation=turn)
    nodes = {}
    spec = [("one", (0, 0, 0.4), (1, 0.5, -1), (3, -8, 2)), ("two", (0.45, 0.05, 0.3), (-0.5, 0.2, 0), (0, 5, -3))]
    rough = {"shape": sm.BallShape(0.1), "friction": 0.4, "restitution": 0.5}
    for name, p, v, w in spec[::order]:
        nodes[name] = model.node(
            name,
            position=turn @ mirror @ p + shift,
            rotation=turn,
            velocity=turn @ mirror @ v + boost,
            angular_velocity=flip * turn @ mirror @ w,
        )
        model.add(f"{name}.body", sm.Body(nodes[name], mass=1.5, inertia=(0.01,) * 3))
        model.add(f"{name}.deck", sm.Contact(deck, nodes[name], **FLOOR, **rough))
    a, b = ("one", "two")[::swap]
    model.add("pair", sm.Contact(nodes[a], nodes[b], **FLOOR, surface=sm.SphereSurface(0.1), **rough))
    return model


def seen_from_the_deck(results, *, turn, shift, boost, mirror, order=1, swap=1):
    back = mirror @ turn.T
    for name in ("one", "two"):
        yield (results[f"{name}.position"] - shift - results.time[:, None] * boost) @ back.T
        yield (results[f"{name}.velocity"] - boost) @ back.T
        yield np.linalg.det(mirror) * results[f"{name}.angular_velocity"] @ back.T


@pytest.fixture(scope="module")
def two_balls_at_home():
    results = run(two_balls(**AXES), 0.8, 5e-4)
    assert all((results[f"{c}.force"][:, 0] > 0).any() for c in ("one.deck", "two.deck", "pair"))
    return results


TURN = rotation_from_rotation_vector((0.7, -1.1, 0.4))


@pytest.mark.parametrize(
    ("change", "accuracy"),
    [
        ({"turn": TURN}, 1e-11),
        ({"shift": np.array((1e4, 0, 0))}, 1e-8),  # 2e-12 m of a place are lost, over the step in a speed
        ({"boost": np.array((70.0, -20, 5))}, 1e-9),
        ({"turn": TURN, "shift": np.array((1e4, -3e3, 0)), "boost": np.array((70.0, 0, 0))}, 1e-8),
        ({"mirror": np.diag((1.0, -1, 1))}, 1e-11),
        ({"order": -1}, 1e-11),
    ],
    ids=["turned", "moved by 10 km", "boosted by 70 m/s", "all three", "mirrored", "nodes reversed"],
)
def test_nothing_depends_on_where_and_how_fast(two_balls_at_home, change, accuracy):
    full = {**AXES, **change}
    found = seen_from_the_deck(run(two_balls(**full), 0.8, 5e-4), **full)
    for one, other in zip(found, seen_from_the_deck(two_balls_at_home, **AXES), strict=True):
        assert one == pytest.approx(other, abs=accuracy)


def test_which_ball_has_the_surface_matters_less_than_a_step(two_balls_at_home):
    """The point that touches is on the shape, and the gap may be half a step's way off the surface: order one."""
    for one, other in zip(
        seen_from_the_deck(run(two_balls(**AXES, swap=-1), 0.8, 5e-4), **AXES),
        seen_from_the_deck(two_balls_at_home, **AXES),
        strict=True,
    ):
        assert np.mean(np.abs(one - other)) < 0.02


def test_half_steps_are_of_order_one():
    fine = run(two_balls(**AXES), 0.8, 2.5e-5)["one.position"]
    steps = np.array((8e-4, 4e-4, 2e-4, 1e-4))
    errors = []
    for h in steps:
        found = run(two_balls(**AXES), 0.8, h)["one.position"]
        errors.append(np.mean(np.abs(found - fine[:: round(h / 2.5e-5)])))
    assert slope(steps, errors) > 0.7  # four errors that scatter by two


def test_a_run_in_two_halves_is_the_same(two_balls_at_home, tmp_path):
    file, model = tmp_path / "half.npz", two_balls(**AXES)
    first = run(model, 0.4, 5e-4, checkpoint=file)
    second = run(model, 0.8, 5e-4, resume=file)
    for name in ("one.position", "two.angular_velocity", "one.acceleration", "pair.force", "one.deck.force"):
        assert np.array_equal(np.concatenate([first[name], second[name]]), two_balls_at_home[name]), name


# Penalty contacts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["recursive", "redundant"])
@pytest.mark.parametrize(
    "law", [sm.FloresLaw(1e7, 0.5, 0.7), sm.FloresLaw(1e7, 0.8, 0.7), sm.HuntCrossleyLaw(1e7, 0.8, 0.7)]
)
def test_restitution_of_penalty_contacts(law, formulation):
    """That of the law, as in tests/reference/test_contact_restitution.py: 400 steps in the contact, 1e-5."""
    speed, mass = 0.7, 3.0
    depth = (1.25 * mass * speed**2 / 1e7) ** 0.4
    end = 12 * depth / speed
    node = {"position": (0, 0, 0.1 + depth), "velocity": (0, 0, -speed)}
    model = ball(gravity=(0, 0, 0), mass=mass, node=node, contact=sm.PenaltyContact, law=law)
    integrator = sm.RungeKutta4() if formulation == "recursive" else sm.TwoStep(1.0)
    results = sm.transient(model, end, end / 1600, formulation=formulation, integrator=integrator, progress=False)
    assert results["ball.velocity"][-1, 2] / speed == pytest.approx(law.restitution_at(speed), rel=5e-5)


def test_both_models_of_contact_agree_as_stiffness_grows():
    """A ball that falls aslant with friction: what is left goes with the depth, stiffness^(-2/5)."""
    node, errors = {"position": (0, 0, 0.3), "velocity": (1, 0, 0)}, []
    hard = run(ball(node=node, friction=0.2, restitution=0.6), 0.35, 1e-5)
    for stiffness, h in ((1e5, 1e-5), (1e7, 1e-5), (1e9, 2e-6)):
        law = sm.ContactLaw.restoring(stiffness, 0.6, np.sqrt(2 * G * 0.2))
        more = {"contact": sm.PenaltyContact, "law": law, "friction": 0.2, "transition": 1e-3}
        soft = run(ball(node=node, **more), 0.35, h)
        errors.append(np.abs(soft["ball.position"][-1] - hard["ball.position"][-1]).max())
        assert soft["ball.angular_velocity"][-1, 1] == pytest.approx(hard["ball.angular_velocity"][-1, 1], rel=1e-3)
    assert errors[0] > 5 * errors[1] > 10 * errors[2]


# Faults --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_press_that_closes_is_an_error_with_names(friction):
    model = ball(friction=friction, node={"position": (0, 0, 0.1 - 1e-9)})
    press = model.prescribed("press", sm.Motion(position=(0, 0, lambda t: -1.0 * t)))
    roof = facing((0, 0, -1), (0, 0, 0.5))
    shape = sm.BallShape(0.1)
    model.add("roof", sm.Contact(press, model.nodes["ball"], place_a=roof, shape=shape, friction=friction))
    with pytest.raises(sm.Diverged, match=r"(?s)'c'.*'roof'") as failure:
        run(model, 1.0, 1e-3)
    results = failure.value.results
    assert results.time[-1] == pytest.approx(0.3, abs=2e-3)  # the roof arrives
    assert results["c.force"][-2, 0] == pytest.approx(2.0 * G, rel=1e-6)


def test_integrators_without_impacts_are_refused():
    for integrator in (sm.RungeKutta4(), sm.SemiImplicitEuler(), sm.TwoStep(0.6)):
        with pytest.raises(sm.ArgumentError, match=r"'c'.*MoreauJean"):
            run(ball(), 0.1, 1e-3, integrator)


def test_restitution_beyond_one_is_refused():
    with pytest.raises(sm.ModelError, match="restitution must be from 0 to 1"):
        run(ball(restitution=1.2), 0.1, 1e-3)


# Many contacts -------------------------------------------------------------------------------------------------------


def test_a_stack_of_boxes_stands():
    """Three boxes, twelve contacts with redundant forces; each gap is that at rest, and the floor carries all."""
    model = sm.Model("stack", gravity=(0, 0, -G))
    below = model.ground
    for i in range(3):
        box = model.node(f"box{i}", position=(0.03 * i, 0, 0.1 + 0.2 * i - 1e-9 * (i + 1)))
        model.add(f"body{i}", sm.Body(box, mass=1.0, inertia=(0.0067,) * 3))
        for k, (x, y) in enumerate(product((-0.1, 0.1), repeat=2)):
            place = {"place_a": (0, 0, 0.1 if i else 0.0), "place_b": (x, y, -0.1)}
            model.add(f"c{i}{k}", sm.Contact(below, box, **place, friction=0.5))
        below = box
    results = run(model, 0.5, 1e-3)
    assert np.abs(results["box2.velocity"]).max() < 1e-9
    for i in range(3):
        load = sum(results[f"c{i}{k}.force"][-1, 0] for k in range(4))
        assert load == pytest.approx((3 - i) * G, rel=1e-9)
