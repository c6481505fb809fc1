"""The soft-in-plane tiltrotor against the surrogate that its numbers are (VALIDATION, rows 14 and 15).

The surrogate is invented: it meets what Quaranta and others (2000) say of stability, a damper of 20 % grows and one of
30 % decays at 888 rpm. Its equations are those of `lag_hub_equations` with a hub that moves along one axis.
"""

import json

import numpy as np
import pytest
from lag_hub_equations import LagHub
from pencil import exponents
from scipy.linalg import eigh

from samara import models
from samara.model import ModelError
from samara.models.tiltrotors import soft_in_plane
from samara.models.tiltrotors.soft_in_plane import (
    HUB_MASS,
    MAST,
    WING,
    WING_DAMPING,
    WING_HZ,
    equations,
    windmill_collective,
)
from samara.models.tiltrotors.soft_in_plane_blade import BLADE, FEATHER, HINGE, INERTIA, LAG_SPRING, MOMENT, mass_along
from samara.rotations import skew
from samara.solve import TwoStep, transient

SPEED = 888.0 * np.pi / 30
STEP, SAMPLE = 1.0 / 1000, 0.01


@pytest.fixture(scope="module")
def surrogate(data):
    return json.loads((data / "surrogate_softinplane_tiltrotor.json").read_text("utf-8"))


def lag_hub(ratio: float, wing_damping: float = WING_DAMPING) -> LagHub:
    damper, k = 2 * ratio * np.sqrt(LAG_SPRING * INERTIA), HUB_MASS * (2 * np.pi * WING_HZ) ** 2
    return LagHub(
        3, BLADE.mass, MOMENT, INERTIA, HINGE, LAG_SPRING, (damper,) * 3,
        (HUB_MASS - 3 * BLADE.mass,), (k,), (2 * wing_damping * np.sqrt(k * HUB_MASS),),
    )  # fmt: skip


def test_numbers_are_those_of_the_surrogate(surrogate):
    assert (BLADE.mass, BLADE.radius, HINGE) == tuple(
        surrogate[n] for n in ("blade_mass_kg", "radius_m", "lag_hinge_m")
    )
    found = (MOMENT, INERTIA, LAG_SPRING, WING_HZ, HUB_MASS, WING_DAMPING)
    names = ("S_b_kgm", "I_b_kgm2", "lag_spring_Nm_rad", "wing_mode_Hz", "hub_effective_mass_incl_blades_kg")
    assert found == pytest.approx([surrogate[n] for n in (*names, "wing_damping_effective")], rel=1e-9)


def test_the_equations_give_its_growth_rates(data):
    """Over all speeds; the file has five digits."""
    rows = np.loadtxt(data / "surrogate_softinplane_coleman.csv", delimiter=",", skiprows=2)
    for column, ratio in ((4, 0.2), (5, 0.3), (6, 0.4)):
        found = [lag_hub(ratio).coleman(part * SPEED).real.max() for part in rows[:, 0]]
        np.testing.assert_allclose(found, rows[:, column], atol=6e-6)


def test_lag_meets_the_wing_at_nine_tenths():
    """Rotor speed less lag frequency is that of the wing."""
    speed = 0.9 * SPEED
    lag = np.sqrt((LAG_SPRING + speed**2 * HINGE * MOMENT) / INERTIA)
    assert speed - lag == pytest.approx(2 * np.pi * WING_HZ, rel=1e-6)


# ---- Samara
def fixed_frame(run, speed: float) -> np.ndarray:
    """Wing bending and cyclic lag, rows."""
    lag = np.array([run[f"blade_{k + 1}.lag.angle"] for k in range(3)])
    psi = speed * run.time + 2 * np.pi * np.arange(3)[:, None] / 3
    cyclic = [2.0 / 3.0 * (lag * wave).sum(0) for wave in (np.cos(psi), np.sin(psi))]
    return np.column_stack([run["pylon.position"][:, 0], *cyclic])


def slowest(ratio: float, step: float = STEP, order: int = 6, **settings) -> complex:
    """Exponent of the least damped motion after small couples on two blades, at 888 rpm from the start."""
    ready = models.find("soft-in-plane")
    settings = {"windup": 0.0, "release": 0.0, "couple_at": 0.0, "couple": 0.5, "collective_deg": 0.0} | settings
    made = ready.make(lag_damping=ratio, **settings)
    radius = 0.8 if settings.get("blades") == "elastic" else 1.0  # beams ring without numerical damping
    end, settled = settings["couple_at"] + 3.0, settings["couple_at"] + 0.3
    run = transient(made, end, step, integrator=TwoStep(radius), tolerance=1e-10, progress=False)
    rows = fixed_frame(run, made.parameters["speed"].value)[run.time > settled][:: round(SAMPLE / step)]
    rows = np.diff(rows, axis=0)  # what is steady goes
    found = exponents(rows, SAMPLE, order, delays=order // 2 + 1)
    return found[found.imag > 0.0][0]


@pytest.mark.parametrize(("ratio", "part"), [(0.2, 1.0), (0.3, 1.0), (0.4, 1.0), (0.2, 0.9)])
def test_growth(ratio, part):
    """At full speed and at the crossing. To 5e-3 1/s where 0.02 is asked for: of second order, 3e-3 at 1 ms."""
    wanted = lag_hub(ratio).coleman(part * SPEED)
    wanted = wanted[np.argmax(wanted.real)]
    found = slowest(ratio, speed_rpm=part * 888.0)
    assert found.real == pytest.approx(wanted.real, abs=5e-3)
    assert found.imag == pytest.approx(abs(wanted.imag), rel=1e-3)


@pytest.mark.parametrize("settings", [{"blades": "elastic"}, {"wing": "modes", "order": 12}])
def test_elastic_blades_and_a_whole_wing_keep_the_picture(settings):
    """20 % grows, 30 % decays; the wing's other modes and the blades' bending change the rates."""
    rates = [slowest(ratio, **settings).real for ratio in (0.2, 0.3)]
    assert rates[0] > 0.0 > rates[1]
    assert rates == pytest.approx([0.036, -0.056], abs=0.03)


def test_damping_rises_with_collective():
    """As the source finds, in air and at 30 %; it finds more of it."""
    rates = [slowest(0.3, air=True, collective_deg=pitch, couple_at=1.0, order=10).real for pitch in (3.5, 9.0)]
    assert rates[1] < rates[0] - 5e-3
    assert rates[0] < lag_hub(0.3).coleman(SPEED).real.max()  # the air damps


def test_wind_up_lock_and_couples():
    """A quick one: lag is locked until its release, and opposite couples move the rotor's centre, and so the wing."""
    ready = models.find("soft-in-plane")
    run = ready.run(end=2.5, windup=1.0, release=0.5, stagger=0.0, couple_at=1.5)
    t, lag = run.time, np.column_stack([run[f"blade_{k + 1}.lag.angle"] for k in range(3)])
    assert np.abs(lag[t < 0.499]).max() < 1e-9
    free = (t > 0.6) & (t < 1.5)
    assert np.abs(lag[free]).max() > 1e-3
    assert np.ptp(lag[free], axis=1).max() < 1e-6  # all alike: the rotor stays balanced
    wing = np.abs(run["pylon.position"][:, 0])
    assert wing[t < 1.499].max() < 1e-6 and wing[t > 1.5].max() > 5e-4
    speed = np.linalg.norm(run["mast.angular_velocity"], axis=1)
    assert speed[-1] == pytest.approx(SPEED, rel=0.02)  # the elastic drive still swings a little


def test_the_wing_shows_the_release_and_the_crossing():
    """The wind-up of the paper with 20 %: a peak at the release, quickly damped; growth while lag passes the wing."""
    run = models.find("soft-in-plane").run(end=10.0)
    size = {t: np.abs(run["pylon.position"][(run.time >= t) & (run.time < t + 0.5), 0]).max() for t in (2, 3, 5, 7, 9)}
    assert size[2] < 1e-9 and size[5] < 0.3 * size[3]
    assert size[9] > 2.0 * size[7]


def test_conversion():
    """Nacelle and shaft forward within 11 s; in air the thrust that bent the wing up then bends it forward."""
    ready = models.find("soft-in-plane")
    settings = {"wing": "modes", "lag_damping": 0.4, "couple": 0.0, "release": 0.0, "air": True, "collective_deg": 8.0}
    run = ready.run(end=15.0, windup=0.0, convert_at=2.0, wing_damping=0.1, **settings)
    t, pylon = run.time, run["pylon.position"]
    thrust = run["rotor.thrust"]
    assert thrust[-1] == pytest.approx(thrust[t < 2.0][-1], rel=0.01)
    # a cantilever under thrust and torque at its tip
    bending = np.array([WING.EI_chord, WING.EI_beam])
    by_force = WING.length**3 / (3.0 * bending) * thrust[-1]
    by_torque = WING.length**2 / (2.0 * bending) * run["rotor.torque"][-1]
    np.testing.assert_allclose(pylon[t < 2.0][-1], [by_torque[0], 0.0, by_force[1]], atol=0.05 * by_force[1])
    np.testing.assert_allclose(pylon[-1], [-by_force[0], 0.0, by_torque[1]], atol=0.05 * by_force[0])
    shaft = (run["hub.position"] - pylon)[-1]
    np.testing.assert_allclose(shaft, [-MAST, 0.0, 0.0], atol=0.03 * MAST)


def test_whirl_flutter_comes_later_with_a_stiffer_wing():
    """As an aeroplane at 90 m/s and 742 rpm, windmilling: it grows with the wing as it is, not with a stiffer one."""
    settings = {"wing": "modes", "nacelle_deg": 0.0, "wind": 90.0, "speed_rpm": 742.0, "lag_damping": 0.4, "air": True}
    settings |= {"windup": 0.0, "release": 0.0, "couple_at": 0.2, "couple": 2.0}
    settings["collective_deg"] = windmill_collective(90.0, 742.0)
    swing = []
    for factor in (1.0, 3.0):
        run = models.find("soft-in-plane").run(end=2.0, step=1 / 1000, wing_stiffness=factor, **settings)
        pitch = run["nacelle.angular_velocity"][:, 1]
        early, late = (np.ptp(pitch[(run.time > t) & (run.time < t + 0.5)]) for t in (0.5, 1.5))
        swing.append(late / early)
    assert swing[0] > 2.0 and swing[1] < 0.8


# ---- parts
def test_elastic_blades_have_mass_and_moments_of_the_rigid_ones():
    x = np.linspace(0.0, BLADE.radius - HINGE, 20001)
    moments = [np.trapezoid(mass_along(x) * x**k, x) for k in range(3)]
    assert moments == pytest.approx([BLADE.mass, MOMENT, INERTIA - FEATHER], rel=1e-6)  # sections have the rest


def test_the_wing_of_four_modes_is_tuned():
    """With nacelle and rotor as masses: beam, chord, torsion; chord bending has the surrogate's mass at the hub."""
    wing = WING.reduction(4)
    tip = wing.points["tip"]
    shape = np.vstack([tip.move, tip.turn])
    mass = np.asarray(wing.modal_mass, float).copy()
    rotor = soft_in_plane.HUB_BODY + 3 * BLADE.mass
    parts = ((soft_in_plane.NACELLE, (0.1, 0.1, 0.05), 0.0), (soft_in_plane.MAST_BODY, (0.01, 0.01, 0.0), MAST))
    for m, inertia, height in (*parts, (rotor, (0.0, 0.0, 0.0), MAST)):  # gimbal and drive let the rotor's turns go
        c = skew(np.array([0.0, 0.0, height]))
        mass += shape.T @ np.block([[m * np.eye(3), -m * c], [m * c, np.diag(inertia) - m * c @ c]]) @ shape
    values, vectors = eigh(np.asarray(wing.stiffness), mass)
    frequencies = np.sqrt(values) / (2 * np.pi)
    assert frequencies[:3] == pytest.approx([5.0, 0.988 * WING_HZ, 15.0], rel=2e-3)
    chord = vectors[:, 1]  # of unit mass
    hub = shape[1] @ chord - MAST * (shape[3] @ chord)
    assert 1.0 / hub**2 == pytest.approx(HUB_MASS, rel=0.01)


def test_equations_are_counted():
    """By the paper's rules 24 for each beam of a blade, as in its printed numbers; by ours 36 per beam.

    The rest by hand, of eight beams and the wing "chord":

        pylon, nacelle, mast, hub: 12 each; ground: 12; slide 5, conversion 5 and its actuator 1, bearing 5, gimbal 8
        blade: cuff 6, root 12, lag hinge 5, lock 1, pitch bearing 5; collective 1; a couple in two of them
    """
    found = {beams: equations(beams) for beams in (8, 16, 60)}
    printed, source = ([found[beams][of] for beams in found] for of in ("paper", "source"))
    assert np.diff(source).tolist() == np.diff(printed).tolist() == [24 * 3 * 8, 24 * 3 * 44]
    assert source[0] == 4 * 12 + 12 + 5 + 5 + 1 + 5 + 8 + 3 * (6 + 12 + 5 + 1 + 5 + 24 * 8) + 1 + 2
    assert equations(5)["paper"] is None
    ours = [found[beams]["samara"] for beams in found]
    assert np.diff(ours) == pytest.approx([36 * 8, 36 * 44])
    assert ours[0] < 450


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"blades": "soft"}, "blades must be one of rigid, elastic, got 'soft'"),
        ({"wing": "none"}, "wing must be one of chord, modes, got 'none'"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ModelError, match=message):
        models.find("soft-in-plane").make(**settings)
