"""Wakes of rotors on what is behind and below them: continuity, vortex cylinder, who feels them and who refuses."""

from types import SimpleNamespace

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, Air, Drag, Rotor, RotorWake, ThinAerofoil
from samara.elements.aero.rotors.rotor import OVER_A_DISK
from samara.elements.aero.surfaces.strip import Stations
from samara.model.equations import governed
from samara.models.rotors.hinged_rotor import hinged_rotor
from samara.rotations import rotation_from_rotation_vector, rotation_z

RADIUS = 2.0
STILL = np.zeros(3)


def disk(velocity=(0.0, 0.0, 0.0), R=None, p=(0.0, 0.0, 0.0)):
    """A frame of a disk that moves with a velocity in its own axes."""
    R, p = np.eye(3) if R is None else R, np.asarray(p)
    return SimpleNamespace(v=np.asarray(velocity, float), R=R, z=R[:, 2], see=lambda point: R.T @ (point - p))


def wake(point, u=5.0, **frame) -> np.ndarray:
    return RotorWake(radius=RADIUS).velocity(disk(**frame), STILL, u, np.asarray(point, float))


def test_on_the_axis_it_is_a_vortex_cylinder():
    """u (1 + s / sqrt(s^2 + R^2)): u at the disk, twice that far below, nothing far above.

    0.5 m/s are added by squares to the flow that carries the wake, 0.5 % of 5 m/s.
    """
    for z in (4.0, 1.0, 0.0, -1.0, -4.0):
        expected = 5.0 * (1.0 - z / np.hypot(z, RADIUS))
        assert wake((0.0, 0.0, z)) == pytest.approx([0.0, 0.0, -expected], abs=5e-3 * 5.0)
    assert wake((0, 0, -400.0))[2] == pytest.approx(-10.0, rel=1e-4)
    assert abs(wake((0, 0, 400.0))[2]) < 1e-4


@pytest.mark.parametrize("velocity", [(0.0, 0.0, 0.0), (-6.0, 2.0, 0.0), (-3.0, 0.0, 4.0)])
def test_what_flows_through_the_disk_flows_through_every_plane_below(velocity):
    """Flux over planes parallel to the disk is pi R^2 u: exact but for the plane's finite size (1e-3)."""
    x = np.linspace(-40.0, 40.0, 801)
    cell = (x[1] - x[0]) ** 2
    grid = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1)
    for depth in (0.5, 2.0, 6.0):
        # all points of the plane at once; of the field, its size along -z
        plane = SimpleNamespace(
            v=np.asarray(velocity), R=np.eye(3), z=1.0, see=lambda _, d=depth: (grid[..., 0], grid[..., 1], -d)
        )
        flux = -RotorWake(radius=RADIUS).velocity(plane, STILL, 5.0, None).sum() * cell
        assert flux == pytest.approx(np.pi * RADIUS**2 * 5.0, rel=2e-3)


def test_it_leans_with_the_flow():
    """At 5 m/s through the disk and 10 m/s forward it is two metres aft for every metre below; not where it was."""
    flying = {"velocity": (-10.0, 0.0, 0.0)}
    assert wake((4.0, 0.0, -2.0), **flying)[2] < -5.0
    assert abs(wake((0.0, 0.0, -8.0), **flying)[2]) < 1e-2
    # a climbing rotor leaves its wake straight below
    assert wake((0.0, 0.0, -2.0), velocity=(0.0, 0.0, 20.0))[2] < -5.0


def test_turned_mirrored_and_moved_it_is_the_same(rng):
    R = rotation_from_rotation_vector(rng.normal(size=3))
    p, point, velocity = rng.normal(size=3), rng.normal(size=3), np.array([-4.0, 1.0, 0.5])
    here = wake(point, velocity=velocity)
    there = wake(p + R @ point, velocity=velocity, R=R, p=p)
    assert there == pytest.approx(R @ here, rel=1e-12, abs=1e-12)
    mirror = np.array([1.0, -1.0, 1.0])
    assert wake(mirror * point, velocity=mirror * velocity) == pytest.approx(mirror * here)


def test_its_edge_is_smooth_and_as_wide_as_said():
    """From 0.9 to 0.1 between 0.72 and 1.25 R_k; no kink in fast flight, where the wake is thin across the disk.

    Central differences have an error of second order everywhere, a sixteenth of it with a quarter of the step.
    """
    q = np.array([0.721, 0.949, 1.249]) * RADIUS
    share = [wake((x, 0.0, 0.0))[2] / wake((0.0, 0.0, 0.0))[2] for x in q]
    assert share == pytest.approx([0.9, 0.5, 0.1], abs=2e-3)

    fast = {"velocity": np.array([-40.0, 1.0, -1.0])}
    z = np.linspace(-2.0, 1.0, 601)  # a line up and down behind the rotor, through both edges

    def slopes(h):
        return np.array(
            [(wake((2.4, 0.3, x + h), **fast)[2] - wake((2.4, 0.3, x - h), **fast)[2]) / (2 * h) for x in z]
        )

    exact = np.array([wake_slope((2.4, 0.3, x), **fast) for x in z])
    errors = [np.abs(slopes(h) - exact).max() for h in (4e-3, 1e-3)]
    assert np.abs(exact).max() > 10.0  # the edge is there
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.1)


def wake_slope(point, **frame) -> float:
    """d v_z / d z by a complex step: the function is analytic."""
    moved = np.asarray(point) + np.array([0.0, 0.0, 1e-20j])
    return RotorWake(radius=RADIUS).velocity(disk(**frame), STILL, 5.0, moved)[2].imag / 1e-20


def blown_model(**more):
    """A rotor of four blades in hover, and below it a plate on a node of its own."""
    model = hinged_rotor(collective=0.1)
    rotor = model.elements["rotor"]
    stand = model.prescribed("stand", sm.Motion(position=(0.0, 0.0, -1.5)))
    model.add("plate", Drag(stand, area=(0.0, 0.0, 0.3), wakes=RotorWake(rotor, **more)))
    return model, stand, rotor


def test_a_body_below_a_rotor():
    """Drag of a plate: rho / 2 S v^2 with the velocity of the cylinder, from what the rotor reports."""
    model, _, rotor = blown_model()
    run = sm.transient(model, end=2.0, step=0.01, progress=False)
    u = run["rotor.induced"][-1, 0]
    R = float(rotor.radius)
    v = u * (1 + 1.5 / np.hypot(1.5, R))
    assert run["plate.force"][-1] == pytest.approx([0.0, 0.0, -0.5 * 1.225 * 0.3 * v**2], rel=1.5e-2, abs=1e-9)
    half, _, _ = blown_model(factor=0.5)
    assert sm.transient(half, end=2.0, step=0.01, progress=False)["plate.speed"][-1] == pytest.approx(v / 2, rel=1e-2)


def test_a_second_rotor_and_its_blades_feel_it():
    """A rotor below the first: its blades meet the wake without being told, its disk counts it as a wind from above.

    The same rotor in a wind from above of the wake's velocity has the same thrust; the wake is not quite uniform over
    the smaller disk, and 1 % weaker at its rim.
    """
    model, _, above = blown_model()
    spin = 60.0
    hub = model.prescribed("low_hub", sm.Motion(rotation=(0, 0, lambda t: spin * t)), position=(0.0, 0.0, -1.5))
    place = sm.Placement((0.0, 0.0, -1.5))
    low = model.add(
        "low",
        Rotor(model.ground, hub, disk=place, radius=0.4, speed=spin, blades=("low_1",), wakes=[RotorWake(above)]),
    )
    along = Stations.gauss(0.1, 0.4, 4, 0.05, 0.15)
    section = ThinAerofoil(slope=5.7, cd_0=0.01)
    blade = model.add("low_1", AeroBody(hub, stations=along, aerofoil=section, rotor=low))
    assert [wake.rotor for wake in blade.wakes] == [above]
    run = sm.transient(model, end=2.0, step=0.005, progress=False)
    v = run["plate.speed"][-1]

    alone = sm.Model("alone")
    hub = alone.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: spin * t)))
    air = Air(wind=(0.0, 0.0, -v))
    rotor = alone.add("low", Rotor(alone.ground, hub, radius=0.4, speed=spin, blades=("low_1",), air=air))
    alone.add("low_1", AeroBody(hub, stations=along, aerofoil=section, rotor=rotor))
    other = sm.transient(alone, end=2.0, step=0.005, progress=False)
    assert run["low.thrust"][-1] == pytest.approx(other["low.thrust"][-1], rel=1e-2)
    assert run["low.axial"][-1] == pytest.approx(other["low.axial"][-1], rel=1e-5)  # still air counts in plate.speed


def ideal_rotor(model, name, at, pitch, wakes=(), axes=((1, 0, 0), (0, 1, 0), (0, 0, 1))):
    """Two blades of ideal twist without drag, on a hub; pitch: at the tip [rad]; axes: of the disk."""
    spin, radius = 60.0, 2.0
    hub = model.prescribed(f"{name}_hub", sm.Motion(rotation=(0, 0, lambda t: spin * t)), position=at)
    names, disk_at = [f"{name}_{k}" for k in (1, 2)], sm.Placement(at, axes)
    rotor = model.add(
        name, Rotor(model.ground, hub, disk=disk_at, radius=radius, speed=spin, blades=names, wakes=wakes, start=5.0)
    )
    along = Stations.gauss(0.05 * radius, radius, 24, 0.1, twist=lambda r: pitch * radius / r)
    for k, blade in enumerate(names):
        place = sm.Placement((0.0, 0.0, 0.0), rotation_z(np.pi * k))
        section = ThinAerofoil(slope=5.7, cd_0=0.0)
        model.add(blade, AeroBody(hub, stations=along, aerofoil=section, rotor=rotor, place=place))
    return rotor


def coaxial(gap, pitch) -> tuple[float, float]:
    """Thrust and power of the lower of two rotors, over those of the upper."""
    model = sm.Model("coaxial")
    top = ideal_rotor(model, "top", (0.0, 0.0, 0.0), 0.12)
    ideal_rotor(model, "low", (0.0, 0.0, -gap), pitch, [RotorWake(top)])
    run = sm.transient(model, 0.6, 2e-3, outputs=("*.thrust", "*.power"), progress=False)
    return tuple(float(run[f"low.{what}"][-1] / run[f"top.{what}"][-1]) for what in ("thrust", "power"))


@pytest.mark.parametrize("gap", [0.02, 0.4, 8.0])
def test_coaxial_rotors_take_more_power(gap):
    """With equal thrusts the lower takes more than the upper, and less than momentum theory in all of its wake.

    That has a wind of u from above, u the upper's: v (v + u) = u^2, v + u = 1.62 u. Far below the wake has contracted
    to half of the disk; blades carry more outside of it, where the inflow is less, and take less.
    """
    pitches = np.array([0.136, 0.146])
    thrust, power = np.array([coaxial(gap, pitch) for pitch in pitches]).T
    taken = np.interp(1.0, thrust, power)
    assert thrust[0] < 1.0 < thrust[1]
    assert 1.0 < taken < 0.5 * (1.0 + np.sqrt(5.0))


def test_mean_over_a_disk():
    """Exact for polynomials up to degree 7: (2/pi) integral of r^(n+1) times that of cos^a sin^b over a turn."""
    weight, x, y = np.array(OVER_A_DISK).T
    angle = 2.0 * np.pi * np.arange(64) / 64
    for a in range(8):
        for b in range(8 - a):
            exact = 2.0 / (a + b + 2) * np.mean(np.cos(angle) ** a * np.sin(angle) ** b)
            assert weight @ (x**a * y**b) == pytest.approx(exact, abs=1e-15)


@pytest.mark.parametrize("offset", [(2.0, 0.0, -0.6), (2.8, 0.4, -0.6)])
def test_axes_of_a_broad_disk_do_not_count(offset):
    """A rotor half in the wake of another: its disk's axes turned about the shaft, its blades as they were.

    Places where the wake is felt turn with the axes. They are so many that thrust and moments change by less than 1e-3;
    with two places on each ring the thrust changed by 4 %.
    """
    found = []
    for turn in (0.0, 11.0, 22.5, 45.0, 90.0):
        model, R = sm.Model("overlapping"), rotation_z(np.radians(turn))
        top = ideal_rotor(model, "top", (0.0, 0.0, 0.0), 0.12)
        ideal_rotor(model, "low", offset, 0.12, [RotorWake(top)], R)
        run = sm.transient(model, 0.4, 2e-3, outputs=("low.thrust", "low.power", "low.moment"), progress=False)
        found.append((run["low.thrust"][-1], run["low.power"][-1], *(R @ run["low.moment"][-1])))
    for other in found[1:]:
        # moments against the largest of them
        assert other[:2] == pytest.approx(found[0][:2], rel=1e-3)
        assert np.abs(np.subtract(other, found[0])[2:]).max() < 1e-3 * np.abs(found[0][2:]).max()


def test_states_that_are_only_read_have_no_balance():
    """Rotors and blades give one for what they own or load: six loads, and rings or shapes if the inflow has them."""
    model = sm.Model("read")
    top = ideal_rotor(model, "top", (0.0, 0.0, 0.0), 0.12)
    low = ideal_rotor(model, "low", (0.0, 0.0, -1.0), 0.12, [RotorWake(top)])
    blade = model.elements["low_1"]
    assert low.readings() == [top.mean]
    assert [low.states()[k] for k in governed(low)] == list(low.owned.values())
    assert [blade.states()[k] for k in governed(blade)] == list(low.owned.values())[:6]
    assert top.mean in blade.readings() and low.mean in blade.readings()


def test_what_is_no_wake_is_refused():
    model = sm.Model("refused")
    with pytest.raises(sm.ModelError, match=r"'plate'.*needs the Rotor returned by model.add"):
        model.add("plate", Drag(model.node("n"), area=(1, 1, 1), wakes=RotorWake(None)))
    with pytest.raises(sm.ModelError, match=r"'plate'.*needs the Rotor returned by model.add"):
        wing = AeroBody(model.node("w"), stations=Stations.gauss(0, 1, 2, 0.1), aerofoil=ThinAerofoil())
        model.add("wing", wing)
        model.add("plate", Drag(model.node("o"), area=(1, 1, 1), wakes=RotorWake(wing)))
    with pytest.raises(sm.ModelError, match=r"'plate'.*the inflow of its own rotor is already included"):
        hover = hinged_rotor(collective=0.1)
        own = hover.elements["rotor"]
        hover.add("plate", Drag(hover.node("n"), area=(1, 1, 1), rotor=own, wakes=RotorWake(own)))
    with pytest.raises(sm.ModelError, match=r"'plate'.*wakes must be RotorWake"):
        model.add("plate", Drag(model.node("m"), area=(1, 1, 1), wakes=3.0))


def test_channels_of_sections():
    """Circulation V c cl / 2 and lift rho V Gamma; the induced angle is that of the rotor's own velocity."""
    model = hinged_rotor(collective=0.1)
    run = sm.transient(model, end=1.0, step=0.01, progress=False)
    name = next(n for n, e in model.elements.items() if isinstance(e, AeroBody))
    blade = model.elements[name]
    V, chord = run[f"{name}.mach"][-1] * 340.294, np.asarray(blade.stations.chord)
    assert run[f"{name}.circulation"][-1] == pytest.approx(0.5 * V * chord * run[f"{name}.cl"][-1])
    assert run[f"{name}.induced"][-1] == pytest.approx(np.full(len(chord), run["rotor.induced"][-1, 0]))
    assert np.tan(run[f"{name}.induced_angle"][-1]) == pytest.approx(run["rotor.induced"][-1, 0] / V, rel=1e-6)
    q = 0.5 * 1.225 * V**2 * chord
    lift, drag = q * run[f"{name}.cl"][-1], q * run[f"{name}.cd"][-1]
    normal, along = run[f"{name}.normal"][-1], run[f"{name}.chordwise"][-1]
    assert normal**2 + along**2 == pytest.approx(lift**2 + drag**2, rel=1e-9)
