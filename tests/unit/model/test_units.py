"""Units: the same, whatever the spelling; another, where a number would mean something else."""

import pytest

import samara as sm
from samara.elements.aero.wind.gusts import DrivenGust
from samara.elements.rotor.swashplate import plate_motion
from samara.model.quantities.units import same_unit


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("N m", "N m"), ("Nm", "N m"), ("N*m", "N m"), ("N·m", "N m"), ("J", "N m"), ("kg m^2/s^2", "N m"),
        ("m N", "N m"), ("N m/rad", "N m"), ("kg m2", "kg m^2"), ("kg*m**2", "kg m^2"), ("kg m²", "kg m^2"),
        ("m s-2", "m/s^2"), ("m/s/s", "m/s^2"), ("1/s", "rad/s"), ("rad / s", "rad/s"), ("-", "1"), ("rad", "1"),
        ("Ω", "ohm"), ("V/A", "ohm"), ("V s/A", "H"), ("N m/A", "V s/rad"), ("N m/rad", "N/m or N m/rad"),
        ("anything", "N/m^n"),
    ],
)  # fmt: skip
def test_the_same(given, wanted):
    assert same_unit(given, wanted)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("N", "N m"), ("N/m", "N m/rad"), ("deg", "rad"), ("deg/s", "rad/s"), ("rpm", "rad/s"), ("Hz", "rad/s"),
        ("mm", "m"), ("kN", "N"), ("g", "kg"), ("ms", "s"), ("m/s", "m/s^2"), ("ft", "m"), ("kt", "m/s"), ("%", "1"),
        ("bananas", "kg"), ("N s/m", "N/m or N m/rad"),
    ],
)  # fmt: skip
def test_another(given, wanted):
    assert not same_unit(given, wanted)


def model_with(make):
    model = sm.Model("units")
    node = model.node("bob", position=(1, 0, 0))
    model.add("it", make(model, node))


P = sm.Parameter


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda m, n: sm.Body(n, mass=P("p", 1.0, "g"), inertia=(1, 1, 1)), "Body: mass is in kg"),
        (lambda m, n: sm.Body(n, mass=1.0, inertia=(P("p", 1.0, "kg"), 1, 1)), "Body: inertia is in kg m^2"),
        (lambda m, n: sm.Spring(m.ground, n, stiffness=P("p", 1.0, "N/mm")), "Spring: stiffness is in N/m"),
        (
            lambda m, n: sm.Rod(m.ground, n, law=sm.LinearLaw(P("p", 1.0, "N"))),
            "LinearLaw: stiffness is in N/m or N m/rad, but",
        ),
        (lambda m, n: sm.Force(n, force=(P("p", 1.0, "kN"), 0, 0)), "Force: force is in N"),
        (lambda m, n: sm.Force(n, force=(sm.Input("p", unit="N m"), 0, 0)), "Force: force is in N"),
        (lambda m, n: sm.Couple(n, couple=(0, 0, sm.Sine(1.0, 2.0) + P("p", 1.0, "N"))), "Couple: couple is in N m"),
        (
            lambda m, n: sm.PrescribedAngle(m.ground, n, axis=(0, 0, 1), angle=P("p", 1.0, "deg")),
            "PrescribedAngle: angle is in rad",
        ),
    ],
)
def test_a_parameter_in_another_unit_than_its_field_is_refused(make, field):
    with pytest.raises(sm.ModelError) as error:
        model_with(make)
    assert field in str(error.value) and "'p'" in str(error.value) and "element 'it'" in str(error.value)


def test_places_that_are_no_elements():
    angle = P("angle", 3.0, "deg")
    with pytest.raises(sm.ModelError, match=r"Motion: rotation is in rad, but Parameter\('angle'.* is in deg"):
        sm.Motion(rotation=(0, 0, angle))
    with pytest.raises(sm.ModelError, match=r"gravity is in m/s\^2, but .* is in N"):
        sm.Model("heavy", gravity=(0, 0, P("g", -9.81, "N")))


@pytest.mark.parametrize(
    ("force", "unit"),
    [
        (sm.Step(P("p", 1.0, "kN")), "kN"),
        (sm.Step(1.0, before=P("p", 1.0, "kN")), "kN"),
        (sm.Ramp(P("p", 1.0, "kN/s")), "kN/s s"),
        (sm.Ramp(P("p", 1.0, "N")), "N s"),  # a slope is per second
        (sm.Ramp(1.0, initial=P("p", 1.0, "kN")), "kN"),
        (sm.Sine(P("p", 1.0, "deg"), 3.0), "deg"),
        (sm.Sine(1.0, 3.0, offset=P("p", 1.0, "lbf")), "lbf"),
        (sm.Cosine(P("p", 1.0, "ft"), 1.0), "ft"),
        (2.0 * sm.Input("p", unit="lbf"), "lbf"),
        (-sm.Input("p", unit="m"), "m"),
        (1.0 - sm.Sine(P("p", 1.0, "m"), 3.0), "m"),
        (P("p", 1.0, "kN") * sm.Step(1.0), "kN"),
        (P("p", 1.0, "kN") * sm.Expression(lambda t: t), "kN"),
        (P("p", 1.0, "N") * sm.Input("q", unit="m"), "m N"),
        (sm.Input("q", unit="m") * (sm.Constant(P("r", 1.0, "N/m")) + P("p", 1.0, "N")), "m N"),
        (sm.Tabulated(sm.Curve([0.0, 1.0], [0.0, 1.0])) + sm.Step(P("p", 1.0, "kN")), "kN"),
    ],
)
def test_every_drive_answers_for_its_units(force, unit):
    with pytest.raises(sm.ModelError, match=rf"Force: force is in N, but .*'p'.* is in {unit}: convert the value"):
        model_with(lambda m, n: sm.Force(n, force=(force, 0, 0)))


@pytest.mark.parametrize(
    "force",
    [
        sm.Ramp(P("p", 1.0, "N/s"), initial=P("q", 1.0, "N")),
        P("p", 1.0, "N/m") * sm.Input("x", unit="m"),
        -(P("p", 1.0, "N/m") * sm.Cosine(P("q", 1.0, "m"), 1.0)),
        100.0 * sm.Input("x", unit="m"),  # a gain of 100 N/m
        P("p", 1.0, "N/s") * sm.Expression(lambda t: t),
        0.001 * sm.Input("stick", unit="counts"),
    ],
)
def test_products_multiply_units(force):
    model_with(lambda m, n: sm.Force(n, force=(force, 0, 0)))


def test_magnitudes_gusts_and_swashplates_too():
    with pytest.raises(sm.ModelError, match=r"magnitude is in N, but Parameter\('p'.* is in m"):
        model_with(lambda m, n: sm.Force(n, magnitude=P("p", 1.0, "m"), direction=(1, 1, 0)))
    with pytest.raises(sm.ModelError, match=r"components is in m/s, but Input\(.*'u'.* is in kt"):
        DrivenGust((sm.Input("u", unit="kt"), 0, 0))
    plate = sm.Swashplate(None, None, None, radius=0.3, lead=0.5, motion=None)
    with pytest.raises(sm.ModelError, match=r"pitch is in rad, but Input\(.*'u'.* is in deg"):
        plate_motion(plate, 0.1, sm.Input("u", unit="deg"), 0.0)


@pytest.mark.parametrize(
    ("element", "unit", "wanted"),
    [(sm.Torsion, "N/m", "N m/rad"), (sm.Axial, "N m/rad", "N/m")],
)
def test_laws_of_lengths_and_of_angles_are_told_apart(element, unit, wanted):
    laws = [sm.LinearLaw(P("p", 1.0, unit)), sm.CubicLaw(1.0, 1.0) + sm.LinearLaw(P("p", 1.0, unit))]
    for law in laws:
        with pytest.raises(
            sm.ModelError, match=f"LinearLaw: stiffness is in {wanted}, but Parameter.*'p'.* is in {unit}"
        ):
            model_with(lambda m, n, law=law: element(m.ground, n, axis=(0, 0, 1), law=law))


def test_what_agrees_or_says_nothing_passes():
    for unit in ("N/m", "kN/km", "kg/s^2", ""):
        model_with(lambda m, n, unit=unit: sm.Spring(m.ground, n, stiffness=P("p", 1.0, unit)))
    model_with(lambda m, n: sm.Torsion(m.ground, n, axis=(0, 0, 1), law=sm.LinearLaw(P("p", 1.0, "N m/rad"))))
    # a factor need not have the unit of the whole
    model_with(lambda m, n: sm.Force(n, force=(sm.Constant(P("p", 1.0, "m")) * sm.Constant(2.0), 0, 0)))
