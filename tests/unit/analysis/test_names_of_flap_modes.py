"""Names of the flap modes of blades whose nodes are on the shaft itself: which wave it is must not follow rounding."""

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, Annular, Momentum, PittPeters, Rotor, Stations, ThinAerofoil
from samara.rotations import rotation_z

RADIUS, SPEED, BLADES = 2.0, 60.0, 4
ALONG = Stations.gauss(0.02, RADIUS, 4, 0.12, 0.15)


def flapping(inflow) -> sm.Model:
    """Four rigid blades, each on a flap hinge at the shaft, and so is its node."""
    model = sm.Model("flap")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)))
    names = [f"blade_{k + 1}" for k in range(BLADES)]
    rotor = model.add("rotor", Rotor(model.ground, hub, radius=RADIUS, speed=SPEED, inflow=inflow, blades=names))
    for k, name in enumerate(names):
        R = rotation_z(2 * np.pi * k / BLADES)
        blade = model.node(name, (0, 0, 0), R, angular_velocity=(0, 0, SPEED))
        model.add(f"{name}.body", sm.Body(blade, mass=1.5, com=(1.0, 0, 0), inertia=(1e-4, 0.5, 0.5)))
        model.add(f"{name}.flap", sm.Revolute(hub, blade, at=(0, 0, 0), axis=tuple(R @ [0, -1, 0])))
        model.add(f"{name}.air", AeroBody(blade, stations=ALONG, aerofoil=ThinAerofoil(stall=1.2), rotor=rotor))
    return model


@pytest.mark.parametrize("inflow", [Momentum(), PittPeters(), Annular(ALONG.x / RADIUS, losses="none")], ids=repr)
def test_every_wave_has_its_name(inflow):
    """In the disk's axes a flap mode of blade frequency w is at w (collective, differential) and at |w -+ Omega|."""
    turn = 2 * np.pi / SPEED
    modes = sm.modes(sm.periodic(flapping(inflow), turn, turn / 48, outputs=("rotor.thrust",)))
    flap = {n: s for n, s in zip(modes.names, modes.eigenvalues, strict=True) if "flap" in n and s.imag > 0.0}
    waves = {"flap collective", "flap differential", "flap progressing", "flap regressing"}
    assert waves <= set(flap)
    w = flap["flap differential"].imag / SPEED
    assert flap["flap progressing"].imag / SPEED == pytest.approx(w + 1.0, abs=0.1)
    assert flap["flap regressing"].imag / SPEED == pytest.approx(abs(w - 1.0), abs=0.1)
