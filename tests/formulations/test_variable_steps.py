"""Steps that follow an accuracy: where there is an estimate of the error, it is kept; elsewhere that is refused."""

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm

G, END = 9.81, 1.0


def pendulum(load=0.0) -> sm.Model:
    """1 kg at 1 m from its hinge, pushed down at its end, let go in the horizontal."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("push", sm.Force(bob, force=(0, 0, load)))
    return model


def fallen(fine, jump):
    """Angles at times, with twice the weight from the jump on."""

    def rates(factor):
        return lambda t, y: np.array([y[1], factor * G * np.cos(y[0]) / 1.1])

    first = fine(rates(1.0), jump, np.zeros(2))
    second = fine(rates(2.0), END - jump, first(jump))
    return lambda t: np.where(t < jump, first(np.minimum(t, jump))[0], second(np.maximum(t - jump, 0.0))[0])


@ways(where=lambda way: way.adapts)
@pytest.mark.parametrize("accuracy", [1e-5, 1e-7])
def test_a_jump_is_passed_with_the_accuracy_asked_for(way, accuracy, fine):
    """Errors of single steps add up: the whole is off by no more than there are steps, and some for what they grow."""
    jump = 0.3217
    run = way.run(pendulum(sm.Step(-G, time=jump)), END, accuracy=accuracy)
    assert run.attrs.counters["events"] == 1
    error = np.abs(np.unwrap(run["hinge.angle"]) - fallen(fine, jump)(run.time)).max()
    assert error < accuracy * len(run)
    assert 10 < len(run) < 3.0 / accuracy**0.5


@ways(where=lambda way: way.adapts)
def test_records_between_the_steps_change_no_step(way, fine):
    jump = 0.3217
    alone = way.run(pendulum(sm.Step(-G, time=jump)), END, accuracy=1e-7)
    even = way.run(pendulum(sm.Step(-G, time=jump)), END, 0.05, accuracy=1e-7)
    np.testing.assert_allclose(even.time, 0.05 * np.arange(21), atol=1e-12)
    np.testing.assert_array_equal(even["hinge.angle"][-1], alone["hinge.angle"][-1])
    # dense output is of one order less than the steps, which are a hundredth of the time or shorter
    np.testing.assert_allclose(np.unwrap(even["hinge.angle"]), fallen(fine, jump)(even.time), atol=1e-4)


CRANK, ROD, SPEED, MASS = 0.2, 0.7, 20.0, 3.0


def slider_crank() -> sm.Model:
    """A crank that is driven, and a slider behind a rod without mass."""
    model = sm.Model("slider-crank")
    crank, slider = model.node("crank"), model.node("slider", (CRANK + ROD, 0, 0))
    for node in (crank, slider):
        model.add(f"{node.name}.body", sm.Body(node, mass=MASS, inertia=(0.1, 0.1, 0.1)))
    model.add("bearing", sm.Revolute(model.ground, crank, axis=(0, 0, 1)))
    model.add("motor", sm.PrescribedAngle(model.ground, crank, axis=(0, 0, 1), angle=lambda t: SPEED * t))
    model.add("guide", sm.Prismatic(model.ground, slider, axis=(1, 0, 0)))
    model.add("rod", sm.Distance(crank, slider, place_a=(CRANK, 0, 0), place_b=(0, 0, 0)))
    return model


def load_of_the_rod(time):
    """m x'' over the cosine of the rod's slope b, with x = r cos a + l cos b and l sin b = r sin a."""
    a = SPEED * time
    b = np.arcsin(CRANK * np.sin(a) / ROD)
    rate = CRANK * SPEED * np.cos(a) / (ROD * np.cos(b))
    second = (ROD * rate**2 * np.sin(b) - CRANK * SPEED**2 * np.sin(a)) / (ROD * np.cos(b))
    x = -CRANK * SPEED**2 * np.cos(a) - ROD * (second * np.sin(b) + rate**2 * np.cos(b))
    return np.abs(MASS * x / np.cos(b))


@ways(where=lambda way: way.adapts)
@pytest.mark.parametrize("pieces", [(END,), (0.1, 0.3217, 0.33, END)], ids=["whole", "pieces"])
def test_reactions_do_not_ring_where_the_step_changes(way, pieces):
    """Nor where a run ends and goes on: the motion is told, and the load of the rod follows from it.

    What an error of the size of the accuracy makes in a second derivative over a step is the bound.
    """
    accuracy = 1e-6
    sim = way.simulation(slider_crank(), **({"cut": ("rod",)} if way.formulation == "recursive" else {}))
    runs = [sm.transient(sim, end, accuracy=accuracy, progress=False) for end in pieces]
    time = np.concatenate([run.time for run in runs])
    load = np.linalg.norm(np.concatenate([run["rod.force"] for run in runs]), axis=1)
    assert len(time) > 50
    np.testing.assert_allclose(load[1:], load_of_the_rod(time)[1:], atol=accuracy * MASS * (CRANK + ROD) * SPEED**2)


@ways(where=lambda way: not way.adapts)
def test_an_accuracy_without_an_estimate_is_refused_by_name(way):
    with pytest.raises(sm.ArgumentError, match=way.integrator.name.replace(".", r"\.")) as refusal:
        way.run(pendulum(), END, accuracy=1e-6)
    assert "accuracy" in str(refusal.value)
