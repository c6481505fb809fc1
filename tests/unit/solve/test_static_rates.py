"""Static solutions of what is tied by its rates: gears, shafts, pumps, locks; against closed forms."""

import warnings
from typing import Any

import numpy as np
import pytest

import samara as sm

GRAVITY = 9.81
AXIS = (0, 1, 0)
MASS, RADIUS, STIFFNESS = 2.0, 0.1, 5.0


def wheel(model: sm.Model, name: str, x: float = 0.0) -> sm.Node:
    node = model.node(name, position=(x, 0, 0))
    model.add(f"{name}_body", sm.Body(node, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add(f"{name}_bearing", sm.Revolute(model.ground, node, at=(x, 0, 0), axis=AXIS))
    return node


def drum(model: sm.Model, on: sm.Node) -> None:
    """A weight on a rope about a drum: the couple m g r."""
    model.add("weight", sm.Couple(on, couple=(0, MASS * GRAVITY * RADIUS, 0)))


def spring(model: sm.Model, on: sm.Node, at=(0, 0, 0)) -> None:
    model.add("spring", sm.Torsion(model.ground, on, law=sm.LinearLaw(STIFFNESS), at=at, axis=AXIS))


@pytest.mark.parametrize("ratio", [3.0, -0.5])
def test_a_gear_between_a_spring_and_a_weight(ratio):
    """speed_a = n speed_b: the weight on b turns a by M / (n k) with M = m g r, and b by M / (n^2 k)."""
    model = sm.Model("geared")
    a, b = wheel(model, "a"), wheel(model, "b", 1.0)
    spring(model, a)
    drum(model, b)
    model.add("gear", sm.Gear(a, b, model.ground, ratio=ratio, axis_a=AXIS, axis_b=AXIS))
    rest = sm.static(model)
    M = MASS * GRAVITY * RADIUS
    assert rest["a_bearing.angle"][-1] == pytest.approx(M / (ratio * STIFFNESS), rel=1e-9)
    assert rest["b_bearing.angle"][-1] == pytest.approx(M / (ratio**2 * STIFFNESS), rel=1e-9)
    assert rest["gear.torque_b"][-1] == pytest.approx(-M, rel=1e-9)
    assert rest["gear.torque_a"][-1] == pytest.approx(M / ratio, rel=1e-9)
    assert rest.attrs.stability == "stable"
    assert rest["model.violation"][-1] < 1e-12


def test_a_pendulum_on_a_gear_falls_to_the_side_that_the_gear_allows():
    """From the top downhill: the weight hangs, the other wheel has turned by n times as much, half a turn and more."""
    model = sm.Model("hanging", gravity=(0, 0, -GRAVITY))
    a = wheel(model, "a")
    b = model.node("b", position=(1.0, 0, 1.0))
    model.add("b_body", sm.Body(b, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("b_bearing", sm.Revolute(model.ground, b, at=(1.0, 0, 0), axis=AXIS, start={"angle": 0.2}))
    model.add("gear", sm.Gear(a, b, model.ground, ratio=0.25, axis_a=AXIS, axis_b=AXIS))
    rest = sm.static(model)
    assert rest["b.position"][-1] == pytest.approx([1.0, 0, -1.0], abs=1e-9)
    assert rest["a_bearing.angle"][-1] == pytest.approx(0.25 * (np.pi - 0.2), abs=1e-9)
    assert rest.attrs.stability == "stable"


def test_an_elastic_gear_and_a_flexible_shaft_in_a_row():
    """Springs in a row, seen at the weight: 1/k + 1/(n^2 k_t) + ...: each winds up by what it carries."""
    model, n, teeth, shaft = sm.Model("train"), 2.0, 40.0, 30.0
    a, b, c = wheel(model, "a"), wheel(model, "b", 1.0), wheel(model, "c", 1.0)
    spring(model, a)
    gear = sm.ElasticGear(a, b, model.ground, ratio=n, axis_a=AXIS, axis_b=AXIS, law=sm.LinearLaw(teeth))
    model.add("gear", gear)
    model.add("shaft", sm.FlexibleShaft(b, c, at=(1.0, 0, 0), axis=AXIS, law=sm.LinearLaw(shaft)))
    drum(model, c)
    rest = sm.static(model)
    M = MASS * GRAVITY * RADIUS
    angle_a, windup, twist = M / (n * STIFFNESS), -M / (n * teeth), M / shaft
    assert rest["a_bearing.angle"][-1] == pytest.approx(angle_a, rel=1e-9)
    assert rest["gear.windup.value"][-1] == pytest.approx(windup, rel=1e-9)
    assert rest["shaft.windup.value"][-1] == pytest.approx(twist, rel=1e-9)
    assert rest["b_bearing.angle"][-1] == pytest.approx((angle_a - windup) / n, rel=1e-9)
    assert rest["c_bearing.angle"][-1] == pytest.approx((angle_a - windup) / n + twist, rel=1e-9)
    assert rest.attrs.stability == "stable"


def test_a_gear_without_a_spring_is_driven_on_and_named():
    model = sm.Model("loose")
    a, b = wheel(model, "a"), wheel(model, "b", 1.0)
    drum(model, b)
    model.add("gear", sm.Gear(a, b, model.ground, ratio=3.0, axis_a=AXIS, axis_b=AXIS))
    with pytest.raises(sm.SingularModel, match=r"nothing holds it back where joint 'a_bearing' .* with it 'b_bearing'"):
        sm.static(model)


def test_a_prescribed_rate_holds_where_it_starts():
    """Like a prescribed node, it stands still at rest, and carries the weight."""
    model = sm.Model("driven")
    a = wheel(model, "a")
    drum(model, a)
    model.add("motor", sm.PrescribedRate(model.ground, a, axis=AXIS, rate=7.0))
    rest = sm.static(model)
    assert rest["a_bearing.angle"][-1] == pytest.approx(0.0, abs=1e-12)
    assert abs(rest["motor.couple"][-1, 2]) == pytest.approx(MASS * GRAVITY * RADIUS, rel=1e-9)
    assert rest.attrs.stability == "stable" and rest["model.violation"][-1] < 1e-12


@pytest.mark.parametrize("engaged", [True, False])
def test_a_lock_holds_while_it_is_engaged(engaged):
    model = sm.Model("locked")
    a = wheel(model, "a")
    spring(model, a)
    drum(model, a)
    model.add("lock", sm.Lock(model.ground, a, engaged=float(engaged), axis=AXIS))
    rest = sm.static(model)
    M = MASS * GRAVITY * RADIUS
    assert rest["a_bearing.angle"][-1] == pytest.approx(0.0 if engaged else M / STIFFNESS, rel=1e-9, abs=1e-12)
    assert abs(rest["lock.couple"][-1, 2]) == pytest.approx(M if engaged else 0.0, rel=1e-9, abs=1e-12)
    assert rest.attrs.stability == "stable"


def test_pump_and_motor_without_leaks_are_a_gear():
    """The pressure between is M_2 / D_2 above the tank; what both pass on differs by what the line takes up.

    D_1 q_1 - D_2 q_2 = V p / B, to p / B = 2e-4 of it: the density at which the pump draws is not that of the line.
    """
    oil = sm.LinearFluid(reference_density=850.0, viscosity=0.01, bulk_modulus=1e9)
    model, D_1, D_2, V = sm.Model("hydrostatic"), 2e-6, 5e-6, 1e-2
    a, b = wheel(model, "a"), wheel(model, "b", 1.0)
    back, line = model.pressure("back"), model.pressure("line")
    model.add("tank", sm.Tank(back, fluid=oil))
    model.add("volume", sm.Volume(line, fluid=oil, volume=V))
    model.add("pump", sm.ShaftPump(model.ground, a, back, line, fluid=oil, displacement=D_1, at=(0, 0, 0), axis=AXIS))
    other: dict[str, Any] = {"fluid": oil, "displacement": D_2, "at": (1.0, 0, 0), "axis": AXIS}
    model.add("motor", sm.ShaftPump(model.ground, b, line, back, **other))
    spring(model, a)
    model.add("weight", sm.Couple(b, couple=(0, -1.0, 0)))
    rest = sm.static(model)
    rise, q_1, q_2 = 1.0 / D_2, rest["a_bearing.angle"][-1], rest["b_bearing.angle"][-1]
    assert rest["line.value"][-1] - rest["back.value"][-1] == pytest.approx(rise, rel=4e-4)
    assert q_1 == pytest.approx(-D_1 * rise / STIFFNESS, rel=4e-4)
    assert D_1 * q_1 - D_2 * q_2 == pytest.approx(V * rise / 1e9, rel=1e-3)
    assert rest.attrs.stability == "stable"


def test_a_freewheel_carries_what_drives_it():
    model, k = sm.Model("sprags"), 50.0
    a, b = wheel(model, "a"), wheel(model, "b")
    spring(model, b)
    drum(model, a)
    model.add("freewheel", sm.Freewheel(a, b, axis=AXIS, stiffness=k, damping=0.1, sense=1))
    rest = sm.static(model)
    M = MASS * GRAVITY * RADIUS
    assert rest["b_bearing.angle"][-1] == pytest.approx(M / STIFFNESS, rel=1e-9)
    assert rest["freewheel.windup.value"][-1] == pytest.approx(M / k, rel=1e-9)
    assert rest["a_bearing.angle"][-1] == pytest.approx(M / STIFFNESS + M / k, rel=1e-9)


def test_a_freewheel_that_is_overrun_holds_nothing():
    """The couple on a turns it away from the sprags, against a spring of its own; b stays."""
    model = sm.Model("sprags")
    a, b = wheel(model, "a"), wheel(model, "b")
    spring(model, b)
    model.add("other", sm.Torsion(model.ground, a, law=sm.LinearLaw(STIFFNESS), axis=AXIS))
    model.add("weight", sm.Couple(a, couple=(0, -1.0, 0)))
    model.add("freewheel", sm.Freewheel(a, b, axis=AXIS, stiffness=50.0, damping=0.1, sense=1))
    rest = sm.static(model)
    assert rest["a_bearing.angle"][-1] == pytest.approx(-1.0 / STIFFNESS, rel=1e-9)
    assert rest["b_bearing.angle"][-1] == pytest.approx(0.0, abs=1e-9)
    assert rest["freewheel.windup.value"][-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("pressed", [0.0, 1.0])
def test_a_brake_that_is_pressed_says_that_its_torque_is_not_determined(pressed):
    model = sm.Model("braked")
    a = wheel(model, "a")
    spring(model, a)
    drum(model, a)
    brake = sm.Brake(model.ground, a, axis=AXIS, applied=pressed, capacity=100.0, transition=0.1)
    model.add("brake", brake)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rest = sm.static(model)
    words = [str(w.message) for w in told]
    assert len(words) == int(pressed)
    assert all("'brake' (Brake)" in w and "undetermined" in w and "Lock" in w for w in words)
    assert rest["a_bearing.angle"][-1] == pytest.approx(MASS * GRAVITY * RADIUS / STIFFNESS, rel=1e-9)


def test_seals_that_stick_say_so():
    """Lips hold by what they were bent at the start, which is nothing."""
    model = sm.Model("seal", gravity=(0, 0, -GRAVITY))
    rod = model.node("rod", position=(0, 0, -1))
    model.add("mass", sm.Body(rod, mass=2.0, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, rod))
    model.add("spring", sm.Spring(model.ground, rod, stiffness=100.0, length=1.0))
    model.add("seal", sm.SealFriction(model.ground, rod, static=500.0, critical=1e-4))
    with pytest.warns(UserWarning, match=r"'seal' \(SealFriction\).* undetermined"):
        rest = sm.static(model)
    assert rest["rod.position"][-1, 2] == pytest.approx(-1.0 - 2.0 * GRAVITY / 100.0, rel=1e-9)


def test_sensitivities_follow_what_is_tied():
    """Of the angle M / (n k) by the spring's k, and by the weight; the ratio itself changes the way from the start."""
    model = sm.Model("geared")
    a, b = wheel(model, "a"), wheel(model, "b", 1.0)
    law = sm.LinearLaw(sm.Parameter("k", STIFFNESS))
    model.add("spring", sm.Torsion(model.ground, a, law=law, axis=AXIS))
    model.add("weight", sm.Couple(b, couple=(0, sm.Parameter("M", 2.0), 0)))
    ratio = sm.Parameter("n", 3.0)
    model.add("gear", sm.Gear(a, b, model.ground, ratio=ratio, axis_a=AXIS, axis_b=AXIS))
    sim = sm.Simulation(model)
    sm.static(sim)
    found = sm.sensitivity(sim, ("k", "M"), ("a_bearing.angle", "gear.torque_b"))
    assert found["a_bearing.angle", "k"] == pytest.approx(-2.0 / (3.0 * STIFFNESS**2), rel=1e-9)
    assert found["a_bearing.angle", "M"] == pytest.approx(1.0 / (3.0 * STIFFNESS), rel=1e-9)
    assert found["gear.torque_b", "M"] == pytest.approx(-1.0, rel=1e-9)
    with pytest.raises(sm.SolveError, match="'n' changes what ties rates"):
        sm.sensitivity(sim, "n")


def test_a_joint_that_rubs_says_so():
    model = sm.Model("rubbing", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(0.3, 0, -1.0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    friction = sm.Friction(0.3, transition=1e-3)
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=AXIS, friction=friction, radius=0.05))
    with pytest.warns(UserWarning, match=r"'hinge' \(Revolute\) sticks or slides"):
        rest = sm.static(model)
    assert rest["bob.position"][-1, 0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("kind", ["gear", "elastic gear", "shaft"])
def test_wheels_in_a_carrier_that_tilts_far_keep_their_angles(kind):
    """The carrier sags by a radian while its wheels turn; their angles against it obey the ratio as in a fixed one."""
    model = sm.Model("carrier", gravity=(0, 0, -GRAVITY))
    carrier = model.node("carrier", position=(0.5, 0, 0))
    model.add("casing", sm.Body(carrier, mass=3.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, carrier, at=(0, 0, 0), axis=AXIS))
    model.add("prop", sm.Torsion(model.ground, carrier, law=sm.LinearLaw(10.0), at=(0, 0, 0), axis=AXIS))
    wheels, shift, along = [], 0.0 if kind == "shaft" else 0.3, (1, 0, 0)
    for k in range(2):
        at = (0.5, k * shift, 0)
        node = model.node(f"wheel{k}", position=at)
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(0.02, 0.02, 0.02), com=(0, 0.1 * (k == 0), 0)))
        model.add(f"bearing{k}", sm.Revolute(carrier, node, at=at, axis=along))
        wheels.append(node)
    model.add("spring", sm.Torsion(carrier, wheels[1], law=sm.LinearLaw(0.8), at=(0.5, shift, 0), axis=along))
    law: dict[str, Any] = {"law": sm.LinearLaw(5.0)}
    if kind == "shaft":
        model.add("tie", sm.FlexibleShaft(*wheels, at=(0.5, 0, 0), axis=along, **law))
    else:
        gear = sm.ElasticGear if kind == "elastic gear" else sm.Gear
        more = law if kind == "elastic gear" else {}
        model.add("tie", gear(*wheels, carrier, ratio=-2.0, axis_a=along, axis_b=along, **more))
    rest = sm.static(model)
    a, b = (rest[f"bearing{k}.angle"][-1] for k in range(2))
    assert rest["hinge.angle"][-1] > 0.8 and abs(a) > 0.3
    slip = b - a if kind == "shaft" else a + 2.0 * b
    assert slip == pytest.approx(0.0 if kind == "gear" else rest["tie.windup.value"][-1], abs=1e-9)


def test_a_lock_that_holds_what_is_held_is_refused():
    """How the two share the weight is not told, at rest as in motion."""
    model = sm.Model("locked twice")
    a = wheel(model, "a")
    drum(model, a)
    model.add("angle", sm.PrescribedAngle(model.ground, a, axis=AXIS, angle=0.0))
    model.add("lock", sm.Lock(model.ground, a, engaged=1.0, axis=AXIS))
    with pytest.raises(sm.SingularModel, match=r"lock 'lock', while it is engaged, holds what element 'angle' holds"):
        sm.static(model)
