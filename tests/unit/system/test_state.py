"""The state of a system as a point and a tangent."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_se3


def chain(count=5):
    model = sm.Model("chain", gravity=(0.0, 0.3, -9.81))
    last = model.ground
    for k in range(count):
        node = model.node(f"n{k}", position=(k + 0.5, 0.1 * k, 0.0))
        model.add(f"body{k}", sm.Body(node, mass=1.0 + k, inertia=(0.1, 0.2, 0.3)))
        model.add(f"joint{k}", sm.Spherical(last, node, at=(float(k), 0.1 * k, 0.0)))
        last = node
    return model


@pytest.fixture
def moving():
    sim = sm.Simulation(chain())
    sm.transient(sim, 0.05, 1e-3, progress=False, outputs="model.violation")
    return sim


def test_a_move_is_undone_by_its_difference(moving):
    state = moving.state
    before = state.copy()
    xi = np.random.default_rng(1).normal(size=moving.system.layout.coordinates) * 0.3
    state.move(xi)
    after = state.copy()
    np.testing.assert_allclose(state.difference(before), -xi, atol=1e-12)
    state.restore(before)
    np.testing.assert_allclose(state.difference(after), xi, atol=1e-12)


def test_a_node_moves_by_the_exponential_in_its_own_axes(moving):
    state, node = moving.state, moving.system.layout.free[2]
    before = state.pose(node)
    xi = np.zeros(moving.system.layout.coordinates)
    xi[12:18] = 0.1, -0.2, 0.3, 0.4, 0.5, -0.6
    state.move(xi)
    step = exp_se3(xi[12:18])
    np.testing.assert_allclose(state.pose(node).R, before.R @ step.R, atol=1e-14)
    np.testing.assert_allclose(state.pose(node).p, before.p + before.R @ step.p, atol=1e-14)


def test_the_jacobian_is_the_slope_of_the_residual_along_a_move(moving):
    """In a direction of poses and multipliers, to the error of a central difference of second order."""
    state, h = moving.state, 1e-5
    with state.plain():
        state.weigh(1.0, 0.0, 0.0)
        J = moving.jacobian(1.0, 0.0, 0.0)
        direction = np.random.default_rng(2).normal(size=J.shape[1])
        rows = []
        for sign in (1.0, -1.0):
            with state.kept():
                state.move(sign * h * direction)
                rows.append(state.residual())
    slope = (rows[0] - rows[1]) / (2.0 * h)
    np.testing.assert_allclose(J @ direction, slope, atol=1e-7 * np.abs(slope).max())


def test_what_is_kept_is_put_back_also_after_an_error(moving):
    before, weights = moving.state.copy(), moving.system.arrays.coef.copy()
    with pytest.raises(ZeroDivisionError), moving.state.kept():
        moving.state.move(np.ones(moving.system.layout.coordinates))
        moving.state.weigh(2.0, 3.0, 4.0)
        raise ZeroDivisionError
    assert np.array_equal(moving.state.copy(), before)
    assert np.array_equal(moving.system.arrays.coef, weights)


def test_plain_twists_are_those_against_the_world():
    model = sm.Model("flying")
    body = model.node(
        "body", velocity=(70.0, 0, 0), angular_velocity=(0, 0, 2.0), rotation=sm.rotations.rotation_z(0.3)
    )
    model.add("mass", sm.Body(body, mass=2.0, inertia=(1, 2, 3)))
    sim = sm.Simulation(model)
    sm.transient(sim, 0.1, 1e-3, progress=False, outputs="model.violation")
    expected, rate = sim.state.twist(body), sim.state.twist_rate(body)
    assert np.abs(sim.state.twists[:3]).max() < 1.0  # the carrier has the rest
    with sim.state.plain():
        np.testing.assert_allclose(sim.state.twists, expected, atol=1e-9)
        np.testing.assert_allclose(sim.state.accelerations, rate, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(expected[:3]), 70.0, rtol=1e-9)


def test_python_and_the_driver_see_the_same_equations(moving):
    from samara.solve.native.kernels import residual
    from samara.solve.native.outputs import outputs

    found, measured = moving.state.residual(), moving.state.outputs()
    residual(moving.machine)
    np.testing.assert_array_equal(found, moving.state.equations())
    outputs(moving.work)
    np.testing.assert_array_equal(measured, moving.system.arrays.out[: measured.size])


# ---- parts
def parted(parts):
    return sm.Simulation(sm.System(chain(9), parts=parts))


def test_parts_own_their_lanes_and_change_no_result():
    names = list(chain(9).elements)
    parts = {"inner": names[:8], "outer": names[8:]}
    plain, own = parted(None), parted(parts)
    owners = {group.part for group in own.system.groups if group.kind.name == "Body"}
    assert owners == {"inner", "outer"}
    layout, w = own.system.layout, own.system.layout.width
    inner = {layout.node_index[f"n{k}"] // w for k in range(3)}
    assert inner.isdisjoint(layout.node_index[f"n{k}"] // w for k in range(4, 9))  # n3 is the interface
    results = [sm.transient(sim, 0.2, 1e-3, progress=False, outputs="n8.position") for sim in (plain, own)]
    np.testing.assert_allclose(results[0]["n8.position"], results[1]["n8.position"], atol=1e-9)


def test_parts_are_checked():
    with pytest.raises(sm.ModelError, match="part 'one': model 'chain' has no element 'bodyX'"):
        sm.System(chain(), parts={"one": ["bodyX"]})
    with pytest.raises(sm.ModelError, match="element 'body0' cannot be in part 'two' and in 'one'"):
        sm.System(chain(), parts={"one": ["body0"], "two": ["body0"]})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"parts": 5}, r"parts must be \{part: names of elements\}, got 5"),
        ({"parts": "body0"}, r"parts must be \{part: names of elements\}, got 'body0'"),
        ({"parts": ["body0"]}, r"parts must be \{part: names of elements\}, got \['body0'\]"),
        ({"parts": {"one": None}}, "part 'one' must be a name or pattern, or several, got None"),
        ({"parts": {"one": [5]}}, "part 'one' must be a name or pattern, or several, got 5"),
        ({"lanes": "a"}, "lanes must be a whole number, got 'a'"),
        ({"lanes": 0}, "lanes must be at least 1, got 0"),
    ],
)
def test_arguments_of_a_system_are_named(given, words):
    with pytest.raises(sm.ArgumentError, match=f"^System: {words}$"):
        sm.System(chain(), **given)


def test_second_derivatives_along_a_motion_are_exact(moving):
    """d2/dt2 of measures along H exp(t xi), against differences of fourth order, which are good to 1e-7."""
    state, h = moving.state, 1e-3
    xi = np.random.default_rng(3).normal(size=moving.system.layout.coordinates)
    found = moving.system.tangents.bent_outputs(xi)

    def at(t):
        with state.kept():
            state.move(t * xi)
            return state.outputs()

    near, far = at(h) + at(-h), at(2 * h) + at(-2 * h)
    expected = (16.0 * near - far - 30.0 * at(0.0)) / (12.0 * h * h)
    np.testing.assert_allclose(found[: expected.size], expected, atol=1e-6 * np.abs(expected).max())


def test_a_second_model_of_the_same_elements_is_not_traced_again(monkeypatch):
    """What is traced depends on the structure alone; numbers are data."""
    from samara.system.layout import batches

    sm.System(chain(3))
    monkeypatch.setattr(batches, "make_kind", lambda element: pytest.fail(f"{element.name} was traced again"))
    few, many = sm.System(chain(4)), sm.System(chain(7))
    assert [g.kind for g in few.groups] == [g.kind for g in many.groups]


def test_an_own_element_is_traced_anew_with_each_model():
    """Its equations may depend on what its structure does not show: here, a constant of the class."""

    class Push(sm.Load):
        size = 2.0

        def load(self, node, world):
            return [self.size, 0.0, 0.0], [0.0, 0.0, 0.0]

    def force():
        model = sm.Model("pushed")
        body = model.node("body")
        model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
        model.add("push", Push(body))
        return sm.Simulation(model).state.residual()[0]

    before = force()
    Push.size = 3.0
    assert before == pytest.approx(force() * 2.0 / 3.0)
