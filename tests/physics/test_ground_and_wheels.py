"""Ground beyond its points, wheels that lie flat, and contacts that could push nothing."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3
from samara.tracing import Surface

G, RADIUS, MASS = 9.81, 0.1, 2.0
X = np.linspace(-2.0, 2.0, 9)
FORMULATIONS = ("redundant", "recursive")


def hillside(slope):
    """z = slope x between -2 and 2 m, level from 2.5 m on: half a metre more, at half the slope on the average."""
    return sm.HeightField(Surface(X, X, slope * X[:, None] + 0.0 * X[None, :])), slope * (2.0 + 0.25)


def ball_over(field, **start):
    model = sm.Model("ball", gravity=(0, 0, -G))
    node = model.node("ball", **start)
    model.add("body", sm.Body(node, mass=MASS, inertia=(0.4 * MASS * RADIUS**2,) * 3))
    ground = {"place_a": (0, 0, 0), "surface": field, "shape": sm.BallShape(RADIUS), "friction": 0.5}
    model.add("c", sm.Contact(model.ground, node, **ground))
    return model


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("slope", [0.3, -0.3, 1.0])
def test_ground_is_level_beyond_its_points(slope, formulation):
    field, level = hillside(slope)
    model = ball_over(field, position=(3.5, 0.3, level + RADIUS + 0.2))
    results = sm.transient(model, 1.0, 1e-3, formulation=formulation, progress=False)
    # trees meet an impact a step late: at 2 m/s, 2 mm
    assert results["ball.position"][-1] == pytest.approx((3.5, 0.3, level + RADIUS), abs=2.5e-3)
    assert results["c.normal"][-1] == pytest.approx((0, 0, 1), abs=1e-12)
    assert results["c.force"][-1, 0] == pytest.approx(MASS * G, rel=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("slope", [0.3, -0.3])
def test_a_ball_that_rolls_in_from_outside_gains_no_energy(slope, formulation):
    field, level = hillside(slope)
    start = {"position": (3.5, 0.3, level + RADIUS), "velocity": (-3, 0, 0), "angular_velocity": (0, -30, 0)}
    results = sm.transient(ball_over(field, **start), 2.0, 1e-3, formulation=formulation, progress=False)
    p, v, w = (results[f"ball.{name}"] for name in ("position", "velocity", "angular_velocity"))
    energy = 0.5 * MASS * ((v**2).sum(1) + 0.4 * RADIUS**2 * (w**2).sum(1)) + MASS * G * p[:, 2]
    kinetic = 0.7 * MASS * 9.0
    assert p[:, 0].min() < 1.0  # it came on to the hillside
    # heights are known to a 1/128 of slope times cell: 1.2 mm, and the centre's place to radius slope^2 / 2
    assert energy.max() - energy[0] < 5e-3 * kinetic


def test_corners_of_a_field_are_level_and_normals_turn_steadily():
    field = sm.HeightField(Surface(X, X, 0.3 * X[:, None] + 0.2 * X[None, :] + 0.1 * X[:, None] * X[None, :]))
    far, normal = field.distance(np.array([9.0, -9.0, 0.0]))
    further, _ = field.distance(np.array([90.0, -90.0, 0.0]))
    assert far == further and normal == pytest.approx((0, 0, 1), abs=1e-15)
    s = np.linspace(-4.0, 4.0, 8001)
    for path in (np.array([s, 0.7 + 0 * s]), np.array([0.3 + 0 * s, s]), np.array([s, s]), np.array([s, 0 * s + 2.4])):
        found = [field.distance(np.array([x, y, 0.0])) for x, y in path.T]
        # slopes change by 0.6 in half a metre at most: in a millimetre by about 1e-3
        assert np.abs(np.diff([normal for _, normal in found], axis=0)).max() < 2.5e-3
        assert np.abs(np.diff([distance for distance, _ in found])).max() < 2.5e-3


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("tilt", [0.0, 0.004])
def test_a_wheel_lies_flat(tilt, formulation):
    model = sm.Model("wheel", gravity=(0, 0, -G))
    node = model.node("wheel", position=(0, 0, 0.06), rotation=exp_so3(np.array([tilt, 0, 0])))
    model.add("body", sm.Body(node, mass=MASS, inertia=(0.02, 0.02, 0.04)))
    model.add("c", sm.Contact(model.ground, node, place_a=(0, 0, 0), shape=sm.WheelShape(0.05, 0.2), friction=0.3))
    results = sm.transient(model, 1.0, 1e-3, formulation=formulation, progress=False)
    assert results["wheel.position"][-1, 2] == pytest.approx(0.05, abs=1e-3)
    v, w = results["wheel.velocity"], results["wheel.angular_velocity"]
    energy = 0.5 * MASS * (v**2).sum(1) + 0.5 * 0.02 * (w**2).sum(1) + MASS * G * results["wheel.position"][:, 2]
    assert energy.max() < energy[0] + 1e-3 * MASS * G * 0.01  # of what it falls by
    assert results["c.normal"][-1, 2] > 0.999


def test_a_wheel_that_leans_touches_at_its_rim():
    """To all digits from about a degree on: centre of the ball at rim (cos, sin) below the wheel's."""
    shape, plane, rim = sm.WheelShape(0.05, 0.2), sm.PlaneSurface(), 0.2
    world = sm.Frame(np.eye(3), *np.zeros((5, 3)))
    for lean in (0.021, 0.3, 1.5):
        tilted = sm.Frame(exp_so3(np.array([lean, 0, 0])), np.array([0, 0, 1.0]), *np.zeros((4, 3)))
        found = shape.nearest(plane, world, tilted)
        assert found.gap == pytest.approx(1.0 - rim * np.sin(lean) - 0.05, abs=1e-14)


@pytest.mark.parametrize(
    "make",
    [
        lambda m, die: sm.Contact(m.ground, die, place_a=(0, 0, 0)),
        lambda m, die: sm.AngleStop(m.ground, die, limit=0.3),
    ],
    ids=["contact", "stop"],
)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_what_could_push_nothing_is_refused(make, formulation):
    model = sm.Model("press")
    die = model.prescribed("die", sm.Motion(position=(0, 0, sm.Ramp(-1.0))))
    part = model.node("part", position=(0, 0, 5.0))
    model.add("body", sm.Body(part, mass=1.0, inertia=(0.01,) * 3))
    model.add("face", make(model, die))
    with pytest.raises(sm.ModelError, match=r"'face'.*'ground' and 'die' have prescribed motion or are fixed"):
        sm.transient(model, 0.1, 1e-3, formulation=formulation, progress=False)
