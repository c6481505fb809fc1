"""Cantilever bent along a 45 degree arc, loaded across its plane (bathe45_computed.json): three-dimensional, curved.

0.1 % of the displacement is asked for. Eight elements give 2e-5, sixteen 1.2e-6: fourth order.
"""

import json

import numpy as np
import pytest

import samara as sm

RADIUS = 100.0
#: GA, GJ, EI as the keys of the file name them; EA = 1e7 in all. EI was rounded in the first.
CASES = {
    "BeamDyn/kynema constants GA=41.6667e5,GJ=8.333e5": (41.6667e5, 8.333e5, 8.333e5),
    "nu=0, GA=EA/2 (no shear factor), GJ=G*Jpolar=8.3333e5": (5e6, 1e7 / 12, 1e7 / 12),
    "square-section torsion J=0.1406, kGA=5/6*5e6": (5e6 * 5 / 6, 5e6 * 0.1406, 1e7 / 12),
}


def tip(case, load, elements):
    """Displacement of the tip under a load across the plane of the arc."""
    GA, GJ, EI = CASES[case]
    model = sm.Model("bend")
    nodes = [model.ground]
    for k in range(1, 2 * elements + 1):
        angle = np.pi / 4 * k / (2 * elements)
        c, s = np.cos(angle), np.sin(angle)
        place = sm.Placement((RADIUS * s, RADIUS * (1 - c), 0), [[c, -s, 0], [s, c, 0], [0, 0, 1]])
        nodes.append(model.node(f"n{k}", place.position, place.rotation, static=True))
    section = sm.Section((1e7, GA, GA, GJ, EI, EI))
    for e in range(elements):
        model.add(f"beam{e}", sm.Beam3(*nodes[2 * e : 2 * e + 3], section=section))
    model.add("load", sm.Force(nodes[-1], force=(0, 0, load)))
    run = sm.static(model, steps=3, outputs=f"n{2 * elements}.position")
    return run[f"n{2 * elements}.position"][-1] - place.position


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
