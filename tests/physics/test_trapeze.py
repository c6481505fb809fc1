"""Torsion under tension against closed forms: trapeze (bifilar) effect of straps, and of blades that turn."""

import numpy as np
import pytest

import samara as sm

LENGTH, EA, BENDING, GJ, RADIUS = 0.6, 1e8, 1e6, 4e3, 0.05  # m, N, N m^2, N m^2, m


def strap(tension, cls=sm.Beam3, balance="energy", elements=2, damping=0.0, torque=0.0, inertia=0.0):
    """A strap along x, clamped at 0, pulled and turned at its end; its nodes, and its mass if it has inertia."""
    model = sm.Model("strap")
    count = cls.count * elements
    nodes = [model.ground]
    nodes += [model.node(f"n{k}", (LENGTH * k / count, 0, 0), static=not inertia) for k in range(1, count + 1)]
    stiffness = (EA, EA, EA, GJ, BENDING, BENDING)
    if damping:
        section = sm.DampedSection(stiffness, damping, polar_radius=RADIUS)
    else:
        section = sm.Section(stiffness, polar_radius=RADIUS)
    for e in range(elements):
        part = nodes[e * cls.count : (e + 1) * cls.count + 1]
        model.add(f"beam{e}", cls(*part, section=section, balance=balance))
        if inertia:
            mass = sm.SectionMass(1.0, inertia=(inertia, 0.5 * inertia, 0.5 * inertia))
            model.add(f"mass{e}", {sm.Beam3: sm.BeamMass3, sm.Beam2: sm.BeamMass2}[cls](*part, section=mass))
    model.add("pull", sm.Force(nodes[-1], force=(tension, 0, 0)))
    if torque:
        model.add("turn", sm.Couple(nodes[-1], couple=(torque, 0, 0)))
    return model, nodes


def angle(R):
    """Rotation about x."""
    R = np.reshape(R, (3, 3))
    return np.arctan2(R[2, 1], R[1, 1])


@pytest.mark.parametrize("balance", ["energy", "volumes"])
@pytest.mark.parametrize("cls", [sm.Beam3, sm.Beam2])
@pytest.mark.parametrize("tension", [2e5, -1e6])
def test_tension_stiffens_a_strap_in_torsion(cls, balance, tension):
    """f = M L / (GJ + N k^2), and the strap shortens by k^2 f^2 / (2 L): under 1 MN of thrust it is 2.7 times as soft.

    Beam2 takes 2 tan(f / 2) for the angle f of an element, 1e-5 here.
    """
    torque = 100.0
    model, nodes = strap(tension, cls, balance, torque=torque)
    results = sm.static(model)
    found = angle(results[f"{nodes[-1].name}.rotation"][-1])
    expected = torque * LENGTH / (GJ + tension * RADIUS**2)
    assert found == pytest.approx(expected, rel=1e-9 if cls is sm.Beam3 else 1e-4)
    drawn = results[f"{nodes[-1].name}.position"][-1][0] - LENGTH
    shortening = tension * LENGTH / EA - drawn
    assert shortening == pytest.approx(0.5 * RADIUS**2 * expected**2 / LENGTH, rel=3e-4)


def test_straight_strings_between_ribs():
    """Rigid ribs tied by two straight elastic strings and torsion springs: twist under tension, all by springs.

    Two strings at +-k carry the tension, so k is the polar radius of gyration, about the axis. Chords of 24 bays in
    place of arcs: 1e-4.
    """
    pull, torque, ribs = 2e5, 400.0, 24
    pitch = LENGTH / ribs
    model = sm.Model("ribs")
    before = model.ground
    for k in range(1, ribs + 1):
        at = (k * pitch, 0, 0)
        rib = model.node(f"rib{k}", at, static=True)
        model.add(f"guide{k}", sm.Cylindrical(model.ground, rib, at=at, axis=(1, 0, 0)))
        model.add(f"spring{k}", sm.Torsion(before, rib, at=at, axis=(1, 0, 0), law=sm.LinearLaw(GJ / pitch)))
        for side in (1, -1):
            ends = [(j * pitch, 0, side * RADIUS) for j in (k - 1, k)]
            model.add(f"string{k}{side}", sm.Spring(before, rib, ends=ends, stiffness=0.5 * EA / pitch))
        before = rib
    model.add("pull", sm.Force(before, force=(pull, 0, 0)))
    model.add("turn", sm.Couple(before, couple=(torque, 0, 0)))
    ribbed = angle(sm.static(model)["rib24.rotation"][-1])

    model, nodes = strap(pull, torque=torque)
    assert angle(sm.static(model)[f"{nodes[-1].name}.rotation"][-1]) == pytest.approx(ribbed, rel=3e-3)
    assert ribbed < 0.9 * torque * LENGTH / GJ


@pytest.mark.parametrize("cls", [sm.Beam3, sm.Beam2])
def test_torsional_frequency_of_a_strap_under_tension(cls):
    """Clamped and free: w = pi / (2 L) sqrt((GJ + N k^2) / J)."""
    tension, J = 2e6, 4e-3
    model, _ = strap(tension, cls, elements=8, inertia=J)
    found = sm.modes(model)
    twisting = found.share((3,)) > 0.9
    expected = 0.5 * np.pi / LENGTH * np.sqrt((GJ + tension * RADIUS**2) / J)
    assert found.frequencies[twisting][0] == pytest.approx(expected, rel=2e-3)


def swung(formulation, integrator, damping, step):
    """A strap of bodies and beams, let go under tension and torque: final angle, and the largest error of its energy.

    The error is relative; the work of the loads and the heat are sums by the trapezoidal rule, of order 2.
    """
    soft = (1e6, 1e6, 1e6, GJ, 1e3, 1e3)  # so that twisting by 1.5 rad/m raises the tension by 3 kN of 20
    model = sm.Model("swing")
    nodes = [model.ground, *(model.node(f"n{k}", (LENGTH * k / 4, 0, 0)) for k in range(1, 5))]
    for node in nodes[1:]:
        model.add(f"{node.name}.body", sm.Body(node, mass=0.2, inertia=(6e-4, 1e-3, 1e-3)))
    section = sm.DampedSection(soft, damping, polar_radius=RADIUS)
    for e in (0, 2):
        model.add(f"beam{e}", sm.Beam3(*nodes[e : e + 3], section=section))
    model.add("pull", sm.Force(nodes[-1], force=(2e4, 0, 0)))
    model.add("turn", sm.FollowerCouple(nodes[-1], couple=(3000.0, 0, 0)))
    given = {"tolerance": 1e-11} if formulation == "redundant" else {}
    run = sm.transient(sm.Simulation(model, integrator, formulation=formulation, **given), 2e-3, step, progress=False)
    energy = run["model.kinetic"] + run["model.potential"]
    power = run["model.supplied"] - run["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.time))])
    return angle(run["n4.rotation"][-1]), np.abs(energy - energy[0] - work).max() / energy.max()


@pytest.mark.parametrize("damping", [0.0, 1e-5])
def test_energy_of_a_strap_that_twists(damping, orders):
    """Energy is balanced to the order of the sums, 2, in implicit and explicit steps, which agree in the motion."""
    ends = []
    for formulation, integrator in (("redundant", sm.TwoStep(1.0)), ("recursive", sm.RungeKutta4())):
        (_, coarse), (end, fine) = (swung(formulation, integrator, damping, step) for step in (4e-6, 2e-6))
        assert orders([coarse, fine])[0] == pytest.approx(2, abs=0.1)
        assert fine < 1e-5
        ends.append(end)
    assert ends[0] > 0.4
    assert ends[0] == pytest.approx(ends[1], rel=2e-5)


def test_torsion_of_a_turning_blade():
    """Trapeze and propeller moment alone, GJ small: flat section with k_A = k_m, w^2 = W^2 (1 + n (n + 1) / 2), n odd.

    J (w^2 - W^2) f + (k_A^2 N f')' = 0 with N = m W^2 (L^2 - x^2) / 2 and J = m k_m^2 is Legendre's equation, after
    J. C. Houbolt and G. W. Brooks, NACA report 1346 (1958), with GJ f'' on top. For the first mode f = x that adds
    3 GJ / (J L^2) to w^2, for the second what the same quotient gives for f = P_3(x).
    """
    length, mass, speed, k = 6.0, 9.0, 28.0, 0.11
    J, soft = mass * k * k, 1.0
    model = sm.Model("blade")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(speed))))
    span = sm.Span(
        station=[0.0, length], mass=mass, EA=1e9, GJ=soft, EI_y=1e7, EI_z=1e7, inertia_y=1e-6 * J, inertia_z=J,
        polar_radius=k,
    )  # fmt: skip
    sm.add_beam(model, "blade", span, root=hub, elements=8, angular_velocity=(0, 0, speed))
    found = sm.modes(sm.steady_rotation(model, speed))
    twisting = found.frequencies[found.share((3,)) > 0.9]
    x, w = np.polynomial.legendre.leggauss(8)
    x = 0.5 * (x + 1)
    for n, frequency in zip((1, 3), twisting, strict=False):
        P = np.polynomial.legendre.Legendre.basis(n)
        more = soft * (w @ P.deriv()(x) ** 2) / (w @ P(x) ** 2) / (J * length**2)
        expected = np.sqrt(speed**2 * (1 + n * (n + 1) / 2) + more)
        assert frequency == pytest.approx(expected, rel=2e-3), n
