"""Fuselages, and air whose density follows the height, under the contract."""

import numpy as np
from row import Row, placement
from rows_aero import air, blade_too, rotor

from samara import Air, CoefficientTables, Fuselage, Lag, PittPeters, QuadraticCoefficients, Surface, TailRotor

ALPHA, BETA = np.linspace(-np.pi, np.pi, 13), np.linspace(-np.pi / 2, np.pi / 2, 7)


def tables(rng):
    """Anything that closes: the same at both ends of the incidence, one value at each end of the sideslip."""
    values = rng.uniform(-1.0, 1.0, (len(ALPHA), len(BETA), 6))
    values[-1] = values[0]
    values[:, 0], values[:, -1] = values[0, 0], values[0, -1]
    return CoefficientTables.sampled(ALPHA, BETA, values)


def quadratic(rng):
    return QuadraticCoefficients(rng.uniform(-1.0, 1.0, (6, 3)), rng.uniform(-1.0, 1.0, (6, 6)))


def fuselage(coefficients):
    def make(nodes, rng, turn):
        """In the wind; with more than one node also in the wake of a rotor on the first, which may carry it itself."""
        support = rotor(PittPeters)(nodes, rng, turn) if len(nodes) > 1 else None
        more = {"rotor": support, "factor": 1.3} if support else {"air": air(rng, turn)}
        carrier = nodes[0] if len(nodes) < 3 else nodes[2]
        sizes = {"area": rng.uniform(0.5, 3.0), "length": rng.uniform(0.5, 3.0)}
        body = Fuselage(carrier, place=placement(rng), coefficients=coefficients(rng), **sizes, **more)
        return (support, body) if support else body

    return make


def high_up(nodes, rng, turn):
    """Heights of metres are to be felt: the air of the tropopause is below them."""
    layers = Air.standard(10995.0, 8.0, wind=turn(rng.uniform(-5.0, 5.0, 3)), stratified=True)
    return Fuselage(*nodes, place=placement(rng), coefficients=quadratic(rng), area=2.0, length=3.0, air=layers)


def tail_rotor_high_up(nodes, rng, turn):
    servo = Lag(command=0.1, time=0.3, start=0.2)
    places = {"place": placement(rng), "shaft": placement(rng)}
    layers = Air.standard(3000.0, stratified=True)
    return servo, TailRotor(*nodes, servo.output, ratio=-4.0, air=layers, radius=1.0, chord=0.2, **places)


def with_tables(nodes, surface):
    return Fuselage(*nodes, coefficients=CoefficientTables(c_x=surface), area=1.0, length=1.0)


def jumping(nodes):
    return with_tables(nodes, Surface(ALPHA, BETA, np.outer(ALPHA, np.cos(BETA))))


def sideways(nodes):
    return with_tables(nodes, Surface(ALPHA, BETA, np.outer(np.cos(ALPHA), np.ones(7))))


def short(nodes):
    return with_tables(nodes, Surface(np.radians((-20.0, 20.0)), BETA, np.ones((2, 7))))


ROWS = [
    Row(
        "Fuselage by tables",
        fuselage(tables),
        nodes=1,
        step=1e-5,
        bad={
            "covers -20 to 20 degrees of incidence": short,
            "differs between -180 and 180": jumping,
            "must not depend on the incidence": sideways,
            "coefficients must be": lambda nodes: Fuselage(*nodes, coefficients=Air(), area=1.0, length=1.0),
        },
    ),
    Row(
        "Fuselage by a quadratic form",
        fuselage(quadratic),
        nodes=1,
        bad={
            "linear must have 6 rows of 3": lambda nodes: Fuselage(
                *nodes, coefficients=QuadraticCoefficients(linear=np.zeros((3, 3))), area=1.0, length=1.0
            ),
            "area must be a positive number": lambda nodes: Fuselage(
                *nodes, coefficients=QuadraticCoefficients(), area=0.0, length=1.0
            ),
        },
    ),
    Row("Fuselage in the wake", fuselage(quadratic), nodes=3, then=blade_too, outside=True),
    Row("Fuselage that carries the rotor", fuselage(quadratic), nodes=2, then=blade_too, outside=True),
    Row("Fuselage high up", high_up, nodes=1, fixed=True),
    Row("TailRotor high up", tail_rotor_high_up, outside=True, fixed=True),
]
