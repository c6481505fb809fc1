"""A rate constraint that looks at the world: its reaction does no work, so kinetic energy stays."""

import numpy as np
import pytest

import samara as sm


class NoSpeedAlongX(sm.Element):
    """The node's velocity along the world's x axis vanishes."""

    n: sm.Node = sm.node(kw_only=False)

    def formulate(self, site):
        f = site.measure_rates(lambda n: [(site.world.R.T @ n.v)[0]])
        return sm.Contribution(wrenches=f.wrenches(site.multipliers(1)), rates=f.value)


def test_the_reaction_does_no_work():
    """Energy drifts by order (w h)^2, about 1e-5; the slopes of poses must not be taken for those of twists."""
    model = sm.Model("rail")
    body = model.node("body", angular_velocity=(1.0, 2.0, 3.0))
    model.add("mass", sm.Body(body, mass=2.0, inertia=(1.0, 2.0, 2.5), com=(0.5, 0.2, -0.3)))
    model.add("rail", NoSpeedAlongX(body))
    run = sm.transient(model, 1.0, 1e-3, progress=False)
    energy = run["model.kinetic"]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-4)
    assert run["body.position"][-1, 0] == pytest.approx(0.0, abs=1e-5)
    assert np.abs(run["body.velocity"][:, 0]).max() < 1e-8
