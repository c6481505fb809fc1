"""Landing: gear at rest, on slopes and on decks that move, momentum at the touchdown; a whole helicopter."""

from dataclasses import replace

import numpy as np
import pytest

import samara as sm
from samara import experiments, models
from samara.elements.contact.shapes import contact_axes
from samara.experiments.helicopters.landing import slip, touchdown
from samara.models.ground.deck import Deck
from samara.models.ground.landing_gear import LandingGear, gear_of, static_loads
from samara.models.ground.ship import ShipMotion
from samara.models.helicopters import helicopter, landing, xcell
from samara.rotations import rotation_y

G, MASS, TOLERANCE = 9.81, 5500.0, 1e-7
KINDS = ("wheels", "skids")


def craft(gear: LandingGear, deck: Deck, thrust: float = 0.0, velocity=(0.0, 0.0, 0.0)) -> sm.Model:
    """A rigid machine on its gear, with a steady force off its centre of mass."""
    model = sm.Model("craft", gravity=(0, 0, -G))
    body = model.node("fuselage", velocity=velocity)
    model.add("body", sm.Body(body, mass=MASS, inertia=(9638.0, 33240.0, 25889.0)))
    gear.add(model, body, deck)
    if thrust:
        model.add("thrust", sm.Force(body, at=(0.3, 0.1, 2.0), force=(0, 0, thrust)))
    return model


def run(model: sm.Model, end: float, step: float = 2.5e-3) -> sm.Results:
    return sm.transient(model, end, step, tolerance=TOLERANCE, progress=False)


def weight(gear: LandingGear) -> float:
    return G * (MASS + sum(leg.mass for leg in gear.legs))


def feet(found: sm.Results, gear: LandingGear) -> tuple[np.ndarray, np.ndarray]:
    """Where wheels touch, and forces there, in the world at the end of a run [m, N]."""
    points, forces = [], []
    for leg in gear.legs:
        R = found[f"gear.{leg.name}.rotation"][-1].reshape(3, 3)
        force, normal = found[f"gear.{leg.name}.tyre.force"][-1], found[f"gear.{leg.name}.tyre.normal"][-1]
        across = normal * (1.0, 0.0, 1.0) / np.hypot(normal[0], normal[2])  # of the rim, about y
        centre = found[f"gear.{leg.name}.position"][-1]
        points.append(centre - R @ (0.75 * leg.radius * across + 0.25 * leg.radius * normal))
        forces.append(R @ sum(f * axis for f, axis in zip(force, contact_axes(normal), strict=True)))
    return np.array(points), np.array(forces)


def loads_at_rest(found: sm.Results, gear: LandingGear) -> tuple[np.ndarray, np.ndarray]:
    """Weights of all parts [N], and where they are [m], at the end of a run."""
    masses = [MASS, *(leg.mass for leg in gear.legs)]
    names = ["fuselage", *(f"gear.{leg.name}" for leg in gear.legs)]
    return G * np.array(masses), np.array([found[f"{name}.position"][-1] for name in names])


def test_wheels_at_rest_carry_the_weight_less_the_thrust():
    """Three feet: their loads follow from the balance of forces and moments alone."""
    gear, thrust = gear_of("wheels"), 20e3
    found = run(craft(gear, Deck(gear.low - 0.2), thrust), 15.0)
    points, forces = feet(found, gear)
    weights, places = loads_at_rest(found, gear)
    R = found["fuselage.rotation"][-1].reshape(3, 3)
    hub = places[0] + R @ (0.3, 0.1, 2.0)
    total = np.array([0.0, 0.0, thrust - weights.sum()])
    moment = np.cross(hub, (0, 0, thrust)) + np.sum(
        [np.cross(p, (0, 0, -w)) for w, p in zip(weights, places, strict=True)], axis=0
    )
    expected = static_loads(points, total, moment)
    np.testing.assert_allclose(forces[:, 2], expected, rtol=1e-5)  # Newton's tolerance, and what is left of the swing
    np.testing.assert_allclose(forces.sum(axis=0), -total, atol=1e-5 * weight(gear))
    # legs: what the spring holds along its axis
    for leg, force in zip(gear.legs, forces, strict=True):
        stroke = found[f"gear.{leg.name}.slide.displacement"][-1]
        assert leg.stiffness * stroke == pytest.approx(R[:, 2] @ (force - (0.0, 0.0, G * leg.mass)), rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tangent", [0.15, 0.25])
def test_friction_holds_on_a_slope_up_to_its_tangent(kind, tangent):
    gear, slope = gear_of(kind, friction=0.2), np.arctan(tangent)
    found = run(craft(gear, Deck(gear.low - 0.6, slope=slope)), 14.0)
    speed, late = np.linalg.norm(found["fuselage.velocity"], axis=1), found.time > 11.0
    if tangent < 0.2:
        assert speed[late].max() < 1e-4  # what swings on its springs dies out
    else:
        t = found.time[late]
        grown = (speed[late][-1] - speed[late][0]) / (t[-1] - t[0])
        assert grown == pytest.approx(G * np.cos(slope) * (tangent - 0.2), rel=1e-4)
        assert found["fuselage.velocity"][-1, 0] < 0.0  # the slope goes down to where it looks


def test_wheels_on_a_deck_that_slowly_rolls():
    """Loads of the three wheels at the largest roll follow from the balance in axes of the deck.

    The deck accelerates by (2 pi / 100 s)^2 0.1 rad 5 m at most, 2e-4 of g.
    """
    gear, above = gear_of("wheels"), 5.0
    ship = ShipMotion(np.radians(6.0), 0.0, 0.0, (100.0, 6.0, 8.0))
    found = run(craft(gear, Deck(gear.low - 0.05, ship=ship, above=above)), 125.0, 5e-3)
    R, origin = found["ship.rotation"][-1].reshape(3, 3), found["ship.position"][-1]
    assert np.degrees(np.arcsin(R[2, 1])) == pytest.approx(6.0, abs=1e-6)
    points, forces = feet(found, gear)
    weights, places = loads_at_rest(found, gear)
    points, places = ((p - origin) @ R - (0.0, 0.0, above) for p in (points, places))
    down = R.T @ (0.0, 0.0, -1.0)
    moment = np.sum([np.cross(p, w * down) for w, p in zip(weights, places, strict=True)], axis=0)
    expected = static_loads(points, weights.sum() * down, moment)
    np.testing.assert_allclose((forces @ R)[:, 2], expected, atol=5e-4 * weight(gear))
    np.testing.assert_allclose((forces @ R).sum(axis=0), -weights.sum() * down, atol=5e-4 * weight(gear))
    assert expected[1] > 1.5 * expected[2]


def test_heave_of_a_deck_is_carried_by_the_gear():
    """Slower than its springs, the machine moves with the deck: the gear carries m (g + a)."""
    gear = gear_of("wheels")
    deck = Deck(gear.low - 0.02, ship=ShipMotion(heave=2.0, periods=(10.0, 6.0, 12.0)))
    found = run(craft(gear, deck), 36.0)
    load = np.sum([found[f"{name}.force"][:, 0] for name in gear.contacts()], axis=0)
    late = found.time > 24.0
    expected = weight(gear) * (1.0 + found["fuselage.acceleration"][:, 2] / G)
    np.testing.assert_allclose(load[late], expected[late], rtol=3e-3)  # legs move against the fuselage
    assert np.ptp(load[late]) > 0.1 * weight(gear)


@pytest.mark.parametrize("kind", KINDS)
def test_impulse_of_a_touchdown_is_the_change_of_momentum(kind):
    """In a tree forces are impulses over a step, those of impacts too: their sum is m (v - v0) + m g t."""
    gear = gear_of(kind)
    model = craft(gear, Deck(gear.low - 0.3), velocity=(0, 0, -1.0))
    found = sm.transient(model, 1.0, 1e-3, formulation="recursive", progress=False)
    load = np.sum([found[f"{name}.force"][:, 0] for name in gear.contacts()], axis=0)
    momentum = MASS * found["fuselage.velocity"][:, 2]
    momentum = momentum + sum(leg.mass * found[f"gear.{leg.name}.velocity"][:, 2] for leg in gear.legs)
    impulse = float(np.sum(load[1:] * np.diff(found.time)))
    assert impulse == pytest.approx(momentum[-1] - momentum[0] + weight(gear) * 1.0, rel=1e-6)
    assert load.max() > 2.0 * weight(gear)


@pytest.mark.parametrize("kind", KINDS)
def test_both_formulations_and_both_contacts_land_alike(kind):
    gear = gear_of(kind)
    setting = {"deck": Deck(gear.low - 0.3), "velocity": (0.0, 0.0, -1.0)}
    whole = run(craft(gear, **setting), 2.0)
    tree = sm.transient(craft(gear, **setting), 2.0, 5e-4, formulation="recursive", progress=False)
    soft = run(craft(replace(gear, contact="penalty"), **setting), 2.0, 5e-4)
    z = whole["fuselage.position"][:, 2]
    # 0.3 m of way down and 0.4 m of stroke. Time stepping is of first order; a tyre of a penalty law gives by a cm
    np.testing.assert_allclose(tree["fuselage.position"][::5, 2], z, atol=3e-3)
    np.testing.assert_allclose(soft["fuselage.position"][::5, 2], z, atol=2e-2)


def test_halved_steps_land_alike():
    """Second order: a quarter of the error, in a sway with friction too; a third is allowed."""
    gear = gear_of("wheels")
    steps = (4e-3, 2e-3, 1e-3, 2.5e-4)
    found = [run(craft(gear, Deck(gear.low - 0.3), velocity=(0.2, 0.1, -1.0)), 2.0, h) for h in steps]
    finest = found[-1]["fuselage.position"][::16]
    errors = [np.abs(r["fuselage.position"][::k] - finest).max() for k, r in zip((1, 2, 4), found, strict=False)]
    assert errors[0] < 1e-4 and errors[2] < 0.4 * errors[1] < 0.16 * errors[0]


def test_free_wheels_roll_and_braked_ones_slide():
    gear = gear_of("wheels", friction=0.5)
    ends = []
    for brakes in (True, False):
        model = craft(replace(gear, brakes=brakes), Deck(gear.low - 0.01), velocity=(-2.0, 0.0, 0.0))
        ends.append(run(model, 8.0)["fuselage.velocity"][-1, 0])
    assert abs(ends[0]) < 1e-4 and ends[1] < -1.8  # spinning up takes some of the 2 m/s


# ---- the whole machine
def test_a_helicopter_stands_on_its_gear():
    """Over five turns, after which both rotors are where they were: gear = weight less all air loads."""
    found = sm.transient(
        landing.build(lower_deg=3.0, lower=7.0), 15.0, helicopter.STEP, tolerance=TOLERANCE, progress=False
    )
    last = slice(-451, -1)
    gear = np.sum([found[f"{name}.force"][last, 0] for name in gear_of("wheels").contacts()], axis=0)
    R = found["fuselage.rotation"][last].reshape(-1, 3, 3)
    side = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    frames = {
        "main.rotor": rotation_y(-helicopter.SHAFT), "tail.rotor": side, "fuselage.drag": np.eye(3),
        "tailplane": np.eye(3),
    }  # fmt: skip
    air = sum((R @ (frame @ found[f"{name}.force"][last].T).T[..., None])[:, 2, 0] for name, frame in frames.items())
    assert air.mean() > 0.3 * helicopter.WEIGHT
    assert gear.mean() == pytest.approx(helicopter.WEIGHT - air.mean(), rel=1e-5)  # rest of the swing: 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_both_contacts_land_a_helicopter_alike(kind):
    found = experiments.find("landing").run(gear=kind)
    assert found.sheet is not None
    for deck in ("ground", "ship"):
        ours, theirs = (found.sheet.rows[("ground", "ship").index(deck) * 2 + k] for k in (0, 1))
        for column, off in (
            ("touchdown m/s", 1e-3),
            ("peak leg N", 0.03),
            ("peak gear N", 0.03),
            ("legs took J", 0.06),
        ):
            at = found.sheet.head.index(column)
            assert ours[at] == pytest.approx(theirs[at], rel=off), column
    assert found["energy_error"] < 0.04 and found["step_ratio"] == 5.0
    assert found["impacts_ground"] >= 3 and found["impacts_ship"] >= 3


def test_a_ship_under_way_carries_the_machine_along():
    found = sm.transient(
        landing.build(deck="ship", ship_speed=8.0, gear="skids"), 11.0, 2.5e-3, tolerance=TOLERANCE, progress=False
    )
    gear = gear_of("skids")
    seen = touchdown(found, gear)
    assert 4.0 < seen.time < 5.0 and 1.0 < seen.speed < 2.0 and np.isfinite(seen.rest)
    assert found["fuselage.velocity"][-1, 0] == pytest.approx(-8.0, abs=0.5) and slip(found)[-1] < 0.05
    assert found.attrs.counters["unconverged"] == 0


def test_a_gear_without_a_deck_flies_along():
    """Its mass is taken off the fuselage: weight, centre and inertia of the machine are what they were."""
    bare, geared = (models.find("helicopter").make(gear=gear) for gear in ("none", "wheels"))
    found = [sm.transient(m, 0.5, 2.5e-3, tolerance=1e-8, progress=False) for m in (bare, geared)]
    total = helicopter.body()["mass"]
    legs = sum(leg.mass for leg in gear_of("wheels").legs)
    assert helicopter.body(gear_of("wheels"))["mass"] == pytest.approx(total - legs)
    thrust = [r["main.rotor.thrust"][-1] for r in found]
    assert thrust[1] == pytest.approx(thrust[0], rel=1e-3)


def test_an_xcell_lands_as_a_tree():
    """By time stepping; at rest its skids carry the weight less the air loads on rotor and fuselage."""
    down = sm.Cosine(-0.3, 0.3, start=0.1) + sm.Cosine(-1.0, 0.5, start=2.5)
    model = xcell.xcell(
        xcell.settings(), commands={"collective": down}, gear=xcell.SKIDS, deck=Deck(xcell.SKIDS.low - 0.3)
    )
    found = sm.transient(model, 5.0, 1e-3, formulation="recursive", progress=False)
    names, turn = xcell.SKIDS.contacts(), slice(-226, -1)  # six turns of 37.6 steps
    load = np.sum([found[f"{name}.force"][turn, 0] for name in names], axis=0)
    R = found["fuselage.rotation"][turn].reshape(-1, 3, 3)
    air = sum((R @ found[f"{name}.force"][turn][..., None])[:, 2, 0] for name in ("rotor", "fuselage.drag"))
    assert load.mean() == pytest.approx(xcell.WEIGHT - air.mean(), rel=5e-3)  # its tail rotor is not in it
    assert np.abs(found["fuselage.velocity"][turn]).max() < 0.02 and min(found[f"{n}.gap"][-1] for n in names) < 1e-3


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("helicopter", {"gear": "floats"}, "gear must be one of none, wheels, skids, got 'floats'"),
        ("helicopter", {"deck": "ground"}, "needs landing gear: give gear=wheels or gear=skids"),
        ("helicopter", {"gear": "skids", "deck": "roof"}, "deck must be one of none, ground, ship"),
        ("xcell", {"gear": "wheels"}, "gear must be one of none, skids"),
        ("xcell", {"deck": "ship"}, "needs landing gear"),
        ("landing", {"gear": "none"}, "landing: gear must be one of wheels, skids, got 'none'"),
        ("landing", {"release": -1.0}, "landing: release must not be negative"),
        ("landing", {"contact": "soft"}, "landing: contact must be one of unilateral, penalty"),
        ("landing", {"slope_deg": 90.0}, "slope_deg must be from -89 to 89 deg"),
        ("landing", {"restitution": 1.5}, "restitution must be from 0 to 1"),
        ("landing", {"clearance": 0.0}, "clearance must be positive"),
    ],
)
def test_bad_words_are_refused(name, wrong, words):
    with pytest.raises(sm.ModelError, match=words):
        models.find(name).make(**wrong)
