"""A wrong model: every error names the culprit and a remedy."""

import numpy as np
import pytest

import samara as sm

ROUND = (1.0, 1.0, 1.0)


@pytest.fixture
def model():
    return sm.Model("machine")


def body(model, name, position=(0.0, 0.0, 0.0), **motion):
    """A node with a body."""
    node = model.node(name, position, **motion)
    model.add(f"{name}.body", sm.Body(node, mass=1.0, inertia=ROUND))
    return node


def refused(call, *words):
    """Calls and checks that a `ModelError` has all these words."""
    with pytest.raises(sm.ModelError) as error:
        call()
    for word in words:
        assert word in str(error.value)


class TestNames:
    def test_a_name_is_taken_once(self, model):
        arm = body(model, "arm")
        refused(lambda: model.node("arm"), "model 'machine'", "already has an item named 'arm'", "choose another")
        refused(lambda: model.prescribed("arm", sm.Motion()), "already has an item named 'arm'")
        refused(lambda: model.node("arm.body"), "already has an item named 'arm.body'")
        spring = sm.Spring(model.ground, arm, stiffness=1.0, place_b=(1, 0, 0))
        refused(lambda: model.add("arm", spring), "already has an item named 'arm'")
        refused(lambda: model.node("ground"), "already has an item named 'ground'")

    @pytest.mark.parametrize("name", ["", None, 3, "my arm", "a/b", "arm*", "model"])
    def test_a_name_can_be_part_of_a_channel(self, model, name):
        refused(lambda: model.node(name), "model 'machine'", "is not a valid name")

    def test_an_unknown_name_suggests_near_ones(self, model):
        body(model, "left_arm")
        refused(lambda: model["left_amr"], "has no node, element or state 'left_amr'", "did you mean 'left_arm'")
        refused(lambda: model["zebra"], "has no node, element or state 'zebra'")

    def test_an_element_joins_once(self, model):
        element = sm.Spherical(model.ground, body(model, "arm"), at=(0, 0, 0))
        model.add("pivot", element)
        refused(lambda: model.add("again", element), "'pivot' cannot be added again as 'again'", "create a second one")

    def test_what_is_not_an_element(self, model):
        refused(lambda: model.add("arm", sm.LinearLaw(1.0)), "'arm'", "is not an element")


def test_arguments_of_another_kind_are_named(model):
    for name in ("", None, 5):
        with pytest.raises(sm.ArgumentError, match=f"Model: name must be a non-empty string, got {name!r}"):
            sm.Model(name)
        with pytest.raises(sm.ArgumentError, match=f"Parameter: name must be a non-empty string, got {name!r}"):
            sm.Parameter(name, 1.0)
    for static in ("no", 1, None):
        with pytest.raises(sm.ArgumentError, match=f"node 'arm': static must be True or False, got {static!r}"):
            model.node("arm", static=static)
    body(model, "leg")
    for wrong in (5, (np.inf, 0, 0), ("a", 0, 0), (1, 2)):
        words = f"must be three finite numbers, got {wrong!r}"
        refused(lambda wrong=wrong: model.node("arm", velocity=wrong), "node 'arm': velocity", words)
        refused(lambda wrong=wrong: model.node("arm", angular_velocity=wrong), "node 'arm': angular_velocity", words)
        refused(lambda wrong=wrong: model["leg"].begin(velocity=wrong), "node 'leg': velocity", words)
    refused(lambda: model.node("arm", frame=5), "node 'arm': frame must be a Placement or another node, got 5")
    refused(lambda: model.prescribed("arm", sm.Motion(), frame="hub"), "node 'arm': frame must be a Placement")
    refused(lambda: model.follow(model.ground), "node 'ground' is ground, so no part can follow it")
    hub = model.prescribed("hub", sm.Motion())
    for given in ({"place": sm.Placement()}, {"velocity": (1, 0, 0)}, {"angular_velocity": (1, 0, 0)}, {}):
        refused(lambda given=given: model.ground.begin(**given), "node 'ground' does not move: call begin")
        if "place" not in given and given:
            refused(lambda given=given: hub.begin(**given), "node 'hub' follows its Motion")
    refused(lambda: model.follow(hub), "node 'hub' is prescribed, so no part can follow it")


@pytest.mark.parametrize("angle", ["1", True, np.True_, [True], None, ("1",)])
def test_starts_are_numbers(model, angle):
    arm = body(model, "arm", (1, 0, 0))
    hinge = sm.Revolute(model.ground, arm, at=(0, 0, 0), axis=(0, 1, 0), start={"angle": angle})
    refused(lambda: model.add("hinge", hinge), "start: angle must be a finite number [rad], got ")


class TestModel:
    @pytest.mark.parametrize("gravity", [9.81, (0.0, -9.81), (0.0, 0.0, 0.0, -9.81)])
    def test_gravity_has_three_components(self, gravity):
        refused(lambda: sm.Model("machine", gravity=gravity), "model 'machine': gravity must have 3 components")

    def test_gravity_is_made_of_drives(self):
        refused(lambda: sm.Model("machine", gravity=(0, 0, "down")), "'down' is not a drive")

    def test_a_prescribed_node_takes_a_motion(self, model):
        refused(lambda: model.prescribed("shaker", (0, 0, lambda t: t)), "node 'shaker'", "give a Motion(position=")


class TestNodes:
    def test_a_node_of_another_model(self, model):
        stranger = sm.Model("other").node("arm")
        refused(
            lambda: model.add("hinge", sm.Revolute(model.ground, stranger, axis=(0, 0, 1))),
            "element 'hinge'",
            "node 'arm' does not belong to model 'machine'",
        )
        refused(
            lambda: model.add("hinge", sm.Revolute(sm.Model("other").ground, body(model, "arm"), axis=(0, 0, 1))),
            "node 'ground' does not belong to model 'machine'",
        )

    def test_a_node_by_its_name_only(self, model):
        refused(
            lambda: model.add("hinge", sm.Revolute(model.ground, "arm", axis=(0, 0, 1))),
            "element 'hinge'",
            "'arm' is not a node",
            "use the object returned by model.node(...)",
        )

    def test_a_place_that_is_none(self, model):
        refused(lambda: model.node("arm", position=(1, 2)), "node 'arm'", "position must be three finite numbers")
        refused(lambda: model.node("arm", rotation=2 * np.eye(3)), "node 'arm'")
        with pytest.raises(ValueError, match="node 'arm': velocity must be three finite numbers"):
            model.node("arm", velocity=(0, 0, np.nan))

    def test_a_static_node_with_nothing_attached(self, model):
        body(model, "arm")
        model.node("lonely", static=True)
        refused(lambda: sm.System(model), "node 'lonely' of model 'machine' has nothing attached", "add an element or")

    def test_a_dynamic_node_without_inertia(self, model):
        node = model.node("light", position=(1, 0, 0))
        model.add("spring", sm.Spring(model.ground, node, stiffness=1.0))
        refused(lambda: sm.System(model), "node 'light' is dynamic but has no inertia", "add a Body", "static=True")

    def test_a_model_where_nothing_moves(self, model):
        refused(lambda: sm.System(model), "model 'machine' has no node that can move", "model.node(...)")


class TestBodies:
    @pytest.mark.parametrize(
        ("numbers", "words"),
        [
            ({"mass": 0.0}, "mass must be a positive number"),
            ({"mass": -2.5}, "mass must be a positive number"),
            ({"inertia": (1.0, 1.0, 2.1)}, "inertia is not physical: principal moments 1, 1, 2.1 kg m^2"),
            ({"inertia": (1.0, -1.0, 1.0)}, "inertia is not physical"),
            ({"inertia": (0.0, 0.0, 0.0)}, "inertia is zero: a rigid body needs some"),
            ({"inertia": [[1, 0.2, 0], [0.1, 1, 0], [0, 0, 1]]}, "inertia must be symmetric"),
            ({"inertia": 1.0}, "inertia must have shape (3, 3)"),
            ({"gravity": (0.0, 1.0)}, "gravity must have 3 components"),
        ],
    )
    def test_what_no_body_can_have(self, model, numbers, words):
        element = sm.Body(model.node("arm"), **{"mass": 1.0, "inertia": ROUND, **numbers})
        refused(lambda: model.add("brick", element), "element 'brick': Body:", words)

    def test_a_flat_body_is_a_body(self, model):
        model.add("plate", sm.Body(model.node("arm"), mass=1.0, inertia=(0.1, 0.2, 0.1 + 0.2)))

    def test_an_inertia_off_its_axes_is_judged_by_its_principal_moments(self, model):
        R = sm.Placement(rotation=[[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]).rotation
        good, bad = (R @ np.diag(d) @ R.T for d in ((1.0, 2.0, 2.5), (1.0, 5.0, 2.5)))
        model.add("good", sm.Body(model.node("a"), mass=1.0, inertia=good))
        refused(lambda: model.add("bad", sm.Body(model.node("b"), mass=1.0, inertia=bad)), "'bad'", "1, 2.5, 5 kg m^2")


def four_bar(*joints):
    """A planar four-bar linkage in space: three bars, joints at four corners about y."""
    model = sm.Model("linkage", gravity=(0, 0, -9.81))
    corners = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    middles = np.array([(0, 0, 0.5), (0.5, 0, 1), (1, 0, 0.5)])
    bars = [body(model, name, middle) for name, middle in zip(("crank", "rod", "rocker"), middles, strict=True)]
    nodes = [model.ground, *bars, model.ground]
    for k, joint in enumerate(joints):
        axis = {} if joint is sm.Spherical else {"axis": (0, 1, 0)}
        model.add(f"corner{k}", joint(nodes[k], nodes[k + 1], at=corners[k], **axis))
    return model


class TestConstraints:
    def test_redundant_constraints_name_the_joints(self):
        """A planar loop of four hinges is held three times over against leaving its plane."""
        sim = sm.Simulation(four_bar(sm.Revolute, sm.Revolute, sm.Revolute, sm.Revolute))
        with pytest.raises(sm.SingularModel) as error:
            sm.assemble(sim)
        message = str(error.value)
        assert "model 'linkage' has 3 redundant constraint(s)" in message
        for k in range(4):
            assert f"element 'corner{k}'" in message
        assert "replace a joint by one that leaves more freedom" in message

    def test_a_loop_closed_by_freer_joints_moves(self):
        results = sm.transient(
            four_bar(sm.Revolute, sm.Revolute, sm.Universal, sm.Spherical), 0.1, 1e-3, progress=False
        )
        assert results["model.violation"].max() < 1e-10

    def test_a_joint_given_twice(self):
        model = sm.Model("twice")
        arm = body(model, "arm", (1, 0, 0))
        free = body(model, "free", (2, 0, 0))
        model.add("hinge", sm.Revolute(model.ground, arm, at=(0, 0, 0), axis=(0, 1, 0)))
        model.add("elbow", sm.Revolute(arm, free, at=(1, 0, 0), axis=(0, 1, 0)))
        model.add("hinge_again", sm.Spherical(model.ground, arm, at=(0, 0, 0)))
        with pytest.raises(sm.SingularModel) as error:
            sm.assemble(sm.Simulation(model))
        assert "3 redundant constraint(s) among" in str(error.value)
        assert "'hinge'" in str(error.value)
        assert "'hinge_again'" in str(error.value)
        assert "'elbow'" not in str(error.value)

    def test_a_joint_between_what_does_not_move(self):
        model = sm.Model("held")
        body(model, "arm")
        shaker = model.prescribed("shaker", sm.Motion())
        model.add("lost", sm.Spherical(model.ground, shaker, at=(0, 0, 0)))
        with pytest.raises(sm.SingularModel, match=r"redundant constraint.*'lost'"):
            sm.assemble(sm.Simulation(model))

    def test_an_assembly_that_cannot_close(self):
        """An arm of 1 m cannot come within 1 m of a point 3 m away."""
        model = sm.Model("gap")
        arm = body(model, "arm", (0, 0, 1))
        model.add("pivot", sm.Spherical(model.ground, arm, at=(0, 0, 0)))
        model.add("bar", sm.Distance(model.ground, arm, place_a=(3, 0, 0), length=1.0))
        with pytest.raises(sm.SolveError) as error:
            sm.assemble(sm.Simulation(model))
        message = str(error.value)
        assert "model 'gap'" in message
        assert "'bar'" in message or "'pivot'" in message

    def test_a_static_node_that_nothing_holds(self):
        """A couple along one axis cannot determine a node without mass."""
        model = sm.Model("loose")
        body(model, "arm")
        loose = model.node("loose", position=(1, 0, 0), static=True)
        model.add("load", sm.Force(loose, force=(1, 0, 0)))
        with pytest.raises(sm.SolveError, match="'loose'"):
            sm.transient(model, 0.1, 1e-2, progress=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.elements.update(extra=5), "element 'extra' of model 'edited' was not added"),
        (lambda m: m.elements.update(extra=sm.Spherical(m.ground, m["a"])), "element 'extra' .* was not added"),
        (lambda m: m.elements.update(extra=m.elements["body"]), "element 'extra' .* was not added"),
        (lambda m: m.nodes.pop("a"), "element 'body' is on node 'a', which was removed from model 'edited'"),
    ],
)
def test_what_is_put_in_or_taken_out_by_hand_is_named(change, message):
    model = sm.Model("edited")
    model.add("body", sm.Body(model.node("a"), mass=1.0, inertia=(1, 1, 1)))
    change(model)
    with pytest.raises(sm.ModelError, match=message):
        sm.System(model)
