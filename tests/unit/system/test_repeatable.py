"""Functions of users are traced once: what is another one whenever it is called is refused by name."""

import random
import time

import numpy as np
import pytest

import samara as sm


def driven(function, *, prescribed=False):
    """A body that is pushed by a function of time, or moved by it."""
    model = sm.Model("driven")
    node = model.node("body")
    model.add("mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    if prescribed:
        model.prescribed("hand", sm.Motion(position=(function, 0.0, 0.0)))
    else:
        model.add("push", sm.Force(node, force=(function, 0.0, 0.0)))
    return model


class Counting:
    """Something that it changes itself."""

    def __init__(self):
        self.calls = 0

    def __call__(self, t):
        self.calls += 1
        return self.calls * t


class Shaking(sm.Drive):
    """A drive of one's own with a random number in it."""

    size: float = sm.number()

    def __call__(self, t):
        return self.size * random.random() * np.sin(t)


class Guessing(sm.Law):
    """A law of one's own with a random stiffness."""

    def elastic(self, x):
        return random.random() * x


class Sleepy(sm.Load):
    """An element of one's own that looks at the clock."""

    def load(self, n, world):
        return np.array([time.perf_counter(), 0.0, 0.0]), np.zeros(3)


def counter():
    count = [0]

    def function(t):
        count[0] += 1
        return count[0] * t

    return function


@pytest.mark.parametrize("prescribed", [False, True])
@pytest.mark.parametrize(
    "make",
    [
        lambda: lambda t: random.random() * t,
        lambda: lambda t: random.gauss(),
        lambda: lambda t: np.random.default_rng().normal() + np.sin(t),
        lambda: lambda t: time.perf_counter() * t,
        counter,
        Counting,
        lambda: Shaking(2.0),
        lambda: sm.Constant(2.0) * sm.Expression(lambda t: random.random() * t) + 1.0,
    ],
)
def test_functions_of_time(make, prescribed):
    with pytest.raises(sm.ModelError, match=r"differs from one evaluation to the next.*BandLimitedNoise"):
        sm.Simulation(driven(make(), prescribed=prescribed))


def test_laws_and_elements():
    model = driven(0.0)
    model.add("spring", sm.Torsion(model.ground, model.nodes["body"], axis=(0, 0, 1), law=Guessing()))
    with pytest.raises(sm.ModelError, match=r"element 'spring' \(Torsion\).*differs from one evaluation"):
        sm.Simulation(model)
    model = driven(0.0)
    model.add("sleepy", Sleepy(model.nodes["body"]))
    with pytest.raises(sm.ModelError, match=r"element 'sleepy' \(Sleepy\).*differs from one evaluation"):
        sm.Simulation(model)


def test_what_is_the_same_each_time_stays():
    """Random numbers that were drawn beforehand."""
    phases = np.random.default_rng(1).uniform(0, 2 * np.pi, 5)
    model = driven(lambda t: sum(np.sin(3 * t + phase) for phase in phases))
    assert sm.transient(model, end=0.01, step=1e-3, progress=False).attrs.status == "completed"


# ---- shapes
def test_a_wheel_without_a_rim_and_a_capsule_without_a_length_are_refused():
    with pytest.raises(sm.ModelError, match=r"WheelShape: give rim too.*BallShape"):
        sm.WheelShape(0.3)
    with pytest.raises(sm.ModelError, match=r"CapsuleShape: give half_length too.*BallShape"):
        sm.CapsuleShape(0.1)


# ---- runs without an end in sight
def test_more_steps_than_anybody_waits_for():
    sim = sm.Simulation(driven(0.0))
    with pytest.raises(sm.ArgumentError, match=r"transient: 1e\+12 steps of 1e-12 s.*use a longer step"):
        sm.transient(sim, end=1.0, step=1e-12, progress=False)
    with pytest.raises(sm.ArgumentError, match=r"transient_sensitivity: 1e\+12 steps"):
        sm.transient_sensitivity(driven(sm.Constant(sm.Parameter("p", 1.0))), end=1.0, step=1e-12)
    assert sm.transient(sim, end=1e-11, step=1e-12, progress=False).time.size == 11


def test_more_records_than_memory_holds(monkeypatch):
    from samara.method import timeline

    monkeypatch.setattr(timeline, "physical_memory", lambda: 1e5)
    with pytest.raises(sm.ArgumentError, match=r"records of \d+ numbers need .* GiB.*every=n"):
        sm.transient(driven(0.0), end=1.0, step=1e-3, progress=False)
    with pytest.raises(sm.ArgumentError, match="records of"):  # dense ones between steps as well
        sm.transient(driven(0.0), end=1.0, step=1e-3, accuracy=1e-3, progress=False)
    sm.transient(driven(0.0), end=1.0, step=1e-3, every=100, progress=False)
