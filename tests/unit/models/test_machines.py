"""The machines themselves: each runs, keeps its loops closed, and obeys the law that it is known by."""

import json

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.benchmarks.cases.chain import ChainSpec
from samara.method.timeline import Timeline
from samara.models.helicopters import helicopter
from samara.models.mechanisms import andrews, chain, rods
from samara.models.mechanisms.spinning_top import steady_precession


def energy(results):
    return results["model.kinetic"] + results["model.potential"]


@pytest.mark.parametrize("name", models.names())
def test_runs_with_its_joints_closed(name):
    ready = models.find(name)
    results = ready.run(end=200 * ready.timeline.step)
    assert results.attrs.status == "completed"
    assert len(results) == (201 if ready.analysis == "transient" else round(1 / ready.timeline.step))
    assert np.isfinite(results.table).all()
    assert results["model.violation"].max() < 1e-10
    results.channels.select(*ready.plot)  # what it wants to plot is there


@pytest.mark.parametrize(
    ("name", "settings", "rates"),
    [
        ("robot", {"arm": "modal", "angle_2": 0.5, "rate_1": 1.0, "rate_2": -2.0}, {"joint_1": 1.0, "joint_2": -2.0}),
        ("gimbal", {"coupling": "cardan", "tilt_deg": 20.0}, {"blade_0.hinge": 0.0, "blade_2.hinge": 0.0}),
    ],
)
def test_starts_at_the_rates_that_it_says(name, settings, rates):
    results = models.find(name).run(end=2 * models.find(name).timeline.step, **settings)
    for joint, rate in rates.items():
        assert results[f"{joint}.angle_rate"][0] == pytest.approx(rate, abs=1e-11)


# Nothing drives or brakes these. A scheme of second order lets the energy come and go with h^2: its size at the
# default step was measured, relative to the kinetic energy that the motion stirs.
@pytest.mark.parametrize(
    ("name", "settings", "drift"),
    [
        ("pendulum", {}, 1e-6),
        ("double-pendulum", {}, 5e-4),
        ("double-pendulum", {"twist": 0.7}, 5e-4),
        ("four-bar", {}, 1e-3),
        ("chain", {"links": 5}, 5e-4),
    ],
)
def test_energy_is_kept_to_second_order(name, settings, drift):
    ready = models.find(name)
    coarse, fine = (ready.run(end=1.0, step=ready.timeline.step * factor, **settings) for factor in (2, 1))
    swing = np.ptp(fine["model.kinetic"])
    loss = [np.abs(energy(r) - energy(r)[0]).max() / swing for r in (coarse, fine)]
    assert loss[1] < drift
    assert loss[1] < 0.35 * loss[0]


def test_the_pendulum_is_that_of_iftomm_a01(root):
    """Closed form in elliptic functions; 1e-5 m is what a second-order scheme reaches at half a millisecond."""
    ready = models.find("pendulum")
    table = np.loadtxt(root / "tests/reference/data/iftomm_A01_pendulum.csv", delimiter=",", skiprows=2)
    results = ready.run()
    rows = np.rint(table[:, 0] / ready.timeline.step).astype(int)
    assert np.abs(results["bob.position"][rows, :2] - table[:, 2:4]).max() < 1e-5
    # the file turns the other way round
    assert np.abs(results["hinge.angle"][rows] + table[:, 1]).max() < 2e-5


def test_a_pendulum_at_rest_stays():
    results = models.find("pendulum").run(end=0.1, angle=0.0, mass=2.0, length=0.5)
    assert np.abs(results["hinge.angle"]).max() < 1e-12
    assert np.abs(results["hinge.force"][-1] - [0.0, 2.0 * 9.81, 0.0]).max() < 1e-9


def test_a_twisted_double_pendulum_leaves_the_plane():
    assert np.abs(models.find("double-pendulum").run(end=0.5)["lower.position"][:, 2]).max() < 1e-12
    assert np.abs(models.find("double-pendulum").run(end=0.5, twist=0.7)["lower.position"][:, 2]).max() > 0.01


def test_the_four_bar_starts_with_the_crank_speed_asked_for():
    results = models.find("four-bar").run(end=0.01, speed=7.0)
    assert results["hinge_O.angle_rate"][0] == pytest.approx(7.0, rel=1e-12)


@pytest.mark.parametrize("tilt", [np.pi / 3, np.pi / 2, 2.0])
def test_the_top_precesses_steadily(tilt):
    """I1 cos(tilt) W^2 - I3 spin W + m g l = 0; the error falls with h^2, and extrapolation leaves 1e-4 of it."""
    ready = models.find("spinning-top")
    data = {name: a.default for name, a in ready.arguments.items() if name not in ("steady", "precession")}
    exact = steady_precession(**{**data, "tilt": tilt})
    rate = []
    for step in (2e-4, 1e-4):
        results = ready.run(end=1.0, step=step, tilt=tilt)
        x, y, _ = results["top.position"].T
        rate.append(np.unwrap(np.arctan2(y, x))[-1] / results.time[-1])
        assert np.ptp(energy(results)) < 1e-6 * np.ptp(results["model.potential"]) + 1e-7 * energy(results)[0]
    errors = np.array(rate) / exact - 1.0
    assert abs(errors[1]) < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.2)
    assert (4.0 * rate[1] - rate[0]) / 3.0 == pytest.approx(exact, rel=2e-5)


def test_a_top_let_go_nutates():
    heights = models.find("spinning-top").run(end=0.5, steady=False)["top.position"][:, 2]
    assert heights.max() <= 0.5 + 1e-6
    assert np.ptp(heights) > 0.1


@pytest.fixture(scope="module")
def squeezer(root):
    return json.loads((root / "tests/reference/data/andrews.json").read_text("utf-8"))


def test_the_squeezer_has_the_data_of_the_test_set(squeezer):
    p, bars = squeezer["params"], andrews.BARS
    assert [bar.mass for bar in bars.values()] == p["m"]
    assert [bar.inertia for bar in bars.values()] == p["I"]
    assert (*andrews.A, *andrews.B, *andrews.C) == (p["xa"], p["ya"], p["xb"], p["yb"], p["xc"], p["yc"])
    assert (andrews.RR, andrews.D, andrews.SS, andrews.SC, andrews.SD) == (p["rr"], p["d"], p["ss"], p["sc"], p["sd"])
    assert (andrews.E, andrews.ZT, andrews.ZF, andrews.U) == (p["e"], p["zt"], p["zf"], p["u"])
    centres = [np.hypot(*bar.com) for bar in bars.values()]
    wanted = [p["ra"], p["da"], np.hypot(p["sa"], p["sb"]), p["e"] - p["ea"], np.hypot(p["ta"], p["tb"])]
    wanted += [p["zf"] - p["fa"], np.hypot(p["ua"], p["ub"])]
    assert centres == pytest.approx(wanted, rel=1e-12)
    arguments = models.find("andrews").arguments
    assert [a.default for a in arguments.values()] == [p["mom"], p["c0"], p["l0"]]
    assert [start for _, start in andrews.ANGLES.values()] == squeezer["q0"]


def test_the_squeezer_against_the_test_set(squeezer):
    """q, v and the closure forces at 0.03 s. Order 2; the constants were measured at the default step, 5e-6 s."""
    results = models.find("andrews").run()
    forces = andrews.closure_forces(results)
    assert forces[0] == pytest.approx(squeezer["lambda0"], rel=1e-9, abs=1e-9)
    assert andrews.angles(results)[-1] == pytest.approx(squeezer["q_end"], abs=1e-4)
    assert andrews.rates(results)[-1] == pytest.approx(squeezer["v_end"], rel=2e-3)
    assert forces[-1] == pytest.approx(squeezer["lambda_end"], rel=2e-3)
    # the couple is constant: its work is what the energies gain
    turned = np.diff(andrews.angles(results)[[0, -1], 0])[0]
    assert np.diff(energy(results)[[0, -1]])[0] == pytest.approx(0.033 * turned, rel=1e-3)


def test_the_chain_is_that_of_the_benchmarks():
    spec = ChainSpec(links=3)
    defaults = {name: a.default for name, a in models.find("chain").arguments.items()}
    gravity = (0.0, defaults["gravity_y"], defaults["gravity_z"])
    assert spec == ChainSpec(3, *(defaults[n] for n in ("length", "width", "height", "mass")), gravity)
    assert rods.box_inertia(spec.mass, spec.length, spec.width, spec.height) == pytest.approx(spec.inertia)
    assert models.find("chain").timeline == Timeline(end=spec.duration, step=spec.step)
    model = models.find("chain").make(links=3)
    for k in range(3):
        assert model[f"link_{k}"].position == pytest.approx(spec.hinge(k))
        assert chain.AXES[k % 2] == pytest.approx(spec.axis(k))


def test_the_tip_of_a_chain():
    results = models.find("chain").run(end=0.2, links=3)
    tip = chain.tip(results, 3)
    assert tip[0] == pytest.approx([0.3, 0.0, 0.0], abs=1e-12)
    reach = np.linalg.norm(tip - results["link_2.position"], axis=1)
    assert reach == pytest.approx(0.1, rel=1e-12)


def test_controls_of_the_helicopter_are_degrees_by_name():
    """A trim has radians: `degrees` makes of them what `helicopter` and `held` take; other names are refused."""
    hover = dict(zip(helicopter.CONTROLS, helicopter.HOVER, strict=True))
    radians = {name: np.radians(value) for name, value in hover.items()}
    assert helicopter.degrees(radians) == pytest.approx(hover, rel=1e-15)
    parameters = helicopter.held(controls_deg=helicopter.degrees(radians)).parameters
    for name in helicopter.CONTROLS:
        assert float(parameters[name]) == pytest.approx(radians[name], rel=1e-12)
    with pytest.raises(sm.ModelError, match="controls_deg lacks theta1c, "):
        helicopter.held({"collective": 12.0})
    with pytest.raises(sm.ModelError, match="controls_deg has no 'collective_deg'"):
        helicopter.helicopter(hover | {"collective_deg": 12.0})
