"""First-order form along a motion: bases that follow each other."""

import numpy as np
import pytest

import samara as sm
from samara.solve.linear_systems.first_order import first_order


def chain():
    model = sm.Model("chain", gravity=(0.0, 1.0, -9.81))
    last = model.ground
    for k in range(3):
        node = model.node(f"n{k}", position=(k + 0.5, 0, 0))
        model.add(f"body{k}", sm.Body(node, mass=1.0 + k, inertia=(0.1, 0.2, 0.3)))
        model.add(f"joint{k}", sm.Spherical(last, node, at=(float(k), 0, 0)))
        last = node
    return model


def test_bases_are_continuous_along_a_motion():
    """A(t) moves by its own rate times the time between two instants, although its basis is one of many."""
    sim, step, found = sm.Simulation(chain()), 5e-3, []
    like = None
    for k in range(1, 60):
        sm.transient(sim, k * step, step, progress=False, outputs="model.violation")
        lin = sm.linearise(sim)
        like = first_order(lin, like=like)
        found.append((like.A, first_order(lin).A))
    along, anew = (np.array(each) for each in zip(*found, strict=True))
    first, second = (np.abs(np.diff(along, n, axis=0)).max() for n in (1, 2))
    assert second < 0.2 * first  # smooth: 0.05 is what a motion of a second does in steps of 5 ms
    assert np.abs(np.diff(anew, 2, axis=0)).max() > 3.0 * first  # what is avoided
    for A, B in found:  # and the same system all the while
        a, b = np.poly(A), np.poly(B)
        np.testing.assert_allclose(a, b, atol=1e-6 * np.abs(a).max())


def test_a_state_that_follows_rates():
    """A regulator holds the speed of a disc by a torque that is a state: I s^2 + (b + P) s + Q = 0, and its lag."""
    model = sm.Model("held speed")
    disc, about = model.node("disc"), {"axis": (0, 0, 1)}
    model.add("mass", sm.Body(disc, mass=5.0, inertia=(0.1, 0.1, 0.2)))
    model.add("bearing", sm.Revolute(model.ground, disc, **about))
    model.add("brake", sm.Torsion(model.ground, disc, law=sm.DamperLaw(0.05), **about))
    law = sm.PID(proportional=0.4, integral=1.0)
    target = sm.Input("target")
    held = model.add("held", sm.SpeedRegulator(model.ground, disc, law=law, target=target, unit="N m", **about))
    model.add("motor", sm.ServoMotor(model.ground, disc, held.output, **about))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    found = sm.modes(sim)
    pole = np.roots([0.2, 0.45, 1.0])[0]
    oscillating = found.eigenvalues[found.eigenvalues.imag > 0.0]
    np.testing.assert_allclose(oscillating, [complex(pole.real, abs(pole.imag))], rtol=1e-9)
    # the state's part of the mode is the torque that turns the disc: T = (I s + b) w
    mode = int(np.argmax(found.eigenvalues.imag))
    turn, torque = found.shape(mode, "disc")[5], found.state_shapes[mode, found.states.index("held.output")]
    s = found.eigenvalues[mode]
    np.testing.assert_allclose(torque, (0.2 * s + 0.05) * s * turn, rtol=1e-9)
    linear = sm.state_space(sim, ("target",), "disc.angular_velocity")
    at = 0.7j
    answer = linear.C @ np.linalg.solve(at * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D
    regulated = (0.4 + 1.0 / at) / (0.2 * at + 0.05)
    assert answer[2, 0] == pytest.approx(regulated / (1.0 + regulated), rel=1e-9)


def springs_in_a_row(model):
    """A mass on two springs in a row, with a node without mass between them: k / 2 and m, 10 rad/s."""
    middle, end = model.node("middle", (1, 0, 0), static=True), model.node("end", (2, 0, 0))
    model.add("weight", sm.Body(end, mass=3.0, inertia=(1, 1, 1)))
    for k, (a, b) in enumerate(((model.ground, middle), (middle, end))):
        model.add(f"rail{k}", sm.Prismatic(model.ground, b, axis=(1, 0, 0)))
        model.add(f"spring{k}", sm.Axial(a, b, axis=(1, 0, 0), law=sm.LinearLaw(600.0)))


def test_rates_and_statics_together():
    """The regulated disc beside a mass on two springs in a row."""
    model = sm.Model("both")
    disc, about = model.node("disc"), {"axis": (0, 0, 1)}
    model.add("mass", sm.Body(disc, mass=5.0, inertia=(0.1, 0.1, 0.2)))
    model.add("bearing", sm.Revolute(model.ground, disc, **about))
    law = sm.PID(proportional=0.4, integral=1.0)
    held = model.add("held", sm.SpeedRegulator(model.ground, disc, law=law, target=0.0, unit="N m", **about))
    model.add("motor", sm.ServoMotor(model.ground, disc, held.output, **about))
    springs_in_a_row(model)
    sim = sm.Simulation(model)
    sm.assemble(sim)
    found = sm.modes(sim)
    poles = found.eigenvalues[found.eigenvalues.imag > 1e-6]
    pole = np.roots([0.2, 0.4, 1.0])[0]
    np.testing.assert_allclose(poles, [complex(pole.real, abs(pole.imag)), 10j], atol=1e-8)
    mode = int(np.argmax(found.eigenvalues.imag))
    assert found.shape(mode, "middle")[0] == pytest.approx(0.5 * found.shape(mode, "end")[0])


def test_a_prescribed_rate_beside_a_node_without_mass():
    """A constraint of rates leaves the disc its angle, and takes nothing from the mass on two springs in a row."""
    model = sm.Model("rate and springs")
    disc, about = model.node("disc"), {"axis": (0, 0, 1)}
    model.add("mass", sm.Body(disc, mass=5.0, inertia=(0.1, 0.1, 0.2)))
    model.add("bearing", sm.Revolute(model.ground, disc, **about))
    model.add("motor", sm.PrescribedRate(model.ground, disc, rate=0.0, **about))
    springs_in_a_row(model)
    sim = sm.Simulation(model)
    sm.assemble(sim)
    found = sm.modes(sim)
    np.testing.assert_allclose(found.eigenvalues, [0.0, 10j], atol=1e-8)
    assert found.shape(1, "middle")[0] == pytest.approx(0.5 * found.shape(1, "end")[0])


def test_a_rotor_that_sums_up_its_loads_changes_no_mode():
    """A rigid blade that flaps in air: s = W (-g + i sqrt(1 - g^2)), 16 g Lock's number; loads are states."""
    speed, radius, chord = 20.0, 4.0, 0.2
    found = []
    for summed in (False, True):
        model, air = sm.Model("one blade"), sm.Air(density=1.2)
        hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: speed * t)))
        rotor = None
        if summed:
            rotor = sm.Rotor(
                model.ground,
                hub,
                radius=radius,
                speed=speed,
                inflow=sm.NoInflow(),
                solidity=0.015,
                air=air,
                blades=("b",),
            )
            model.add("rotor", rotor)
        blade = model.node("b")
        model.add("mass", sm.Body(blade, mass=10.0, com=(2, 0, 0), inertia=(1e-6, 13.0, 13.0)))
        model.add("flap", sm.Revolute(hub, blade, at=(0, 0, 0), axis=(0, 1, 0), start={}))
        aerofoil = sm.ThinAerofoil(slope=5.7, cd_0=0.0)
        plan = sm.Planform(station=(0.0, radius), chord=chord, twist=0.0, aerofoil=aerofoil)
        sm.add_blade_air(model, "b", plan, node=blade, rotor=rotor, air=air)
        found.append(sm.modes(sm.steady_rotation(model, speed)).eigenvalues)
    g = 1.2 * 5.7 * chord * radius**4 / (13.0 + 40.0) / 16.0
    np.testing.assert_allclose(found[0], [speed * complex(-g, np.sqrt(1.0 - g**2))], rtol=1e-6)  # stations are few
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)
