"""An element on plain numbers: derivatives by complex steps and by differences, drives and world frame followed."""

import numpy as np
import pytest

import samara as sm
from samara.model import Contribution, Element, node
from samara.rotations import exp_so3
from samara.system.kernels.plain_equations import NodeState, PlainSite, extrapolated_difference


def state(rng) -> NodeState:
    return NodeState(exp_so3(rng.uniform(-2, 2, 3)), *(rng.uniform(-1, 1, n) for n in (3, 6, 6)))


def joined(element):
    element.join("e")
    return element


def two_nodes():
    model = sm.Model("plain")
    return model.node("a"), model.node("b", (1, 0, 0))


def test_differences_agree_with_complex_steps(rng):
    element = joined(sm.Cylindrical(*two_nodes(), place_a=(0.1, 0.2, 0.3)))
    states, multipliers = [state(rng), state(rng)], rng.uniform(-1, 1, 4)
    exact, approximate = (
        PlainSite(element, states, multipliers, differences=differences).formulate() for differences in (False, True)
    )
    np.testing.assert_allclose(approximate.wrenches, exact.wrenches, atol=1e-11)
    for a, b in zip(approximate.outputs, exact.outputs, strict=True):
        np.testing.assert_allclose(a.value, b.value, atol=1e-11, err_msg=a.name)


def test_numbers_stay_plain(rng):
    element = joined(sm.Distance(*two_nodes(), length=1.3))
    found = PlainSite(element, [state(rng), state(rng)], [2.0], [(1.3, 0.5)]).formulate()
    assert all(w.dtype == float for w in found.wrenches)
    assert found.constraints.dtype == float


def test_drives_move_only_while_a_rate_is_taken(rng):
    element = joined(sm.Distance(*two_nodes(), length=1.3))
    site = PlainSite(element, [state(rng), state(rng)], [2.0], [(1.3, 0.5)])
    found = site.formulate()
    assert found.supplied == pytest.approx(2.0 * -0.5, rel=1e-14)  # multiplier times d(|p| - length)/dt at rest
    assert site.element.length == 1.3
    assert element.length(0.0) == 1.3  # the user's element is not touched


class Height(Element):
    """Measures the height of a node."""

    n: sm.Node = node(kw_only=False)

    def formulate(self, site):
        height = site.measure(lambda n: [site.world.see(np.zeros(3))[2]])
        return Contribution(wrenches=height.wrenches([1.0]), potential=height.value[0], dissipated=height.rate[0])


def test_world_frame_is_followed(rng):
    """The rate of the height is the vertical velocity; a unit effort on it is a unit force up."""
    here = state(rng)
    found = PlainSite(joined(Height(sm.Model("m").node("n"))), [here]).formulate()
    assert found.potential == pytest.approx(here.p[2], rel=1e-14)
    assert found.dissipated == pytest.approx(here.R[2] @ here.twist[:3], rel=1e-13)
    np.testing.assert_allclose(found.wrenches[0], [*here.R[2], 0, 0, 0], atol=1e-15)


def test_extrapolated_difference():
    assert extrapolated_difference(lambda t: np.sin(3.0 * t + 0.2), step=0.1) == pytest.approx(
        3 * np.cos(0.2), rel=1e-12
    )
