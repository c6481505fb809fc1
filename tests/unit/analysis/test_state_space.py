"""Linear systems between inputs and outputs, against closed forms."""

import sys

import numpy as np
import pytest

import samara as sm

GRAVITY = 9.81


def slider(**spring) -> sm.Model:
    model = sm.Model("slider")
    cart = model.node("cart", position=(1, 0, 0))
    model.add("mass", sm.Body(cart, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, at=(1, 0, 0), axis=(1, 0, 0)))
    model.add("spring", sm.Spring(model.ground, cart, stiffness=50.0, damping=4.0, **spring))
    model.add("push", sm.Force(cart, force=(sm.Input("push"), 0, 0)))
    model.add("side", sm.Force(cart, force=(0, sm.Input("side"), 0)))
    return model


def test_mass_on_a_spring():
    outputs = ("cart.position", "cart.velocity", "cart.acceleration", "spring.effort", "rail.force")
    system = sm.state_space(slider(), "push", outputs)
    assert system.inputs == ("push",)
    row = {name: k for k, name in enumerate(system.outputs)}
    for w in (0.0, 1.0, 5.0, 20.0):
        y = system.response(w)[:, 0]
        x = 1.0 / (50.0 + 4.0j * w - 2.0 * w**2)
        assert y[row["cart.position.x"]] == pytest.approx(x, rel=1e-9, abs=1e-12)
        assert y[row["cart.velocity.x"]] == pytest.approx(1j * w * x, rel=1e-9, abs=1e-12)
        assert y[row["cart.acceleration.x"]] == pytest.approx(-(w**2) * x, rel=1e-9, abs=1e-11)
        assert y[row["spring.effort"]] == pytest.approx((50.0 + 4.0j * w) * x, rel=1e-9)
        assert y[row["cart.position.y"]] == pytest.approx(0.0, abs=1e-12)


def test_reaction_answers_at_once():
    """A push across the rail goes into the joint's reaction: a direct term, and no motion."""
    system = sm.state_space(slider(), ("side",), ("rail.force", "cart.position"))
    assert np.linalg.norm(system.D[:3, 0]) == pytest.approx(1.0, rel=1e-9)
    assert system.B == pytest.approx(0.0, abs=1e-12)
    assert system.D[3:, 0] == pytest.approx(0.0, abs=1e-12)


def test_motor_on_a_pendulum():
    """Torque to angle: 1 / (m g l - J w^2)."""
    model = sm.Model("motor", gravity=(0, 0, -GRAVITY))
    arm = model.node("arm", (0, 0, -0.5))
    model.add("body", sm.Body(arm, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, arm, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("torque", sm.Couple(arm, couple=(0, sm.Input("torque"), 0)))
    system = sm.state_space(model, "torque", ("hinge.angle", "hinge.angle_rate"))
    inertia = 0.1 + 0.25
    for w in (0.5, 3.0):
        angle = 1.0 / (0.5 * GRAVITY - inertia * w**2)
        assert np.abs(system.response(w)[:, 0]) == pytest.approx([abs(angle), abs(w * angle)], rel=1e-9)


def test_input_that_moves_a_constraint():
    """An angle that an input sets is followed at once; what hangs on it by a spring follows with its own dynamics."""
    model = sm.Model("servo")
    crank, wheel = model.node("crank"), model.node("wheel")
    for node in (crank, wheel):
        model.add(f"body_{node.name}", sm.Body(node, mass=1.0, inertia=(1, 1, 0.5)))
        model.add(f"hinge_{node.name}", sm.Revolute(model.ground, node, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("servo", sm.PrescribedAngle(model.ground, crank, axis=(0, 0, 1), angle=sm.Input("angle")))
    model.add("shaft", sm.Torsion(crank, wheel, axis=(0, 0, 1), law=sm.LinearLaw(8.0, 0.4)))
    system = sm.state_space(model, "angle", ("hinge_crank.angle", "hinge_wheel.angle"))
    assert system.A.shape == (2, 2)
    for w in (0.0, 2.0):  # rates of inputs are not felt: the damper sees the wheel alone
        wheel_angle = 8.0 / (8.0 + 0.4j * w - 0.5 * w**2)
        assert system.response(w)[:, 0] == pytest.approx([1.0, wheel_angle], rel=1e-9)


def test_unknown_input_is_named():
    with pytest.raises(sm.ModelError, match="no input 'pull' \\(it has: push, side\\)"):
        sm.state_space(slider(), "pull")


def test_control_answers_to_frequencies_alike():
    """Two inputs, outputs with and without a direct term, over six decades, to rounding."""
    control = pytest.importorskip("control", reason="control is not installed (remedy: pip install samara[analysis])")
    system = sm.state_space(slider(), outputs=("cart.position", "cart.acceleration", "rail.force"))
    other = system.to_control()
    assert isinstance(other, control.StateSpace)
    assert other.input_labels == ["push", "side"]
    assert other.output_labels[:2] == ["cart_position_x", "cart_position_y"]
    frequencies = np.geomspace(1e-2, 1e4, 25)
    found = np.asarray(other.frequency_response(frequencies).complex)
    expected = np.moveaxis([system.response(w) for w in frequencies], 0, -1)
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()
    # and its own tools agree with the closed form: poles of 2 x'' + 4 x' + 50 x
    assert np.sort_complex(other.poles()) == pytest.approx(np.sort_complex(np.roots([2.0, 4.0, 50.0])), rel=1e-9)
    assert control.dcgain(other[0, 0]) == pytest.approx(1 / 50.0, rel=1e-9)


def test_without_control_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "control", None)  # as if it were not there
    with pytest.raises(ImportError, match=r"pip install samara\[analysis\]"):
        sm.state_space(slider(), "push", "cart.position").to_control()


@pytest.mark.parametrize("frequency", [np.nan, np.inf, None, "1"])
def test_a_response_needs_a_frequency(frequency):
    model = sm.Model("cart")
    cart = model.node("cart")
    model.add("body", sm.Body(cart, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    model.add("push", sm.Force(cart, force=(sm.Input("push", unit="N"), 0, 0)))
    system = sm.state_space(model, outputs="rail.displacement")
    assert system.response(3.0) == pytest.approx(-1.0 / (2.0 * 9.0))
    with pytest.raises(sm.ArgumentError, match="response: frequency must be a finite number"):
        system.response(frequency)
    with pytest.raises(sm.SolveError, match="undamped eigenvalue"):
        system.response(0.0)
