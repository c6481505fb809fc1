"""The reference solution of the benchmark chain, against closed forms and the conservation of energy."""

import json

import numpy as np
import pytest
from scipy.special import ellipk

from samara.benchmarks.cases.chain import ChainSpec
from samara.benchmarks.peers import reference


def test_one_link_swings_like_a_compound_pendulum():
    """The period from the horizontal is 4 K(1/2) sqrt(J / (m g r)): half mirrors the tip, all returns it.

    The hinge turns about y, so that only the z component of gravity acts.
    """
    spec = ChainSpec(1)
    arm = 0.5 * spec.length
    J = spec.inertia[1] + spec.mass * arm**2
    period = 4.0 * ellipk(0.5) * np.sqrt(J / (spec.mass * -spec.gravity[2] * arm))
    motion = reference.solve(spec, (0.5 * period, period))
    np.testing.assert_allclose(motion.tip, [[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]], atol=1e-10)


def test_first_accelerations_of_two_links():
    """Straight and at rest, the hinges decouple: 0 (y) turns both links as one box, 1 (z) the outer link."""
    spec = ChainSpec(2)
    both = 2 * spec.mass * ((2 * spec.length) ** 2 + spec.height**2) / 12.0 + 2 * spec.mass * spec.length**2
    about_y = -spec.gravity[2] * 2 * spec.mass * spec.length / both
    outer = spec.inertia[2] + spec.mass * (0.5 * spec.length) ** 2
    about_z = spec.gravity[1] * spec.mass * 0.5 * spec.length / outer
    M = reference.spatial_inertia(spec)
    v_dot = reference.accelerations(np.zeros(2), np.zeros(2), M, spec.length, np.array(spec.gravity))
    np.testing.assert_allclose(v_dot, [about_y, about_z], rtol=1e-12)


@pytest.mark.parametrize("links", [2, 5])
def test_energy_is_conserved(links):
    """Nothing dissipates. The bound is the integrator's tolerance times energies near 1 J, with a margin."""
    spec = ChainSpec(links)
    motion = reference.solve(spec)
    for q, v in zip(motion.q, motion.v, strict=True):
        assert abs(reference.energy(spec, q, v)) < 1e-10
    assert np.abs(motion.v).min() > 1e-3, "both families of hinges should move"


@pytest.mark.parametrize("links", ChainSpec.SIZES)
def test_stored_tips_belong_to_the_stored_angles(links):
    spec = ChainSpec(links)
    cases = [c for c in json.loads(reference.STORE.read_text())["cases"] if c["links"] == links]
    assert [c["time"] for c in cases] == list(reference.TIMES)
    for case in cases:
        np.testing.assert_allclose(reference.tip(spec, case["time"]), case["tip"], atol=1e-10)


@pytest.mark.parametrize("links", [2, 10])
def test_stored_tips_can_be_remade(links):
    spec = ChainSpec(links)
    motion = reference.solve(spec)
    stored = [reference.tip(spec, time) for time in reference.TIMES]
    np.testing.assert_allclose(motion.tip, stored, atol=1e-10)


def test_another_chain_is_not_taken_from_the_store():
    heavier = ChainSpec(2, gravity=(0.0, 0.0, -9.81))
    assert abs(reference.tip(heavier, 0.2)[1]) < 1e-12


def test_bad_parameters_name_themselves():
    with pytest.raises(ValueError, match="links"):
        ChainSpec(0)
    with pytest.raises(ValueError, match="mass"):
        ChainSpec(2, mass=-1.0)
    with pytest.raises(ValueError, match="whole number of steps"):
        ChainSpec(2).steps(step=0.3e-3)
