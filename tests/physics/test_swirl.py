"""A propeller whose wake turns, against blade-element theory with axial and angular momentum."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import samara as sm
from samara.rotations import rotation_z

RADIUS, ROOT, CHORD, BLADES = 1.0, 0.25, 0.09, 3  # m
SPEED, FORWARD, DENSITY, SLOPE = 150.0, 50.0, 1.225, 5.7  # rad/s, m/s, kg/m^3, 1/rad
COUNT = 8
STATIONS = sm.Stations.gauss(ROOT, RADIUS, COUNT, CHORD, lambda x: np.arctan2(FORWARD, SPEED * x) + np.radians(7.0))
PITCH = np.arctan2(STATIONS.sine, STATIONS.cosine)


def propeller(sense, swirl, inflow=None):
    """In axial flow along its shaft, z, with a ring at each station and nothing lost at the tips: what it gives."""
    model = sm.Model("propeller")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(sense * SPEED))))
    rings = sm.Annular(radii=np.asarray(STATIONS.x) / RADIUS, losses="none", dynamic=False)
    names = [f"blade_{k + 1}" for k in range(BLADES)]
    rotor = sm.Rotor(
        model.ground, hub, radius=RADIUS, speed=sense * SPEED, air=sm.Air(DENSITY, wind=(0, 0, -FORWARD)),
        inflow=inflow or rings, blades=names, start=5.0, swirl=swirl,
    )  # fmt: skip
    rotor = model.add("rotor", rotor)
    section = sm.ThinAerofoil(slope=SLOPE)
    x = sense * np.asarray(STATIONS.x)  # leading edge ahead: along -y with the span along -x
    for k, name in enumerate(names):
        turn = rotation_z(sense * (2 * np.pi * k / BLADES)) @ np.diag([sense, sense, 1.0])
        along = sm.Stations(
            x, *(getattr(STATIONS, what) for what in ("length", "chord", "cosine", "sine", "centre", "control"))
        )
        place = sm.Placement((0, 0, 0), turn)
        model.add(f"{name}.air", sm.AeroBody(hub, place=place, stations=along, aerofoil=section, rotor=rotor))
    results = sm.transient(model, end=0.3, step=5e-3, progress=False)  # inflow settles in 0.02 s
    return {name: results[f"rotor.{name}"][-1] for name in ("thrust", "torque", "power")} | {
        "cl": results["blade_1.air.cl"][-1]
    }


def blade_element_theory(swirl):
    """Thrust, torque and cl by momentum theory of each ring, with the exact v_t."""
    found = []
    for r, dr, pitch in zip(STATIONS.x, STATIONS.length, PITCH, strict=True):

        def ring(unknown, r=r, dr=dr, pitch=pitch):
            v, v_t = unknown
            u, w = SPEED * r - swirl * v_t, FORWARD + v
            W2, phi = u * u + w * w, np.arctan2(w, u)
            cl = SLOPE * (pitch - phi)
            lift = BLADES * 0.5 * DENSITY * W2 * CHORD * dr * cl
            force, torque = lift * np.cos(phi), r * lift * np.sin(phi)
            momentum = 4.0 * np.pi * r * DENSITY * (FORWARD + v) * dr
            return [force - momentum * v, torque - momentum * v_t * r], force, torque, cl

        if swirl:
            v, v_t = fsolve(lambda x: ring(x)[0], [5.0, 2.0])
        else:
            v, v_t = fsolve(lambda x: ring([x[0], 0.0])[0][0], [5.0])[0], 0.0
        found.append(ring([v, v_t])[1:])
    force, torque, cl = np.array(found).T
    return {"thrust": force.sum(), "torque": torque.sum(), "cl": cl}


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("swirl", [False, True])
def test_propeller_against_blade_element_theory(sense, swirl):
    """Angular momentum gives the v_t that the direction of the lift does; left is (v_t / V_t)^2, and the root.

    At the root V_n is 1.4 V_t, so v_t is 3 % less there; it carries little.
    """
    found, exact = propeller(sense, swirl), blade_element_theory(swirl)
    close = 2e-3 if swirl else 1e-4
    assert found["thrust"] == pytest.approx(exact["thrust"], rel=close)
    assert found["torque"] == pytest.approx(exact["torque"], rel=close)
    assert found["cl"] == pytest.approx(exact["cl"], abs=0.01 if swirl else 1e-4)


def test_any_inflow_may_turn():
    """With an inflow that has no rings, swirl takes from the thrust about what it does ring by ring, 5 %."""
    exact = blade_element_theory(True)["thrust"] / blade_element_theory(False)["thrust"]
    assert exact < 0.96
    for inflow in (sm.Momentum(dynamic=False), sm.PittPeters()):
        without, turned = (propeller(1, swirl, inflow)["thrust"] for swirl in (False, True))
        assert turned / without == pytest.approx(exact, abs=0.01)


def test_vortices_have_it_already():
    model = sm.Model("refused")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(SPEED))))
    with pytest.raises(sm.ModelError, match="FreeWake has that of its vortices"):
        model.add(
            "rotor",
            sm.Rotor(
                model.ground, hub, radius=1.0, speed=SPEED, inflow=sm.FreeWake(step=1e-3), blades=["a", "b"], swirl=True
            ),
        )
