"""Co-simulation with a nonsmooth subsystem: against the wholly nonsmooth solution, closed forms, and invariances."""

import numpy as np
import pytest

import samara as sm
from samara.experiments.mechanisms.contact_cases import CASES
from samara.rotations import exp_so3
from samara.solve.tree.schemes import MoreauJean

G = 9.81


def both(case, h):
    """L1 errors of the wholly nonsmooth run and of the co-simulated one, and the latter's results."""
    every = round(case.coarsest / h)
    times = case.coarsest * np.arange(round(case.end / case.coarsest) + 1)
    model, _ = case.make(False)
    how = {"formulation": "recursive", "outputs": (case.seen,), "progress": False}
    whole = sm.transient(model, case.end, h, every=every, **how)
    axes = list(case.axes)
    if case.exact is None:
        fine = sm.transient(case.make(False)[0], case.end, case.coarsest / 64, every=64, **how)[case.seen][:, axes]
    else:
        fine = case.exact(times)
    run = sm.cosimulate(*case.make(True), case.end, h, every=every)
    errors = (np.abs(found[case.seen][:, axes] - fine).mean() for found in (whole, run))
    return *errors, run


@pytest.mark.parametrize("name", CASES)
def test_cosimulation_is_as_good_as_the_whole(name):
    """Both have errors of the order of the step; which of them is smaller is chance, within some."""
    case = CASES[name]
    h = case.coarsest / 2
    whole, split, run = both(case, h)
    speed = np.abs(np.diff(run[case.seen], axis=0)).max() / case.coarsest
    assert split < 4.0 * whole + 0.02 * speed * h
    # 1e-8, and what Newton leaves of the fastest part beside one that is slow for a moment
    assert run["nonsmooth.mismatch"].max() < 1e-6
    assert run["nonsmooth.iterations"].max() <= 6 and run["nonsmooth.iterations"].mean() <= 4.5


@pytest.mark.parametrize(("name", "least"), [("ball", 0.7), ("painleve", 0.7), ("tippe-top", 0.7)])
def test_cosimulation_is_of_order_one(name, least):
    case = CASES[name]
    steps = case.coarsest / np.array([1, 2, 4])
    errors = [both(case, h)[1] for h in steps]
    assert least < np.polyfit(np.log(steps), np.log(errors), 1)[0] < 1.5


def bouncing(mass=1.5, share=0.5, *, R=None, shift=(0, 0, 0), boost=(0, 0, 0), e=0.8):
    """A ball and its floor, which may be turned, elsewhere, and in steady motion."""
    R = np.eye(3) if R is None else R
    model = sm.Model("ball", gravity=tuple(R @ (0, 0, -G)))
    velocity = R @ (0.4, 0.1, 0.0) + boost
    ball = model.node("ball", position=R @ (0.1, 0, 0.3) + shift, velocity=velocity)
    model.add("body", sm.Body(ball, mass=mass, inertia=(0.01,) * 3))
    drives = [sm.Ramp(b) for b in boost]
    deck = model.prescribed("deck", sm.Motion(position=drives), position=np.asarray(shift, float), rotation=R)
    floor = sm.NonsmoothSubsystem("floor", model)
    point = floor.point("point", ball, mass=share)
    where = {"place_a": (0, 0, 0), "restitution": e, "friction": 0.2}
    floor.add("plane", sm.Contact(floor.carrier(deck), point, **where))
    return model, floor


def seen(run, R=None, shift=(0, 0, 0), boost=(0, 0, 0)):
    R = np.eye(3) if R is None else R
    return (run["ball.position"] - shift - np.outer(run.time, boost)) @ R


@pytest.mark.parametrize(
    ("change", "accuracy"),
    [
        ({"R": exp_so3(np.array([0.4, -1.1, 0.7]))}, 1e-10),
        ({"shift": (1e4, -2e3, 5e2)}, 1e-8),  # 1e-12 m of rounding, over steps of 1e-3 s
        ({"boost": (30.0, -70.0, 5.0)}, 1e-8),
    ],
    ids=["turned", "moved", "boosted"],
)
def test_nothing_depends_on_where_and_how_fast(change, accuracy):
    home = seen(sm.cosimulate(*bouncing(), 0.8, 1e-3))
    away = seen(sm.cosimulate(*bouncing(**change), 0.8, 1e-3), **change)
    assert np.abs(home - away).max() < accuracy


def test_how_the_mass_is_split_does_not_matter():
    """A point tied to a free body moves as one with it: any part of the mass may be the subsystem's."""
    runs = [sm.cosimulate(*bouncing(2.0 - share, share), 0.8, 1e-3)["ball.position"] for share in (0.01, 0.5, 1.9)]
    assert np.abs(runs[1] - runs[0]).max() < 1e-7 and np.abs(runs[2] - runs[0]).max() < 1e-7


def test_the_plain_iteration_needs_a_heavy_subsystem():
    """Without the impedance an iteration multiplies errors by the ratio of masses: it takes longer, or is lost."""
    heavy = sm.cosimulate(*bouncing(0.2, 1.8), 0.6, 1e-3, acceleration="none")
    helped = sm.cosimulate(*bouncing(0.2, 1.8), 0.6, 1e-3)
    assert np.abs(heavy["ball.position"] - helped["ball.position"]).max() < 1e-6
    # 0.2 / 1.8 = 0.11 per iteration: 1e-8 after eight or nine, where velocities jump
    assert 6 <= heavy["floor.iterations"].max() <= 12 and helped["floor.iterations"].max() <= 4
    with pytest.raises(sm.Diverged, match="acceleration='impedance'") as lost:
        sm.cosimulate(*bouncing(1.8, 0.2), 0.6, 1e-3, acceleration="none")
    assert lost.value.results.time.size >= 1


@pytest.mark.parametrize("tray_mass", [3.0, 0.1])
def test_a_plane_on_a_free_body_takes_the_reaction(tray_mass):
    """Ball and tray without gravity: momentum stays, relative speeds are turned by the restitution."""
    model = sm.Model("tray")
    tray = model.node("tray")
    ball = model.node("ball", position=(0.0, 0.0, 0.05), velocity=(0, 0, -1.0))
    model.add("tray.body", sm.Body(tray, mass=tray_mass, inertia=(0.2,) * 3))
    model.add("ball.body", sm.Body(ball, mass=0.6, inertia=(0.01,) * 3))
    touch = sm.NonsmoothSubsystem("touch", model)
    point = touch.point("point", ball, mass=0.4)
    touch.add("plane", sm.Contact(touch.carrier(tray), point, place_a=(0, 0, 0), restitution=0.5))
    run = sm.cosimulate(model, touch, 0.2, 1e-3)
    after = tray_mass * run["tray.velocity"][-1, 2] + run["ball.velocity"][-1, 2]
    assert after == pytest.approx(-1.0, abs=1e-6)
    assert run["touch.iterations"].max() <= 6
    assert run["ball.velocity"][-1, 2] - run["tray.velocity"][-1, 2] == pytest.approx(0.5, abs=1e-6)


def bar_on_a_hub(spin, stop):
    """A bar on a flap hinge of a hub that turns; its droop stop as an AngleStop, or none."""
    model = sm.Model("bar", gravity=(0, 0, -G))
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(spin))))
    bar = model.node("bar", position=(1.1, 0, 0))
    model.add("body", sm.Body(bar, mass=3.0, inertia=(0.1, 1.0, 1.0)))
    frames = {"at": (0.1, 0, 0), "axis": (0, -1, 0)}
    model.add("flap", sm.Revolute(hub, bar, start={"angle": 0.3}, **frames))
    if stop:
        model.add("stop", sm.AngleStop(hub, bar, limit=-0.1, side="lower", restitution=0.5, **frames))
        return model, None
    heel = sm.NonsmoothSubsystem("heel", model)
    slider = heel.slider("slider", bar, (0.3, 0, 0), on=heel.carrier(hub), along=(0, 0, 1), mass=0.01)
    place = (0.0, 0.0, 0.2 * np.sin(-0.1))
    heel.add("stop", sm.Contact(heel.carrier(hub), slider, place_a=place, restitution=0.5))
    return model, heel


@pytest.mark.parametrize("spin", [0.0, 1.5])
def test_a_slider_on_a_hub_is_a_droop_stop(spin):
    """A light slider between planes of a hub stops a hinge where an AngleStop does, also while the hub turns."""
    events = sm.transient(bar_on_a_hub(spin, True)[0], 2.0, 1e-3, progress=False)["flap.angle"]
    run = sm.cosimulate(*bar_on_a_hub(spin, False), 2.0, 1e-3)
    # impacts are met up to a step late at 2 rad/s, half of that in the mean
    assert np.abs(run["flap.angle"] - events).mean() < 1e-3
    assert run["flap.angle"].min() > -0.1 - 2e-3 and run["heel.stop.force"].max() > 10.0


def test_what_a_hinge_holds_already_takes_a_compliance():
    """A point on a hinged bar is held twice along the bar: refused without a compliance, right with one."""

    def make(compliance):
        model = sm.Model("bar", gravity=(0, 0, -G))
        bar = model.node("bar", position=(1, 0, 0))
        model.add("body", sm.Body(bar, mass=3.0, inertia=(0.1, 1.0, 1.0)))
        model.add("flap", sm.Revolute(model.ground, bar, at=(0, 0, 0), axis=(0, -1, 0), start={"angle": 0.2}))
        heel = sm.NonsmoothSubsystem("heel", model)
        point = heel.point("point", bar, (0.5, 0, 0), mass=2.0, compliance=compliance)
        heel.add("floor", sm.Contact(heel.ground, point, place_a=(0, 0, 0)))
        return model, heel

    with pytest.raises(sm.SingularModel):
        sm.cosimulate(*make(0.0), 0.5, 1e-3)
    run = sm.cosimulate(*make(1e-9), 1.5, 5e-4)
    # it rests on the point: moments of both weights about the hinge
    rest = (3.0 * G * 1.0 + 2.0 * G * 0.5) / 0.5
    assert run["heel.floor.force"][-200:, 0].mean() == pytest.approx(rest, rel=1e-3)
    assert abs(run["flap.angle"][-1]) < 1e-3


def test_a_model_is_left_as_it_was():
    model, floor = bouncing()
    names = [*model.nodes, *model.elements]
    first = sm.cosimulate(model, floor, 0.3, 1e-3)
    assert [*model.nodes, *model.elements] == names
    again = sm.cosimulate(model, floor, 0.3, 1e-3)
    assert np.array_equal(first.table, again.table)


def test_contradictory_planes_are_an_error_with_names_and_results():
    model, _ = bouncing(e=0.0)
    lid = model.nodes["deck"]
    down = sm.Placement((0, 0, 0.02), exp_so3(np.array([np.pi, 0, 0])))
    press = sm.NonsmoothSubsystem("press", model)
    die = model.prescribed("die", sm.Motion(position=(0, 0, sm.Ramp(-1.0))), position=(0, 0, 0.5))
    point = press.point("point", model.nodes["ball"], mass=0.5)
    press.add("table", sm.Contact(press.carrier(lid), point, place_a=(0, 0, 0)))
    press.add("die", sm.Contact(press.carrier(die), point, place_a=sm.Placement((0, 0, 0), down.rotation)))
    with pytest.raises(sm.Diverged, match=r"'press\.table', 'press\.die'") as error:
        sm.cosimulate(model, press, 1.0, 1e-3)
    assert 0.4 < error.value.results.time[-1] < 0.52


def counting(t, memory, u, y):
    """How often it was called, and what it was given on the average."""
    memory[0] += 1.0
    memory[1] += u[0]
    y[0], y[1] = memory[0], memory[1] / memory[0]


def test_discrete_laws_of_the_model_sample_once_however_often_a_step_is_taken():
    model, floor = bouncing()
    model.add("law", sm.SampledBlock([lambda t: t], law=counting, memory=2, count=2, step=0.02))
    run = sm.cosimulate(model, floor, 0.8, 1e-3)
    assert run["floor.iterations"].max() > 1
    k = np.floor((run.time[1:] - 5e-4) / 0.02)  # samples since the first, at the end of each step
    np.testing.assert_allclose(run["law.y1.value"][1:], k + 1.0, rtol=1e-6)  # to Newton's tolerance
    np.testing.assert_allclose(run["law.y2.value"][1:], 0.01 * k, atol=1e-6)
    model, floor = bouncing()
    model.add("law", sm.SampledBlock([lambda t: t], law=lambda t: t, step=0.02))
    with pytest.raises(
        sm.ArgumentError, match=r"cosimulate: the law of element 'law' .* cannot run here, because it is Python"
    ):
        sm.cosimulate(model, floor, 0.8, 1e-3)


def test_what_cannot_be_is_refused_by_name():
    model, floor = bouncing()
    other, _ = bouncing()
    with pytest.raises(sm.ModelError, match="point2"):
        floor.point("point2", model.nodes["deck"], mass=1.0)
    with pytest.raises(sm.ArgumentError, match="mass"):
        floor.point("point3", model.nodes["ball"], mass=-1.0)
    with pytest.raises(sm.ModelError, match="a subsystem has contacts"):
        floor.add("spring", sm.Spring(floor.ground, floor.carrier(model.nodes["deck"]), stiffness=1.0))
    with pytest.raises(sm.ArgumentError, match="of this model"):
        sm.cosimulate(other, floor, 1.0, 1e-3)
    with pytest.raises(sm.ArgumentError, match="acceleration"):
        sm.cosimulate(model, floor, 1.0, 1e-3, acceleration="aitken")
    with pytest.raises(sm.ArgumentError, match="has no point or body"):
        sm.cosimulate(model, sm.NonsmoothSubsystem("empty", model), 1.0, 1e-3)


def test_a_contact_of_the_model_on_a_rigid_tie_is_refused():
    model, floor = bouncing()
    model.add("own", sm.Contact(model.nodes["deck"], model.nodes["ball"], place_a=(0, 0, 0.1)))
    with pytest.raises(sm.ModelError, match=r"contact 'own' .* node 'ball', which 'floor\.point' is tied to"):
        sm.cosimulate(model, floor, 0.5, 1e-3)
    soft = sm.NonsmoothSubsystem("soft", model)
    soft.point("point", model.nodes["ball"], mass=0.5, compliance=1e-6)
    run = sm.cosimulate(model, soft, 0.5, 1e-3)
    assert run["ball.position"][:, 2].min() > 0.1 - 1e-6  # stopped by its own contact


def test_a_contact_of_the_model_elsewhere_works():
    model, floor = bouncing()
    other = model.node("other", position=(5, 0, 0.3))
    model.add("other.body", sm.Body(other, mass=1.0, inertia=(0.01,) * 3))
    model.add("own", sm.Contact(model.ground, other, place_a=(0, 0, 0.1)))
    run = sm.cosimulate(model, floor, 0.5, 1e-3)
    assert run["other.position"][-1, 2] == pytest.approx(0.1, abs=1e-6)


def run_with(**given):
    model, floor = bouncing()
    return sm.cosimulate(model, floor, **{"end": 0.1, "step": 1e-3, **given})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        *(({"facets": facets}, "facets must be 3 or more") for facets in (2, -1, 2.5, "x", None)),
        ({"facets": 10**6}, "facets must be at most 1000"),
        *(({"theta": theta}, "theta must be a finite number") for theta in ("a", None)),
        ({"theta": 0.2}, "theta must be from 0.5 to 1"),
        ({"step": 10.0}, "step = 10 s is longer than the whole run, 0.1 s"),
        ({"every": 2.5}, "every must be a whole number"),
        ({"tolerance": "a"}, "tolerance must be a positive number below 1"),
    ],
)
def test_arguments_of_a_run_are_refused_by_name(given, words):
    with pytest.raises(sm.ArgumentError, match=f"cosimulate: {words}"):
        run_with(**given)


def test_rows_are_those_of_a_transient():
    model, _ = bouncing()
    plain = sm.transient(model, 0.1, 1e-3, every=3, progress=False)
    assert run_with(every=3).time == pytest.approx(plain.time, abs=1e-12)


def test_facets_of_the_integrator_have_a_bound():
    with pytest.raises(sm.ArgumentError, match="MoreauJean: facets must be at most 1000, got 1000000: use 0"):
        MoreauJean(facets=10**6)


#: What is wrong of a member "p" of subsystem "s", by how it is made.
WRONG = [
    ("point", {"node": None}, "node must be a node, got None"),
    ("point", {"node": "bar"}, "node must be a node, got 'bar'"),
    ("body", {"node": None}, "node must be a node, got None"),
    ("slider", {"node": None}, "node must be a node, got None"),
    ("slider", {"on": None}, "on must be the subsystem's ground or a carrier"),
    ("slider", {"along": (0, 0, np.nan)}, "along must be three finite numbers"),
    ("slider", {"at": (0, 0)}, "at must be three finite numbers"),
    ("point", {"at": (0, 0)}, "at must be three finite numbers"),
    ("point", {"compliance": "a"}, "compliance must be a number that is not negative"),
    ("point", {"compliance": None}, "compliance must be a number that is not negative"),
    ("body", {"inertia": "a"}, "inertia must be positive"),
    ("body", {"inertia": (1, 1, np.nan)}, "inertia must be positive"),
    ("body", {"place": (0, 0)}, "place must be a Placement"),
    ("point", {"mass": "a"}, "mass must be a positive number"),
]


@pytest.mark.parametrize(("kind", "given", "words"), WRONG)
def test_members_refuse_what_they_are_given_by_name(kind, given, words):
    model, _ = bouncing()
    s = sm.NonsmoothSubsystem("s", model)
    usual = {"node": model.nodes["ball"], "mass": 1.0}
    usual |= {"inertia": (1, 1, 1)} if kind == "body" else {}
    usual |= {"on": s.ground, "along": (0, 0, 1)} if kind == "slider" else {}
    with pytest.raises((sm.ModelError, sm.ArgumentError), match=rf"s\.p: {words}"):
        getattr(s, kind)("p", **{**usual, **given})
    assert not s.members


def test_contacts_of_what_is_no_node_are_refused():
    _, floor = bouncing()
    with pytest.raises(sm.ModelError, match=r"floor\.x: node b must be a node, got None"):
        floor.add("x", sm.Contact(floor.ground, None))


@pytest.mark.parametrize("e", [0.0, 0.3, 0.8])
def test_a_ball_on_a_sprung_tray(e):
    """A carrier that moves freely on a spring, hit and then loaded: as the whole model with its own contact has it."""

    def tray(split):
        model = sm.Model("tray", gravity=(0, 0, -G))
        plate = model.node("plate")
        model.add("plate.body", sm.Body(plate, mass=2.0, inertia=(1, 1, 1)))
        model.add("slide", sm.Prismatic(model.ground, plate, axis=(0, 0, 1)))
        model.add("spring", sm.Spring(model.ground, plate, place_a=(0, 0, -1), stiffness=500.0, length=1 + 2 * G / 500))
        node = model.node("ball", position=(0, 0, 0.3))
        model.add("ball.body", sm.Body(node, mass=0.9 if split else 1.0, inertia=(0.004,) * 3))
        where = {"place_a": (0, 0, 0), "shape": sm.BallShape(0.1), "restitution": e}
        if not split:
            model.add("c", sm.Contact(plate, node, **where))
            return model, None
        touch = sm.NonsmoothSubsystem("touch", model)
        touch.add("c", sm.Contact(touch.carrier(plate), touch.point("point", node, mass=0.1), **where))
        return model, touch

    whole = sm.transient(tray(False)[0], 0.8, 1e-3, progress=False)
    run = sm.cosimulate(*tray(True), 0.8, 1e-3)
    assert run["touch.iterations"].max() <= 8
    # impacts are met up to a step late, at 2 m/s and less
    assert np.abs(run["ball.position"][:, 2] - whole["ball.position"][:, 2]).mean() < 2e-3
