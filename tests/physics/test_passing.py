"""Small bodies that fly fast meet each other, whatever the step: by impacts and force laws, in every formulation."""

import numpy as np
import pytest

import samara as sm

RADIUS, SPEED = 0.015, 2.0
#: Balls of 30 mm, 50 ms apart at 2 m/s: 100 mm a step.
LONG = 0.05


def balls(contact: str, offset: float = 0.01, begin: float = 0.5, second=(0.013, 0.0, 0.0)) -> sm.Model:
    """One at rest and one that comes on, off centre, in a direction that is no axis."""
    model = sm.Model("balls")
    along, across = np.array([2.0, 1.0, 2.0]) / 3.0, np.array([-2.0, 2.0, 1.0]) / 3.0
    a = model.node("a", position=second - begin * along + offset * across, velocity=SPEED * along)
    b = model.node("b", position=second)
    for node in (a, b):
        model.add(f"{node.name}.body", sm.Body(node, mass=1.0, inertia=(0.4 * RADIUS**2,) * 3))
    round_ones = {"place_a": (0, 0, 0), "surface": sm.SphereSurface(RADIUS)}
    if contact == "impact":
        model.add("pair", sm.Contact(a, b, shape=sm.BallShape(RADIUS), restitution=1.0, **round_ones))
    else:
        law = sm.ContactLaw.restoring(1e6, 1.0, SPEED)
        model.add("pair", sm.PenaltyContact(a, b, shape=sm.BallShape(RADIUS), law=law, **round_ones))
    return model


def exact(offset: float) -> np.ndarray:
    """Velocity of the second ball after an elastic impact of equal masses: that of the first along the normal."""
    along, across = np.array([2.0, 1.0, 2.0]) / 3.0, np.array([-2.0, 2.0, 1.0]) / 3.0
    sine = offset / (2.0 * RADIUS)
    cosine = np.sqrt(1.0 - sine**2)
    return SPEED * cosine * (cosine * along - sine * across)


@pytest.mark.parametrize("offset", [0.0, 0.01, 0.02, 0.029])
@pytest.mark.parametrize(
    "pace", [{"step": LONG}, {"step": 1e-2}, {"step": 1e-3}, {"accuracy": 1e-4}, {"accuracy": 1e-10}]
)
def test_an_impact_is_met_and_is_exact_whatever_the_step(pace, offset):
    """The normal is that of the instant: the velocity after it does not depend on the step, nor does the energy."""
    run = sm.transient(balls("impact", offset), 0.5, progress=False, **pace)
    assert run.attrs.counters["impacts"] == 1
    # the time of the impact is found to 1e-3 of a step at worst; of a normal that is 1e-3 h v / 2 R, grazing more
    np.testing.assert_allclose(run["b.velocity"][-1], exact(offset), atol=1e-6)
    kinetic = run["model.kinetic"]
    np.testing.assert_allclose(kinetic, kinetic[0], rtol=1e-14)
    assert run["pair.gap"].min() > -1e-9


@pytest.mark.parametrize("offset", [0.0, 0.01, 0.02, 0.029])
def test_time_stepping_sees_it_and_takes_the_step_in_parts(offset):
    """Its normal is up to a part of a step late: of the first order, and within 0.1 rad however long a step is."""
    errors = []
    for step in (LONG, 1e-2, 1e-3, 1e-4):
        run = sm.transient(balls("impact", offset), 0.5, step, formulation="recursive", progress=False)
        assert run.attrs.counters["impacts"] == 1
        kinetic = run["model.kinetic"]
        np.testing.assert_allclose(kinetic, kinetic[0], rtol=1e-14)
        errors.append(np.abs(run["b.velocity"][-1] - exact(offset)).max())
    assert max(errors) < 0.2 * SPEED and errors[-1] < 0.02 * SPEED


@pytest.mark.filterwarnings("ignore:.*the step is too long for a stiff element")
@pytest.mark.parametrize("begin", [0.5, 0.53, 0.56, 0.58])
@pytest.mark.parametrize(
    "way",
    [
        {"step": LONG},
        {"accuracy": 1e-4},
        {"accuracy": 1e-10},
        {"step": LONG, "formulation": "recursive"},
        {"step": LONG, "formulation": "recursive", "integrator": sm.TwoStep(0.6)},
        {"step": LONG, "formulation": "recursive", "integrator": sm.MoreauJean()},
        {"accuracy": 1e-6, "formulation": "recursive", "integrator": sm.DormandPrince()},
    ],
    ids=str,
)
def test_a_force_law_is_met(way, begin):
    """Wherever the step begins, the second ball is pushed along the way of the first; how far is for shorter steps."""
    run = sm.transient(balls("law", 0.005, begin), 0.5, progress=False, **way)
    along = np.array([2.0, 1.0, 2.0]) / 3.0
    assert run["b.velocity"][-1] @ along > 0.05
    if "accuracy" in way:
        # impacts of finite duration: the ball turns about the other meanwhile, by about v t / 2 R = 0.05
        np.testing.assert_allclose(run["b.velocity"][-1], exact(0.005), atol=0.15 * SPEED)


def test_what_flies_past_is_not_met():
    """A miss by a hundredth of a radius, in every formulation: no impact, and no step that is divided for long."""
    for contact in ("impact", "law"):
        for formulation in ("redundant", "recursive"):
            model = balls(contact, 2.01 * RADIUS)
            run = sm.transient(model, 0.5, LONG, formulation=formulation, progress=False)
            assert np.abs(run["b.velocity"]).max() == 0.0
            assert run.attrs.counters.get("impacts", 0) == 0


def test_a_step_that_may_not_be_divided_says_what_it_passes_through():
    simulation = sm.Simulation(balls("law", 0.0, 0.55), substeps=1)
    with pytest.raises(sm.Diverged, match=r"node 'b' passes through node 'a' .*element 'pair' does not see it"):
        sm.transient(simulation, 0.5, LONG, progress=False)


def test_surfaces_that_move_as_told_are_met_along_their_way():
    """A prescribed ball sweeps over one that rests: half its speed more than twice, at any step."""
    for step in (LONG, 1e-3):
        model = sm.Model("swept")
        bat = model.prescribed("bat", sm.Motion(position=(sm.Ramp(SPEED), 0, 0)))
        ball = model.node("ball", position=(0.333, 0, 0))
        model.add("ball.body", sm.Body(ball, mass=1.0, inertia=(1e-4,) * 3))
        round_ones = {"surface": sm.SphereSurface(RADIUS), "shape": sm.BallShape(RADIUS), "place_a": (0, 0, 0)}
        model.add("pair", sm.Contact(bat, ball, restitution=1.0, **round_ones))
        run = sm.transient(model, 0.5, step, progress=False)
        np.testing.assert_allclose(run["ball.velocity"][-1], (2.0 * SPEED, 0, 0), atol=1e-9)
        met = (0.333 - 2.0 * RADIUS) / SPEED
        np.testing.assert_allclose(run["ball.position"][-1, 0], 0.333 + 2.0 * SPEED * (0.5 - met), atol=1e-6)


def test_cosimulation_refuses_a_step_that_passes_through():
    model = sm.Model("fast")
    node = model.node("ball", position=(-0.5, 0.0, 0.0), velocity=(SPEED, 0, 0))
    model.add("ball.body", sm.Body(node, mass=1.0, inertia=(1e-4,) * 3))
    beside = sm.NonsmoothSubsystem("beside", model)
    point = beside.point("point", node, mass=0.1)
    beside.add("post", sm.Contact(beside.ground, point, surface=sm.SphereSurface(RADIUS), place_a=(0.02, 0.004, 0)))
    with pytest.raises(sm.Diverged, match=r"'beside.post' is passed through .* take a shorter step"):
        sm.cosimulate(model, beside, 0.5, LONG)
    run = sm.cosimulate(model, beside, 0.5, 2e-3)
    assert run["beside.post.force"][:, 0].max() > 0.0
