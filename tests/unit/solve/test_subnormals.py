"""Numbers that fade are taken as zero inside a march, and only there."""

import numpy as np
import pytest

import samara as sm
from samara.solve.native.subnormals import X86


@pytest.mark.skipif(not X86, reason="the control register is set on x86-64 only")
def test_fading_motion_ends_at_zero_and_python_keeps_its_small_numbers():
    """A damped mass fades by about 0.6 per step: after 3000 steps it would be 1e-600."""
    model = sm.Model("fading")
    node = model.node("n", velocity=(1.0, 0.0, 0.0))
    model.add("mass", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("damper", sm.Damper(model.ground, node, place_a=(-1.0, 0.0, 0.0), damping=500.0))
    results = sm.transient(model, 3.0, 0.001, outputs="n.velocity", progress=False)
    speed = np.abs(results["n.velocity"][-1, 0])
    assert speed == 0.0 or speed > 1e-307
    assert np.float64(5e-324) > 0.0
    assert np.float64(1e-300) * np.float64(1e-20) > 0.0  # subnormal, and still there
