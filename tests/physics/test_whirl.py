"""Small motions where parts turn against each other: closed forms of discs, gyroscopes, satellites and tops."""

import numpy as np
import pytest

import samara as sm
from samara.analysis.linearisation import sparse_modes as large
from samara.rotations import exp_so3, rotation_y, rotation_z

SPEED, STIFFNESS = 40.0, 0.4
#: Of disc and pylon together, across and along; of the pylon alone.
ACROSS, POLAR, PYLON = 1.78e-4, 1.03e-4, 1e-4
ROUND = (ACROSS - PYLON, ACROSS - PYLON, POLAR)
FLAT = (5e-5, 1.2e-4, POLAR)


def disc(
    stiffness=(STIFFNESS, STIFFNESS),
    inertia=ROUND,
    *,
    azimuth=0.0,
    pace=1.0,
    speed=SPEED,
    pieces=0,
    push=False,
    links=0,
) -> sm.Simulation:
    """A disc that spins on a pylon, which tilts about two axes against springs.

    pace: unit of time; pieces: bodies clamped together that make the disc; links: a chain of rods hung beside it.
    """
    model, speed = sm.Model("disc"), speed * pace
    pylon = model.node("pylon")
    model.add("pylon.body", sm.Body(pylon, mass=0.01, inertia=(PYLON,) * 3))
    model.add("pivot", sm.Universal(model.ground, pylon, at=(0, 0, 0)))
    springs = sm.ComponentLaw((*(sm.LinearLaw(k * pace**2) for k in stiffness), None))
    model.add("springs", sm.DeformableHinge(model.ground, pylon, at=(0, 0, 0), law=springs))
    hub = model.node("hub", (0, 0, 0), rotation_z(azimuth), angular_velocity=(0, 0, speed))
    model.add("shaft", sm.Revolute(pylon, hub, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("motor", sm.PrescribedAngle(pylon, hub, at=(0, 0, 0), axis=(0, 0, 1), angle=lambda t: speed * t))
    if pieces:  # a ring of points, and the rest in the hub
        radius, mass = 0.01, 0.05 / pieces
        ring = pieces * mass * radius**2
        rest = np.array(inertia) - (0.5 * ring, 0.5 * ring, ring) - pieces * 1e-9
        model.add("hub.body", sm.Body(hub, mass=0.01, inertia=tuple(rest)))
        for k in range(pieces):
            at = exp_so3(np.array([0, 0, azimuth + 2 * np.pi * k / pieces])) @ (radius, 0, 0)
            spun = {"velocity": tuple(np.cross((0, 0, speed), at)), "angular_velocity": (0, 0, speed)}
            piece = model.node(f"piece_{k}", tuple(at), **spun)
            model.add(f"piece_{k}.body", sm.Body(piece, mass=mass, inertia=(1e-9,) * 3))
            model.add(f"piece_{k}.clamp", sm.Clamp(hub, piece, at=tuple(at)))
    else:
        model.add("hub.body", sm.Body(hub, mass=0.01, inertia=inertia))
    if push:
        model.add("push", sm.FollowerCouple(pylon, couple=(sm.Input("push", unit="N m"), 0, 0)))
    last = model.ground
    for k in range(links):
        node = model.node(f"rod_{k}", (1, 0, -k - 0.5))
        model.add(f"rod_{k}.body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"rod_{k}.hinge", sm.Revolute(last, node, at=(1, 0, -k), axis=(0, 1, 0)))
        model.add(f"rod_{k}.spring", sm.Torsion(last, node, at=(1, 0, -k), axis=(0, 1, 0), law=sm.LinearLaw(5e5)))
        last = node
    sim = sm.Simulation(model)
    sm.assemble(sim)
    return sim


def whirl(first: float, second: float, polar: float = POLAR, speed: float = SPEED) -> np.ndarray:
    """I^2 w^4 - (I (k1 + k2) + (J Omega)^2) w^2 + k1 k2 = 0."""
    square = [ACROSS**2, -(ACROSS * (first + second) + (polar * speed) ** 2), first * second]
    return np.sort(np.sqrt(np.roots(square).real))


@pytest.mark.parametrize("azimuth", [0.0, 0.7, 2.9])
@pytest.mark.parametrize("second", [1.0, 1.7])
def test_a_disc_on_a_pylon(second, azimuth):
    """Equal springs: sqrt(w0^2 + G^2 / 4) -+ G / 2, G = J Omega / I: 37.22375 and 60.36982 rad/s."""
    sim = disc((STIFFNESS, second * STIFFNESS), azimuth=azimuth)
    found = sm.modes(sim)
    np.testing.assert_allclose(found.frequencies, whirl(STIFFNESS, second * STIFFNESS), rtol=1e-9)
    assert np.abs(found.damping).max() < 1e-9
    assert found.about == "a steady motion, in axes that do not turn"
    if second == 1.0:
        half = 0.5 * POLAR * SPEED / ACROSS
        root = np.sqrt(STIFFNESS / ACROSS + half**2)
        np.testing.assert_allclose(found.frequencies, [root - half, root + half], rtol=1e-9)
    system = sm.state_space(sim, inputs=(), outputs="pivot.angle_a")
    values = np.linalg.eigvals(system.A)
    np.testing.assert_allclose(np.sort(values.imag)[2:], found.frequencies, rtol=1e-9)


def test_another_unit_of_time():
    """Springs and speed a thousand times faster."""
    found = sm.modes(disc(pace=1e3)).frequencies
    np.testing.assert_allclose(found, 1e3 * whirl(STIFFNESS, STIFFNESS), rtol=1e-9)


@pytest.mark.parametrize("pieces", [3, 4, 5])
def test_a_disc_of_clamped_pieces_is_a_disc(pieces):
    """Their places turn, and what clamps allow with them; nothing of that is felt in axes that do not turn."""
    np.testing.assert_allclose(sm.modes(disc(pieces=pieces)).frequencies, whirl(STIFFNESS, STIFFNESS), rtol=1e-9)


def test_two_pieces_are_no_disc():
    with pytest.raises(sm.NotConstant, match="model 'disc' has fixed and rotating parts"):
        sm.modes(disc((STIFFNESS, 1.7 * STIFFNESS), pieces=2))


def test_the_response_to_a_couple():
    """[k - I w^2, i w J Omega; -i w J Omega, k - I w^2] a = (1, 0), with axes that turn with nothing."""
    system = sm.state_space(disc(push=True), inputs="push", outputs=("pivot.angle_a", "pivot.angle_b"))
    for w in (5.0, 20.0, 100.0):
        own, cross = STIFFNESS - ACROSS * w**2, 1j * w * POLAR * SPEED
        wanted = np.linalg.solve([[own, cross], [-cross, own]], [1.0, 0.0])
        np.testing.assert_allclose(system.response(w).ravel(), wanted, rtol=1e-9, atol=1e-12)


def test_a_flat_disc_on_a_round_pylon_is_told_by_the_disc():
    """I1 a_ddot - (I1 + I2 - J) Omega b_dot + (k + (J - I2) Omega^2) a = 0, and the same for b, in turning axes."""
    one, two = FLAT[0] + PYLON, FLAT[1] + PYLON
    M, C = np.diag([one, two]), (one + two - POLAR) * SPEED * np.array([[0, -1], [1, 0]])
    K = np.diag([STIFFNESS + (POLAR - two) * SPEED**2, STIFFNESS + (POLAR - one) * SPEED**2])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    found = sm.modes(disc(inertia=FLAT))
    np.testing.assert_allclose(found.frequencies, np.sort(np.linalg.eigvals(A).imag)[2:], rtol=1e-9)
    assert found.about == "a steady motion, in axes that turn at 40 rad/s about (0, 0, 1)"


@pytest.mark.parametrize("find", [sm.modes, sm.state_space])
def test_a_flat_disc_on_unequal_springs_has_no_such_axes(find):
    with pytest.raises(sm.NotConstant, match="model 'disc' has fixed and rotating parts"):
        find(disc((STIFFNESS, 1.7 * STIFFNESS), FLAT))


def test_floquet_finds_the_same():
    """Of the same motion, from its time steps: damping, and frequencies but for multiples of the speed."""
    model = disc((STIFFNESS, 1.7 * STIFFNESS)).model
    period = 2 * np.pi / SPEED
    found = sm.floquet(model, period, period / 100, without_step=True)
    wanted = whirl(STIFFNESS, 1.7 * STIFFNESS)
    apart = found.frequencies[:, None] - np.concatenate([wanted, -wanted])
    apart -= SPEED * np.round(apart / SPEED)
    assert np.abs(apart).min(axis=1).max() < 1e-3 * wanted.max()
    assert np.abs(found.eigenvalues.real).max() < 1e-3 * wanted.max()


@pytest.mark.parametrize(("speed", "spin"), [(1.3, 30.0), (0.02, 30.0), (2.0, -1.0)])
def test_a_dual_spin_satellite(speed, spin):
    """A platform that is not round, with a round wheel, told by the platform, however much faster the wheel is."""
    a, b, c, across, polar = 2.0, 3.0, 2.5, 0.1, 0.2
    model = sm.Model("dual spin")
    platform = model.node("platform", angular_velocity=(0, 0, speed))
    wheel = model.node("wheel", angular_velocity=(0, 0, speed + spin))
    model.add("platform.body", sm.Body(platform, mass=10.0, inertia=(a, b, c)))
    model.add("wheel.body", sm.Body(wheel, mass=1.0, inertia=(across, across, polar)))
    model.add("bearing", sm.Revolute(platform, wheel, at=(0, 0, 0), axis=(0, 0, 1)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    moment = c * speed + polar * (speed + spin)
    square = (moment - (b + across) * speed) * (moment - (a + across) * speed) / ((a + across) * (b + across))
    found = sm.modes(sim).eigenvalues
    assert np.abs(found - np.sqrt(complex(-square))).min() < 1e-7 * abs(square) ** 0.5


def top(azimuth=0.0, at=(0.0, 0.0, 0.0)) -> tuple[sm.Simulation, float, float]:
    """A heavy top in steady precession; its rate, and the frequency of nutation [rad/s]."""
    mass, length, gravity, across, polar, tilt, spin = 1.2, 0.3, 9.81, 0.02, 0.03, 0.6, 60.0
    whole = across + mass * length**2
    rate = float(np.roots([whole * np.cos(tilt), -polar * spin, mass * gravity * length]).min())
    R = exp_so3(np.array([0, 0, azimuth])) @ rotation_y(tilt)
    omega = np.array([0, 0, rate]) + (spin - rate * np.cos(tilt)) * R[:, 2]
    model = sm.Model("top", gravity=(0, 0, -gravity))
    arm = length * R[:, 2]
    node = model.node("body", at + arm, R, velocity=tuple(np.cross(omega, arm)), angular_velocity=tuple(omega))
    model.add("body.body", sm.Body(node, mass=mass, inertia=(across, across, polar)))
    model.add("pivot", sm.Spherical(model.ground, node, at=at))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    # I theta_ddot = -V', V = (p - L cos)^2 / (2 I sin^2) + m g l cos, p and L kept
    L = polar * spin
    p = whole * rate * np.sin(tilt) ** 2 + L * np.cos(tilt)
    s, c = np.sin(tilt), np.cos(tilt)
    bend = (L**2 * s**2 + (p - L * c) * L * c) / (whole * s**2) - 4 * (p - L * c) * L * c / (whole * s**2)
    bend += (p - L * c) ** 2 * (1 + 2 * c**2) / (whole * s**4) - mass * gravity * length * c
    return sim, rate, np.sqrt(bend / whole)


@pytest.mark.parametrize(("azimuth", "at"), [(0.0, (0, 0, 0)), (1.0, (1, 2, 3))])
def test_a_top_that_precesses(azimuth, at):
    """Its twist changes in its own axes, and is the same for somebody who goes round with it."""
    sim, rate, nutation = top(azimuth, np.array(at, float))
    found = sm.modes(sim)
    assert found.frequencies.max() == pytest.approx(nutation, rel=1e-8)
    assert np.sort(found.natural)[:-1].max() < 1e-5 * nutation  # azimuth and spin
    assert found.about.startswith(f"a steady precession, in axes that turn at {rate:.6g} rad/s about (")


def test_a_body_that_tumbles_in_space():
    """A round one: seen from its precession at H / I all that is fixed in space goes round once, double or triple."""
    model, omega, inertia = sm.Model("tumbling"), np.array([2.0, 0, 5.0]), np.array([0.02, 0.02, 0.035])
    node = model.node("body", (1, 0, 0), angular_velocity=tuple(omega))
    model.add("body.body", sm.Body(node, mass=1.0, inertia=tuple(inertia)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    found, rate = sm.modes(sim).eigenvalues, np.linalg.norm(inertia * omega) / inertia[0]
    moving = found[np.abs(found) > 1e-4]
    assert moving.size == 3
    np.testing.assert_allclose(moving, 1j * rate, atol=1e-5)


def test_a_body_that_is_not_round_does_not_precess():
    model = sm.Model("tumbling")
    node = model.node("body", angular_velocity=(2, 1, 5))
    model.add("body.body", sm.Body(node, mass=1.0, inertia=(0.02, 0.025, 0.035)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    with pytest.raises(sm.NotConstant, match="model 'tumbling'"):
        sm.modes(sim)


def test_parts_that_need_different_axes():
    """A disc told in axes that do not turn, and a mass on springs of a turning hub in its own: 10 -+ 14 rad/s."""
    model = disc().model
    hub = model.prescribed("post", sm.Motion(rotation=(0, 0, lambda t: 14.0 * t)))
    mass = model.node("mass", angular_velocity=(0, 0, 14.0))
    model.add("mass.body", sm.Body(mass, mass=1.0, inertia=(1, 1, 2)))
    for name, axis, k in zip("xyz", np.eye(3), (100.0, 100.0, 64.0), strict=True):
        model.add(f"spring_{name}", sm.Axial(hub, mass, axis=axis, law=sm.LinearLaw(k)))
        model.add(f"twist_{name}", sm.Torsion(hub, mass, axis=axis, law=sm.LinearLaw(k * 100.0)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    found = sm.modes(sim).frequencies
    for one in (*whirl(STIFFNESS, STIFFNESS), 4.0, 24.0, 8.0):
        assert np.abs(found - one).min() < 1e-7


def test_a_large_model_is_told_the_same(monkeypatch):
    """With sparse matrices; beside it a chain that is stiffer."""
    monkeypatch.setattr(large, "LARGE", 100)
    sim = disc(links=20)
    assert large.is_few(sim, 1)
    found = sm.modes(sim, 1)
    assert found.about == "a steady motion, in axes that do not turn"
    wanted = np.concatenate([whirl(STIFFNESS, STIFFNESS), sm.modes(disc(links=20)).frequencies])
    assert found.frequencies[0] == pytest.approx(wanted[2:].min(), rel=1e-7)
    with pytest.raises(sm.NotConstant, match="fixed and rotating parts"):
        sm.modes(disc((STIFFNESS, 1.7 * STIFFNESS), FLAT, links=20), 1)


def test_derivatives_of_such_modes_are_refused():
    with pytest.raises(sm.SolveError, match="parts of model 'disc' turn against each other"):
        sm.sensitivity(sm.modes(disc()))


@pytest.mark.parametrize("spin", [-50.0, 3.0, 200.0])
def test_a_gyroscope_in_two_rings_nutates(spin):
    """J Omega / sqrt(A B), A of rotor and rings about the outer axis, B of rotor and inner ring about the inner."""
    model, polar = sm.Model("gyroscope"), 0.02
    outer, inner = model.node("outer"), model.node("inner")
    rotor = model.node("rotor", angular_velocity=(0, 0, spin))
    model.add("outer.body", sm.Body(outer, mass=1.0, inertia=(0.01, 0.02, 0.02)))
    model.add("inner.body", sm.Body(inner, mass=1.0, inertia=(0.004, 0.003, 0.005)))
    model.add("rotor.body", sm.Body(rotor, mass=1.0, inertia=(0.011, 0.011, polar)))
    model.add("outer.axis", sm.Revolute(model.ground, outer, at=(0, 0, 0), axis=(1, 0, 0)))
    model.add("inner.axis", sm.Revolute(outer, inner, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("spin", sm.Revolute(inner, rotor, at=(0, 0, 0), axis=(0, 0, 1)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    wanted = polar * abs(spin) / np.sqrt((0.01 + 0.004 + 0.011) * (0.003 + 0.011))
    assert sm.modes(sim).frequencies.max() == pytest.approx(wanted, rel=1e-9)


def flying_discs(drive: str, senses=(1.0,), *, R=None, at=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)) -> sm.Simulation:
    """Discs of 0.02, 0.03 kg m2 that spin at 150 rad/s on sprung pylons of a craft of 5 kg m2 in free flight."""
    R, at, flown = np.eye(3) if R is None else R, np.array(at), {"velocity": velocity}
    model = sm.Model("flying")
    craft = model.node("craft", at, rotation=R, **flown)
    model.add("craft.body", sm.Body(craft, mass=200.0, inertia=(5.0, 5.0, 3.0)))
    for k, sense in enumerate(senses):
        place = {"at": at + R @ (0, 3.0 * k, 0)}
        pylon, disc = (model.node(f"{name}{k}", place["at"], rotation=R, **flown) for name in ("pylon", "disc"))
        model.add(f"pylon{k}.body", sm.Body(pylon, mass=0.5, inertia=(0.01,) * 3))
        model.add(f"disc{k}.body", sm.Body(disc, mass=1.5, inertia=(0.02, 0.02, 0.03)))
        model.add(f"pivot{k}", sm.Universal(craft, pylon, **place, axis=R[:, 2], axis_x=R[:, 0]))
        springs = sm.ComponentLaw((sm.LinearLaw(40.0, 0.02), sm.LinearLaw(40.0, 0.02), None))
        frame = sm.Placement(place["at"], R)
        joints = {"place_a": craft.local(frame), "place_b": pylon.local(frame)}
        model.add(f"springs{k}", sm.DeformableHinge(craft, pylon, law=springs, **joints))
        start = {"angle_rate": 150.0 * sense}
        model.add(f"shaft{k}", sm.Revolute(pylon, disc, **place, axis=R[:, 2], start=start))
        if drive == "rate":
            model.add(f"motor{k}", sm.PrescribedRate(pylon, disc, **place, axis=R[:, 2], rate=150.0 * sense))
    return sm.Simulation(model)


def free_whirl(spin=150.0, disc=0.03, polar=0.03, craft=5.0, k=40.0, c=0.02) -> np.ndarray:
    """Tilt of disc and craft against each other, z = x + i y: but for the rigid tilt, which takes no time."""
    M, K, C = np.diag([disc, craft]) + 0j, k * np.array([[1, -1], [-1, 1]]), c * np.array([[1, -1], [-1, 1]]) + 0j
    C[0, 0] -= 1j * polar * spin
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    s = np.linalg.eigvals(A)
    s = s[np.argsort(np.abs(s))][1:]
    return s.real + 1j * np.abs(s.imag)


#: 30 degrees about a skew axis; 1.4 km from the origin, nine thousand times the size of pylon and disc.
TURNED, FAR = exp_so3(np.pi / 6 * np.array([0.6, 0.0, 0.8])), (1e3, 1e3, 1e2)
FLIGHTS = {
    "still": {},
    "along": {"velocity": (0.0, 0.0, 70.0)},
    "across": {"velocity": (70.0, 0.0, 0.0)},
    "oblique": {"velocity": (70.0, 0.0, 0.0), "R": TURNED},
    "far": {"velocity": (70.0, 0.0, 0.0), "R": TURNED, "at": FAR},
}


@pytest.mark.parametrize("flight", FLIGHTS)
@pytest.mark.parametrize("drive", ["free", "rate"])
def test_a_disc_on_a_craft_in_flight(drive, flight):
    """Whirl does not feel how fast, whither and where the craft flies."""
    found = sm.modes(flying_discs(drive, **FLIGHTS[flight]))
    assert found.eigenvalues[-3:] == pytest.approx(free_whirl(), rel=1e-6)
    assert np.abs(found.eigenvalues[:-3]).max() < 1e-5
    if flight != "far":  # three translations, two tilts, craft and disc about the shaft
        assert found.rigid.tolist() == [True] * 7 + [False] * 3


def test_discs_of_opposite_turn_on_a_craft_in_flight():
    """Floquet of the same."""
    still, flying = flying_discs("rate", (1.0, -1.0)), flying_discs("rate", (1.0, -1.0), **FLIGHTS["oblique"])
    found, turn = sm.modes(flying), 2.0 * np.pi / 150.0
    assert found.rigid.sum() == 8 and found.eigenvalues[8:] == pytest.approx(sm.modes(still).eigenvalues[8:], rel=1e-6)
    exponents = sm.floquet(still, turn, turn / 120, without_step=True).eigenvalues
    for s in found.eigenvalues[8:]:
        assert np.abs(exponents - s).min() < 1e-3 * abs(s)


@pytest.mark.parametrize("spin", [200.0, 400.0, 1000.0])
def test_a_fast_top_precesses_slowly(spin):
    """Nutation about steady precession, from the effective potential; and the two motions that take no time."""
    mass, arm, across, polar, tilt, gravity = 1.0, 0.3, 0.19, 0.02, 0.5, 9.81
    load, momentum = mass * gravity * arm, polar * spin
    root = np.sqrt(momentum**2 - 4.0 * across * load * np.cos(tilt))
    rate = 2.0 * load / (momentum + root)
    R = exp_so3(np.array([0, tilt, 0]))
    w = np.array([0, 0, rate]) + (spin - rate * np.cos(tilt)) * R[:, 2]
    model = sm.Model("top", gravity=(0, 0, -gravity))
    node = model.node("top", arm * R[:, 2], R, velocity=np.cross(w, arm * R[:, 2]), angular_velocity=w)
    inertia = (across - mass * arm**2,) * 2 + (polar,)
    model.add("body", sm.Body(node, mass=mass, inertia=inertia))
    model.add("pivot", sm.Spherical(model.ground, node, at=(0, 0, 0)))
    found = sm.modes(sm.Simulation(model))
    # theta'' = -V'(theta), across^2 V = (P - L cos)^2 / (2 sin^2) + ..., differentiated by hand at the precession
    square = (momentum / across - 2.0 * rate * np.cos(tilt)) ** 2 + (rate * np.sin(tilt)) ** 2
    assert found.rigid.tolist() == [True, True, False]
    assert found.eigenvalues[2] == pytest.approx(1j * np.sqrt(square), rel=1e-7, abs=1e-6)
    assert "precession" in str(found) and f"{rate:.4g}"[:5] in str(found)
