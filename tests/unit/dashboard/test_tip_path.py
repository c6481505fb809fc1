"""The plane of a rotor's tips, from poses."""

import numpy as np
import pytest

from samara.dashboard.views.tip_path import tip_path
from samara.rotations import exp_so3

CONING, COSINE, SINE = 0.06, 0.03, -0.02


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_cone_and_tilt_are_found(count, sense):
    """Tips placed at known elevations on a craft that is turned and away, with a shaft of its own direction."""
    R, p = exp_so3(np.array([0.2, -0.4, 1.0])), np.array([3.0, 1.0, 2.0])
    D, d = exp_so3(np.array([1.2, 0.1, 0.0])), np.array([0.0, 0.5, 1.5])
    psi = 0.7 + 2.0 * np.pi * np.arange(count) / count
    beta = CONING + COSINE * np.cos(psi) + SINE * np.sin(psi)
    tips = 4.0 * np.column_stack([np.cos(beta) * np.cos(sense * psi), np.cos(beta) * np.sin(sense * psi), np.sin(beta)])
    world = p + (d + tips @ D.T) @ R.T
    scene = {"node": list(range(1, count + 1)), "offset": np.zeros((count, 3)).tolist()}
    poses = np.zeros((count + 1, 12))
    poses[0] = np.r_[p, R.ravel()]
    poses[1:, :3], poses[1:, 3:] = world, np.eye(3).ravel()
    rotor = {"craft": 0, "sense": sense, "disk": [*d, *D.ravel()], "blades": [{"tip": k} for k in range(count)]}
    found = tip_path(scene, rotor, poses)
    assert found.elevation == pytest.approx(beta, abs=1e-12)
    if count < 3:  # two points are no plane
        assert found.cosine is None
        assert found.coning == pytest.approx(CONING, abs=1e-12)
    else:
        assert (found.coning, found.cosine, found.sine) == pytest.approx((CONING, COSINE, SINE), abs=1e-12)
