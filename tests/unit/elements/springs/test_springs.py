"""Springs and dampers in motion, against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipk

import samara as sm
from samara.solve.native.kernels import residual
from samara.system.memory.blocks import ACC

G = 9.81
H = 1e-3


def hanging(element, gravity=G, z=-1.0, velocity=0.0, mass=2.0):
    """A mass below the ground's origin; `element` makes what holds it."""
    model = sm.Model("hanging", gravity=(0, 0, -gravity))
    bob = model.node("bob", position=(0, 0, z), velocity=(0, 0, velocity))
    model.add("mass", sm.Body(bob, mass=mass, inertia=(0.1, 0.1, 0.1)))
    model.add("held", element(model.ground, bob))
    return model


def run(model, end, step=H, **options):
    return sm.transient(model, end, step, integrator=sm.CrankNicolson(), progress=False, **options)


def acceleration(model):
    """Of the node "bob" at the start, world axes."""
    sim = sm.Simulation(model)
    sm.assemble(sim)
    return sim.state.read(model["bob"], ACC, 6)


def lost(results):
    """Integral of the dissipated power by the trapezoidal rule."""
    power, t = results["model.dissipated"], results.time
    return np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])


def energy(results):
    return results["model.kinetic"] + results["model.potential"]


STOP = sm.Curve([-1.0, 0.0, 1.0], [-500.0, 0.0, 500.0])


@pytest.mark.parametrize(
    ("element", "sag"),
    [
        (lambda a, b: sm.Spring(a, b, stiffness=500.0, length=1.0), 2 * G / 500.0),
        (lambda a, b: sm.Spring(a, b, stiffness=500.0, length=1.0, preload=4.0), (2 * G - 4.0) / 500.0),
        (lambda a, b: sm.Rod(a, b, law=sm.LinearLaw(500.0), length=1.0), 2 * G / 500.0),
        (lambda a, b: sm.Rod(a, b, law=sm.TableLaw(STOP), length=1.0), 2 * G / 500.0),
        (lambda a, b: sm.Rod(a, b, law=sm.CubicLaw(0.0, 4e4), length=1.0), (2 * G / 4e4) ** (1 / 3)),
        (
            lambda a, b: sm.Rod(a, b, law=sm.OneSidedLaw(sm.LinearLaw(500.0), 0.02, "tension", 0.01), length=1.0),
            2 * G / 500.0 + 0.02 + 0.005,
        ),
        (lambda a, b: sm.Axial(a, b, law=sm.LinearLaw(500.0), rest=-1.0), 2 * G / 500.0),
        (lambda a, b: sm.Axial(b, a, law=sm.LinearLaw(500.0), rest=1.0), 2 * G / 500.0),
    ],
)
def test_static_deflection(element, sag):
    rest = acceleration(hanging(element, z=-1.0 - sag))
    assert rest == pytest.approx(np.zeros(6), abs=1e-12)
    below = acceleration(hanging(element, z=-1.0 - sag - 1e-4))
    assert below[2] > 0.0


@pytest.mark.parametrize("element", [sm.Spring, sm.Rod, sm.Axial])
def test_period_of_a_linear_spring(element):
    """z(t) = A cos(w t), w = sqrt(k/m); the trapezoidal rule's phase error is (w h)^2 / 12 a radian."""
    k, m, amplitude, end = 500.0, 2.0, 0.1, 2.0
    numbers = {"stiffness": k} if element is sm.Spring else {"law": sm.LinearLaw(k)}
    numbers |= {"rest": -1.0} if element is sm.Axial else {"length": 1.0}
    results = run(hanging(lambda a, b: element(a, b, **numbers), gravity=0.0, z=-1.0 - amplitude), end)
    w = np.sqrt(k / m)
    expected = -1.0 - amplitude * np.cos(w * results.time)
    phase = (w * H) ** 2 / 12 * w * end
    assert results["bob.position"][:, 2] == pytest.approx(expected, abs=1.1 * amplitude * phase)
    assert results["held.effort"][0] == pytest.approx(k * amplitude if element is not sm.Axial else -k * amplitude)
    assert energy(results) == pytest.approx(energy(results)[0], abs=1e-6)


def test_damped_spring_decays_as_the_textbooks():
    k, c, m, amplitude = 500.0, 6.0, 2.0, 0.1
    model = hanging(lambda a, b: sm.Spring(a, b, stiffness=k, damping=c, length=1.0), gravity=0.0, z=-1.0 - amplitude)
    results = run(model, 2.0)
    w, zeta = np.sqrt(k / m), c / (2 * np.sqrt(k * m))
    wd = w * np.sqrt(1 - zeta**2)
    t = results.time
    x = amplitude * np.exp(-zeta * w * t) * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))
    assert results["bob.position"][:, 2] == pytest.approx(-1.0 - x, abs=(w * H) ** 2 * amplitude)
    # what is missing was dissipated
    assert energy(results) + lost(results) == pytest.approx(energy(results)[0], abs=(w * H) ** 2 * energy(results)[0])


@pytest.mark.parametrize("cubic", [4e4, -1e4])
def test_duffing_period(cubic):
    """m x'' + k x + c x^3 = 0: T = 4 K(mu) / sqrt((k + c A^2) / m), mu = c A^2 / (2 (k + c A^2))."""
    k, m, amplitude = 500.0, 2.0, 0.1
    law = sm.CubicLaw(k, cubic)
    stiff = k + cubic * amplitude**2
    period = 4 * ellipk(cubic * amplitude**2 / (2 * stiff)) / np.sqrt(stiff / m)
    model = hanging(lambda a, b: sm.Rod(a, b, law=law, length=1.0), gravity=0.0, z=-1.0 - amplitude)
    step = period / 1000
    results = run(model, 5 * period, step)
    x = -1.0 - results["bob.position"][:, 2]
    # zero crossings from above, between samples by a line: one a period, the first after a quarter
    down = np.flatnonzero((x[:-1] > 0) & (x[1:] <= 0))
    crossings = results.time[down] + step * x[down] / (x[down] - x[down + 1])
    assert np.diff(crossings) == pytest.approx(period, rel=2e-5)
    assert crossings[0] == pytest.approx(period / 4, rel=2e-5)
    assert x.max() == pytest.approx(amplitude, rel=1e-4)


@pytest.mark.parametrize("quadratic", [0.0, 20.0])
def test_damper_slows_a_mass_as_the_closed_form(quadratic):
    """m v' = -c v - d |v| v: with d = 0 an exponential, else v = v0 e / (1 + d v0 (1 - e) / c), e = exp(-c t / m)."""
    c, m, v0 = 3.0, 2.0, 1.5
    model = hanging(
        lambda a, b: sm.Damper(a, b, damping=c, quadratic=quadratic), gravity=0.0, z=-1.0, velocity=-v0, mass=m
    )
    results = run(model, 1.0)
    e = np.exp(-c * results.time / m)
    expected = v0 * e / (1 + quadratic * v0 * (1 - e) / c)
    rate = (c + 2 * quadratic * v0) / m  # of the fastest change, at the start: the trapezoidal rule's error follows
    assert -results["bob.velocity"][:, 2] == pytest.approx(expected, abs=(rate * H) ** 2 / 12 * v0)
    taken = energy(results)[0] - energy(results)
    assert lost(results) == pytest.approx(taken, abs=1e-4 * taken[-1])
    assert np.all(results["model.dissipated"] >= 0.0)


class TestContact:
    """A mass that falls on a stop."""

    @staticmethod
    def fall(law, end=1.5):
        model = sm.Model("bounce", gravity=(0, 0, -G))
        ball = model.node("ball", position=(0, 0, 0.5))
        model.add("mass", sm.Body(ball, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
        model.add("floor", sm.Axial(model.ground, ball, law=law))
        return run(model, end, 2e-4)

    @pytest.mark.parametrize("onset", [0.0, 0.002])
    def test_an_elastic_stop_gives_all_back(self, onset):
        results = self.fall(sm.OneSidedLaw(sm.LinearLaw(2e4), onset=onset))
        height, effort = results["ball.position"][:, 2], results["floor.effort"]
        assert np.all(effort <= 0.0)  # never pulls the ball down
        assert np.all(effort[height > 0.0] == 0.0)
        assert height.min() < -0.01
        free = height > 0.0
        assert energy(results)[free] == pytest.approx(energy(results)[0], rel=2e-3)
        # back at the top: once up takes as long as once down
        second = results.time > 2 * np.sqrt(2 * 0.5 / G)
        assert height[second].max() == pytest.approx(0.5, rel=5e-3)

    @pytest.mark.parametrize("onset", [0.0, 0.002])
    def test_a_damped_stop_loses_what_it_dissipates_and_never_pulls(self, onset):
        results = self.fall(sm.OneSidedLaw(sm.LinearLaw(2e4, damping=60.0), onset=onset))
        assert np.all(results["floor.effort"] <= 0.0)
        assert np.all(results["model.dissipated"] >= 0.0)
        total = energy(results) + lost(results)
        assert total[results["ball.position"][:, 2] > 0.0] == pytest.approx(total[0], rel=1e-2)
        assert energy(results)[-1] < 0.6 * energy(results)[0]

    def test_a_slack_cable_does_not_push(self):
        cable = sm.OneSidedLaw(sm.LinearLaw(5000.0), side="tension")
        model = hanging(lambda a, b: sm.Rod(a, b, law=cable, length=1.0), z=-0.5)
        results = run(model, 0.6, 2e-4)
        t, z = results.time, results["bob.position"][:, 2]
        slack = t < np.sqrt(2 * 0.5 / G)
        assert z[slack] == pytest.approx(-0.5 - 0.5 * G * t[slack] ** 2, abs=1e-9)
        assert np.all(results["held.effort"] >= 0.0)
        assert np.all(results["held.effort"][slack] == 0.0)
        assert z.min() > -1.1


def test_axial_is_zero_at_the_start_if_given_by_its_axis():
    """About an axis across, from the place where the model stands."""
    law = sm.LinearLaw(500.0, preload=20.0)
    model = hanging(lambda a, b: sm.Axial(a, b, law=law, axis=(0, 3, 0)), gravity=0.0)
    assert acceleration(model) == pytest.approx([0, -10.0, 0, 0, 0, 0], abs=1e-12)


class TestTorsion:
    @staticmethod
    def hinge(law, rest=0.0, spin=0.0, **placed):
        model = sm.Model("hinge")
        wheel = model.node("wheel", angular_velocity=(0, 0, spin))
        model.add("disc", sm.Body(wheel, mass=1.0, inertia=(0.1, 0.1, 0.2)))
        model.add("axle", sm.Revolute(model.ground, wheel, at=(0, 0, 0), axis=(0, 0, 1)))
        placed = placed or {"at": (0, 0, 0), "axis": (0, 0, 1)}
        model.add("torsion", sm.Torsion(model.ground, wheel, law=law, rest=rest, **placed))
        return model

    def test_period(self):
        """q = q0 cos(w t), w = sqrt(k / J), from an angle q0 away from rest."""
        k, J, rest = 5.0, 0.2, -2.5
        results = run(self.hinge(sm.LinearLaw(k), rest=rest), 2.0)
        w = np.sqrt(k / J)
        phase = (w * H) ** 2 / 12 * w * 2.0
        assert results["torsion.angle"] == pytest.approx(-rest * np.cos(w * results.time), abs=1.1 * abs(rest) * phase)
        assert energy(results) == pytest.approx(0.5 * k * rest**2, rel=1e-5)

    def test_the_jump_is_opposite_to_rest(self):
        """Passing pi matters to a joint's angle, not to a spring at rest there."""
        law = sm.LinearLaw(5.0)
        results = run(self.hinge(law, rest=3.0, spin=0.0), 1.0)
        assert results["torsion.angle"][0] == pytest.approx(-3.0)
        angle = np.unwrap(results["axle.angle"])
        assert angle.max() > np.pi  # the joint's own angle has jumped, the spring's has not
        assert results["torsion.angle"] == pytest.approx(angle - 3.0, abs=1e-9)

    def test_a_damper_works_through_many_turns(self):
        """J w' = -c w: w = w0 exp(-c t / J)."""
        results = run(self.hinge(sm.DamperLaw(0.05), spin=60.0), 2.0)
        turns = np.unwrap(results["torsion.angle"])[-1] / (2 * np.pi)
        assert turns > 10
        expected = 60.0 * np.exp(-0.05 / 0.2 * results.time)
        assert results["wheel.angular_velocity"][:, 2] == pytest.approx(expected, rel=1e-7)

    def test_it_pulls_b_back_and_a_along(self):
        """A twisted spring turns b towards rest and a away from it, about any axis."""
        axis = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
        model = sm.Model("pair")
        nodes = [model.node(name) for name in "ab"]
        for node in nodes:
            model.add(f"body_{node.name}", sm.Body(node, mass=1.0, inertia=(0.2, 0.2, 0.2)))
        model.add("torsion", sm.Torsion(*nodes, law=sm.LinearLaw(3.0), rest=0.4, at=(0, 0, 0), axis=axis))
        sim = sm.Simulation(model)
        sm.assemble(sim)
        a, b = (sim.state.read(node, ACC, 6)[3:] for node in nodes)
        assert b == pytest.approx(3.0 * 0.4 / 0.2 * axis)
        assert a == pytest.approx(-b)


class TestLine:
    def test_length_is_by_default_the_distance_at_the_start(self):
        model = hanging(lambda a, b: sm.Spring(a, b, stiffness=10.0, place_a=(0, 0, 2), place_b=(0, 4, -1)))
        assert model["held"].length == pytest.approx(np.hypot(4.0, 4.0))

    def test_ends_in_the_world(self):
        ends = ((0.1, 0.2, 0.3), (1.0, 0.0, 0.0))
        model = sm.Model("ends")
        turned = sm.Placement(rotation=[[0, -1, 0], [1, 0, 0], [0, 0, 1]]).rotation
        bob = model.node("bob", position=(3, 2, 1), rotation=turned)
        model.add("body", sm.Body(bob, mass=1.0, inertia=(1, 1, 1)))
        spring = model.add("spring", sm.Spring(model.ground, bob, stiffness=1.0, ends=ends))
        assert spring.place_a.position == pytest.approx(ends[0])
        assert bob.place.point(spring.place_b.position) == pytest.approx(ends[1])
        assert spring.length == pytest.approx(np.linalg.norm(np.subtract(*ends)))

    def test_a_rod_turns_freely(self):
        """The force is along the line, whatever the axes of the nodes: a stretched rod across makes a moment."""
        model = hanging(
            lambda a, b: sm.Spring(a, b, stiffness=100.0, length=0.5, ends=((0, 0, 0), (1.0, 0, 0))), gravity=0.0
        )
        acc = acceleration(model)
        assert acc[:3] == pytest.approx([-25.0, 0, 0])  # 100 N/m * 0.5 m on 2 kg
        assert acc[3:] == pytest.approx([0, -500.0, 0])  # (1, 0, 1) m x (-50, 0, 0) N on 0.1 kg m^2

    def test_coincident_ends_make_no_force_and_no_nan(self):
        model = hanging(lambda a, b: sm.Spring(a, b, stiffness=100.0, damping=1.0, length=0.0), z=0.0, gravity=0.0)
        assert acceleration(model) == pytest.approx(np.zeros(6))
        results = run(hanging(lambda a, b: sm.Spring(a, b, stiffness=100.0, length=0.0), z=0.0, gravity=G), 0.1)
        w = np.sqrt(50.0)
        expected = -G / w**2 * (1 - np.cos(w * results.time))
        assert results["bob.position"][:, 2] == pytest.approx(expected, abs=1e-4)

    def test_jacobian_is_finite_where_the_ends_coincide(self):
        model = hanging(lambda a, b: sm.Spring(a, b, stiffness=100.0, damping=1.0, length=0.0), z=0.0)
        sim = sm.Simulation(model)
        sim.state.weigh(1.0, 1.0, 1.0)
        residual(sim.machine)
        assert np.all(np.isfinite(sim.system.arrays.res))
        assert np.all(np.isfinite(sim.matrix_values()))


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (lambda a, b: sm.Spring(a, b, stiffness=-1.0), "Spring: stiffness must be a number that is not negative"),
        (lambda a, b: sm.Spring(a, b, stiffness=1.0, length=-1.0), "length must be a number that is not negative"),
        (lambda a, b: sm.Spring(a, b, stiffness=1.0, at=(0, 0, 0)), "give ends=(point, point)"),
        (lambda a, b: sm.Spring(a, b, stiffness=1.0, ends=(0, 0, 0)), "ends must be two points"),
        (lambda a, b: sm.Spring(a, b, stiffness=1.0, ends=((0, 0, 0), (1, 0, 0)), place_a=(0, 0, 1)), "not both"),
        (
            lambda a, b: sm.Spring(a, b, stiffness=1.0, length=0.5, place_b=(0, 0, 1)),
            "its ends coincide in the reference pose",
        ),
        (lambda a, b: sm.Damper(a, b, damping=-2.0), "Damper: damping must be a number that is not negative"),
        (lambda a, b: sm.Rod(a, b, law=100.0), "law must be a Law such as LinearLaw(stiffness, damping), got 100.0"),
        (
            lambda a, b: sm.Rod(a, b, law=sm.LinearLaw(1.0, -1.0)),
            "Rod: law: LinearLaw: damping must be a number that is not negative",
        ),
        (lambda a, b: sm.Torsion(a, b, law=sm.Sine(1.0, 2.0)), "law must be a Law"),
        (lambda a, b: sm.Axial(a, b, law=sm.LinearLaw(1.0), axis=(0, 0, 0)), "axis is a direction"),
    ],
)
def test_bad_fields_name_element_and_field(element, words):
    with pytest.raises(sm.ModelError) as error:
        hanging(element)
    assert "element 'held'" in str(error.value)
    assert words in str(error.value)
