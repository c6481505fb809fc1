"""Torsion of a turning blade against closed forms: what turns its sections, and which way."""

import numpy as np
import pytest

import samara as sm
from samara import Air, Planform, ThinAerofoil, add_beam_air
from samara.rotations import rotation_x, rotation_y

LENGTH, MASS, SPEED = 6.0, 9.0, 28.0  # m, kg/m, rad/s
GJ, EA, BENDING = 8.5e4, 1.5e8, 1e9  # N m^2, N; too stiff in bending to bend
FLAT, THICK = 0.11, 0.01  # inertia of the masses along the chord, and across it [kg m]
NONE = 1e-6


def blade(rotation=None, elements=4, **columns):
    """A blade along x from the axis of rotation, clamped there, leading edge along y; nodes, root first."""
    model = sm.Model("blade")
    given = {"mass": MASS, "EA": EA, "GJ": GJ, "EI_y": BENDING, "EI_z": BENDING, "inertia_y": THICK, "inertia_z": THICK}
    span = sm.Span(**{"station": [0.0, LENGTH], **given, **columns})
    place = sm.Placement((0, 0, 0), np.eye(3) if rotation is None else rotation)
    return model, sm.add_beam(model, "blade", span, root=model.ground, place=place, elements=elements)


def turned(model, nodes, speed=SPEED):
    """Stations and nose-up rotation of the sections against the start [rad], in steady rotation about z."""
    sim = sm.steady_rotation(model, speed)
    angles, free = [0.0], nodes[1:]
    for node in free:
        R = node.rotation.T @ sim.state.pose(node).R
        angles.append(np.arctan2(R[2, 1], R[1, 1]))
    return np.array([np.linalg.norm(n.position) for n in nodes]), np.array(angles)


@pytest.mark.parametrize("pitch_deg", [12.0, -20.0])
def test_propeller_moment_flattens_the_blade(pitch_deg):
    """GJ f'' = W^2 J sin(t + f) cos(t + f): about t, f = -tan(2 t) / 2 (1 - cosh k (L - x) / cosh k L).

    k^2 = W^2 J cos(2 t) / GJ, J the difference of the inertias along and across the chord; left out is f^2, 1e-5. The
    rest is the stretch, 1e-3 of the length.
    """
    t = np.radians(pitch_deg)
    x, found = turned(*blade(rotation_x(t), inertia_z=FLAT + THICK))
    k = np.sqrt(SPEED**2 * FLAT * np.cos(2 * t) / GJ)
    expected = -0.5 * np.tan(2 * t) * (1 - np.cosh(k * (LENGTH - x)) / np.cosh(k * LENGTH))
    assert np.abs(expected[-1]) > np.radians(0.15)
    assert found == pytest.approx(expected, rel=1e-3, abs=1e-8)


def test_a_round_section_has_no_propeller_moment():
    """Only the difference of the inertias along and across the chord counts: equal ones leave the blade alone."""
    _, found = turned(*blade(rotation_x(0.2)))
    assert np.abs(found).max() < 1e-9


@pytest.mark.parametrize("ahead", [0.02, -0.02])
def test_coning_and_a_centre_of_mass_off_the_axis(ahead):
    """Centrifugal force pulls a coned blade down: nose down if its masses are ahead of the axis, nose up if behind.

    Moment a unit length -m a W^2 x sin(b) cos(b), and the flattening of the offset masses, m a^2 cos(b)^2 W^2 f:
    f'' - k^2 f = p x  with  f = p (sinh(k x) / (k^3 cosh(k L)) - x / k^2), p the moment over GJ.
    """
    cone = np.radians(4.0)
    x, found = turned(*blade(rotation_y(-cone), com_y=ahead))
    k = np.sqrt(MASS * ahead**2 * np.cos(cone) ** 2 / GJ) * SPEED
    p = MASS * ahead * SPEED**2 * np.sin(cone) * np.cos(cone) / GJ
    expected = p * (np.sinh(k * x) / (k**3 * np.cosh(k * LENGTH)) - x / k**2)
    assert expected[-1] == pytest.approx(-p * LENGTH**3 / 3, rel=0.01)
    assert found == pytest.approx(expected, rel=3e-3, abs=1e-7)  # the stretch, W^2 L^2 m / EA, is 1e-3


@pytest.mark.parametrize("sense", [1, -1])
def test_aerodynamic_moment_twists_the_blade(sense):
    """Moment q c^2 cm with q = rho W^2 x^2 / 2: f = K (L^3 x / 3 - x^4 / 12) / GJ, K = rho W^2 c^2 cm / 2.

    Nose up for cm > 0 in both senses of rotation.
    """
    chord, cm, air = 0.5, 0.01, Air(1.05, 331.0)
    model, nodes = blade()
    surface = Planform(station=(0.0, LENGTH), chord=chord, aerofoil=ThinAerofoil(slope=1e-9, cm_0=cm))
    beams = [model.elements[f"blade.beam{e + 1}"] for e in range(4)]
    add_beam_air(model, "blade", surface, beams=beams, start=0.0, axes=np.eye(3), leading=sense, air=air)
    x, found = turned(model, nodes, sense * SPEED)
    K = 0.5 * air.density * SPEED**2 * chord**2 * cm
    assert sense * found == pytest.approx(K * (LENGTH**3 * x / 3 - x**4 / 12) / GJ, rel=2e-3, abs=1e-6)


# ---- tension and twist
TWIST = np.radians(-30.0)
FIBRES = 0.1  # m: two of them, this far from the axis


def test_tension_untwists_wound_fibres():
    """Centrifugal force N(x) = m W^2 (L^2 - x^2) / 2 on a twisted blade: GJ f' = -k^2 twist' N, against the twist.

    k^2 = (EI_y + EI_z) / EA = 0.01 m^2. With fibres along the axis, or without twist, nothing turns.
    """
    stiff = {"EI_y": NONE * EA, "EI_z": FIBRES**2 * EA}
    for twist, wound in ((TWIST, 1.0), (TWIST, 0.0), (0.0, 1.0)):
        x, found = turned(*blade(twist=[0.0, twist], wound=wound, **stiff))
        N = 0.5 * MASS * SPEED**2 * (LENGTH**2 * x - x**3 / 3)  # its integral from the root
        expected = -wound * FIBRES**2 * twist / LENGTH * N / GJ
        assert found == pytest.approx(expected, rel=5e-3, abs=1e-6), (twist, wound)


def test_wound_fibres_against_a_bundle():
    """Rigid ribs with two elastic strings wound about the axis, as the tables' EI = EA d^2 mean: pulled, they unwind.

    The bundle also has the stiffness k^2 N of the strings, k^2 N / GJ = 0.4 % of that of the ribs' springs.
    """
    pull, ribs, rate = 3e3, 24, TWIST / LENGTH
    pitch, step = LENGTH / ribs, TWIST / ribs
    model = sm.Model("bundle")
    before = model.ground
    for k in range(1, ribs + 1):
        at = (k * pitch, 0, 0)
        rib = model.node(f"rib{k}", at, rotation_x(k * step), static=True)
        model.add(f"guide{k}", sm.Cylindrical(model.ground, rib, at=at, axis=(1, 0, 0)))
        model.add(f"spring{k}", sm.Torsion(before, rib, at=at, axis=(1, 0, 0), law=sm.LinearLaw(GJ / pitch)))
        for side in (1, -1):
            ends = [(j * pitch, side * FIBRES * np.cos(j * step), side * FIBRES * np.sin(j * step)) for j in (k - 1, k)]
            string = sm.Spring(before, rib, ends=ends, stiffness=0.5 * EA / pitch)
            model.add(f"string{k}{side}", string)
        before = rib
    model.add("pull", sm.Force(before, force=(pull, 0, 0)))
    R = sm.static(model)["rib24.rotation"][-1].reshape(3, 3) @ rotation_x(TWIST).T
    bundle = np.arctan2(R[2, 1], R[1, 1])

    model, nodes = blade(twist=[0.0, TWIST], wound=1.0, EI_y=NONE * EA, EI_z=FIBRES**2 * EA)
    model.add("pull", sm.Force(nodes[-1], force=(pull, 0, 0)))
    R = sm.static(model)[f"{nodes[-1].name}.rotation"][-1].reshape(3, 3) @ rotation_x(TWIST).T
    beam = np.arctan2(R[2, 1], R[1, 1])
    assert beam == pytest.approx(-(FIBRES**2) * rate * pull * LENGTH / GJ, rel=1e-3)
    assert beam == pytest.approx(bundle, rel=0.01)
