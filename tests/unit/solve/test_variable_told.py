"""The error of a step does not depend on how a model is told: where frames on the ground are, where rest is."""

import numpy as np
import pytest

import samara as sm

AMPLITUDE, STIFFNESS = 1e-2, 100.0
FAR = 1000.0
HERE = (FAR, 0.0, 0.0)


def elastic_by_rest(model, mass):
    law = sm.LinearLaw3(STIFFNESS * np.eye(3))
    model.add("k", sm.DeformableDisplacement(model.ground, mass, law=law, rest=HERE))


def elastic_by_place(model, mass):
    law = sm.LinearLaw3(STIFFNESS * np.eye(3))
    model.add("k", sm.DeformableDisplacement(model.ground, mass, law=law, place_a=sm.Placement(HERE)))


def axial_by_rest(model, mass):
    frames = {"place_a": _along_x((0, 0, 0)), "place_b": _along_x((0, 0, 0))}
    model.add("k", sm.Axial(model.ground, mass, law=sm.LinearLaw(STIFFNESS), rest=FAR, **frames))


def guided_along_the_ground(model, mass):
    """A slide whose frame on the ground is at the origin of the world, with a spring that is told here."""
    model.add("guide", sm.Prismatic(model.ground, mass, place_a=_along_x((0, 0, 0)), place_b=_along_x((0, 0, 0))))
    elastic_by_place(model, mass)


def _along_x(position):
    return sm.Placement(position, np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))


TOLD = [elastic_by_place, elastic_by_rest, axial_by_rest, guided_along_the_ground]


@pytest.mark.parametrize("told", TOLD)
def test_a_mass_on_a_spring_swings_however_it_is_told(told):
    """x = a cos(w t): it was off by all of the amplitude where the ground seemed to belong to the mechanism."""
    model = sm.Model("hung")
    mass = model.node("mass", position=HERE)
    mass.begin(sm.Placement((FAR + AMPLITUDE, 0, 0)))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    told(model, mass)
    accuracy = 1e-7
    run = sm.transient(model, 1.0, accuracy=accuracy, progress=False)
    exact = FAR + AMPLITUDE * np.cos(np.sqrt(STIFFNESS) * run.time)
    # errors add up: at most that of a step, 0.1 m the radius of gyration, times how many there are
    assert np.abs(run["mass.position"][:, 0] - exact).max() < 0.2 * accuracy * len(run)
    assert len(run) > 50


def test_ends_of_rods_and_springs_on_the_ground_are_of_the_mechanism():
    """Their distance is a length that matters: errors of a point on a rod are measured against the rod."""
    for length in (1.0, 1000.0):
        for what in (sm.Distance, lambda a, b: sm.Spring(a, b, stiffness=1.0)):
            model = sm.Model("rod")
            bob = model.node("bob", position=(length, 0, 0))
            model.add("body", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
            model.add("rod", what(model.ground, bob))
            assert 0.3 * length < sm.Simulation(model).length < length
