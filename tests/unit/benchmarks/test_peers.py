"""The benchmark chain in other codes; a peer that is not installed is skipped with its own line."""

from types import ModuleType

import numpy as np
import pytest

from samara.benchmarks import peers
from samara.benchmarks.cases.chain import ChainSpec
from samara.benchmarks.peers import reference
from samara.benchmarks.peers.peer_run import PeerRun


def module_of(name: str) -> ModuleType:
    module = peers.available()[name]
    if isinstance(module, str):
        pytest.skip(module)
    return module


def test_missing_peer_says_so_with_the_remedy(monkeypatch):
    monkeypatch.setattr(peers, "PEERS", {"nobody": ("package_that_nobody_has", "nobody_chain")})
    (line,) = peers.available().values()
    assert isinstance(line, str)
    assert "nobody" in line and "pip install samara[bench]" in line and "\n" not in line


# Errors at t = 0.2 s with h = 1 ms: h^2 and h^4 times derivatives of the motion for the methods of order 2
# and 4, h for the method of order 1. The tip moves about 0.2 m; a wrong axis, inertia or gravity misses by
# centimetres.
@pytest.mark.parametrize(
    ("name", "options", "bound"),
    [
        ("exudyn", {}, 1e-4),
        ("mujoco", {"integrator": "RK4"}, 1e-8),
        ("mujoco", {"integrator": "implicitfast"}, 5e-3),
        ("pinocchio", {}, 1e-8),
    ],
)
@pytest.mark.parametrize("links", [2, 10])
def test_peer_agrees_with_the_reference(name, options, bound, links):
    spec = ChainSpec(links)
    run = module_of(name).run(spec, duration=0.2, repeats=1, **options)
    assert run.tip_error(spec, 0.2) < bound
    assert run.shape_error(spec, 0.2) < bound
    np.testing.assert_array_equal(run.ends[-1], run.tip)
    assert run.us_per_step > 0.0 and run.note and run.version


def test_errors_of_a_run():
    spec = ChainSpec(2)
    ends = reference.ends(spec, 0.2) + np.array([[0.0, 0.0, 0.0], [3e-3, 4e-3, 0.0]])
    run = PeerRun("made up", "0", 1.0, ends[-1], "", ends)
    assert run.tip_error(spec, 0.2) == pytest.approx(5e-3)
    assert run.shape_error(spec, 0.2) == pytest.approx(5e-3 / np.sqrt(2.0))
