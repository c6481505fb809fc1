"""Sections: what is refused, which couplings a kernel carries, and how a stiffness moves to another axis."""

import numpy as np
import pytest

import samara as sm
from samara.system.kernels.kinds import make_kind

STIFF = np.array([90.0, 40.0, 50.0, 5.0, 7.0, 9.0])


def kind(section, cls=sm.Beam3, **places):
    model = sm.Model("kinds")
    nodes = [model.node(f"n{k}", (k, 0, 0), static=True) for k in range(cls.count + 1)]
    return make_kind(model.add("beam", cls(*nodes, section=section, balance="volumes", **places)))


def operations(k):
    return {f.name: f.graph.operations([n for _, n in f.outputs]) for f in k.functions}


def test_fewer_couplings_cost_less():
    # the proof of concept needed 7500 operations for the Jacobian; a bound, so that nobody makes it dearer unseen
    simple = operations(kind(sm.Section(STIFF)))["jacobian"]
    blocks = operations(kind(sm.Section(sm.shifted(STIFF, 0.1, 0.2))))["jacobian"]
    full = operations(kind(sm.Section(np.diag(STIFF) + 0.1)))["jacobian"]
    assert simple < blocks < full
    assert simple <= 6800
    assert full <= 8500
    assert operations(kind(sm.Section(STIFF), sm.Beam2))["jacobian"] <= 2700


def test_same_couplings_share_a_kernel():
    def structure(section):
        section.validate()
        return section.structure()

    assert structure(sm.Section(STIFF)) == structure(sm.Section(2 * STIFF))
    assert structure(sm.Section(STIFF)) != structure(sm.Section(np.diag(STIFF) + 0.1))
    # a parameter may become anything: it counts as there even while it is zero
    D = np.diag(STIFF).astype(object)
    D[0, 5] = D[5, 0] = sm.Parameter("coupling", 0.0)
    assert structure(sm.Section(D)) == structure(sm.Section(sm.shifted(STIFF, 0.1, 0.2)))


def test_scaled_check_does_not_mistake_units_for_signs():
    sm.Section((1e12, 1e12, 1e12, 1e-9, 1e-9, 1e-9)).validate()
    with pytest.raises(ValueError, match="positive definite"):
        sm.Section((1e12, 1e12, 1e12, 0.0, 1e-9, 1e-9)).validate()


def test_shifted_stiffness_is_that_of_the_moved_axis():
    D = sm.shifted(STIFF, 0.3, -0.2)
    # a pure pull through the centre of tension, at (0.3, -0.2), only stretches
    strain = np.linalg.solve(D, [1.0, 0, 0, 0, -0.2, -0.3])
    assert strain == pytest.approx([1 / 90, 0, 0, 0, 0, 0], abs=1e-15)
    # a shear force through it only shears
    strain = np.linalg.solve(D, [0, 1.0, 0, 0.2, 0, 0])
    assert strain == pytest.approx([0, 1 / 40, 0, 0, 0, 0], abs=1e-15)


def test_offsets_are_the_same_in_the_section_and_in_the_placement():
    """A straight beam whose elastic axis lies beside its nodes, built in both ways, bends alike."""
    tips = []
    for moved in (True, False):
        model = sm.Model("offset")
        nodes = [model.ground, *(model.node(f"n{k}", (0.5 * k, 0, 0), static=True) for k in range(1, 5))]
        section = sm.Section(STIFF if moved else sm.shifted(STIFF, 0.1, -0.05))
        place = (0, 0.1, -0.05) if moved else None
        for e in (0, 2):
            at = {f"place_{letter}": place for letter in "abc"}
            model.add(f"beam{e}", sm.Beam3(*nodes[e : e + 3], section=section, **at))
        model.add("load", sm.Force(nodes[-1], force=(0.1, 0.5, 0.6)))
        tips.append(sm.static(model)["n4.position"][-1])
    # large deflection, and the parabola goes through other points: equal up to the error of two elements
    assert np.linalg.norm(tips[0] - [2, 0, 0]) > 0.2
    assert tips[0] == pytest.approx(tips[1], abs=2e-3)
