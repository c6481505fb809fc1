"""Static solutions are stable: from any start, against closed forms; what is not says so."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import samara as sm
from samara.models.beams import rollup
from samara.rotations import rotation_y

GRAVITY = 9.81


def pendulum(x: float, z: float) -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(x, 0, z))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def chain(angles, joint=sm.Revolute) -> sm.Model:
    """Links of 0.1 m and 0.1 kg, each turned by its angle about y from +x; their weight hangs at their middle."""
    model, inner, p = sm.Model("chain", gravity=(0, 0, -GRAVITY)), None, np.zeros(3)
    axis = {} if joint is sm.Spherical else {"axis": (0, 1, 0)}
    for k, angle in enumerate(angles):
        R = rotation_y(angle)
        link = model.node(f"link{k}", p, R)
        model.add(f"body{k}", sm.Body(link, mass=0.1, inertia=(1e-5, 1e-4, 1e-4), com=(0.05, 0, 0)))
        model.add(f"joint{k}", joint(inner or model.ground, link, at=p, **axis))
        inner, p = link, p + 0.1 * R[:, 0]
    return model


def column(load: float, elements: int = 8) -> sm.Model:
    """A cantilever of 1 m along x, EI = 1 and 2 N m^2, pushed at its end; hardly compressible."""
    model = sm.Model("column")
    count = 2 * elements
    nodes = [model.ground, *(model.node(f"n{k}", (k / count, 0, 0), static=True) for k in range(1, count + 1))]
    for e in range(elements):
        section = sm.Section((1e7, 1e7, 1e7, 1.0, 1.0, 2.0))
        model.add(f"beam{e}", sm.Beam3(*nodes[2 * e : 2 * e + 3], section=section))
    model.add("load", sm.Force(nodes[-1], force=(-load, 0, 0)))
    return model


@pytest.mark.parametrize("start", [(1, 0), (0, 1), (0.1, 1.0), (-0.8, 0.6)], ids=["level", "top", "near top", "left"])
def test_a_pendulum_hangs_wherever_it_starts(start):
    rest = sm.static(pendulum(*start))
    assert rest["bob.position"][-1] == pytest.approx([0, 0, -np.hypot(*start)], abs=1e-9)
    assert np.linalg.norm(rest["hinge.force"][-1]) == pytest.approx(2.0 * GRAVITY, rel=1e-9)
    assert rest.attrs.stability == "stable"
    assert 0 < rest.attrs.counters["relaxations"] < 50


def test_any_equilibrium_is_taken_if_asked_for():
    """The top of the circle: its stiffness is that of hanging with the sign changed, m g l / (l^2 + L^2)."""
    sim = sm.Simulation(pendulum(0.1, 1.0))
    rest = sm.static(sim, stable=False)
    length = np.hypot(0.1, 1.0)
    assert rest["bob.position"][-1] == pytest.approx([0, 0, length], abs=1e-9)
    assert rest.attrs.stability == "unstable" and rest.attrs.counters["relaxations"] == 0
    found = sm.stability(sim)
    assert found.stiffness == pytest.approx(-2.0 * GRAVITY * length / (length**2 + sim.length**2), rel=1e-9)
    assert found.reason.startswith("joint 'hinge' (Revolute) turns about y; node 'bob' moves most, along ")


@pytest.mark.parametrize("links", [10, 50])
@pytest.mark.parametrize("start", ["level", "upright", "random"])
def test_a_chain_hangs_from_any_start(links, start, rng):
    angles = {"level": np.zeros(links), "upright": np.full(links, -np.pi / 2)}.get(
        start, rng.uniform(-np.pi, np.pi, links)
    )
    rest = sm.static(chain(angles))
    assert rest.attrs.stability == "stable"
    hung = np.array([rest[f"link{k}.position"][-1] for k in range(links)])
    assert hung == pytest.approx(np.outer(np.arange(links), [0, 0, -0.1]), abs=1e-8)
    tension = [np.linalg.norm(rest[f"joint{k}.force"][-1]) for k in range(links)]
    assert tension == pytest.approx(0.1 * GRAVITY * np.arange(links, 0, -1), rel=1e-8)  # the weight below
    assert rest.attrs.counters["relaxations"] < 200


def test_what_has_no_weight_rests_where_it_is():
    model = sm.Model("weightless")
    bob = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    with pytest.warns(UserWarning, match=r"neutral: joint 'hinge' \(Revolute\) turns about y"):
        rest = sm.static(model)
    assert rest.attrs.stability == "neutral"
    assert rest["bob.position"][-1] == pytest.approx([1, 0, 0], abs=1e-12)


def test_a_long_chain_hangs_from_the_level():
    """Full matrices would take minutes."""
    links = 200
    rest = sm.static(chain(np.zeros(links)))
    assert rest.attrs.stability == "stable"
    assert rest[f"link{links - 1}.position"][-1] == pytest.approx([0, 0, -0.1 * (links - 1)], abs=1e-6)
    assert np.linalg.norm(rest["joint0.force"][-1]) == pytest.approx(0.1 * GRAVITY * links, rel=1e-8)


@pytest.mark.parametrize("links", [10, 80])
def test_a_straight_chain_whose_end_is_held_nearer_hangs_as_its_closed_form_says(links):
    """Uniform links under their weight: the middle of each pulls at tan(slope) = V / H, H from the span."""
    model, end, span = chain(np.zeros(links)), 0.1 * links, 0.07 * links
    last = model.nodes[f"link{links - 1}"]
    turned = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # free along y, which the hinges hold
    model.add("end", sm.InLine(model.ground, last, place_a=sm.Placement((span, 0, 0), turned), place_b=(0.1, 0, 0)))
    V = 0.1 * GRAVITY * (links / 2 - np.arange(links) - 0.5)
    H = brentq(lambda H: np.sum(0.1 * H / np.hypot(H, V)) - span, 1e-9, 1e6)
    rest = sm.static(model)
    assert rest.attrs.stability == "stable"
    depth = np.cumsum(0.1 * V / np.hypot(H, V))[:-1]
    found = np.array([rest[f"link{k}.position"][-1, 2] for k in range(1, links)])
    assert found == pytest.approx(-depth, abs=1e-8 * end)
    assert np.linalg.norm(rest[f"joint{links // 2}.force"][-1]) == pytest.approx(H, rel=1e-8)


def test_what_nothing_holds_is_neutral_and_named():
    """Ball joints let each link spin about itself."""
    with pytest.warns(UserWarning, match=r"neutral: 4 motions are not resisted, one of them: joint .* turns about z"):
        rest = sm.static(chain(np.zeros(4), sm.Spherical))
    assert rest.attrs.stability == "neutral"
    assert rest["link3.position"][-1] == pytest.approx([0, 0, -0.3], abs=1e-8)


def elastica(load: float) -> tuple[float, float]:
    """Tip (x, z) of a cantilever of unit length and EI beyond its buckling load pi^2 / 4, by elliptic integrals.

    K(k) = sqrt(P), k the sine of half the tip's slope; x = 2 E(k) / K(k) - 1, z = 2 k / K(k).
    """
    m = brentq(lambda m: ellipk(m) - np.sqrt(load), 1e-9, 1 - 1e-9)
    return 2.0 * ellipe(m) / ellipk(m) - 1.0, 2.0 * np.sqrt(m) / ellipk(m)


def test_a_column_stands_below_the_buckling_load_and_bends_above_it():
    """Euler's load pi^2 EI / (4 L^2), about the weak axis; beyond it the elastica. Elements of 1/8 m: 1e-3."""
    buckling = np.pi**2 / 4
    rest = sm.static(column(0.995 * buckling))
    assert rest.attrs.stability == "stable" and rest.attrs.counters["relaxations"] == 0
    straight = sm.static(column(1.005 * buckling), stable=False)
    assert straight.attrs.stability == "unstable"
    for load in (1.2 * buckling, 2.0 * buckling):
        bent = sm.static(column(load))
        x, y, z = bent["n16.position"][-1]
        assert bent.attrs.stability == "stable"
        assert (x, abs(z)) == pytest.approx(elastica(load), abs=1e-3)
        assert abs(y) < 1e-6


def test_load_steps_follow_the_stable_branch():
    buckling = np.pi**2 / 4
    run = sm.static(column(2.0 * buckling, elements=4), steps=4)
    deflection = np.abs(run["n8.position"][:, 2])
    assert deflection[0] < 1e-9 and deflection[1] < 1e-3 and deflection[3] > deflection[2] > 0.5


def test_loads_that_follow_a_node_are_not_taken_for_unstable():
    """A couple that turns with the tip rolls a beam up: the stiffness has complex eigenvalues, and no negative one."""
    rest = sm.static(rollup.build(), steps=8)
    assert rest.attrs.stability == "stable"


def cart_on_a_slope() -> sm.Model:
    model = sm.Model("slope", gravity=(0, 0, -GRAVITY))
    cart = model.node("cart", position=(1, 0, 1))
    model.add("mass", sm.Body(cart, mass=1.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, at=(0, 0, 0), axis=(1, 0, 1)))
    return model


def motor() -> sm.Model:
    model = sm.Model("motor")
    rotor = model.node("rotor", position=(0.1, 0, -0.99))
    model.add("mass", sm.Body(rotor, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("shaft", sm.Revolute(model.ground, rotor, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("torque", sm.Couple(rotor, couple=(0, 3.0, 0)))
    return model


def stone(gravity: float) -> sm.Model:
    model = sm.Model("falling", gravity=(0, 0, -gravity))
    model.add("mass", sm.Body(model.node("stone"), mass=1.0, inertia=(1, 1, 1)))
    return model


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (cart_on_a_slope(), r"nothing holds it back where joint 'rail' .* slides along .* node 'cart' .* hold it by a"),
        (
            motor(),
            r"nothing holds it back where joint 'shaft' \(Revolute\) turns about y; node 'rotor' .* hold it by",
        ),
        (
            stone(GRAVITY),
            r"nothing ties node 'stone' to the ground, .*: node 'stone' moves most, along -z; hold",
        ),
        (stone(0.0), r"nothing ties node 'stone' to the ground; hold it by a joint or a spring$"),
    ],
    ids=["slope", "motor", "falling", "floating"],
)
def test_what_has_no_equilibrium_says_where_nothing_holds_it(model, words):
    with pytest.raises(sm.SingularModel, match=rf"no equilibrium was found: {words}"):
        sm.static(model)


def test_stability_travels_with_the_results(tmp_path):
    rest = sm.static(pendulum(0.0, 1.0), stable=False)
    rest.save(tmp_path / "top.nc")
    assert sm.Results.load(tmp_path / "top.nc").attrs.stability == "unstable"
    assert "stability     unstable" in rest.summary()


def test_modes_and_linear_models_are_about_the_nearest_equilibrium():
    """An inverted pendulum stays up for those who design its controller: one real eigenvalue is positive."""
    found = sm.modes(pendulum(0.0, 1.0))
    assert found.eigenvalues.real.max() == pytest.approx(np.sqrt(2.0 * GRAVITY / (2.0 + 0.01)), rel=1e-9)
