"""Modes about periodic motions of rotors, whatever ties the blades: closed forms, Floquet's theory, each other."""

import numpy as np
import pytest

import samara as sm
from samara.analysis import Periodic
from samara.models.tiltrotors import wrats
from samara.rotations import rotation_z

#: Cyclic pitch begins as the links allow.
pytestmark = pytest.mark.filterwarnings("ignore::samara.solve.start_report.ChangedStart")

SPEED, STEPS = 44.0, 60
RADIUS, CHORD, SLOPE, DENSITY = 5.0, 0.3, 5.7, 1.225


def swashplate_rotor(blades=4, *, wind=0.0, lateral=0.0, longitudinal=0.0, azimuth=0.0, pace=1.0) -> sm.Model:
    """Articulated blades that feather by rigid links to a swashplate, at a constant speed; pace: unit of time."""
    hinge, horn, link, speed = 0.1, 0.2, 0.4, SPEED * pace
    inertia = DENSITY * SLOPE * CHORD * RADIUS**4 / 8.0  # Lock number 8
    mass, slender = 3.0 * inertia / RADIUS**2, 0.25 * inertia
    model, disk = sm.Model("swashplate rotor"), rotation_z(azimuth)
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(speed))), rotation=disk)
    names = [f"blade_{k + 1}" for k in range(blades)]
    air = sm.Air(density=DENSITY, wind=(wind * pace, 0, 0))
    place = {"disk": sm.Placement((0, 0, 0), disk), "radius": RADIUS, "speed": speed, "blades": names}
    solidity = blades * CHORD / np.pi / RADIUS
    rotor = sm.Rotor(model.ground, hub, **place, air=air, inflow=sm.NoInflow(), solidity=solidity)
    rotor = model.add("rotor", rotor)
    plate = sm.add_swashplate(
        model, "plate", mast=model.ground, hub=hub, place=sm.Placement((0, 0, -link), disk), horn=horn, station=hinge,
        collective=0.1, lateral=lateral, longitudinal=longitudinal,
    )  # fmt: skip
    stations = sm.Stations.gauss(0.2 * RADIUS, RADIUS - hinge, 8, CHORD)
    for k, name in enumerate(names):
        behind = 2 * np.pi * k / blades
        R = disk @ rotation_z(behind)
        at = R @ (hinge, 0, 0)
        start = {"velocity": tuple(np.cross((0, 0, speed), at)), "angular_velocity": (0, 0, speed)}
        arm = model.node(f"{name}.arm", at, R, static=True, **start)
        blade = model.node(f"{name}.root", at, R, **start)
        model.add(f"{name}.flap", sm.Revolute(hub, arm, at=at, axis=-R[:, 1]))
        model.add(f"{name}.feather", sm.Revolute(arm, blade, at=at, axis=R[:, 0]))
        own = {"mass": mass, "inertia": (1e-2 * slender, slender, slender), "com": (0.5 * RADIUS, 0, 0)}
        model.add(f"{name}.body", sm.Body(blade, **own))
        sm.add_pitch_link(model, f"{name}.link", plate, blade, azimuth=behind, horn=R @ (hinge, horn, 0))
        section = sm.ThinAerofoil(slope=SLOPE, cd_0=0.01)
        model.add(f"{name}.air", sm.AeroBody(blade, stations=stations, aerofoil=section, rotor=rotor))
    return model


def motion(model: sm.Model, speed: float = SPEED, steps: int = STEPS) -> Periodic:
    period = 2 * np.pi / speed
    return sm.periodic(model, period, period / steps, outputs="model.violation")


def far(found: np.ndarray, wanted: np.ndarray, speed: float) -> float:
    """Largest distance of what is wanted from what is found, frequencies but for signs and multiples of the speed."""
    apart = [found.imag[:, None] - sign * wanted.imag for sign in (1, -1)]
    turned = np.min([np.abs(x - speed * np.round(x / speed)) for x in apart], axis=0)
    return float(np.hypot(found.real[:, None] - wanted.real, turned).min(axis=0).max())


def require_floquet(about: Periodic, speed: float, within: float) -> sm.Modes:
    """Modes are Floquet's, what the time step adds taken out, of all that the step resolves; called again, the same."""
    found, again = sm.modes(about), sm.modes(about)
    assert far(found.eigenvalues, again.eigenvalues, speed) < 1e-6 * speed
    true = sm.floquet(about, without_step=True)
    told = (np.abs(true.eigenvalues) * about.step < 0.2) & (np.abs(true.multipliers) > 1e-4)
    assert told.any()
    assert far(found.eigenvalues, true.eigenvalues[told], speed) < within * speed
    return found


@pytest.fixture(scope="module")
def alone() -> complex:
    """One blade with cyclic pitch, by Floquet's theory."""
    (s,) = sm.floquet(motion(swashplate_rotor(1, lateral=0.03)), without_step=True).eigenvalues
    return s


@pytest.mark.parametrize("blades", range(1, 8))
def test_blades_that_do_not_feel_each_other_have_the_eigenvalue_of_one(blades, alone):
    """On rigid links with cyclic pitch: seen from outside s + i n Omega, n = 0 to N / 2, each wave once either way."""
    found = sm.modes(motion(swashplate_rotor(blades, lateral=0.03), steps=63 if blades == 7 else STEPS))
    assert len(found) == blades
    waves = np.arange(-((blades - 1) // 2), (blades - 1) // 2 + 1)
    wanted = np.abs(alone.imag + SPEED * waves)
    wanted = np.sort(np.append(wanted, np.abs(alone.imag)) if blades % 2 == 0 else wanted)
    assert found.eigenvalues.real == pytest.approx(alone.real, abs=1e-4 * SPEED)
    assert np.sort(found.frequencies) == pytest.approx(wanted, abs=1e-4 * SPEED)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"lateral": 0.1},
        {"lateral": 0.03, "azimuth": 0.7},
        {"wind": 20.0, "lateral": 0.03, "longitudinal": -0.025},
        {"wind": 60.0, "lateral": 0.03, "longitudinal": -0.06, "blades": 3},
        {"wind": 60.0, "blades": 2},
    ],
)
def test_swashplate_with_rigid_links(state):
    """Hover, cyclic pitch, flight: 1e-5 of the speed, which is what removing the step leaves."""
    found = require_floquet(motion(swashplate_rotor(**state)), SPEED, 2e-5)
    assert ("within the period" in str(found)) == ("lateral" in state or "wind" in state)
    assert all(name.startswith("flap") for name in found.names)
    assert found.error < 1e-6


@pytest.mark.filterwarnings("ignore::samara.Implausible")  # a tip at 2200 m/s
def test_another_unit_of_time():
    slow, fast = (sm.modes(motion(swashplate_rotor(lateral=0.1, wind=20.0, pace=x), SPEED * x)) for x in (1.0, 10.0))
    np.testing.assert_allclose(fast.eigenvalues, 10.0 * slow.eigenvalues, rtol=1e-6)
    assert fast.names == slow.names


def teeter(ratio: float, speed: float = 35.0, lock: float = 6.0) -> sm.Model:
    """Two blades on one yoke, a node in axes that do not belong to a blade; ratio: of flight to tip speed."""
    model, inertia = sm.Model("teeter"), DENSITY * SLOPE * CHORD * RADIUS**4 / lock
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: speed * t)))
    yoke = model.node("yoke", angular_velocity=(0, 0, speed))
    model.add("hinge", sm.Revolute(hub, yoke, at=(0, 0, 0), axis=(0, -1, 0)))
    model.add("body", sm.Body(yoke, mass=6 * inertia / RADIUS**2, inertia=(1e-4, 2 * inertia, 2 * inertia)))
    air, names = sm.Air(density=DENSITY, wind=(ratio * speed * RADIUS, 0, 0)), ("blade_1", "blade_2")
    own = {"radius": RADIUS, "speed": speed, "solidity": 2 * CHORD / np.pi / RADIUS, "blades": names}
    rotor = model.add("rotor", sm.Rotor(model.ground, hub, **own, air=air, inflow=sm.NoInflow()))
    stations, section = (
        sm.Stations.gauss(0.0, RADIUS, 16, CHORD, 0.0),
        sm.ThinAerofoil(slope=SLOPE, cd_0=0.0, stall=0.5),
    )
    for k, name in enumerate(names):
        place = sm.Placement((0, 0, 0), rotation_z(k * np.pi))
        model.add(name, sm.AeroBody(yoke, place=place, stations=stations, aerofoil=section, rotor=rotor))
    return model


def test_a_teetering_rotor():
    """s^2 + gamma / 8 Omega s + Omega^2 = 0 in hover; a fixed chart of its motions is singular twice a turn."""
    speed, lock = 35.0, 6.0
    found = require_floquet(motion(teeter(0.0), speed, 90), speed, 1e-4)
    damping = lock * speed / 16.0
    assert found.eigenvalues == pytest.approx([-damping + 1j * np.sqrt(speed**2 - damping**2)], rel=1e-6)
    require_floquet(motion(teeter(0.4), speed, 90), speed, 1e-4)


def test_a_gimballed_tiltrotor_whose_controls_have_no_mass():
    """Damped nodes without mass, on bearings that turn: the wing's mode is the one that a run shows."""
    speed = wrats.SPEED_RPM * np.pi / 30
    found = require_floquet(motion(wrats.build(), speed, 120), speed, 2e-5)
    assert found.periodic < 1e-3
