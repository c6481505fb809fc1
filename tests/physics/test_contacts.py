"""Contacts of whole models: impacts within the step of any model, closed contacts, friction, stops of hinges."""

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.rotations import rotation_from_axes

G = 9.81


def ball(restitution: float = 0.8, height: float = 1.0, friction: float = 0.0, radius: float = 0.0, **more) -> sm.Model:
    model = sm.Model("ball", gravity=(0, 0, -G))
    node = model.node("ball", position=(0, 0, height), **more)
    inertia = 0.4 * 2.0 * max(radius, 0.1) ** 2
    model.add("body", sm.Body(node, mass=2.0, inertia=(inertia,) * 3))
    shape = sm.BallShape(radius)
    model.add("floor", sm.Contact(model.ground, node, shape=shape, restitution=restitution, friction=friction))
    return model


def bounces(t: np.ndarray, e: float, height: float = 1.0) -> np.ndarray:
    """Height of a ball that falls from rest and bounces, in closed form; at rest after infinitely many impacts."""
    impact = np.sqrt(2.0 * height / G)
    z, speed = np.where(t < impact, height - 0.5 * G * t * t, 0.0), G * impact
    for _ in range(200):
        speed *= e
        flight = 2.0 * speed / G
        now = (t >= impact) & (t < impact + flight)
        z[now] = speed * (t[now] - impact) - 0.5 * G * (t[now] - impact) ** 2
        impact += flight
    return z


def test_a_ball_bounces_and_comes_to_rest():
    """Infinitely many impacts in 4.06 s, then rest with the weight on the floor."""
    errors = []
    for step in (8e-3, 4e-3, 2e-3):
        run = sm.transient(ball(), 5.0, step, progress=False)
        z = run["ball.position"][:, 2]
        errors.append(np.abs(z - bounces(run.time, 0.8)).mean())
        assert z.min() > -1e-9 and run["floor.force"][-1, 0] == pytest.approx(2.0 * G, rel=1e-9)
    # times of impacts are found; what is of first order is the short step of an impact, a 64th of a step
    assert errors[0] < 1e-3 and errors[-1] < 1.2e-4 and errors[2] < 0.6 * errors[1] < 0.36 * errors[0] * 1.2


@pytest.mark.parametrize("integrator", [sm.TwoStep(0.6), sm.TwoStep(1.0), sm.BDF2(), sm.CrankNicolson()])
def test_any_integrator_passes_impacts(integrator):
    run = sm.transient(ball(), 2.0, 2e-3, integrator=integrator, progress=False)
    assert np.abs(run["ball.position"][:, 2] - bounces(run.time, 0.8)).mean() < 2e-4


def test_steps_that_vary_pass_impacts():
    run = sm.transient(ball(), 2.0, accuracy=1e-6, progress=False)
    assert np.abs(run["ball.position"][:, 2] - bounces(run.time, 0.8)).mean() < 1e-3


def test_both_formulations_agree():
    whole = sm.transient(ball(), 3.0, 1e-3, progress=False)
    tree = sm.transient(ball(), 3.0, 1e-4, formulation="recursive", progress=False)
    # time stepping is of order one: 1e-4 s at up to 4.4 m/s
    np.testing.assert_allclose(whole["ball.position"][::10, 2], tree["ball.position"][::100, 2], atol=3e-3)


def test_a_ball_that_slides_comes_to_roll():
    """v = 5/7 v0 in any direction; the plane takes nothing from it afterwards."""
    run = sm.transient(ball(0.0, 0.1, friction=0.3, radius=0.1, velocity=(3.0, 1.0, 0.0)), 1.5, 1e-3, progress=False)
    # when the slip ends, a step of friction of 0.3 g h = 3e-3 m/s is too much or too little, by a part of it
    assert run["ball.velocity"][-1] == pytest.approx((15 / 7, 5 / 7, 0.0), abs=1e-3)
    assert np.abs(run["floor.force"][-1, 1:]).max() < 1e-6


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_tangents_are_those_of_the_surface(formulation):
    """A ball that spins while it slides: slip along x and y of the floor, however the ball is turned."""
    model = ball(0.0, 0.1, friction=0.1, radius=0.1, velocity=(3.0, 1.0, 0.0), angular_velocity=(8.0, -6.0, 5.0))
    run = sm.transient(model, 0.4, 1e-3, formulation=formulation, progress=False)
    v, w = run["ball.velocity"], run["ball.angular_velocity"]
    slip = np.stack([v[:, 0] - 0.1 * w[:, 1], v[:, 1] + 0.1 * w[:, 0]], axis=1)
    np.testing.assert_allclose(run["floor.velocity"][:, 1:], slip, atol=1e-9)
    force = run["floor.force"][1:, 1:]
    against = -0.1 * 2.0 * G * slip[1:] / np.linalg.norm(slip[1:], axis=1)[:, None]
    np.testing.assert_allclose(force, against, atol=0.02)  # of the end of a step: it turns by 3e-3 rad in one


def block(friction: float, slope: float) -> sm.Model:
    model = sm.Model("block", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    node = model.node("block", position=(0, 0, 0.1))
    model.add("body", sm.Body(node, mass=5.0, inertia=(0.05, 0.08, 0.1)))
    for k, (x, y) in enumerate([(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)]):
        model.add(f"corner{k}", sm.Contact(model.ground, node, place_b=(x, y, -0.1), friction=friction))
    return model


def test_a_block_on_an_incline_sticks_or_slides():
    slope = 0.3
    stuck = sm.transient(block(0.5, slope), 1.0, 1e-3, progress=False)
    assert np.abs(stuck["block.position"][-1] - (0, 0, 0.1)).max() < 1e-12
    sliding = sm.transient(block(0.2, slope), 1.0, 1e-3, progress=False)
    acceleration = G * (np.sin(slope) - 0.2 * np.cos(slope))
    assert sliding["block.position"][-1, 0] == pytest.approx(0.5 * acceleration, rel=1e-6)
    total = sum(sliding[f"corner{k}.force"][-1, 0] for k in range(4))
    assert total == pytest.approx(5.0 * G * np.cos(slope), rel=1e-9)


def test_an_impact_on_a_floating_body_conserves_momentum():
    """Two bodies without gravity, one spinning: linear and angular momentum of both, energy falls.

    An impact takes no time: whatever the step, momentum is kept to rounding.
    """
    model = sm.Model("billiards")
    a, b = (
        model.node("a", velocity=(2.0, 0.1, 0.0), angular_velocity=(0.3, 5.0, 1.0)),
        model.node("b", (1.0, 0.05, 0.0)),
    )
    for node, mass in ((a, 1.0), (b, 3.0)):
        model.add(f"{node.name}.body", sm.Body(node, mass=mass, inertia=(0.01 * mass,) * 3))
    model.add(
        "hit", sm.Contact(a, b, surface=sm.SphereSurface(0.1), shape=sm.BallShape(0.1), friction=0.2, restitution=0.6)
    )
    for step in (5e-2, 2e-3, 1e-3, 5e-4):
        run = sm.transient(model, 1.0, step, integrator=sm.TwoStep(1.0), progress=False)

        def momentum(k, run=run):
            p = {n: m * run[f"{n}.velocity"][k] for n, m in (("a", 1.0), ("b", 3.0))}
            spin = sum(
                np.cross(run[f"{n}.position"][k], p[n]) + 0.01 * m * run[f"{n}.angular_velocity"][k]
                for n, m in (("a", 1.0), ("b", 3.0))
            )
            return np.concatenate([p["a"] + p["b"], spin])

        assert np.abs(momentum(-1) - momentum(0)).max() < 1e-12
        kinetic = run["model.kinetic"]
        assert kinetic[-1] < kinetic[0] and np.diff(kinetic).max() < 1e-9
        assert np.abs(run["hit.velocity"][-1, 0]) > 0.1  # they part


def test_a_hinge_rests_on_its_stop_and_bounces_off_it():
    """A bar that falls on its stop: the couple is the weight's, and impacts leave e of the rate."""
    model = sm.Model("bar", gravity=(0, 0, -G))
    bar = model.node("bar", position=(1, 0, 0))
    model.add("body", sm.Body(bar, mass=3.0, inertia=(0.1, 1.0, 1.0)))
    frames = {"at": (0, 0, 0), "axis": (0, -1, 0)}
    model.add("hinge", sm.Revolute(model.ground, bar, start={"angle": 0.3}, **frames))
    model.add("stop", sm.AngleStop(model.ground, bar, limit=-0.2, side="lower", restitution=0.5, **frames))
    run = sm.transient(model, 3.0, 1e-3, progress=False)
    angle, rate = run["hinge.angle"], run["hinge.angle_rate"]
    assert angle.min() > -0.2 - 1e-9 and angle[-1] == pytest.approx(-0.2, abs=1e-9)
    assert run["stop.couple"][-1] == pytest.approx(3.0 * G * np.cos(0.2), rel=1e-9)
    hit = int(np.argmax(np.diff(rate) > 0.5))
    assert -rate[hit + 2] / rate[hit] == pytest.approx(0.5, abs=0.02)  # a step of 7.4 rad/s^2 beside 3 rad/s


def test_stops_of_the_puma_agree_with_a_penalty_law():
    """The still rotor in a gust: flap of blade 1 with unilateral stops at 1 ms, with Hertzian ones at 0.1 ms."""
    found = {}
    for stops, step in (("unilateral", 1e-3), ("penalty", 1e-4)):
        model = models.find("puma-sailing").make(case="gust", stops=stops, blades="rigid", restitution=0.3, gust=25.0)
        run = sm.transient(model, 5.0, step, outputs=("blade_1.*", "model.*"), progress=False)
        found[stops] = np.interp(np.arange(0.0, 5.0, 0.01), run.time, np.degrees(run["blade_1.flap.angle"]))
    assert found["unilateral"].min() > -10.0 - 1e-6
    assert found["unilateral"].max() > -6.0  # it has been lifted
    # the Hertzian stop gives way by 0.02 degrees under the weight of the blade, and restores e = 0.3 less well
    assert np.abs(found["unilateral"] - found["penalty"]).max() < 0.5


def test_moved_turned_and_boosted_contacts_are_the_same():
    """The floor on a prescribed node that moves at 70 m/s, ten kilometres away, and turned with gravity."""
    R = sm.rotations.exp_so3((0.4, -0.3, 0.8))
    place, boost = np.array([1e4, -2e3, 3e3]), np.array([70.0, -20.0, 5.0])
    model = sm.Model("ball", gravity=tuple(R @ (0, 0, -G)))
    way = (sm.Ramp(slope=float(v), start=-1e3, initial=float(p - 1e3 * v)) for p, v in zip(place, boost, strict=True))
    floor = model.prescribed("floor_node", sm.Motion(position=tuple(way), rotation=(0.4, -0.3, 0.8)))
    start = place + R @ (0, 0, 1.0)
    node = model.node("ball", position=tuple(start), velocity=tuple(boost + R @ (0.5, 0.2, 0.0)), rotation=R)
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.008,) * 3))
    shape = sm.BallShape(0.1)
    model.add("floor", sm.Contact(floor, node, shape=shape, restitution=0.6, friction=0.2))
    moved = sm.transient(model, 1.5, 1e-3, progress=False)
    still = sm.transient(ball(0.6, friction=0.2, radius=0.1, velocity=(0.5, 0.2, 0.0)), 1.5, 1e-3, progress=False)
    # gaps are known to 1e-12 m at 1e4 m; impacts multiply that by their speeds
    np.testing.assert_allclose(moved["floor.gap"], still["floor.gap"], atol=1e-6)


def test_a_run_in_two_parts_is_the_same_run(tmp_path):
    whole = sm.transient(ball(), 2.0, 1e-3, progress=False)
    path = tmp_path / "half.npz"
    sm.transient(ball(), 1.3, 1e-3, checkpoint=path, progress=False)
    rest = sm.transient(ball(), 2.0, 1e-3, resume=path, progress=False)
    assert np.array_equal(rest["ball.position"][-1], whole["ball.position"][-1])


def test_planes_that_close_in_are_told_of_with_all_results_kept():
    model = ball(0.0, 0.5)
    lift = model.prescribed("lid", sm.Motion(position=(0, 0, sm.Ramp(slope=-1.0, initial=1.0)), rotation=(np.pi, 0, 0)))
    model.add("ceiling", sm.Contact(lift, model["ball"]))
    with pytest.raises(sm.Diverged, match=r"'floor', 'ceiling'|'ceiling', 'floor'") as caught:
        sm.transient(model, 2.0, 1e-3, progress=False)
    assert caught.value.results.time[-1] == pytest.approx(1.0, abs=0.02)


def test_what_cannot_be_is_refused_by_name():
    with pytest.raises(sm.ModelError, match=r"'floor'.*restitution"):
        ball(1.2)
    with pytest.raises(sm.ArgumentError, match=r"'floor'.*MoreauJean"):
        sm.transient(ball(), 1.0, 1e-3, formulation="recursive", integrator=sm.RungeKutta4(), progress=False)
    for analysis in (sm.static, sm.modes, sm.state_space):
        with pytest.raises(sm.ArgumentError, match=r"'floor'"):
            analysis(ball())


def test_a_craft_with_a_spinning_rotor_lands_on_its_skids():
    """It slides to rest, its weight on four skids, in both formulations; the rotor spins on."""
    runs = {}
    for formulation, step in (("redundant", 2e-3), ("recursive", 1e-4)):
        model = sm.Model("craft", gravity=(0, 0, -G))
        hull = model.node("hull", position=(0, 0, 1.3), velocity=(3.0, 0, 0))
        model.add("hull.body", sm.Body(hull, mass=500.0, inertia=(200, 600, 600)))
        rotor = model.node("rotor", position=(0, 0, 2.3), velocity=(3.0, 0, 0), angular_velocity=(0, 0, 40.0))
        model.add("rotor.body", sm.Body(rotor, mass=80.0, inertia=(100, 100, 200)))
        model.add("mast", sm.Revolute(hull, rotor, at=(0, 0, 2.3), axis=(0, 0, 1)))
        for k, (x, y) in enumerate([(1, 0.8), (1, -0.8), (-1, 0.8), (-1, -0.8)]):
            skid = {"place_b": (x, y, -1.0), "friction": 0.4, "restitution": 0.1}
            model.add(f"skid{k}", sm.Contact(model.ground, hull, **skid))
        runs[formulation] = run = sm.transient(model, 3.0, step, formulation=formulation, progress=False)
        assert sum(run[f"skid{k}.force"][-1, 0] for k in range(4)) == pytest.approx(580.0 * G, rel=1e-6)
        assert np.abs(run["hull.velocity"][-1]).max() < 1e-6
        assert run["rotor.angular_velocity"][-1, 2] == pytest.approx(40.0, abs=1e-6)
    ends = [run["hull.position"][-1] for run in runs.values()]
    # small hops of the skids depend on rounding, and move it by some millimetres; it slides for more than a metre
    np.testing.assert_allclose(ends[0], ends[1], atol=0.02)


def test_two_impacts_almost_at_once():
    """A body on two sprung feet, one a micrometre lower: the second impact falls into the short steps of the first."""

    def landed(apart, step):
        model = sm.Model("feet", gravity=(0, 0, -G))
        body = model.node("body", position=(0, 0, 1.0), velocity=(0, 0, -2.0))
        model.add("body.mass", sm.Body(body, mass=100.0, inertia=(20, 20, 20)))
        for k, (x, z) in enumerate(((-1.0, 0.5), (1.0, 0.5 + apart))):
            foot = model.node(f"foot{k}", position=(x, 0, z), velocity=(0, 0, -2.0))
            model.add(f"foot{k}.mass", sm.Body(foot, mass=2.0, inertia=(0.1, 0.1, 0.1)))
            slide = {"at": (x, 0, z), "axis": (0, 0, 1)}
            model.add(f"slide{k}", sm.Prismatic(body, foot, **slide))
            model.add(f"leg{k}", sm.Axial(body, foot, law=sm.LinearLaw(1e4, 300.0), **slide))
            model.add(f"floor{k}", sm.Contact(model.ground, foot, place_a=(0, 0, 0)))
        return sm.transient(model, 0.6, step, progress=False)["body.position"][-1, 2]

    together = landed(0.0, 1e-3)
    for apart in (1e-7, 1e-6, 1e-5):  # a difference of 1e-5 m is itself one of 1e-5 m, at most
        assert landed(apart, 1e-3) == pytest.approx(together, abs=2e-5 + apart)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
@pytest.mark.parametrize("limit", [1.5, 1.7, 3.0])
def test_stops_of_a_hinge_may_be_far_apart(limit, formulation):
    """A wheel goes to and fro between two stops and keeps half of its rate at each, also beyond a quarter turn."""
    model = sm.Model("hinge")
    wheel = model.node("wheel")
    model.add("body", sm.Body(wheel, mass=1.0, inertia=(0.1,) * 3))
    frames = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    model.add("hinge", sm.Revolute(model.ground, wheel, start={"angle_rate": 1.0}, **frames))
    for side, sign in (("upper", 1.0), ("lower", -1.0)):
        model.add(side, sm.AngleStop(model.ground, wheel, limit=sign * limit, side=side, restitution=0.5, **frames))
    run = sm.transient(model, 12.0, 1e-2, formulation=formulation, progress=False)
    # 1 rad/s to the first stop, then 1/2, 1/4, ... over 2 limits each
    hits, way = 0, limit
    while way < 12.0:
        hits += 1
        way += 2.0 * limit * 2.0**hits
    assert abs(run["hinge.angle_rate"][-1]) == pytest.approx(0.5**hits, rel=1e-9)


def elastic(formulation, step, gravity=(0, 0, -G), **start):
    """A ball below an elastic ceiling."""
    model = sm.Model("ceiling", gravity=gravity)
    node = model.node("ball", **start)
    model.add("body", sm.Body(node, mass=1.0, inertia=(0.004,) * 3))
    down = sm.Placement((0, 0, 0.4), rotation_from_axes(z=(0, 0, -1), x=(1, 0, 0)))
    model.add("roof", sm.Contact(model.ground, node, place_a=down, shape=sm.BallShape(0.1), restitution=1.0))
    return sm.transient(model, 0.15, step, formulation=formulation, progress=False)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_forces_that_slow_an_approach_take_nothing_from_restitution(formulation):
    """A ball thrown at an elastic ceiling comes down as fast as it went up; time stepping meets it half a step late."""
    rise = (3.0 - np.sqrt(9.0 - 2.0 * G * 0.3)) / G
    expected = -(3.0 - G * rise) - G * (0.15 - rise)
    for step in (1e-2, 1e-3):
        run = elastic(formulation, step, velocity=(0, 0, 3.0))
        late = 0.0 if formulation == "redundant" else 2.0 * G * step
        assert run["ball.velocity"][-1, 2] == pytest.approx(expected, abs=1e-6 + late)
        assert run.attrs.counters["milder_impacts"] == 0
    spinning = elastic(formulation, 2e-3, (0, 0, 0), velocity=(0, 0, 3.1), angular_velocity=(1, 2, 3))
    assert spinning["ball.velocity"][-1, 2] == pytest.approx(-3.1, rel=1e-5)


def test_elastic_impacts_keep_energy():
    """Seventy of them, at long steps too: what gravity does in the short step of an impact is its own."""
    for step, within in ((1e-2, 2e-3), (1e-3, 1e-5)):  # the error of the time of an impact, of second order
        run = sm.transient(ball(1.0, 0.3), 30.0, step, progress=False)
        energy = run["model.kinetic"] + run["model.potential"]
        assert energy == pytest.approx(energy[0], rel=within)
        assert run.attrs.counters["impacts"] == 61  # 0.2473 s, then every 0.4946 s


def test_steps_that_vary_do_not_drop_restitution():
    """Steps as long as a whole fall: an elastic ball goes on, others lose what they should."""
    run = sm.transient(ball(1.0, 0.3), 10.0, accuracy=1e-6, progress=False)
    assert run.attrs.counters["impacts"] == 20
    run = sm.transient(ball(0.8, 0.3), 1.2, accuracy=1e-6, progress=False)
    assert run["ball.position"][-1, 2] == pytest.approx(bounces(run.time[-1:], 0.8, 0.3)[0], abs=2e-3)


def test_a_contact_that_starts_closed_bounces():
    run = sm.transient(ball(0.5, 0.0, velocity=(0, 0, -2.0)), 0.1, 1e-3, progress=False)
    assert run["ball.velocity"][1, 2] == pytest.approx(1.0 - G * 1e-3, abs=1e-3)


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_overlap_is_taken_back_without_momentum(step):
    """A start 5 mm inside comes out slowly, at a hundredth of the model's size per second, whatever the step."""
    with pytest.warns(UserWarning, match="'floor'"):
        run = sm.transient(ball(0.0, -0.005), 0.3, step, progress=False)
    assert np.abs(run["ball.velocity"][:, 2]).max() < 0.011
    assert -0.005 < run["floor.gap"][-1] <= 0.0


def test_a_massless_surface_does_not_swallow_an_impact():
    """A ball on a sprung pad without mass cannot bounce off it: the pad carries it, as a pad of a milligram does."""
    found = {}
    for kind in ("static", "light"):
        model = sm.Model("pad", gravity=(0, 0, -G))
        node = model.node("ball", position=(0, 0, 0.3))
        model.add("body", sm.Body(node, mass=1.0, inertia=(0.01,) * 3))
        pad = model.node("pad", static=kind == "static")
        if kind == "light":
            model.add("pad.body", sm.Body(pad, mass=1e-6, inertia=(1e-6,) * 3))
        law = sm.LinearLaw6(np.diag([1e4] * 6), np.diag([10.0] * 6))
        model.add("spring", sm.DeformableJoint(model.ground, pad, at=(0, 0, 0), law=law))
        more = {"shape": sm.BallShape(0.1), "restitution": 0.5 if kind == "static" else 0.0}
        model.add("floor", sm.Contact(pad, node, place_a=(0, 0, 0), **more))
        found[kind] = sm.transient(model, 0.5, 1e-3, progress=False)
    assert found["static"]["floor.gap"].min() > -1e-4
    # m v = 2 N s on a spring of 1e4 N/m: 194 N
    assert found["static"]["floor.force"][:, 0].max() == pytest.approx(
        found["light"]["floor.force"][:, 0].max(), rel=0.02
    )
    assert np.abs(found["static"]["ball.position"] - found["light"]["ball.position"]).max() < 2e-3


@pytest.mark.parametrize(("e", "after"), [(0.0, (1 / 3, 1 / 3, 1 / 3)), (1.0, (-1 / 3, 2 / 3, 2 / 3))])
def test_balls_that_touch_up_to_rounding_are_hit_together(e, after):
    model = sm.Model("row")
    nodes = [
        model.node(f"b{i}", position=(x, 0, 0), velocity=(float(i == 0), 0, 0))
        for i, x in enumerate((-0.5, 0.0, 0.25 + 1e-15))
    ]
    for node in nodes:
        model.add(f"{node.name}.body", sm.Body(node, mass=1.0, inertia=(0.004,) * 3))
    for i in range(2):
        pair = {"surface": sm.SphereSurface(0.125), "shape": sm.BallShape(0.125), "restitution": e}
        model.add(f"c{i}", sm.Contact(nodes[i], nodes[i + 1], **pair))
    run = sm.transient(model, 0.3, 1e-2, progress=False)
    assert [run[f"b{i}.velocity"][-1, 0] for i in range(3)] == pytest.approx(after, abs=1e-6)
