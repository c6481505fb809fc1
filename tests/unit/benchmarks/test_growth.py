"""`samara bench growth` at small sizes: its rows, and that its net is one."""

import numpy as np

import samara as sm
from samara.benchmarks.peers import available
from samara.benchmarks.solver.growth import CASES, PITCH, net, rows


def test_every_case_has_its_figures():
    found = {(row.case, row.metric): row.value for row in rows(quick=True)}
    metrics = ("setup_seconds", "setup_exponent", "step_exponent", "memory_mib")
    of_peer = {key: found.pop(key) for key in list(found) if key[1].startswith("exudyn")}
    assert list(found) == [(case, metric) for case in CASES for metric in metrics]
    assert np.isfinite(list(found.values())).all()
    assert [metric for _, metric in of_peer] == ["exudyn_setup_seconds", "exudyn_step_exponent", "exudyn_memory_mib"]
    assert np.isfinite(list(of_peer.values())).all() or isinstance(available()["exudyn"], str)  # where it is installed
    assert all(value > 0.0 for (_, metric), value in found.items() if metric in ("setup_seconds", "memory_mib"))


def test_the_net_is_at_rest_as_described():
    """No joint pulls at first: its far corner falls freely for a millisecond, and what the ground holds less."""
    model = net(3)
    assert len(model.elements) == 9 + 9 + 6  # bodies, joints along, joints beside
    results = sm.transient(model, end=1e-3, step=1e-4, progress=False)
    corner, held = (results[f"n_{name}.position"][-1] for name in ("2_2", "0_0"))
    fall = 0.5 * 9.81 * 1e-3**2
    assert abs(corner[2] + fall) < 0.02 * fall  # order two at ten steps
    assert -fall < held[2] < 0.0
    np.testing.assert_allclose(corner[:2], [3 * PITCH, 2 * PITCH], atol=1e-8)
