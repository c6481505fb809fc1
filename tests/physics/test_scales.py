"""Results and costs do not depend on where a model stands, nor on how large or heavy it is."""

import numpy as np
import pytest

import samara as sm


def oscillator(x: float, scale: float = 1.0, mass: float = 1.0) -> sm.Model:
    """A mass on a spring of 20 rad/s, 0.1 m from its end, deflected by 0.05 m, all lengths times `scale`."""
    model = sm.Model("oscillator")
    node = model.node("mass", (x + 0.15 * scale, 0.0, 0.0))
    inertia = mass * (0.02 * scale) ** 2
    model.add("body", sm.Body(node, mass=mass, inertia=(inertia,) * 3))
    model.add("guide", sm.Prismatic(model.ground, node, at=(x, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    ends = ((x, 0.0, 0.0), (x + 0.15 * scale, 0.0, 0.0))
    model.add("spring", sm.Spring(model.ground, node, ends=ends, stiffness=400.0 * mass, length=0.1 * scale))
    return model


def swing(model, x, scale=1.0, accuracy=1e-6):
    """Largest error of the displacement, by the amplitude, and the number of steps."""
    run = sm.transient(model, 1.0, accuracy=accuracy, progress=False)
    exact = 0.1 * scale + 0.05 * scale * np.cos(20.0 * run.time)
    return np.abs(run["mass.position"][:, 0] - x - exact).max() / (0.05 * scale), len(run)


def test_error_control_does_not_depend_on_the_place():
    near, far = swing(oscillator(0.0), 0.0), swing(oscillator(1000.0), 1000.0)
    assert far[1] == pytest.approx(near[1], rel=0.02)
    assert far[0] == pytest.approx(near[0], rel=0.05)
    assert near[0] < 1e-2


@pytest.mark.parametrize(("scale", "mass"), [(1e-4, 1e-14), (1e3, 1e9)])
def test_error_control_does_not_depend_on_the_size(scale, mass):
    usual, other = swing(oscillator(0.0), 0.0), swing(oscillator(0.0, scale, mass), 0.0, scale)
    assert other[1] == pytest.approx(usual[1], rel=0.02)
    assert other[0] == pytest.approx(usual[0], rel=0.05)


def test_a_large_neighbour_does_not_spoil_a_small_part():
    """Error control by the size of each part: a ring of 100 m that turns beside the oscillator."""
    model = oscillator(0.0)
    alone = swing(oscillator(0.0), 0.0)
    ring = model.node("ring", (0.0, 500.0, 0.0), angular_velocity=(0.0, 0.0, 0.1))
    model.add("ring.body", sm.Body(ring, mass=1e6, inertia=(5e9, 5e9, 1e10)))
    assert swing(model, 0.0)[0] == pytest.approx(alone[0], rel=0.05)


def pendulum(moved, scale=1.0, mass=1.0, slower=1.0) -> sm.Model:
    """Two links that fall from the horizontal; gravity scales with the lengths, so that times stay, or get longer."""
    model, before = sm.Model("pendulum", gravity=(0.0, 0.0, -9.81 * scale / slower**2)), None
    for k in range(2):
        at = np.asarray(moved, float) + scale * k * np.array([1.0, 0.0, 0.0])
        link = model.node(f"link{k}", at + 0.5 * scale * np.array([1.0, 0.0, 0.0]))
        inertia = mass * scale**2 * np.array([0.01, 0.1, 0.1])
        model.add(f"body{k}", sm.Body(link, mass=mass, inertia=inertia))
        model.add(f"hinge{k}", sm.Revolute(before or model.ground, link, at=at, axis=(0.0, 1.0, 0.0)))
        before = link
    return model


@pytest.fixture(scope="module")
def here():
    return sm.transient(pendulum((0.0, 0.0, 0.0)), 1.0, 1e-3, progress=False)


def test_ten_kilometres_away(here):
    """Positions of 1e4 m are known to 2e-12 m, velocities to that over the step: 1e-9 of the motion at the end."""
    there = sm.transient(pendulum((1e4, -6e3, 2e3)), 1.0, 1e-3, progress=False)
    assert there["hinge1.angle"] == pytest.approx(here["hinge1.angle"], abs=1e-7)
    assert there["hinge0.force"] == pytest.approx(here["hinge0.force"], abs=1e-3)
    assert there.attrs.counters["unconverged"] == 0
    assert there.attrs.counters["iterations"] < 1.5 * here.attrs.counters["iterations"]


@pytest.mark.parametrize(("scale", "mass"), [(1e-5, 1e-14), (1e4, 1e12), (1.0, 1e-14)])
def test_small_and_large_worlds(scale, mass, here):
    """The same motion, scaled: lengths, masses, and gravity with the lengths."""
    run = sm.transient(pendulum((0.0, 0.0, 0.0), scale, mass), 1.0, 1e-3, progress=False)
    assert run["hinge1.angle"] == pytest.approx(here["hinge1.angle"], abs=1e-7)
    assert run["hinge0.force"] / (mass * scale) == pytest.approx(here["hinge0.force"], abs=1e-4)


@pytest.mark.parametrize("slower", [1e2, 1e5])
def test_slow_worlds(slower, here):
    """The same motion in longer seconds, with a step that is longer as well: Newton's method looks as closely."""
    run = sm.transient(pendulum((0.0, 0.0, 0.0), slower=slower), slower, 1e-3 * slower, progress=False)
    assert run["hinge1.angle"] == pytest.approx(here["hinge1.angle"], abs=1e-8)
    assert run["hinge0.force"] * slower**2 == pytest.approx(here["hinge0.force"], abs=1e-4)
