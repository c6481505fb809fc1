"""Electric circuits under the contract."""

from row import Row, Terminals, placement

from samara import (
    HYDRAULIC,
    PID,
    THERMAL,
    Amplifier,
    Battery,
    Capacitor,
    CurrentSource,
    Curve,
    Diode,
    Earth,
    ElasticMotorGear,
    HeatCapacity,
    HeatingResistor,
    HeatSource,
    Inductor,
    Junction,
    Lag,
    LoadCell,
    Motor,
    MotorGear,
    PermanentMagnetMotor,
    Potentiometer,
    Resistor,
    Switch,
    Tachometer,
    TemperatureSource,
    ThermalResistance,
    VoltageSource,
)

OPEN_CIRCUIT = Curve([0.0, 0.2, 0.8, 1.0], [2.0, 3.0, 3.4, 4.0], "smooth", outside="linear")


def between(make, count=2, **kind):
    """A row's function for what hangs between so many junctions."""

    def made(nodes, rng, turn):
        ends = Terminals.of(count, **kind)
        return ends, make(*ends.junctions, rng)

    return made


def commanded(make):
    """The same, with a signal that is the state of another element."""

    def made(nodes, rng, turn):
        ends, lag = Terminals.of(2), Lag(command=0.3, time=0.2)
        return ends, lag, make(*ends.junctions, lag.output, rng)

    return made


def beside_a_hinge(kind, count=2, **numbers):
    """A row's function for what also has frames on two nodes; numbers that are functions take the generator."""

    def made(nodes, rng, turn):
        ends, places = Terminals.of(count), {"place_a": placement(rng), "place_b": placement(rng)}
        given = {name: value(rng) if callable(value) else value for name, value in numbers.items()}
        return ends, kind(*nodes, *ends.junctions, **given, **places)

    return made


def warm(make):
    def made(nodes, rng, turn):
        wires, heat = Terminals.of(2), Terminals.of(1, THERMAL, 300.0)
        return wires, heat, make(*wires.junctions, *heat.junctions, rng)

    return made


def warmed(make):
    """At one thermal junction, with a signal that is the state of another element."""

    def made(nodes, rng, turn):
        ends, lag = Terminals.of(1, THERMAL, 300.0), Lag(command=0.3, time=0.2)
        return ends, lag, make(*ends.junctions, lag.output)

    return made


def about(low, high):
    """A random number of a row."""
    return lambda rng: rng.uniform(low, high)


DC = {"constant": about(0.3, 2.0), "resistance": about(0.3, 2.0), "inductance": about(0.3, 2.0)}
RIGID = MotorGear(ratio=-3.0, friction=0.4, viscous=0.1, transition=1.0)
ELASTIC = ElasticMotorGear(
    ratio=3.0, friction=0.4, viscous=0.1, transition=1.0, inertia=0.2, stiffness=9.0, damping=0.3
)
MAGNETS = {
    "current": lambda rng: 0.4,
    "pole_pairs": 3,
    "flux": about(0.1, 0.3),
    "inductance_d": 0.2,
    "inductance_q": 0.3,
    "resistance": about(0.3, 2.0),
    "bandwidth": 3.0,
    "link": 4.0,
    "tracking": 0.5,
}
PLAIN_DC = {"constant": 1.0, "resistance": 1.0, "inductance": 1.0}


def ends(count=2):
    """Junctions of no model, for elements that are refused."""
    return Terminals.of(count).junctions


def same_end(nodes):
    end = ends(1)[0]
    return Resistor(end, end, resistance=1.0)


ROWS = [
    Row(
        "Resistor",
        between(lambda a, b, rng: Resistor(a, b, resistance=rng.uniform(0.5, 9.0))),
        nodes=0,
        bad={
            "resistance must be a positive number": lambda nodes: Resistor(*ends(), resistance=0.0),
            "both ends are at junction": same_end,
            "is not a junction: use what model.potential(...) returned": lambda nodes: Resistor(1, 2, resistance=1.0),
            "is hydraulic, and this is an element of electric networks": lambda nodes: Resistor(
                Junction(HYDRAULIC), ends()[0], resistance=1.0
            ),
        },
    ),
    Row(
        "Capacitor",
        between(lambda a, b, rng: Capacitor(a, b, capacitance=rng.uniform(0.5, 2.0), start=0.3)),
        nodes=0,
        bad={"capacitance must be a positive number": lambda nodes: Capacitor(*ends(), capacitance=-1.0)},
    ),
    Row(
        "Inductor",
        between(lambda a, b, rng: Inductor(a, b, inductance=rng.uniform(0.5, 2.0), start=0.3)),
        nodes=0,
        bad={"inductance must be a positive number": lambda nodes: Inductor(*ends(), inductance=0.0)},
    ),
    Row(
        "VoltageSource",
        between(lambda a, b, rng: VoltageSource(a, b, voltage=lambda t: 3.0 - t)),
        nodes=0,
        bad={"voltage": lambda nodes: VoltageSource(*ends(), voltage="high")},
    ),
    Row("VoltageSource by a state", commanded(lambda a, b, x, rng: VoltageSource(a, b, voltage=x)), nodes=0),
    Row(
        "CurrentSource",
        between(lambda a, b, rng: CurrentSource(a, b, current=lambda t: 3.0 - t)),
        nodes=0,
        bad={"current": lambda nodes: CurrentSource(*ends(), current="high")},
    ),
    Row("CurrentSource by a state", commanded(lambda a, b, x, rng: CurrentSource(a, b, current=x)), nodes=0),
    Row(
        "Switch",
        commanded(lambda a, b, x, rng: Switch(a, b, closed=x, resistance=0.5, open=20.0)),
        nodes=0,
        bad={
            "open (1 ohm) must be more than resistance (2)": lambda nodes: Switch(
                *ends(), closed=0, resistance=2, open=1
            )
        },
    ),
    Row(
        "Diode",
        between(lambda a, b, rng: Diode(a, b, saturation=0.2, thermal=rng.uniform(0.3, 0.6), resistance=0.4, leak=0.1)),
        nodes=0,
        bad={"resistance must be a positive number": lambda nodes: Diode(*ends(), resistance=0.0)},
    ),
    Row(
        "Battery",
        between(
            lambda a, b, rng: Battery(a, b, voltage=OPEN_CIRCUIT, capacity=rng.uniform(1, 3), resistance=0.3, start=0.6)
        ),
        nodes=0,
        bad={
            "start is a state of charge": lambda nodes: Battery(
                *ends(), voltage=OPEN_CIRCUIT, capacity=1, resistance=1, start=1.2
            ),
            "from state of charge 0": lambda nodes: Battery(
                *ends(), voltage=Curve([0.1, 1.0], [3.0, 4.0]), capacity=1, resistance=1
            ),
        },
    ),
    Row(
        "Amplifier",
        commanded(lambda a, b, x, rng: Amplifier(a, b, input=x, gain=2.0, limit=0.9, resistance=0.4, corner=0.8)),
        nodes=0,
        bad={
            "limit must be a positive number": lambda nodes: Amplifier(*ends(), input=1.0, limit=0.0, resistance=1.0),
            "corner (3) must not be wider": lambda nodes: Amplifier(
                *ends(), input=1.0, limit=1.0, resistance=1.0, corner=3.0
            ),
        },
    ),
    Row(
        "Motor",
        beside_a_hinge(Motor, **DC),
        bad={
            "inductance must be a positive number": lambda nodes: Motor(
                *nodes, *ends(), constant=1, resistance=1, inductance=0
            ),
            "gear must be a MotorGear": lambda nodes: Motor(*nodes, *ends(), **PLAIN_DC, gear=PID()),
            "ratio must not be 0": lambda nodes: Motor(*nodes, *ends(), **PLAIN_DC, gear=MotorGear(ratio=0.0)),
            "is not a junction": lambda nodes: Motor(*nodes, 1, 2, **PLAIN_DC),
        },
    ),
    Row("Motor with a gear", beside_a_hinge(Motor, **DC, gear=RIGID)),
    Row("Motor with an elastic gear", beside_a_hinge(Motor, **DC, gear=ELASTIC)),
    Row(
        "PermanentMagnetMotor",
        beside_a_hinge(PermanentMagnetMotor, **MAGNETS),
        bad={
            "flux must be a positive number": lambda nodes: PermanentMagnetMotor(
                *nodes, *ends(), **MAGNETS | {"flux": 0.0, "resistance": 1.0, "current": 1.0}
            )
        },
    ),
    Row("PermanentMagnetMotor with an elastic gear", beside_a_hinge(PermanentMagnetMotor, **MAGNETS, gear=ELASTIC)),
    Row(
        "Tachometer",
        beside_a_hinge(Tachometer, constant=about(0.3, 2.0), resistance=3.0),
        bad={
            "resistance must be a positive number": lambda nodes: Tachometer(*nodes, *ends(), constant=1, resistance=0)
        },
    ),
    Row(
        "LoadCell",
        beside_a_hinge(
            LoadCell, stiffness=about(10.0, 90.0), damping=2.0, preload=0.5, length=0.4, sensitivity=0.3, resistance=2.0
        ),
        bad={"is not a junction": lambda nodes: LoadCell(*nodes, 1, 2, stiffness=1.0, length=0.0, sensitivity=1.0)},
    ),
    *(
        Row(
            f"Potentiometer of {of}",
            beside_a_hinge(
                Potentiometer, 3, of=of, lower=-1.0, upper=2.0, resistance=3.0, contact=0.5, corner=about(0.2, 0.6)
            ),
            bad={
                "lower and upper must differ": lambda nodes, of=of: Potentiometer(
                    *nodes, *ends(3), of=of, lower=1, upper=1
                )
            },
        )
        for of in ("angle", "distance")
    ),
    Row(
        "HeatingResistor",
        warm(lambda a, b, t, rng: HeatingResistor(a, b, t, resistance=rng.uniform(1.0, 3.0), coefficient=4e-3)),
        nodes=0,
        bad={
            "t must be a thermal junction": lambda nodes: HeatingResistor(*ends(3), resistance=1.0),
            "resistance must be a positive number": lambda nodes: HeatingResistor(
                *ends(2), Junction(THERMAL), resistance=0.0
            ),
        },
    ),
    Row(
        "HeatCapacity",
        between(lambda n, rng: HeatCapacity(n, capacity=rng.uniform(1.0, 9.0)), 1, domain=THERMAL, value=300.0),
        nodes=0,
        bad={"capacity must be a positive number": lambda nodes: HeatCapacity(Junction(THERMAL), capacity=0.0)},
    ),
    Row(
        "ThermalResistance",
        between(
            lambda a, b, rng: ThermalResistance(a, b, resistance=rng.uniform(1.0, 9.0)), domain=THERMAL, value=300.0
        ),
        nodes=0,
        bad={"is electric": lambda nodes: ThermalResistance(*ends(), resistance=1.0)},
    ),
    Row(
        "TemperatureSource",
        between(lambda n, rng: TemperatureSource(n, temperature=lambda t: 290.0 + t), 1, domain=THERMAL, value=300.0),
        nodes=0,
        bad={"temperature": lambda nodes: TemperatureSource(Junction(THERMAL), temperature="warm")},
    ),
    Row("TemperatureSource by a state", warmed(lambda n, x: TemperatureSource(n, temperature=x)), nodes=0),
    Row("HeatSource by a state", warmed(lambda n, x: HeatSource(n, heat=x)), nodes=0),
    Row(
        "HeatSource",
        between(lambda n, rng: HeatSource(n, heat=lambda t: 3.0 - t), 1, domain=THERMAL, value=300.0),
        nodes=0,
        bad={"heat": lambda nodes: HeatSource(Junction(THERMAL), heat="much")},
    ),
    Row("Earth", between(lambda n, rng: Earth(n), 1), nodes=0, bad={"is not a junction": lambda nodes: Earth(3)}),
]
