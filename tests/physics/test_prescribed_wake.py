"""Wakes of prescribed geometry: where the formulas have them, steady in hover, and frozen without a loss."""

import numpy as np
import pytest

import samara as sm
from samara import FreeWake
from samara.models.rotors.caradonna_tung import RADIUS, SOLIDITY, caradonna_tung
from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor

TURN, STEPS = 60 / 1250, 30


def landgrebe(CT, psi):
    """Tip vortex of two blades without twist: radius and height [R]."""
    first, then = -0.25 * CT / SOLIDITY, -1.41 * np.sqrt(CT / 2)
    return 0.78 + 0.22 * np.exp(-(0.145 + 27 * CT) * psi), bent(first, then, psi)


def kocurek_tangler(CT, psi):
    first, then = -2.3 * (CT / np.sqrt(2)) ** 0.75, -np.sqrt(CT)
    return 0.78 + 0.22 * np.exp(-4 * np.sqrt(CT) * psi), bent(first, then, psi)


def bent(first, then, psi):
    return first * np.minimum(psi, np.pi) + then * np.maximum(psi - np.pi, 0.0)


FORMULAS = {"landgrebe": landgrebe, "kocurek-tangler": kocurek_tangler}


def model(geometry, **more):
    return caradonna_tung(8.0, 1250.0, 0.439, inflow=FreeWake(step=TURN / STEPS, geometry=geometry, **more))


@pytest.fixture(scope="module", params=FORMULAS)
def settled(request):
    sim = sm.Simulation(model(request.param))
    return request.param, sim, sm.transient(sim, 16 * TURN, TURN / STEPS, progress=False)


def test_tip_vortices_are_where_the_formula_has_them(settled):
    """At the rotor's thrust; the geometry follows the circulation, without drag and tilted lift: 1 % in height."""
    geometry, sim, found = settled
    tip = sm.wake_geometry(sim).filaments[0].points / RADIUS
    psi = 2 * np.pi / STEPS * np.arange(len(tip))
    radius, height = FORMULAS[geometry](found["rotor.CT"][-1], psi)
    np.testing.assert_allclose(np.hypot(tip[:, 0], tip[:, 1]), radius, atol=2e-3)
    np.testing.assert_allclose(tip[:, 2], height, rtol=2e-2, atol=1e-9)


def test_steady_in_hover(settled):
    """A turn on, thrust is the same to 1e-5: single precision."""
    thrust = settled[2]["rotor.CT"][-STEPS:]
    assert np.ptp(thrust) < 1e-5 * thrust.mean()


def test_frozen_it_is_the_same(settled):
    """No harmonics are needed, and nothing is left out: thrust and power to 1e-5."""
    _, sim, found = settled
    frozen = sm.frozen_wake(sim.model, found, harmonics=0)
    assert frozen.missed < 1e-4
    again = caradonna_tung(8.0, 1250.0, 0.439, inflow=frozen)
    run = sm.transient(again, 6 * TURN, TURN / STEPS, progress=False)
    for name in ("rotor.CT", "rotor.CQ"):
        assert run[name][-1] == pytest.approx(found[name][-1], rel=1e-5)


def test_thrust_by_landgrebe():
    """Caradonna and Tung's 0.00459 at 8 degrees: found 6 % above; the formula is a fit to other rotors."""
    run = sm.transient(model("landgrebe"), 12 * TURN, TURN / STEPS, progress=False, outputs="rotor.CT")
    assert run["rotor.CT"][-1] == pytest.approx(0.00459, rel=0.08)


def test_inboard_filaments_sink_as_the_sheet():
    """Landgrebe's sheet: straight from the shaft, where it stays without twist, to -2.2 sqrt(C_T / 2) at the tip."""
    sim = sm.Simulation(model("landgrebe", inboard=3))
    run = sm.transient(sim, 12 * TURN, TURN / STEPS, progress=False, outputs="rotor.CT")
    root, passage = np.sqrt(run["rotor.CT"][-1] / 2), STEPS // 2
    for filament in sm.wake_geometry(sim).filaments[1:4]:
        start = np.hypot(*filament.points[0, :2]) / RADIUS
        z = filament.points[[0, passage, STEPS], 2] / RADIUS
        assert np.diff(z) / np.pi == pytest.approx([-2.2 * start * root, -2.7 * start * root], rel=1e-2)


def test_in_edgewise_flow_it_is_doubted():
    turn = 2 * np.pi / SPEED
    flying = hinged_rotor(inflow=FreeWake(step=turn / STEPS, geometry="landgrebe"), wind=(18.0, 0.0, 0.0))
    with pytest.warns(UserWarning, match="geometry of hover, 'landgrebe'"):
        sm.transient(flying, turn, turn / STEPS, progress=False)
