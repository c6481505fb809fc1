"""Electric circuits under the contract."""

from row import Row, Terminals

from samara import Capacitor, Earth, Inductor, Resistor, VoltageSource
from samara.model import HYDRAULIC, Junction


def between(make, count=2):
    """A row's function for what hangs between so many junctions."""

    def made(nodes, rng, turn):
        ends = Terminals.of(count)
        return ends, make(*ends.junctions, rng)

    return made


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
            "resistance must be positive": lambda nodes: Resistor(*ends(), resistance=0.0),
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
        bad={"capacitance must be positive": lambda nodes: Capacitor(*ends(), capacitance=-1.0)},
    ),
    Row(
        "Inductor",
        between(lambda a, b, rng: Inductor(a, b, inductance=rng.uniform(0.5, 2.0), start=0.3)),
        nodes=0,
        bad={"inductance must be positive": lambda nodes: Inductor(*ends(), inductance=0.0)},
    ),
    Row(
        "VoltageSource",
        between(lambda a, b, rng: VoltageSource(a, b, voltage=lambda t: 3.0 - t)),
        nodes=0,
        bad={"voltage": lambda nodes: VoltageSource(*ends(), voltage="high")},
    ),
    Row("Earth", between(lambda n, rng: Earth(n), 1), nodes=0, bad={"is not a junction": lambda nodes: Earth(3)}),
]
