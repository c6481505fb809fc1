"""Cantilever bent along a 45 degree arc, loaded across its plane (bathe45_computed.json): three-dimensional, curved.

0.1 % of the displacement is asked for. Eight elements give 2e-5, sixteen 1.2e-6: fourth order.
"""

import json

import numpy as np
import pytest

import samara as sm
from samara.models.beams import bathe45

#: GA, GJ, EI as the keys of the file name them; EA = 1e7 in all. EI was rounded in the first.
CASES = {
    "BeamDyn/kynema constants GA=41.6667e5,GJ=8.333e5": (41.6667e5, 8.333e5, 8.333e5),
    "nu=0, GA=EA/2 (no shear factor), GJ=G*Jpolar=8.3333e5": (5e6, 1e7 / 12, 1e7 / 12),
    "square-section torsion J=0.1406, kGA=5/6*5e6": (5e6 * 5 / 6, 5e6 * 0.1406, 1e7 / 12),
}


def tip(case, load, elements):
    """Displacement of the tip under a load across the plane of the arc."""
    model = bathe45.build(load, elements, *CASES[case])
    return bathe45.tip(sm.static(model, steps=3, outputs=f"n{2 * elements}.position"), elements)[-1]


@pytest.fixture(scope="module")
def reference(data):
    return json.loads((data / "bathe45_computed.json").read_text("utf-8"))


@pytest.mark.parametrize("load", [300.0, 450.0, 600.0])
@pytest.mark.parametrize("case", CASES)
def test_tip(case, load, reference):
    expected = np.array(reference[f"bathe45 {case} F={load}"]["tip_displacement"])
    assert np.linalg.norm(tip(case, load, 8) - expected) < 1e-4 * np.linalg.norm(expected)


def test_fourth_order(reference, orders):
    case = next(iter(CASES))
    expected = np.array(reference[f"bathe45 {case} F=600.0"]["tip_displacement"])
    found = [np.linalg.norm(tip(case, 600.0, n) - expected) for n in (4, 8, 16)]
    assert orders(found) == pytest.approx([4, 4], abs=0.1)
    assert found[-1] < 2e-6 * np.linalg.norm(expected)


def test_as_published():
    """Bathe and Bolourchi 1979, three digits of a mesh of its time: half a percent of the displacement."""
    published = np.array([-23.5, -13.4, 53.4])
    found = bathe45.tip(sm.static(bathe45.build(), steps=3, outputs="n16.position"))[-1]
    assert np.linalg.norm(found - published) < 5e-3 * np.linalg.norm(published)
