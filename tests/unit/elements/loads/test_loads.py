"""Loads: the right wrench at the right point, the right motion, and the power they put in."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, rotation_z
from samara.system.memory.blocks import ACC

H = 1e-3
MASS, INERTIA = 2.0, np.diag([0.1, 0.2, 0.25])


def free_body(*loads, rotation=None, spin=(0.0, 0.0, 0.0), gravity=(0, 0, 0)):
    """A body in space with loads made by functions of its node."""
    model = sm.Model("free", gravity=gravity)
    node = model.node("bob", position=(0.3, -0.2, 0.1), rotation=rotation, angular_velocity=spin)
    model.add("body", sm.Body(node, mass=MASS, inertia=INERTIA))
    for k, load in enumerate(loads):
        model.add(f"load{k}", load(node))
    return model


def acceleration(model, name="bob"):
    """(dv, dw) of a node in its own axes, at the start."""
    sim = sm.Simulation(model)
    sm.assemble(sim)
    return sim.state.read(model[name], ACC, 6)


def run(model, end, step=H):
    return sm.transient(model, end, step, progress=False)


R = exp_so3([0.4, -0.9, 1.3])
F, P = np.array([3.0, -1.0, 2.0]), np.array([0.5, 0.2, -0.4])


class TestWrench:
    def test_force_fixed_in_the_world_at_an_offset_point(self):
        acc = acceleration(free_body(lambda n: sm.Force(n, force=F, point=P), rotation=R))
        assert acc[:3] == pytest.approx(R.T @ F / MASS)
        assert acc[3:] == pytest.approx(np.linalg.solve(INERTIA, np.cross(P, R.T @ F)))

    def test_following_force_at_an_offset_point(self):
        acc = acceleration(free_body(lambda n: sm.FollowerForce(n, force=F, point=P), rotation=R))
        assert acc[:3] == pytest.approx(F / MASS)
        assert acc[3:] == pytest.approx(np.linalg.solve(INERTIA, np.cross(P, F)))

    def test_couples(self):
        acc = acceleration(free_body(lambda n: sm.Couple(n, couple=F), rotation=R))
        assert acc == pytest.approx([0, 0, 0, *np.linalg.solve(INERTIA, R.T @ F)])
        acc = acceleration(free_body(lambda n: sm.FollowerCouple(n, couple=F), rotation=R))
        assert acc == pytest.approx([0, 0, 0, *np.linalg.solve(INERTIA, F)])

    @pytest.mark.parametrize(
        ("load", "field"),
        [(sm.Force, "force"), (sm.FollowerForce, "force"), (sm.Couple, "couple"), (sm.FollowerCouple, "couple")],
    )
    def test_magnitude_and_direction_are_the_same_load(self, load, field):
        by_parts = acceleration(free_body(lambda n: load(n, **{field: F}), rotation=R))
        size = float(np.linalg.norm(F))
        whole = acceleration(free_body(lambda n: load(n, magnitude=size, direction=10 * F), rotation=R))
        assert whole == pytest.approx(by_parts, abs=1e-12)

    def test_a_point_in_the_world(self):
        here = np.array([1.0, 2.0, 3.0])
        model = free_body(lambda n: sm.Force(n, force=F, at=here), rotation=R)
        assert model["load0"].point == pytest.approx(R.T @ (here - [0.3, -0.2, 0.1]))


class TestMotion:
    def test_follower_couple_spins_a_body_up(self):
        """w = C t / J, and the angle C t^2 / (2 J), about a principal axis."""
        results = run(free_body(lambda n: sm.FollowerCouple(n, couple=(0, 0, 0.5)), rotation=R), 2.0)
        w = R.T @ results["bob.angular_velocity"].T
        assert w[2] == pytest.approx(0.5 * results.time / 0.25, abs=1e-9)
        assert w[:2] == pytest.approx(0.0, abs=1e-9)
        angle = 0.5 * results.time[-1] ** 2 / (2 * 0.25)
        assert results["bob.rotation"][-1].reshape(3, 3) == pytest.approx(R @ rotation_z(angle), abs=1e-5)

    def test_a_fixed_force_keeps_its_direction_on_a_turning_body(self):
        """The centre of mass does not know that the body spins."""
        results = run(free_body(lambda n: sm.Force(n, force=(4.0, 0, 0)), spin=(0, 0, 30.0)), 1.0)
        x = 0.3 + 0.5 * 4.0 / MASS * results.time**2
        # the scheme turns the step's displacement with the body: second order in the angle of a step
        assert results["bob.position"][:, 0] == pytest.approx(x, abs=2 * (30.0 * H) ** 2)
        assert results["bob.position"][:, 1] == pytest.approx(-0.2, abs=2 * (30.0 * H) ** 2)

    def test_a_following_force_on_a_turning_body_goes_round(self):
        """v = F / (m w) (sin wt, 1 - cos wt)."""
        w = 10.0
        results = run(free_body(lambda n: sm.FollowerForce(n, force=(4.0, 0, 0)), spin=(0, 0, w)), 1.0)
        t, size = results.time, 4.0 / (MASS * w)
        v = results["bob.velocity"]
        assert v[:, 0] == pytest.approx(size * np.sin(w * t), abs=(w * H) ** 2 * size * 5)
        assert v[:, 1] == pytest.approx(size * (1 - np.cos(w * t)), abs=(w * H) ** 2 * size * 5)

    def test_supplied_power_is_what_the_body_gains(self):
        loads = (
            lambda n: sm.Force(n, force=(lambda t: 3 * np.cos(2 * t), 1.0, sm.Sine(2.0, 5.0)), point=P),
            lambda n: sm.FollowerCouple(n, couple=(0.1, -0.2, sm.Ramp(0.5))),
        )
        results = run(free_body(*loads, rotation=R, spin=(0.5, 1.0, -0.7)), 1.0)
        power, kinetic = results["model.supplied"], results["model.kinetic"]
        work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * H)])
        assert kinetic - kinetic[0] == pytest.approx(work, abs=1e-4 * np.abs(work).max())

    def test_loads_add(self):
        both = acceleration(free_body(lambda n: sm.Force(n, force=F), lambda n: sm.Force(n, force=2 * F)))
        assert both[:3] == pytest.approx(3 * F / MASS)


class TestGravity:
    def test_weight_acts_at_the_centre_of_mass(self):
        model = sm.Model("weight", gravity=(0.0, 0.0, -9.81))
        node = model.node("bob", rotation=R)
        model.add("body", sm.Body(node, mass=MASS, inertia=INERTIA, com=P))
        acc = acceleration(model)
        # a free body falls without turning: its centre of mass, and so its node, by g
        assert R @ acc[:3] == pytest.approx([0, 0, -9.81])
        assert acc[3:] == pytest.approx(0.0, abs=1e-12)

    def test_driven_gravity(self):
        """v = -4 t^2 under g = -8 t; the third component is a parameter."""
        side = sm.Parameter("side", 1.5, unit="m/s^2")
        results = run(free_body(gravity=(side, 0.0, lambda t: -8.0 * t)), 1.0)
        assert results["bob.velocity"][:, 2] == pytest.approx(-4.0 * results.time**2, abs=1e-5)
        assert results["bob.velocity"][:, 0] == pytest.approx(1.5 * results.time, abs=1e-9)

    def test_a_body_may_have_its_own(self):
        model = sm.Model("own", gravity=(0, 0, -9.81))
        node = model.node("bob")
        model.add("body", sm.Body(node, mass=MASS, inertia=INERTIA, gravity=(0, 1.0, 0)))
        assert acceleration(model)[:3] == pytest.approx([0, 1.0, 0])


class TestActuators:
    @staticmethod
    def pair(actuator):
        model = sm.Model("pair")
        a = model.node("a", position=(0, 0, 0), rotation=R)
        b = model.node("b", position=(1, 0.5, 0))
        for node, mass in ((a, 1.0), (b, 3.0)):
            model.add(f"body_{node.name}", sm.Body(node, mass=mass, inertia=mass * INERTIA))
        model.add("actuator", actuator(a, b))
        return model

    def test_tension_pulls_both_along_their_line(self):
        model = self.pair(lambda a, b: sm.Actuator(a, b, tension=6.0))
        line = np.array([1, 0.5, 0]) / np.hypot(1, 0.5)
        assert R @ acceleration(model, "a")[:3] == pytest.approx(6.0 * line)
        assert acceleration(model, "b")[:3] == pytest.approx(-2.0 * line)

    def test_action_is_reaction_and_power_is_counted(self):
        drive = sm.Sine(20.0, 3.0, phase=0.5)
        model = self.pair(lambda a, b: sm.Actuator(a, b, tension=drive, place_a=(0.1, 0, 0.2), place_b=(0, 0.3, 0)))
        results = run(model, 0.6)
        momentum = results["body_a.momentum"] + results["body_b.momentum"]
        assert momentum == pytest.approx(np.zeros_like(momentum), abs=1e-4)
        assert results["actuator.effort"] == pytest.approx(20.0 * np.sin(3.0 * results.time + 0.5))
        power, kinetic = results["model.supplied"], results["model.kinetic"]
        work = np.sum(0.5 * (power[1:] + power[:-1])) * H
        assert kinetic[-1] - kinetic[0] == pytest.approx(work, rel=1e-4)

    def test_rotary_actuator_spins_a_wheel_through_many_turns(self):
        """J dw/dt = torque; the node that holds the motor feels the opposite."""
        model = sm.Model("motor")
        wheel = model.node("wheel")
        model.add("disc", sm.Body(wheel, mass=1.0, inertia=(0.1, 0.1, 0.2)))
        model.add("axle", sm.Revolute(model.ground, wheel, at=(0, 0, 0), axis=(0, 0, 1)))
        model.add("motor", sm.RotaryActuator(model.ground, wheel, torque=lambda t: 6 * t, axis=(0, 0, 1)))
        results = run(model, 3.0)
        w = results["wheel.angular_velocity"][:, 2]
        assert w == pytest.approx(3.0 * results.time**2 / 0.2, abs=1e-4)
        assert np.sum(w) * H > 10 * np.pi
        assert results["model.supplied"] == pytest.approx(6 * results.time * w)

    def test_rotary_actuator_turns_the_two_against_each_other(self):
        model = self.pair(lambda a, b: sm.RotaryActuator(a, b, torque=2.0, at=(0, 0, 0), axis=(0, 1, 0)))
        couple_a = R @ INERTIA @ acceleration(model, "a")[3:]
        couple_b = 3.0 * INERTIA @ acceleration(model, "b")[3:]
        assert couple_b == pytest.approx([0, 2.0, 0], abs=1e-12)
        assert couple_a == pytest.approx([0, -2.0, 0], abs=1e-12)


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (lambda n: sm.Force(n), "give either force=(x, y, z), or a magnitude with a direction"),
        (lambda n: sm.Force(n, force=F, magnitude=1.0, direction=F), "give either force"),
        (lambda n: sm.Force(n, magnitude=1.0), "give either force"),
        (lambda n: sm.Couple(n, magnitude=1.0), "give either couple"),
        (lambda n: sm.Force(n, magnitude=1.0, direction=(0, 0, 0)), "direction must not be zero"),
        (lambda n: sm.Force(n, force=(1.0, 2.0)), "Force: force must have 3 components"),
        (lambda n: sm.Force(n, force=4.0), "Force: force must have 3 components"),
        (lambda n: sm.Force(n, force=(1.0, 2.0, "lift")), "Force: force: 'lift' is not a drive"),
        (
            lambda n: sm.Force(n, force=(1.0, 2.0, sm.Sine("a", 2.0))),
            "Force: force: Sine: amplitude must be a finite number",
        ),
        (lambda n: sm.Force(n, force=F, point=(1.0, 2.0)), "Force: point must have shape (3,)"),
        (lambda n: sm.Force(n, force=F, point=P, at=P), "give either at in the world, or point"),
        (lambda n: sm.FollowerCouple(n, couple=(1.0, 2.0, float("inf"))), "must be a finite number"),
    ],
)
def test_bad_fields_name_element_and_field(load, words):
    with pytest.raises(sm.ModelError) as error:
        free_body(load)
    assert "element 'load0'" in str(error.value)
    assert words in str(error.value)
