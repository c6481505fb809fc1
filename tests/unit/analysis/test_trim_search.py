"""Trim from poor guesses, and what must not matter to it: how it is found, sense of rotation, start and step."""

import numpy as np
import pytest

import samara as sm
from samara import Harmonic, KirchhoffAerofoil
from samara.analysis import periodic, trim, trim_along
from samara.models.rotors.hinged_rotor import RADIUS, SPEED, hinged_rotor

PERIOD, TIP, FLAP = 2 * np.pi / SPEED, SPEED * RADIUS, "blade_1.flap.angle"
WAVES = [Harmonic(FLAP, part) for part in ("cos", "sin")]
TARGETS = {"rotor.CT_sigma": 0.07, **dict.fromkeys(WAVES, 0.0)}
USUAL = {"period": PERIOD, "steps": 36, "sizes": dict.fromkeys(WAVES, 0.1)}
GUESS = {"collective": 0.1, "lateral": 0.0, "longitudinal": 0.0}
WIND = (0.15 * TIP, 0.0, -0.02 * TIP)


def flying(**given) -> sm.Model:
    """The small rotor at an advance ratio of 0.15, with sections that stall."""
    return hinged_rotor(**{"wind": WIND, "aerofoil": KirchhoffAerofoil(), **given})


def controls(found) -> np.ndarray:
    assert found.met, found
    return np.array(list(found.controls.values()))


@pytest.fixture(scope="module")
def system():
    return sm.System(flying())


@pytest.fixture(scope="module")
def expected(system):
    """To 1e-7, marched: without the derivatives that are tried here."""
    found = trim(sm.Simulation(system), GUESS, TARGETS, **USUAL, tolerance=1e-7, method="marching")
    assert found.method == "marching"
    return controls(found)


def poor(rng) -> dict[str, float]:
    """Controls up to far beyond stall, and beyond what any rotor has."""
    return {name: rng.uniform(*ends) for name, ends in zip(GUESS, ((-0.6, 1.2), (-0.5, 0.5), (-0.5, 0.5)), strict=True)}


def test_both_ways_find_the_same(system, expected):
    """Targets to 1e-6 are controls to about that, for a rad of each does 0.6 to 10 sizes of a target."""
    found = trim(sm.Simulation(system), GUESS, TARGETS, **USUAL, tolerance=1e-6)
    assert found.method == "orbit"
    np.testing.assert_allclose(controls(found), expected, atol=5e-6)
    # derivatives along the way are those of differences
    near = [
        trim(sm.Simulation(system), GUESS, {**TARGETS, "rotor.CT_sigma": 0.07 + d}, **USUAL, tolerance=1e-6)
        for d in (1e-3, -1e-3)
    ]
    slope = (controls(near[0]) - controls(near[1])) / 2e-3
    np.testing.assert_allclose(np.linalg.inv(found.sensitivity)[:, 0], slope, atol=0.15 * np.abs(slope).max())


def from_poor_guesses(system, expected, rng, count):
    """Met with the same controls, to the tolerance, and blades at small angles; none is given up here."""
    for _ in range(count):
        guess = poor(rng)
        found = trim(sm.Simulation(system), guess, TARGETS, **USUAL)
        assert found.met, (guess, str(found))
        np.testing.assert_allclose(controls(found), expected, atol=5e-4, err_msg=str(guess))
        assert found.incidence.largest < np.radians(12.0)


def test_poor_guesses(system, expected, rng):
    from_poor_guesses(system, expected, rng, 8)


@pytest.mark.slow
def test_a_hundred_poor_guesses(system, expected, rng):
    from_poor_guesses(system, expected, rng, 100)


def test_a_guess_in_stall_is_given_up_for_a_safe_point(system, expected):
    found = trim(sm.Simulation(system), {**GUESS, "collective": 1.1}, TARGETS, **USUAL)
    np.testing.assert_allclose(controls(found), expected, atol=5e-4)
    assert "the first guess led nowhere (not met: sections are stalled" in found.warnings[0]
    told = trim(sm.Simulation(system), {**GUESS, "collective": 1.1}, TARGETS, **USUAL, safe=GUESS)
    np.testing.assert_allclose(controls(told), expected, atol=5e-4)
    assert "begun anew at collective = 0.1, lateral = 0, longitudinal = 0" in told.warnings[0]
    with pytest.raises(sm.ArgumentError, match="safe has no value for the control 'lateral'"):
        trim(sm.Simulation(system), GUESS, TARGETS, **USUAL, safe={"collective": 0.1})


def test_a_rotor_that_meets_its_targets_in_stall_is_not_called_trimmed():
    """At 57 degrees of pitch all sections are far beyond stall; limits leave no other way to that thrust."""
    sim = sm.Simulation(flying(wind=(0.0, 0.0, 0.0), collective=1.0))
    there = periodic(sim, PERIOD, PERIOD / 36, outputs="rotor.*")
    target = {"rotor.CT_sigma": float(there.results["rotor.CT_sigma"].mean())}
    found = trim(sim, {"collective": 0.95}, target, period=PERIOD, steps=36, limits={"collective": (0.85, 1.3)})
    assert found.status == "stalled" and not found.met, found
    assert "all targets within" in found.message and "but sections are stalled: 'blade_" in found.message
    assert found.incidence.share > 0.9 and found.incidence.largest > np.radians(40.0)


@pytest.mark.parametrize("other", ["clockwise", "another azimuth of the disk", "a third of a turn later"])
def test_what_does_not_matter(system, other):
    """Mirrored, turned, begun elsewhere: exact but for the tolerances of trim and Newton's method."""
    tight = {**USUAL, "tolerance": 1e-7}
    reference = controls(trim(sm.Simulation(system), GUESS, TARGETS, **tight))
    if other == "clockwise":
        sim = sm.Simulation(flying(speed=-SPEED))
    elif other == "another azimuth of the disk":
        sim = sm.Simulation(flying(azimuth=0.7, wind=(WIND[0] * np.cos(0.7), WIND[0] * np.sin(0.7), WIND[2])))
    else:
        sim = sm.Simulation(system)
        sm.transient(sim, PERIOD / 3, PERIOD / 36, progress=False, outputs="rotor.thrust")
    np.testing.assert_allclose(controls(trim(sim, GUESS, TARGETS, **tight)), reference, atol=1e-6)


def test_steps_matter_by_their_square(system):
    found = {n: controls(trim(sm.Simulation(system), GUESS, TARGETS, **{**USUAL, "steps": n})) for n in (24, 48, 96)}
    # second order: a quarter each time; tolerances of 1e-4 are in each
    coarse, fine = (np.abs(found[a] - found[b]).max() for a, b in ((24, 48), (48, 96)))
    assert coarse < 5e-3 and fine < 0.4 * coarse + 2e-4


def swinging(damping: float) -> sm.Model:
    """A mass on a spring of 50 N/m, hardly damped, pushed once in a period of 0.628 s; it begins 0.3 m off."""
    model = sm.Model("swinging")
    mass = model.node("mass", position=(1.3, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, mass, axis=(1, 0, 0)))
    model.add("spring", sm.Spring(model.ground, mass, stiffness=50.0, damping=damping, length=1.0))
    model.add("push", sm.Force(mass, force=(sm.Input("push") + sm.Sine(1.0, 10.0), 0, 0)))
    return model


def test_light_damping():
    """exp(-c T / 2 m) = 0.994 of a disturbance is left after a period: 60 leave two thirds of it, marching takes 2000.

    F = k x on average; and two slow motions are closed within a few periods.
    """
    found = trim(swinging(0.02), {"push": 0.0}, {"mass.position.x": 1.1}, period=0.2 * np.pi, steps=100, tolerance=1e-6)
    assert found.met and found.method == "orbit", found
    assert found.controls["push"] == pytest.approx(5.0, abs=50.0 * 1.1e-6)
    assert sum(point.periods for point in found.history) < 60


def test_a_coarse_settle_is_named_not_the_controls():
    """85 percent of a disturbance are left after a period, and a change of 2 percent counts as none."""
    given = {"period": 0.2 * np.pi, "steps": 100, "tolerance": 1e-5, "method": "marching"}
    found = trim(swinging(0.5), {"push": 0.0}, {"mass.position.x": 1.1}, **given, settle=2e-2)
    assert found.status == "not periodic", found
    assert "settle = 0.02 is too coarse for a tolerance of 1e-05: the targets still change by" in found.message
    assert "leave it out, or give 1e-07" in found.message
    assert "control" not in found.message
    found = trim(swinging(0.5), {"push": 0.0}, {"mass.position.x": 1.1}, **given)
    assert found.met and found.controls["push"] == pytest.approx(5.0, abs=50.0 * 1.1e-5)


def test_where_forces_jump_it_marches():
    model = swinging(10.0)
    wave = sm.Expression(lambda t: sm.select(np.sin(10.0 * t) > 0.3, 1.0, 0.0))
    model.add("knock", sm.Force(model.nodes["mass"], force=(wave, 0, 0)))
    given = {"period": 0.2 * np.pi, "steps": 100}
    found = trim(model, {"push": 0.0}, {"mass.position.x": 1.1}, **given)
    assert found.met and found.method == "marching", found
    # the mean of the knocks: the part of the period in which the sine is above 0.3
    assert found.controls["push"] == pytest.approx(5.0 - (0.5 - np.arcsin(0.3) / np.pi), abs=0.02)
    with pytest.raises(sm.SolveError, match="derivatives do not go through that"):
        trim(model, {"push": 0.0}, {"mass.position.x": 1.1}, **given, method="orbit")


def test_the_table_of_what_limits(system):
    limits = {"collective": (0.0, 0.1), "lateral": (-0.2, 0.2)}
    found = trim(sm.Simulation(system), {**GUESS, "collective": 0.05}, TARGETS, **USUAL, limits=limits)
    assert found.status == "limited" and found.active == ("collective",)
    lines = {line.split()[0]: line for line in found.table().splitlines()}
    assert lines["collective"].endswith("at its upper limit")
    assert "to the upper one" in lines["lateral"] or "to the lower one" in lines["lateral"]
    assert lines["longitudinal"].split()[2:] == ["-inf", "inf"]
    assert lines["rotor.CT_sigma"].endswith("not met")
    assert lines["largest"].startswith("largest angle of attack")
    assert found.table() in "\n".join(line.removeprefix("  ") for line in str(found).splitlines())


def test_along_the_airspeed():
    """As if each were trimmed alone; and one that cannot be met takes nothing from the others."""
    speeds, limits = [10.0, 14.0, 18.0, 22.0, 14.0], {"longitudinal": (-0.045, 0.045)}
    found = trim_along(flying(), "wind_x", speeds, GUESS, TARGETS, **USUAL, tolerance=1e-6, limits=limits)
    alone = [
        trim(flying(wind=(speed, 0.0, WIND[2])), GUESS, TARGETS, **USUAL, tolerance=1e-6, limits=limits)
        for speed in speeds
    ]
    assert [one.status for one in found] == [one.status for one in alone]
    assert list(found.met) == [True, True, True, False, True] and np.isnan(found.control("collective")[3])
    for one, other in zip(found, alone, strict=True):
        np.testing.assert_allclose([*one.controls.values()], [*other.controls.values()], atol=5e-6 if one.met else 1e-3)
    table = found.table().splitlines()
    assert table[0].split()[:2] == ["wind_x", "collective"] and len(table) == 6
    assert "limited" in table[4] and "'longitudinal' is at its lower limit" in table[4]
    assert found[0].simulation.model.parameters["wind_x"].value == 14.0
    made = trim_along(lambda v: flying(wind=(v, 0.0, WIND[2])), "V", speeds[:2], GUESS, TARGETS, **USUAL)
    np.testing.assert_allclose(made.control("longitudinal"), found.control("longitudinal")[:2], atol=5e-4)


def test_what_along_refuses():
    with pytest.raises(sm.ModelError, match="no parameter or input 'airspeed'"):
        trim_along(flying(), "airspeed", [1.0], GUESS, TARGETS, **USUAL)
    with pytest.raises(sm.ArgumentError, match="no values are given"):
        trim_along(flying(), "wind_x", [], GUESS, TARGETS, **USUAL)
