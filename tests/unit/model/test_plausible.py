"""Typical mistakes of units are doubted, each by one warning with the likely unit; ready models are not."""

import warnings

import numpy as np
import pytest

import samara as sm
from samara.analysis.plausibility import plausibility
from samara.models import READY

FOIL = sm.naca0012()


def said(make):
    """The one warning, and that it points here."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        make()
    (one,) = found
    assert one.category is sm.Implausible and one.filename == __file__
    return str(one.message)


def rotor(speed, hub_speed, axis=(0, 0, 1), radius=7.5, check=True):
    """A rotor whose hub a hinge turns, with the nominal speed that its `Rotor` declares."""
    model = sm.Model("rotor")
    hub = model.node("hub")
    model.add("hub_mass", sm.Body(hub, mass=10.0, inertia=(1, 1, 1)))
    model.add("shaft", sm.Revolute(model.ground, hub, axis=axis, start={"angle_rate": hub_speed}))
    wake = sm.Rotor(model.ground, hub, radius=radius, speed=speed)
    model.add("rotor", wake)
    shape = sm.Stations.gauss(0.2 * radius, radius, 4, 0.5, 0.1)
    model.add("air", sm.AeroBody(hub, stations=shape, aerofoil=FOIL, rotor=wake))
    model.check()
    return model


def hinge(**given):
    model = sm.Model("hinge")
    arm = model.node("arm")
    model.add("hinge", sm.Revolute(model.ground, arm, **given))


MISTAKES = {
    "twist in degrees": (lambda: sm.Planform(station=[1, 7.5], chord=0.5, twist=[0, -8], aerofoil=FOIL), "-0.1396 rad"),
    "chord in mm": (lambda: sm.Planform(station=[1, 7.5], chord=270.0, aerofoil=FOIL), "in mm"),
    "twist of a beam in degrees": (
        lambda: sm.Span(station=[0, 1], mass=1, EA=1e6, GJ=1e3, EI_y=1e3, EI_z=1e3, twist=[0, 12]),
        "0.2094 rad",
    ),
    "start of a hinge in degrees": (lambda: hinge(start={"angle": 30}), "0.5236 rad"),
    "rest of a spring in degrees": (
        lambda: added(sm.Torsion, rest=-45.0, law=sm.LinearLaw(stiffness=1.0)),
        "-0.7854 rad",
    ),
    "prescribed angle in degrees": (lambda: added(sm.PrescribedAngle, angle=15.0), "0.2618 rad"),
    "lift slope per degree": (lambda: airfoil(0.1), "5.73 per radian"),
    "hub in rpm": (lambda: rotor(44.0, 420.0), "43.98 rad/s"),
    "rotor in rpm": (lambda: rotor(265.0, 0.0), "27.75 rad/s"),
    "hub that turns about another axis": (lambda: rotor(44.0, 44.0, axis=(1, 0, 0)), "along the shaft"),
}


def added(kind, **given):
    model = sm.Model("two")
    model.add("it", kind(model.ground, model.node("b"), **given))


def airfoil(slope):
    model = sm.Model("wing")
    stations = sm.Stations.gauss(0.0, 1.0, 2, 0.2, 0.0)
    model.add("air", sm.AeroBody(model.node("wing"), stations=stations, aerofoil=sm.ThinAerofoil(slope=slope)))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_units_is_doubted_once_with_the_unit_that_is_likely_meant(mistake):
    make, unit = MISTAKES[mistake]
    assert unit in said(make)


def test_what_is_usual_passes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sm.Planform(station=[1, 7.5], chord=0.5, twist=np.radians([0, -8]), aerofoil=FOIL)
        sm.Planform(station=[0, 0.8], chord=1.0, aerofoil=FOIL)  # a fin
        hinge(start={"angle": np.radians(30), "angle_rate": 420.0})
        added(sm.PrescribedAngle, angle=sm.Ramp(slope=28.0))  # a shaft makes many turns
        airfoil(5.7)
        rotor(28.0, 27.0)
        rotor(28.0, 3.0)  # a run-up


def bodies(*masses, inertia=1.0):
    model = sm.Model("bodies")
    for k, mass in enumerate(masses):
        node = model.node(f"b{k}", position=(0.5 * k, 0, 0))
        model.add(f"body_{k}", sm.Body(node, mass=mass, inertia=np.full(3, inertia)))
    return model


def test_masses_inertias_and_stiffnesses_far_from_the_rest():
    assert plausibility(bodies(1.0, 2.0, 5.0)) == []
    (mass,) = plausibility(bodies(1.0, 2.0, 80_000.0))
    assert "'body_2'" in mass and "in g?" in mass
    doubts = plausibility(bodies(1.0, 2.0, 3.0, inertia=2e5))  # kg mm^2
    assert len(doubts) == 3 and "1 kg mm^2 = 1e-6 kg m^2" in doubts[0]
    model = bodies(1.0, 1.0)
    for k, stiffness in enumerate((1e5, 2e5, 1e13)):
        spring = sm.Spring(model.nodes["b0"], model.nodes["b1"], stiffness=stiffness, length=0.5)
        model.add(f"spring_{k}", spring)
    (doubt,) = plausibility(model)
    assert "'spring_2'" in doubt and "N/mm" in doubt


@pytest.mark.parametrize("name", READY)
def test_ready_models_raise_no_doubt(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = READY[name].make()
        model.check()
    assert plausibility(model) == []
