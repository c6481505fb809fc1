"""A small study that every executor carries out."""

import pytest

import samara as sm


def make(length=1.0, gravity=-9.81):
    """A damped pendulum; `damping` and `stiffness` are parameters of the model."""
    import samara as sm

    model = sm.Model("pendulum", gravity=(0, 0, gravity))
    bob = model.node("bob", position=(length, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    law = sm.LinearLaw(
        sm.Parameter("stiffness", 0.0, "N m/rad"), damping=sm.Parameter("damping", 0.1, "N m s/rad", lower=0.0)
    )
    model.add("damper", sm.Torsion(model.ground, bob, law=law, axis=(0, 1, 0)))
    return model


def measure(results):
    """Where it is at the end, and how far it came."""
    return {"last": results["hinge.angle"][-1], "ends": [results["hinge.angle"].min(), results["hinge.angle"].max()]}


@pytest.fixture(scope="session")
def study():
    """Arguments of `sweep`: make, measure, and those of the run."""
    return make, measure, {"end": 0.3, "step": 1e-2, "progress": False}


@pytest.fixture
def separately():
    """What a variant gives by itself, in a model of its own."""

    def alone(length, damping):
        model = make(length)
        model.parameters["damping"].value = damping
        return measure(sm.transient(model, 0.3, 1e-2, progress=False))

    return alone
