"""Momentum ring by ring: closed forms of one ring, of twisted blades, of losses, of steps, and what rings may be."""

from itertools import pairwise

import inflow_rotors as ir
import numpy as np
import pytest
from inflow_rotors import AREA, CHORD, DENSITY, RADIUS, SLOPE, TIP, bladed, gauss_stations, pushed, rings_of, settled
from scipy.optimize import brentq, root
from test_inflow import measured_mean

import samara as sm
from samara import AeroBeam3, AeroBody, Annular, Stations, ThinAerofoil
from samara.elements.aero.inflow.inflow import MASS, STILL_AIR_SPEED, Disk
from samara.elements.aero.inflow.inflow_at_blade import StationLift
from samara.model import Placement, StateMotion
from samara.rotations import rotation_z

BLADES, COUNT = 2, 6
SIGMA = BLADES * CHORD / (np.pi * RADIUS)


def told(inflow: Annular, along: Stations, blades=BLADES, root_end=ir.ROOT / RADIUS) -> Annular:
    """As a rotor tells it of its blades."""
    r, width = np.asarray(along.x, float) / RADIUS, np.asarray(along.length, float) / RADIUS
    twin = inflow.twin()
    twin.survey(r, 2 * np.pi * r * width, (root_end, 1.0), blades)
    return twin


def disk_of(flows, speed=(0.0, 0.0, 0.0), ground=1.0) -> Disk:
    states = [StateMotion(v, 0.0, 0.0) for v in flows]
    return Disk(DENSITY, AREA, RADIUS, np.asarray(speed, float), TIP, 0.0, 0.0, 0.0, states, ground, 1.0)


# ---- a ring
def ring_velocity(inflow: Annular, speed, pressure, ground=1.0) -> float:
    """Of the first ring under a pressure [Pa], by bisection; the others rest."""
    loads = pressure * np.asarray(inflow.areas)[0] * RADIUS**2

    def balance(v):
        return inflow.balances(disk_of([0.0, v, *[0.0] * (len(inflow.radii) - 1)], speed, ground))[1] - loads

    size = np.sqrt(abs(pressure) / (2 * DENSITY))
    ends = sorted((1e-6 * size * np.sign(pressure), 6.0 * size * np.sign(pressure)))
    return brentq(balance, *ends, xtol=1e-12)


PLAIN = told(Annular(radii=rings_of(gauss_stations()), losses="none"), gauss_stations())


def test_a_ring_that_climbs_and_descends():
    """The quadratic in climb, its other root as a windmill, the measured mean between; upside down too."""
    pressure = 70.0
    hover = np.sqrt(pressure / (2 * DENSITY))
    for sense in (1.0, -1.0):
        for x in (-4.0, -2.1, -1.8, -1.5, -1.2, -0.8, -0.4, -0.1, 0.0, 0.5, 2.0):
            found = sense * ring_velocity(PLAIN, (0.0, 0.0, sense * x * hover), sense * pressure) / hover
            if x < -2.0:
                assert found == pytest.approx(-x / 2 - np.sqrt(x**2 / 4 - 1), rel=1e-3)
            elif x < 0.0:
                assert found == pytest.approx(measured_mean(x), abs=0.14)
            else:
                assert found == pytest.approx(-x / 2 + np.sqrt(x**2 / 4 + 1), rel=1e-4)


def test_a_ring_in_edgewise_flight():
    """Glauert: v sqrt(V^2 + v^2) = dp / (2 rho)."""
    for speed in (3.0, 10.0, 40.0):
        v = ring_velocity(PLAIN, (speed * 0.6, speed * 0.8, 0.0), 70.0)
        assert v * np.hypot(v, speed) == pytest.approx(70.0 / (2 * DENSITY), rel=1e-4)


def kept(r, root_end, through, losses="both", blades=BLADES) -> float:
    """Prandtl's factor, from its formula."""
    r_sine = r * through / np.hypot(TIP * r, through)
    f = [blades / 2 * (1 - r) / r_sine, blades / 2 * (r - root_end) / r_sine]
    F = [2 / np.pi * np.arccos(np.exp(-x)) for x in f]
    return {"none": 1.0, "tip": F[0], "both": F[0] * F[1]}[losses]


@pytest.mark.parametrize("losses", ["none", "tip", "both"])
def test_rings_of_a_windmill(losses):
    """Buhl's formula of a ring with its own loss, 1e-6; 4 F a (1 - a) before, and no jump at a = 0.4."""
    wind = 500.0  # still air counts as 0.05 m/s, by squares 1e-8
    along = gauss_stations()
    inflow = told(Annular(radii=rings_of(along), losses=losses, descent="buhl"), along)
    areas = np.asarray(inflow.areas) * RADIUS**2

    def CT(a):
        rows = inflow.balances(disk_of([0.0, *[a * wind] * len(areas)], (0.0, 0.0, -wind)))
        return np.array(rows[1:], float) / (0.5 * DENSITY * wind**2 * areas)

    for a in (0.1, 0.3, 0.4, 0.6, 0.8, 1.0):
        w = max(abs(1 - a) * wind, STILL_AIR_SPEED)
        F = np.array([kept(r, inflow.root, w, losses) for r in inflow.radii])
        expected = 4 * F * a * (1 - a) if a <= 0.4 else 8 / 9 + (4 * F - 40 / 9) * a + (50 / 9 - 4 * F) * a**2
        np.testing.assert_allclose(CT(a), expected, rtol=1e-6)
    np.testing.assert_allclose(CT(0.4 - 1e-9), CT(0.4 + 1e-9), atol=1e-6)


# ---- blades
def by_hand(along: Stations, *, cd=0.0, losses="none", climb=0.0, blades=BLADES) -> np.ndarray:
    """Induced velocity at the stations, each with its own momentum balance, nothing taken as small, nothing of ours."""
    found = []
    for x, sine, cosine in zip(along.x, along.sine, along.cosine, strict=True):

        def balance(v, x=x, sine=sine, cosine=cosine):
            theta = np.arctan2(sine, cosine)
            U, w = ir.SPEED * x, climb + v
            phi = np.arctan2(w, U)
            cl = SLOPE * (theta - phi)
            lift = blades * 0.5 * DENSITY * (U**2 + w**2) * CHORD * (cl * np.cos(phi) - cd * np.sin(phi))
            F = kept(x / RADIUS, ir.ROOT / RADIUS, w, losses, blades)
            return lift - 4 * np.pi * x * DENSITY * F * w * v

        found.append(brentq(balance, 1e-3, 40.0, xtol=1e-12))
    return np.array(found)


def thrust_of(found, along: Stations, blades=BLADES) -> np.ndarray:
    """Of each station, all blades together."""
    return sum(found[f"blade_{k + 1}.normal"] for k in range(blades)) * along.length


@pytest.mark.parametrize("losses", ["none", "tip", "both"])
@pytest.mark.parametrize("climb", [0.0, 4.0])
def test_ring_by_ring_by_hand(losses, climb):
    """Twisted blades with drag, a ring for each station: each induced velocity and thrust, 5e-4.

    Still air counts as 0.05 m/s: (0.05 / v)^2, most near the root.
    """
    along = gauss_stations(lambda x: 0.2 - 0.05 * x, COUNT)
    model = bladed(Annular(radii=rings_of(along), losses=losses), stations=along, cd_0=0.01, wind=(0.0, 0.0, -climb))
    found, v = settled(model), by_hand(along, cd=0.01, losses=losses, climb=climb)
    np.testing.assert_allclose(found["rotor.ring_induced"], v, rtol=5e-4)
    phi = np.arctan2(climb + v, ir.SPEED * along.x)
    cl = SLOPE * (np.arctan2(along.sine, along.cosine) - phi)
    q = BLADES * 0.5 * DENSITY * ((ir.SPEED * along.x) ** 2 + (climb + v) ** 2) * CHORD * along.length
    np.testing.assert_allclose(found["rotor.ring_thrust"], q * (cl * np.cos(phi) - 0.01 * np.sin(phi)), rtol=1e-3)
    assert np.sum(found["rotor.ring_thrust"]) == pytest.approx(found["rotor.thrust"], rel=1e-9)


def test_a_blade_of_any_twist():
    """lambda = (sigma a / 16) (sqrt(1 + 32 theta r / (sigma a)) - 1), small angles: to (lambda / r)^2."""
    s = SIGMA * SLOPE
    for twist in (lambda x: 0.05, lambda x: 0.12 - 0.03 * x):
        along = gauss_stations(twist, COUNT)
        found = settled(bladed(Annular(radii=rings_of(along), losses="none"), stations=along))["rotor.ring_induced"]
        r = along.x / RADIUS
        expected = s / 16 * (np.sqrt(1 + 32 * np.arctan2(along.sine, along.cosine) * r / s) - 1)
        within = 2 * (expected / r) ** 2 + 0.5 * (STILL_AIR_SPEED / (expected * TIP)) ** 2
        assert np.all(np.abs(found / TIP / expected - 1) < within), (found / TIP / expected - 1, within)


def test_the_ideal_twist_has_one_induced_velocity():
    """theta = theta_tip / r: the same lambda everywhere, and least power for the thrust, T^(3/2) / sqrt(2 rho A)."""
    along = gauss_stations(lambda x: 0.05 * RADIUS / x, COUNT)
    found = settled(bladed(Annular(radii=rings_of(along), losses="none"), stations=along))
    v, r = found["rotor.ring_induced"], along.x / RADIUS
    np.testing.assert_allclose(v, v[-1], rtol=0.03)
    expected = SIGMA * SLOPE / 16 * (np.sqrt(1 + 32 * 0.05 / (SIGMA * SLOPE)) - 1)
    assert np.all(np.abs(v / TIP / expected - 1) < 2 * (expected / r) ** 2 + 1e-3)
    bladed_area = AREA * (1 - (ir.ROOT / RADIUS) ** 2)
    ideal = found["rotor.thrust"] ** 1.5 / np.sqrt(2 * DENSITY * bladed_area)
    assert found["rotor.power"] == pytest.approx(ideal, rel=1e-3)


# ---- rings that are not the stations'
def plain_thrust(rings: int, along: Stations) -> float:
    """A rotor in hover without the solver: blade elements, what they feel, what they share, and the balances."""
    edges = np.linspace(ir.ROOT / RADIUS, 1.0, rings + 1)
    inflow = told(Annular(radii=0.5 * (edges[1:] + edges[:-1]), losses="none"), along)
    r = along.x / RADIUS
    felt = inflow.felt(r)
    theta = np.arctan2(along.sine, along.cosine)

    def lifts(v_rings):
        flows = np.concatenate([[0.0], v_rings])[list(felt.places())]
        v = np.array([felt.velocity(flows, x, 0.0, k) for k, x in enumerate(r)])
        phi, q = np.arctan2(v, ir.SPEED * along.x), 0.5 * DENSITY * ((ir.SPEED * along.x) ** 2 + v**2)
        return BLADES * q * CHORD * along.length * SLOPE * (theta - phi) * np.cos(phi)

    def balances(v_rings):
        rows = np.array(inflow.balances(disk_of([0.0, *v_rings]))[1:], float)
        places = np.array(felt.places()) - 1
        rows[places] += felt.shares([StationLift(x, 0.0, f) for x, f in zip(r, lifts(v_rings), strict=True)])
        return rows

    found = root(balances, np.full(rings, 4.0), tol=1e-11)
    assert np.abs(found.fun).max() < 1e-6
    return float(np.sum(lifts(found.x)))


def test_refinement_of_the_rings():
    """Rings between the stations: thrust converges with order 2, to that of a ring for each station.

    To 1e-5 of the latter: still air counts as 0.05 m/s.
    """
    along = gauss_stations(lambda x: 0.2 - 0.05 * x, 160)
    v, theta = by_hand(along), np.arctan2(along.sine, along.cosine)
    phi, q = np.arctan2(v, ir.SPEED * along.x), 0.5 * DENSITY * ((ir.SPEED * along.x) ** 2 + v**2)
    exact = np.sum(BLADES * q * CHORD * along.length * SLOPE * (theta - phi) * np.cos(phi))
    fine = plain_thrust(80, along)
    assert fine == pytest.approx(exact, rel=2e-5)
    off = np.array([plain_thrust(n, along) / fine - 1 for n in (5, 10, 20)])
    assert np.all(np.abs(off[:-1] / off[1:]) > 3.5), off
    assert np.abs(off[0]) < 5e-4


def test_rings_beside_the_stations():
    """12 rings of equal area and 10 stations: thrust and power of one ring for each station.

    Within 1 percent: straight between rings, where Prandtl's factor falls to the tip as a square root.
    """
    along = gauss_stations(lambda x: 0.2 - 0.05 * x)
    own, default = (
        settled(bladed(inflow, stations=along), outputs=("rotor.*",))
        for inflow in (Annular(radii=rings_of(along)), Annular())
    )
    for name in ("rotor.thrust", "rotor.power"):
        assert default[name] == pytest.approx(own[name], rel=1e-2)


@pytest.mark.slow
def test_sixty_rings():
    """A blade of six pieces with ten stations each, a ring for each station: by hand, as for ten."""
    edges = np.linspace(ir.ROOT, RADIUS, 7)
    pieces = [Stations.gauss(a, b, 10, CHORD, lambda x: 0.2 - 0.05 * x) for a, b in pairwise(edges)]
    whole = Stations.joined(*pieces)
    model = bladed(Annular(radii=rings_of(whole)), stations=pieces[0])
    support, hub = model.elements["rotor"], model.nodes["hub"]
    section = ThinAerofoil(slope=SLOPE, cd_0=0.0, stall=3.2)
    for k in range(BLADES):
        place = Placement((0, 0, 0), rotation_z(k * np.pi))
        for j, piece in enumerate(pieces[1:]):
            model.add(
                f"blade_{k + 1}.piece_{j + 2}",
                AeroBody(hub, place=place, stations=piece, aerofoil=section, rotor=support),
            )
    found = settled(model, outputs=("rotor.*",))
    np.testing.assert_allclose(found["rotor.ring_induced"], by_hand(whole, losses="both"), rtol=1e-3)


def operations(rings: int) -> int:
    """Of the Jacobian of a rotor with that many rings."""
    model = pushed(Annular(radii=(np.arange(rings) + 0.5) / rings), [1.0, 1.0], [0.3, 0.6], [0.1, 0.1])
    system = sm.Simulation(model).system
    kind = system.find(model.elements["rotor"])[0].kind
    (jacobian,) = (function for function in kind.functions if function.name == "jacobian")
    return jacobian.graph.operations(node for _, node in jacobian.outputs)


def test_a_ring_more_is_a_few_operations_more():
    """A ring knows three numbers of the disk besides its own: four derivatives of its 108 operations, and no more than
    those, however many unknowns the disk itself depends on. 120 rings took minutes to compile otherwise."""
    assert operations(16) - operations(8) < 8 * 5 * 108


# ---- blades of beams
def test_blades_on_beams_are_blades_on_bodies():
    """Three nodes that the hub carries: the same stations, the same rings."""
    along = gauss_stations(0.1, COUNT)
    inflow = Annular(radii=rings_of(along))
    rigid = settled(bladed(inflow, stations=along, cd_0=0.01), outputs=("rotor.*",))
    half, middle = 0.5 * (RADIUS - ir.ROOT), 0.5 * (RADIUS + ir.ROOT)
    on_beam = Stations((along.x - middle) / half, *(getattr(along, name) for name in STATION_FIELDS))
    model = sm.Model("beams")
    craft = model.prescribed("craft", sm.Motion())
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: ir.SPEED * t)))
    names = ["blade_1", "blade_2"]
    support = sm.Rotor(
        craft, hub, radius=RADIUS, speed=ir.SPEED, inflow=inflow, start=3.0, air=sm.Air(density=DENSITY), blades=names
    )
    model.add("rotor", support)
    for k, name in enumerate(names):
        R = rotation_z(k * np.pi)
        nodes = []
        for j, x in enumerate((ir.ROOT, middle, RADIUS)):
            nodes.append(model.node(f"{name}.{j}", R @ (x, 0.0, 0.0), R, velocity=R @ (0, ir.SPEED * x, 0),
                                    angular_velocity=(0, 0, ir.SPEED)))  # fmt: skip
            model.add(f"{name}.mass_{j}", sm.Body(nodes[-1], mass=1.0, inertia=(0.1, 0.1, 0.1)))
            model.add(f"{name}.clamp_{j}", sm.Clamp(hub, nodes[-1], at=R @ (x, 0.0, 0.0)))
        section = ThinAerofoil(slope=SLOPE, cd_0=0.01, stall=3.2)
        model.add(f"{name}.air", AeroBeam3(*nodes, stations=on_beam, aerofoil=section, rotor=support))
    found = settled(model, outputs=("rotor.*",))
    for name in ("rotor.thrust", "rotor.torque", "rotor.ring_induced", "rotor.ring_thrust"):
        np.testing.assert_allclose(found[name], rigid[name], rtol=1e-6)


STATION_FIELDS = ("length", "chord", "cosine", "sine", "centre", "control", "lift", "swept_sine", "swept_cosine")


# ---- steps, ground
PUSH_RADII, PUSH_WIDTHS = np.array([0.3, 0.55, 0.8]), np.array([0.3, 0.25, 0.3])
PUSH_AREAS = 2 * np.pi * PUSH_RADII * PUSH_WIDTHS * RADIUS**2


def test_step_of_thrust_in_hover():
    """Each ring for itself: v = v_1 tanh(2 v_1 t / (M R) + atanh(v_0 / v_1)), M = 128 / 75 pi."""
    final, first = np.array([6.0, 9.0, 12.0]), 4.0
    forces = 2 * DENSITY * PUSH_AREAS * final**2
    constant = MASS * RADIUS / (4 * final.max())
    inflow = Annular(radii=PUSH_RADII, losses="none")
    model = pushed(inflow, forces, PUSH_RADII, PUSH_WIDTHS, start=first)
    results = sm.transient(model, end=6 * constant, step=constant / 200, progress=False, outputs="rotor.*")
    t = results.time[:, None]
    expected = final * np.tanh(2 * final * t / (MASS * RADIUS) + np.arctanh(first / final))
    np.testing.assert_allclose(results["rotor.ring_induced"], expected, rtol=0.5 * (STILL_AIR_SPEED / first) ** 2)
    np.testing.assert_allclose(results["rotor.ring_thrust"], np.tile(forces, (len(t), 1)), rtol=1e-6)


# ---- what it refuses, and what it keeps to itself
@pytest.mark.parametrize("radii", [(), (0.5, 0.4), (0.0, 0.5), (0.5, 1.0), ((0.2, 0.4),), (0.5, np.nan)])
def test_radii_that_are_refused(radii):
    with pytest.raises(sm.ModelError, match="Annular: radii must increase and lie between 0 and 1"):
        Annular(radii=radii)


def test_radii_that_are_no_numbers():
    with pytest.raises(sm.ModelError, match="Annular: radii must be numbers"):
        Annular(radii="all")


def test_blades_must_have_names():
    with pytest.raises(sm.ModelError, match=r"'rotor': .*Annular needs the number of blades: give their names"):
        bladed(Annular(), named=False).check()


def test_rings_without_stations_do_nothing():
    """With far more rings than stations each station has two of its own, which are as one at its radius."""
    along = gauss_stations(0.1, 3)
    many = settled(bladed(Annular(radii=np.linspace(0.05, 0.99, 30)), stations=along), outputs=("rotor.*",))
    own = settled(bladed(Annular(radii=rings_of(along)), stations=along), outputs=("rotor.*",))
    assert many["rotor.thrust"] == pytest.approx(own["rotor.thrust"], rel=1e-6)
    assert many["rotor.power"] == pytest.approx(own["rotor.power"], rel=1e-6)


def test_a_root_beyond_the_first_ring_is_no_end_of_the_blade():
    """Twelve rings from the shaft on, blades from 0.3 R on: loads at the root are those with rings at the stations."""
    along = Stations.gauss(0.3 * RADIUS, RADIUS, 10, 0.12, 0.1)
    few = settled(bladed(Annular(), stations=along), outputs=("*",))
    own = settled(bladed(Annular(radii=along.x / RADIUS), stations=along), outputs=("*",))
    name = next(channel for channel in own if channel.endswith(".normal"))
    # inboard half: straight between rings, where Prandtl's factor falls to the root; within 2 percent of the largest
    assert few[name][:5] == pytest.approx(own[name][:5], abs=0.02 * np.abs(own[name]).max())
    assert few["rotor.thrust"] == pytest.approx(own["rotor.thrust"], rel=1e-2)


def test_blades_that_are_not_counted_or_not_alike():
    model = bladed(Annular(), stations=gauss_stations(0.1, 4))
    rotor = model.elements["rotor"]
    model.add("stranger", AeroBody(rotor.hub, stations=gauss_stations(0.1, 4), aerofoil=ThinAerofoil(), rotor=rotor))
    with pytest.raises(sm.ModelError, match=r"'stranger' has this rotor but belongs to none of its blades"):
        model.check()
    for name in ("areas", "root", "blades"):
        with pytest.raises(sm.ModelError, match=f"{name} is computed"):
            Annular(**{name: 0.3})
    with pytest.raises(sm.ModelError, match="radii must be numbers"):
        Annular(radii=[sm.Parameter("p", 0.5)])


@pytest.mark.parametrize(("present", "said", "fits"), [(2, 2, True), (2, 4, False), (4, 2, False), (4, 4, True)])
def test_blades_that_bear_other_names_are_counted_by_where_they_point(present, said, fits):
    """Ring areas follow from the number of blades: surfaces of other names, in two pieces each, must be as many."""
    model = sm.Model("other names")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: ir.SPEED * t)))
    names = [f"arm_{k}" for k in range(said)]
    for k, name in enumerate(names):
        at = rotation_z(2 * np.pi * k / said) @ np.array([1.0, 0.0, 0.0])
        model.prescribed(name, sm.Motion(), position=at)
    pieces = [Stations.gauss(a, b, 3, CHORD, 0.1) for a, b in pairwise((0.4, 1.2, RADIUS))]
    inflow = Annular(radii=rings_of(Stations.joined(*pieces)))
    rotor = sm.Rotor(model.ground, hub, radius=RADIUS, speed=ir.SPEED, inflow=inflow, blades=names)
    model.add("rotor", rotor)
    for k in range(present):
        place = Placement((0, 0, 0), rotation_z(2 * np.pi * k / present))
        for j, piece in enumerate(pieces):
            surface = AeroBody(hub, place=place, stations=piece, aerofoil=ThinAerofoil(), rotor=rotor)
            model.add(f"surface_{k}{j}", surface)
    if fits:
        model.check()
        assert np.sum(rotor.inflow.areas) == pytest.approx(np.pi * (1.0 - 0.2**2))  # what the blades sweep
        return
    with pytest.raises(sm.ModelError, match=rf"'rotor'.*point in {present} directions, and its {said} blades"):
        model.check()


@pytest.mark.parametrize("losses", ["none", "both"])
def test_a_blade_of_one_station(losses):
    """One ring with its own momentum: thrust 2 rho dA F v^2, dA = 2 pi r dr, and the lift of the section in that flow.

    A single station stands for a piece of the blade around it, which begins half its width further in. With 0.05 m/s
    of still air by squares, 1e-4 of v^2.
    """
    r, width, theta = 1.5, 0.4, 0.12
    along = Stations(*(np.array([x]) for x in (r, width, CHORD, np.cos(theta), np.sin(theta), 0.0, 0.0)))
    found = settled(bladed(Annular(radii=[r / RADIUS], losses=losses), stations=along), outputs=("rotor.*",))

    def excess(v):
        U, phi = ir.SPEED * r, np.arctan2(v, ir.SPEED * r)
        lift = BLADES * 0.5 * DENSITY * (U**2 + v**2) * CHORD * width * SLOPE * (theta - phi) * np.cos(phi)
        F = kept(r / RADIUS, (r - 0.5 * width) / RADIUS, v, losses)
        return lift - 2.0 * DENSITY * (2.0 * np.pi * r * width) * F * v**2

    v = brentq(excess, 0.1, 40.0)
    assert found["rotor.ring_induced"] == pytest.approx(v, rel=1e-3)
    F = kept(r / RADIUS, (r - 0.5 * width) / RADIUS, v, losses)
    assert found["rotor.thrust"] == pytest.approx(4.0 * np.pi * DENSITY * r * width * F * v**2, rel=2e-3)
    # without drag, power is thrust times what it meets
    assert found["rotor.power"] == pytest.approx(found["rotor.thrust"] * v, rel=1e-3)


def test_rotors_that_share_a_record_do_not_disturb_each_other():
    """One record for two rotors of other blades: each is as it is alone."""
    shared = Annular(radii=rings_of(gauss_stations(0.1, COUNT)))
    alone = [
        settled(bladed(shared, theta=theta, stations=gauss_stations(theta, COUNT), blades=blades), outputs=("rotor.*",))
        for theta, blades in ((0.1, 2), (0.14, 4))
    ]
    model = bladed(shared, stations=gauss_stations(0.1, COUNT), prefix="a_")
    bladed(shared, stations=gauss_stations(0.14, COUNT), blades=4, model=model, prefix="b_", position=(0.0, 9.0, 0.0))
    both = settled(model, outputs=("a_rotor.*", "b_rotor.*"))
    for prefix, single in zip(("a_", "b_"), alone, strict=True):
        for name in ("thrust", "power", "ring_induced"):
            np.testing.assert_allclose(both[f"{prefix}rotor.{name}"], single[f"rotor.{name}"], rtol=1e-9)
    assert shared.blades == 0.0  # the record itself knows nothing of them
