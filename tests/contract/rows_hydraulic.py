"""Hydraulics under the contract."""

import numpy as np
from row import Row, Terminals, placement

from samara import (
    Accumulator,
    CheckValve,
    DamperLaw,
    FlowSource,
    FrictionLaw,
    HydraulicDamper,
    HydraulicHingeDamper,
    IncompressibleFluid,
    InertialPipe,
    Lag,
    LinearActuator,
    LinearFluid,
    LinearLaw,
    MinorLoss,
    Orifice,
    Pipe,
    PressureSource,
    Pump,
    ReliefValve,
    SealFriction,
    ServoValve,
    ShaftPump,
    StopLaw,
    TableFluid,
    Tank,
    Volume,
)
from samara.model import ELECTRIC, HYDRAULIC, Junction

#: About which the pressures of the rows are drawn, by 1e5 to both sides [Pa].
MIDDLE = 1e6


def ramp(start, slope):
    return lambda t: start + slope * t


def oil(rng):
    """Soft, so that its compression is seen."""
    thermal = {"temperature": rng.uniform(270.0, 330.0), "expansion": 7e-4, "thinning": 0.03}
    return LinearFluid(reference_density=870.0, bulk_modulus=rng.uniform(1e7, 1e8), viscosity=0.07, **thermal)


def tabulated(rng):
    pressure = np.array([0.0, 9e5, 1e6, 1.05e6, 2e6])
    return TableFluid.of(pressure, 850.0 * (1.0 + pressure / 5e7) ** 0.8, viscosity=0.05)


def water(rng):
    return IncompressibleFluid(reference_density=1000.0, viscosity=1e-3)


def carried(element, pressure):
    """Energy of a kilogram [J]."""
    return element.fluid.enthalpy(pressure)


def ends(count=2):
    """Junctions of no model, for elements that are refused."""
    return Terminals.of(count, HYDRAULIC, MIDDLE).junctions


def between(make, count=2, fluid=oil):
    """A row's function for what hangs between so many junctions."""

    def made(nodes, rng, turn):
        terminals = Terminals.of(count, HYDRAULIC, MIDDLE)
        return terminals, make(*terminals.junctions, rng, fluid(rng))

    return made


def row(name, make, count=2, fluid=oil, bad=None, **others):
    return Row(name, between(make, count, fluid), nodes=0, carried=carried, bad=bad or {}, **others)


def refused(kind, count=2, **numbers):
    """A bad element: its fluid is good, unless it is among the numbers."""
    good = {"fluid": water(None)}
    return lambda nodes: kind(*ends(count), **{**good, **numbers})


def actuator(chambers, fluid=oil):
    def make(nodes, rng, turn):
        terminals = Terminals.of(chambers, HYDRAULIC, MIDDLE)
        places = {"place_a": placement(rng), "place_b": placement(rng)}
        seal = DamperLaw(3.0) + FrictionLaw(2.0, transition=0.3, breakaway=3.0, stribeck=0.7)
        numbers = {"area_1": rng.uniform(1e-4, 3e-4), "volume_1": 2e-3, "length": 1.5, "seal": seal}
        if chambers == 2:
            numbers |= {"p2": terminals.junctions[1], "area_2": 1e-4, "volume_2": 3e-3, "leakage": 1e-7}
        stops = StopLaw(LinearLaw(50.0), lower=-0.4, upper=0.3, onset=0.1)
        made = LinearActuator(*nodes, terminals.junctions[0], fluid=fluid(rng), **numbers, **places, stops=stops)
        return terminals, made

    return make


def bad_actuator(**numbers):
    given = {"fluid": water(None), "area_1": 1e-4, "volume_1": 1e-3, "length": 1.0}
    return lambda nodes: LinearActuator(*nodes, ends(1)[0], **{**given, **numbers})


def damper(nodes, rng, turn):
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = {"area": rng.uniform(1e-3, 3e-3), "volume": 5e-2, "length": 1.5, "diameter": 3e-3}
    valves = {"opening": 3e4, "full": 2e5, "relief_area": 3e-5}
    return HydraulicDamper(*nodes, fluid=oil(rng), **numbers, **valves, **places)


def hinge_damper(nodes, rng, turn):
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = {"displacement": rng.uniform(1e-3, 3e-3), "volume": 5e-2, "rest": 0.2, "diameter": 3e-3}
    valves = {"opening": 3e4, "full": 2e5, "relief_area": 3e-5}
    return HydraulicHingeDamper(*nodes, fluid=oil(rng), **numbers, **valves, **places)


def bad_damper(nodes, **numbers):
    given = {"displacement": 1e-4, "volume": 1e-3, "diameter": 3e-3, "relief_area": 3e-5, "opening": 1e5, "full": 2e5}
    return HydraulicHingeDamper(*nodes, **{"fluid": oil(np.random.default_rng(1)), **given, **numbers})


def shaft_pump(nodes, rng, turn):
    terminals = Terminals.of(2, HYDRAULIC, MIDDLE)
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = {"displacement": rng.uniform(1e-6, 5e-6), "leakage": 1e-8, "drag": 0.1}
    return terminals, ShaftPump(*nodes, *terminals.junctions, fluid=oil(rng), **numbers, **places)


def seal(nodes, rng, turn):
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    return SealFriction(*nodes, static=rng.uniform(50.0, 100.0), critical=0.3, viscous=2.0, slow=0.1, **places)


def servo(nodes, rng, turn):
    """A state is its command."""
    terminals, lag = Terminals.of(4, HYDRAULIC, MIDDLE), Lag(command=0.2, time=0.3)
    numbers = {"area": rng.uniform(1e-5, 4e-5), "frequency": 3.0, "corner": 0.2, "overlap": 0.1}
    return terminals, lag, ServoValve(*terminals.junctions, fluid=oil(rng), command=lag.output, **numbers)


def driven_servo(terminals, rng, fluid):
    numbers = {"area": rng.uniform(1e-5, 4e-5), "frequency": 3.0, "corner": 0.2, "overlap": -0.1}
    return ServoValve(*terminals, fluid=fluid, command=lambda t: 0.9 + t, **numbers)


def short_circuit(nodes):
    one, two, three = ends(3)
    return ServoValve(one, two, three, one, fluid=water(None), area=1.0, frequency=1.0)


def same_end(nodes):
    end = ends(1)[0]
    return Orifice(end, end, fluid=water(None), diameter=1.0)


VALVE = {"opening": 2e4, "full": 9e4, "area": 2e-5, "time": 0.3}

ROWS = [
    row(
        "Orifice",
        lambda a, b, rng, fluid: Orifice(a, b, fluid=fluid, diameter=rng.uniform(2e-3, 6e-3), transition=1000.0),
        bad={
            "diameter must be a positive number": refused(Orifice, diameter=0.0),
            "fluid must be a Fluid such as LinearFluid": lambda nodes: Orifice(*ends(), fluid=LinearLaw(1), diameter=1),
            "both ends are at junction": same_end,
            "is electric, and this is an element of hydraulic networks": lambda nodes: Orifice(
                Junction(ELECTRIC), ends()[0], fluid=water(None), diameter=1.0
            ),
        },
    ),
    row(
        "Orifice tabulated",
        lambda a, b, rng, fluid: Orifice(a, b, fluid=fluid, diameter=rng.uniform(2e-3, 6e-3)),
        fluid=tabulated,
        bad={
            "viscosity must be a positive number": refused(
                Orifice, diameter=1.0, fluid=TableFluid.of([0, 1], [1.0, 2.0], viscosity=-1.0)
            )
        },
    ),
    row(
        "Orifice incompressible",
        lambda a, b, rng, fluid: Orifice(a, b, fluid=fluid, diameter=rng.uniform(2e-3, 6e-3)),
        fluid=water,
        bad={
            "nothing would be left of its volume": refused(
                Orifice,
                diameter=1.0,
                fluid=IncompressibleFluid(reference_density=1.0, viscosity=1.0, temperature=100.0, expansion=0.01),
            )
        },
    ),
    row(
        "MinorLoss",
        lambda a, b, rng, fluid: MinorLoss(
            a, b, fluid=fluid, diameter=rng.uniform(2e-3, 6e-3), coefficient=0.5, coefficient_back=1.5
        ),
        bad={"coefficient must be a positive number": refused(MinorLoss, diameter=1.0, coefficient=0.0)},
    ),
    row(
        "Pipe",
        lambda a, b, rng, fluid: Pipe(a, b, fluid=fluid, length=rng.uniform(1.0, 5.0), radius=6e-3),
        bad={"radius must be a positive number": refused(Pipe, length=1.0, radius=0.0)},
    ),
    row(
        "InertialPipe",
        lambda a, b, rng, fluid: InertialPipe(a, b, fluid=fluid, length=rng.uniform(1.0, 5.0), radius=6e-3),
        bad={"length must be a positive number": refused(InertialPipe, length=0.0, radius=1.0)},
    ),
    row(
        "InertialPipe turbulent",
        lambda a, b, rng, fluid: InertialPipe(a, b, fluid=fluid, length=rng.uniform(1.0, 5.0), radius=0.03),
        fluid=water,
    ),
    row(
        "FlowSource",
        lambda a, b, rng, fluid: FlowSource(a, b, fluid=fluid, amount=lambda t: 0.3 - t),
        bad={"by": refused(FlowSource, amount=1.0, by="weight")},
    ),
    row(
        "FlowSource volume",
        lambda a, b, rng, fluid: FlowSource(a, b, fluid=fluid, amount=lambda t: 1e-3 * (0.5 - t), by="volume"),
    ),
    row(
        "Pump",
        lambda a, b, rng, fluid: Pump(
            a, b, fluid=fluid, displacement=2e-6, speed=ramp(90.0, rng.uniform(0.0, 9.0)), leakage=1e-8
        ),
        bad={"displacement must be a positive number": refused(Pump, displacement=0.0, speed=1.0)},
    ),
    Row(
        "ShaftPump",
        shaft_pump,
        carried=carried,
        bad={
            "inlet and outlet are both at junction": lambda nodes: ShaftPump(
                *nodes, *ends(1) * 2, fluid=water(None), displacement=1.0
            )
        },
    ),
    row(
        "Volume",
        lambda n, rng, fluid: Volume(n, fluid=fluid, volume=rng.uniform(1e-3, 5e-3), compliance=3e-7),
        count=1,
        bad={"an incompressible fluid in rigid walls stores nothing": refused(Volume, 1, volume=1e-3)},
    ),
    row(
        "Volume tabulated",
        lambda n, rng, fluid: Volume(n, fluid=fluid, volume=rng.uniform(1e-3, 5e-3)),
        count=1,
        fluid=tabulated,
    ),
    row(
        "Accumulator",
        lambda n, rng, fluid: Accumulator(
            n, fluid=fluid, gas=rng.uniform(1e-3, 5e-3), precharge=1e6, exponent=1.3, corner=0.05
        ),
        count=1,
        bad={
            "exponent must be 1 or more": refused(Accumulator, 1, gas=1.0, precharge=1.0, exponent=0.5),
            "below its precharge it stores nothing": refused(Accumulator, 1, gas=1.0, precharge=1.0),
        },
    ),
    row(
        "Tank",
        lambda n, rng, fluid: Tank(n, fluid=fluid, pressure=rng.uniform(1e5, 2e5)),
        count=1,
        bad={"pressure must be a number that is not negative": refused(Tank, 1, pressure=-1.0)},
    ),
    row(
        "PressureSource",
        lambda n, rng, fluid: PressureSource(n, fluid=fluid, pressure=lambda t: 1e6 + 1e5 * t),
        count=1,
        bad={"pressure": refused(PressureSource, 1, pressure="high")},
    ),
    row(
        "ReliefValve",
        lambda a, b, rng, fluid: ReliefValve(a, b, fluid=fluid, **VALVE),
        bad={
            "must be less than full": refused(ReliefValve, **{**VALVE, "full": 1e4}),
            "it would stand open": refused(ReliefValve, **{**VALVE, "opening": 0.0}),
        },
    ),
    row(
        "CheckValve",
        lambda a, b, rng, fluid: CheckValve(a, b, fluid=fluid, area=2e-5, time=0.3),
        bad={"leak is a part of the area": refused(CheckValve, area=1e-5, leak=1.0)},
    ),
    Row(
        "ServoValve",
        servo,
        nodes=0,
        carried=carried,
        bad={
            "two of its ports are at junction": short_circuit,
            "overlap is a part of the stroke": refused(ServoValve, 4, area=1.0, frequency=1.0, overlap=2.0),
        },
    ),
    row("ServoValve driven", lambda a, b, c, d, rng, fluid: driven_servo((a, b, c, d), rng, fluid), count=4),
    Row(
        "LinearActuator",
        actuator(2),
        carried=carried,
        bad={
            "give its junction, p2": bad_actuator(area_2=1e-4),
            "chamber 1 has no volume in the reference pose": bad_actuator(length=99.0),
            "seal must be a Law": bad_actuator(seal=water(None)),
        },
    ),
    Row("LinearActuator of one chamber", actuator(1, tabulated), carried=carried),
    Row(
        "SealFriction",
        seal,
        bad={"critical must be a positive number": lambda n: SealFriction(*n, static=1.0, critical=0.0)},
    ),
    Row(
        "HydraulicDamper",
        damper,
        bad={
            "a chamber has no volume": lambda nodes: HydraulicDamper(
                *nodes,
                fluid=oil(np.random.default_rng(1)),
                area=1.0,
                volume=1e-3,
                diameter=1e-3,
                opening=1.0,
                full=2.0,
                relief_area=1e-3,
                length=9.0,
            )
        },
    ),
    Row(
        "HydraulicHingeDamper",
        hinge_damper,
        bad={
            "must be less than full": lambda nodes: bad_damper(nodes, full=1e5),
            "give it a LinearFluid": lambda nodes: bad_damper(nodes, fluid=water(None)),
        },
    ),
]
