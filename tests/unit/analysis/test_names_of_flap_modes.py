"""Names of the flap modes of blades whose nodes are on the shaft itself: which wave it is must not follow rounding."""

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, Annular, Momentum, PittPeters, Rotor, Stations, ThinAerofoil
from samara.models.rotors import hammond
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


def on_a_pylon(kind: str, craft: str) -> sm.Model:
    """Blades without lag hinges, on an elastic shaft and a pylon that tilts below: flapping, teetering, gimballed."""
    model, spin, pitch = sm.Model(f"{kind} on a pylon"), (0, 0, SPEED), {"at": (0, 0, 0), "axis": (0, 1, 0)}
    pylon = model.node("pylon")
    model.add("pylon.body", sm.Body(pylon, mass=20.0, inertia=(2, 2, 2)))
    model.add("pylon.pivot", sm.Universal(model.ground, pylon, at=(0, 0, -1), axis=(0, 0, 1)))
    for axis in ((1, 0, 0), (0, 1, 0)):
        held = sm.Torsion(model.ground, pylon, at=(0, 0, -1), axis=axis, law=sm.LinearLaw(6e3, damping=20.0))
        model.add(f"pylon.spring_{axis[1]}", held)
    shaft = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    for name in ("motor", "hub"):
        node = model.node(name, angular_velocity=spin)
        model.add(f"{name}.body", sm.Body(node, mass=0.5, inertia=(0.05, 0.05, 0.05)))
        model.add(f"{name}.bearing", sm.Revolute(pylon, node, **shaft))
    hub, motor = model.nodes["hub"], model.nodes["motor"]
    model.add("motor.turn", sm.PrescribedAngle(pylon, motor, angle=lambda t: SPEED * t, **shaft))
    model.add("shaft", sm.Torsion(motor, hub, law=sm.LinearLaw(3e3, damping=3.0), **shaft))
    root, names = hub, [f"blade_{k + 1}" for k in range(2 if kind == "teeter" else 3)]
    if kind != "flap":
        root = model.node("yoke", angular_velocity=spin)
        model.add("yoke.body", sm.Body(root, mass=0.5, inertia=(0.01, 0.01, 0.01)))
        model.add("tilt", sm.Revolute(hub, root, **pitch) if kind == "teeter" else sm.Universal(hub, root, **shaft))
        for axis in ((0, 1, 0), (1, 0, 0))[: 1 if kind == "teeter" else 2]:
            damper = sm.Torsion(hub, root, at=(0, 0, 0), axis=axis, law=sm.LinearLaw(0.0, damping=10.0))
            model.add(f"damper_{axis[0]}", damper)
    for k, name in enumerate(names):
        R = rotation_z(2 * np.pi * k / len(names))
        at, hinge = R @ (0.1, 0, 0), {"axis": R @ (0, -1, 0)}
        blade = model.node(name, at, R, velocity=np.cross(spin, at), angular_velocity=spin)
        model.add(f"{name}.body", sm.Body(blade, mass=1.5, com=(0.9, 0, 0), inertia=(0.01, 0.5, 0.5)))
        if kind == "flap":
            model.add(f"{name}.flap", sm.Revolute(hub, blade, at=at, **hinge))
            model.add(f"{name}.damper", sm.Torsion(hub, blade, at=at, law=sm.LinearLaw(0.0, damping=10.0), **hinge))
        else:
            model.add(f"{name}.root", sm.Clamp(root, blade, at=at))
    node = model.ground if craft == "ground" else pylon
    model.declare_rotor("rotor", hub=hub, blades=names, radius=RADIUS, sense=1, craft=node)
    return model


@pytest.mark.parametrize("kind", ["flap", "teeter", "gimbal"])
@pytest.mark.parametrize("craft", ["pylon", "ground"])
def test_what_has_no_lag_hinge_does_not_lag(kind, craft):
    """Blades go along with a shaft that winds up and with a pylon that tilts: these move, and nothing lags."""
    turn = 2 * np.pi / SPEED
    motion = sm.periodic(on_a_pylon(kind, craft), turn, turn / 60, outputs="model.violation")
    found = [sm.floquet(motion, exchange=exchange) for exchange in (True, False)]
    for modes in found if kind == "teeter" else (*found, sm.modes(motion)):
        assert not any("lag" in name or "extension" in name for name in modes.names)
        assert max(modes.shares[part].max() for part in ("lag", "extension")) < 0.1
        assert sum(name == "hub" for name in modes.names) >= 1  # the shaft winds up
        assert sum(name.startswith("flap") for name in modes.names) == {"flap": 3, "teeter": 1, "gimbal": 2}[kind]


def test_names_do_not_depend_on_the_exchange_of_blades():
    """Small motions are told where they begin: a part of a turn later, blades are elsewhere beside the craft."""
    turn = 60.0 / 250.0
    motion = sm.periodic(hammond.build(blades=3), turn, turn / 60, outputs="model.violation")
    names = [sm.floquet(motion, exchange=exchange).names for exchange in (True, False)]
    assert sorted(names[0]) == sorted(names[1])
    assert not any("extension" in name for name in names[0])
