"""What is part of a model stays as it is; a simulation of a model that has changed since refuses to go on."""

import copy

import numpy as np
import pytest

import samara as sm
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.system.memory.blocks import ACC, ETA


def oscillator():
    model = sm.Model("oscillator")
    mass = model.node("mass", position=(1, 0, 0))
    model.add("body", sm.Body(mass, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, mass, axis=(1, 0, 0)))
    law = sm.LinearLaw(sm.Parameter("stiffness", 50.0, "N/m", lower=0.0)) + sm.DamperLaw(1.0)
    model.add("spring", sm.Rod(model.ground, mass, law=law, length=0.5))
    model.add("push", sm.Force(mass, force=(sm.Sine(1.0, 2.0), 0, 0)))
    return model


def refused(call, *words):
    with pytest.raises(sm.ModelError) as error:
        call()
    for word in words:
        assert word in str(error.value)


class TestFields:
    @pytest.mark.parametrize(("element", "field"), [("body", "mass"), ("spring", "length"), ("rail", "axis")])
    def test_of_an_element(self, element, field):
        model = oscillator()
        words = (f"element '{element}' is part of a model", f"its {field} can no longer be changed", "Parameter")
        refused(lambda: setattr(model[element], field, 3.0), *words)
        refused(lambda: delattr(model[element], field), *words)

    def test_of_the_laws_and_drives_inside(self):
        model = oscillator()
        law = model["spring"].law
        refused(lambda: setattr(law, "terms", ()), "SumLaw of element 'spring' is part of a model")
        refused(lambda: setattr(law.terms[1], "damping", 3.0), "DamperLaw of SumLaw of element 'spring'", "damping")
        refused(lambda: setattr(model["push"].force[0], "amplitude", 3.0), "Sine of element 'push'", "amplitude")

    def test_of_a_node_a_motion_a_state_and_of_gravity(self):
        model = oscillator()
        for field in ("position", "place", "velocity", "kind", "name"):
            refused(lambda f=field: setattr(model["mass"], f, (0, 0, 1)), "node 'mass'", field, "node.begin(")
        shaker = model.prescribed("shaker", sm.Motion(position=(sm.Sine(1.0, 2.0), 0, 0)))
        refused(lambda: setattr(shaker.motion, "rotation", (0, 0, 0)), "a Motion is part of a model", "rotation")
        refused(lambda: setattr(shaker.motion.position[0], "frequency", 3.0), "Sine of a Motion", "frequency")
        refused(lambda: setattr(model.state("pressure"), "value", 2.0), "state 'pressure'", "value")
        refused(lambda: setattr(model, "gravity", (0, 0, -9.81)), "set gravity when creating the model")

    def test_before_it_joins_anything_may_change(self):
        model = sm.Model("free")
        body = sm.Body(model.node("mass"), mass=2.0, inertia=(1, 1, 1))
        body.mass = 3.0
        assert model.add("body", body).mass == 3.0

    def test_a_copy_for_a_trace_may_change(self):
        """Elements work on a twin of themselves, in which some fill in what follows from the numbers."""
        spring = oscillator()["spring"]
        twin = spring.rebuild(iter(spring.leaves()))
        twin.length = 3.0
        assert spring.length == 0.5
        assert copy.deepcopy(spring).length == 0.5


class TestArrays:
    """Numbers are taken as they are when an element joins: no array of the user's leads back to them."""

    def test_the_users_own_array_may_change(self):
        model, inertia, com = sm.Model("own"), np.array([1.0, 2.0, 2.5]), np.array([0.1, 0.0, 0.0])
        bodies = []
        for k in range(2):
            com[0] = 0.1 * k
            bodies.append(model.add(f"body{k}", sm.Body(model.node(f"n{k}"), mass=1.0, inertia=inertia, com=com)))
        inertia[:] = 7.0
        assert [float(b.com[0]) for b in bodies] == [0.0, 0.1]
        np.testing.assert_array_equal(np.diag(bodies[0].inertia), [1.0, 2.0, 2.5])

    def test_the_fields_array_may_not(self):
        model = sm.Model("own")
        position = np.zeros(3)
        node = model.node("n", position=position)
        body = model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        for array in (body.inertia, body.com, node.position, node.rotation, node.velocity):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 3.0
        position[:] = 9.0
        assert not np.any(node.position)


def test_elements_fill_in_their_own_fields_when_a_parameter_changes():
    """A driven rest that is zero at first: the joint learns of its turn by its own check."""
    model = sm.Model("hinge")
    node = model.node("bob")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    stiffness = sm.Parameter("stiffness", 1.0, "N m/rad", lower=0.0)
    law = sm.ComponentLaw((sm.LinearLaw(stiffness), None, sm.FrictionLaw(1.0, transition=0.1)))
    model.add("hinge", sm.DeformableHinge(model.ground, node, law=law))
    system = sm.System(model)
    system.set_parameter("stiffness", 3.0)
    assert model.parameters["stiffness"].value == 3.0
    refused(lambda: setattr(model["hinge"], "law", None), "element 'hinge' is part of a model")


class TestChangedModel:
    """A simulation goes on with what was compiled: where the model is another by now, it says so."""

    CHANGES = {
        "element 'brake' was added": lambda m: m.add("brake", sm.Damper(m.ground, m["mass"], damping=9.0)),
        "node 'other' was added": lambda m: m.node("other"),
        "state 'pressure' was added": lambda m: m.state("pressure"),
        "element 'push' was removed": lambda m: m.elements.pop("push"),
        "begin was called on node 'mass'": lambda m: m["mass"].begin(velocity=(1, 0, 0)),
        "parameter 'stiffness' was assigned a value": lambda m: setattr(m.parameters["stiffness"], "value", 9.0),
    }
    USES = {
        "transient": lambda sim: sm.transient(sim, 0.2, 1e-2, progress=False),
        "static": lambda sim: sm.static(sim),
        "assemble": sm.assemble,
        "modes": lambda sim: sm.modes(sim),
        "linearise": sm.linearise,
        "steady_rotation": lambda sim: sm.steady_rotation(sim, 1.0),
        "a new Simulation of the old System": lambda sim: sm.Simulation(sim.system),
        "Stepper": lambda sim: sm.Stepper(sim, 1e-2),
    }

    @pytest.mark.parametrize("what", CHANGES)
    def test_says_what_has_changed(self, what):
        model = oscillator()
        sim = sm.Simulation(model)
        sm.transient(sim, 0.1, 1e-2, progress=False)
        self.CHANGES[what](model)
        words = "model 'oscillator' has changed since it was compiled", what, "make a new System or Simulation"
        refused(lambda: sm.transient(sim, 0.2, 1e-2, progress=False), *words)

    @pytest.mark.parametrize("use", USES)
    def test_whatever_is_done_next(self, use):
        model = oscillator()
        sim = sm.Simulation(model)
        model.add("brake", sm.Damper(model.ground, model["mass"], damping=9.0))
        refused(lambda: self.USES[use](sim), "element 'brake' was added")

    def test_in_the_middle_of_steps(self):
        model = oscillator()
        stepper = sm.Stepper(model, 1e-2)
        stepper.advance(3)
        model.add("brake", sm.Damper(model.ground, model["mass"], damping=9.0))
        refused(stepper.advance, "element 'brake' was added")

    def test_in_real_time(self):
        model = oscillator()
        with RealTime(model, 100.0, clock=made_up()) as runner:
            model.add("brake", sm.Damper(model.ground, model["mass"], damping=9.0))
            refused(lambda: runner.run(0.1), "element 'brake' was added")

    def test_a_new_simulation_has_it_all(self):
        model = oscillator()
        sm.transient(model, 0.1, 1e-2, progress=False)
        model["mass"].begin(velocity=(3.0, 0, 0))
        model.add("brake", sm.Damper(model.ground, model["mass"], damping=10.0))
        model.parameters["stiffness"].value = 20.0
        sim = sm.Simulation(model)
        sm.assemble(sim)
        assert sim.state.read(model["mass"], ETA, 1)[0] == 3.0
        # m a = -k (x - l) - (c + brake) v at t = 0, where the push is zero
        assert sim.state.read(model["mass"], ACC, 1)[0] == pytest.approx((-20.0 * 0.5 - 11.0 * 3.0) / 2.0)

    def test_a_parameter_set_through_the_system_is_no_change(self):
        """Two simulations of a model may have it differ; an assignment is checked against the limits as well."""
        model = oscillator()
        one, two = sm.Simulation(model), sm.Simulation(model)
        one.system.set_parameter("stiffness", 10.0)
        two.system.set_parameter("stiffness", 30.0)
        for sim, k in ((one, 10.0), (two, 30.0)):
            sm.assemble(sim)
            assert sim.state.read(model["mass"], ACC, 1)[0] == pytest.approx(-k * 0.5 / 2.0)
        refused(lambda: setattr(model.parameters["stiffness"], "value", -1.0), "outside [0, inf]")


def test_begin_leaves_attachments_where_they_were():
    """A pendulum described hanging down and started to the side: its hinge stays at the origin."""
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0, 0, -1))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    R = sm.rotations.rotation_y(-0.5 * np.pi)
    bob.begin(sm.Placement(R @ [0, 0, -1], R), velocity=(0, 0, -2.0), angular_velocity=(0, 2.0, 0))
    results = sm.transient(model, 0.01, 1e-3, progress=False)
    assert results["bob.position"][0] == pytest.approx([1, 0, 0], abs=1e-12)
    assert results["hinge.angle"][0] == pytest.approx(-0.5 * np.pi)
    assert results["hinge.angle_rate"][0] == pytest.approx(2.0)


def test_begin_before_or_after_what_is_attached_is_the_same():
    """Natural lengths and joints are those of the reference pose: a spring of 200 N/m starts stretched by 0.1 m."""

    def stretched(order: str) -> sm.Results:
        model = sm.Model("cart")
        cart, begin = model.node("cart", position=(1, 0, 0)), lambda: cart.begin(sm.Placement((1.1, 0, 0)))
        if order == "before":
            begin()
        model.add("mass", sm.Body(cart, mass=1.0, inertia=(1, 1, 1)))
        model.add("rail", sm.Prismatic(model.ground, cart, at=(0, 0, 0), axis=(1, 0, 0)))
        model.add("spring", sm.Spring(model.ground, cart, stiffness=200.0))
        if order == "after":
            begin()
        assert cart.position.tolist() == [1, 0, 0] and cart.start.position.tolist() == [1.1, 0, 0]
        return sm.transient(model, 0.01, 1e-3, progress=False)

    before, after = stretched("before"), stretched("after")
    assert before["spring.effort"][0] == pytest.approx(20.0) and before["rail.displacement"][0] == pytest.approx(0.1)
    assert np.array_equal(before.table, after.table)


def test_a_model_by_number_and_parameters_that_are_no_numbers():
    model = oscillator()
    refused(lambda: model[0], "nodes, elements and states are looked up by name, got 0")
    refused(lambda: sm.Parameter("k", "much"), "parameter 'k' must be a number, got 'much'")
    for value in ("1", True, np.True_, None):
        refused(lambda value=value: sm.Parameter("k", value), f"parameter 'k' must be a number, got {value!r}")
        refused(lambda value=value: sm.Parameter("k", 1.0, lower=value), "parameter 'k': lower must be a number")
    refused(lambda: sm.Parameter("k", 1.0, 5), "parameter 'k': unit must be a string")
