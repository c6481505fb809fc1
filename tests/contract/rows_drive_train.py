"""Gears, shafts, clutches, freewheels, brakes, engine and governor under the contract."""

from row import Row, placement, vector

from samara import (
    Brake,
    Clutch,
    ElasticGear,
    FlexibleShaft,
    Freewheel,
    Gear,
    Governor,
    Lag,
    LinearLaw,
    StopLaw,
    TurboshaftEngine,
)


def places(rng):
    return {"place_a": placement(rng), "place_b": placement(rng)}


def gear(cls, carriers=1, **fields):
    """A factory of gears about any axes, on one carrier or two."""

    def make(nodes, rng, turn):
        a, b, carrier, *more = nodes
        other = {"carrier_b": more[0]} if carriers == 2 else {}
        return cls(a, b, carrier, ratio=rng.uniform(-3.0, -0.3), axis_a=vector(rng), axis_b=vector(rng),
                   **other, **{name: field(rng) for name, field in fields.items()})  # fmt: skip

    return make


def linear(rng):
    return LinearLaw(rng.uniform(1.0, 9.0), rng.uniform(0.1, 0.5))


def backlash(rng):
    """Play that all random windups, of 0.01 rad, are beyond: the energy must be smooth where they pass by."""
    return StopLaw(linear(rng), lower=-5.0, upper=-1.0)


def shaft(nodes, rng, turn):
    return FlexibleShaft(*nodes, law=linear(rng), **places(rng))


def freewheel(sense):
    def make(nodes, rng, turn):
        stiffness, damping = rng.uniform(20.0, 90.0), rng.uniform(0.3, 1.0)
        return Freewheel(*nodes, stiffness=stiffness, damping=damping, sense=sense, **places(rng))

    return make


def disks(cls, pressing):
    """Some of the random slips are within the transition."""

    def make(nodes, rng, turn):
        numbers = {"capacity": rng.uniform(1.0, 3.0), "breakaway": rng.uniform(3.0, 5.0), "stribeck": 2.0}
        return cls(*nodes, transition=1.5, **{pressing: lambda t: 0.4 + t}, **numbers, **places(rng))

    return make


def engine(nodes, rng, turn):
    valve = Lag(command=0.5, time=0.2)
    numbers = {"power": rng.uniform(1.0, 9.0), "speed": 2.0, "fuel": 0.8, "idle": 0.1, "time": rng.uniform(0.2, 0.9)}
    burning = {"burning": lambda t: 1.0 - 0.3 * t, "sense": int(rng.choice([-1, 1]))}
    return valve, TurboshaftEngine(*nodes, flow=valve.output, **numbers, **burning, **places(rng))


def governor(nodes, rng, turn):
    """Limits that some of the random fuels are beyond."""
    p, i, a = rng.uniform(0.1, 0.5, 3)
    gains = {"proportional": p, "integral": i, "anticipation": a, "sense": int(rng.choice([-1, 1]))}
    limits = {"lower": -0.4, "upper": 0.5, "corner": 0.3, "tracking": 0.3}
    drives = {"target": lambda t: 1.0 + t, "load": lambda t: 0.3 * t}
    return Governor(*nodes, scale=1.0, **drives, **gains, **limits, **places(rng))


ROWS = [
    Row(
        "Gear",
        gear(Gear),
        nodes=3,
        bad={
            "ratio must not be zero": lambda nodes: Gear(*nodes, ratio=0.0),
            "axis_a is a direction": lambda nodes: Gear(*nodes, ratio=1.0, axis_a=(0, 0, 0)),
            "axis_b must be three finite numbers": lambda nodes: Gear(*nodes, ratio=1.0, axis_b=(0, 0, float("nan"))),
            "give either axis_a in the world or shaft_a in the carrier": lambda nodes: Gear(
                *nodes, ratio=1.0, axis_a=(0, 0, 1), shaft_a=(0, 0, 1)
            ),
            "is not a node": lambda nodes: Gear(*nodes, ratio=1.0, carrier_b="casing"),
        },
    ),
    Row("Gear two carriers", gear(Gear, 2), nodes=4),
    Row(
        "Gear shafts",
        lambda nodes, rng, turn: Gear(*nodes, ratio=rng.uniform(0.3, 3.0), shaft_a=vector(rng), shaft_b=vector(rng)),
        nodes=3,
    ),
    Row(
        "ElasticGear",
        gear(ElasticGear, law=linear),
        nodes=3,
        bad={"law must be a Law such as": lambda nodes: ElasticGear(*nodes, ratio=1.0, law=3.0)},
    ),
    Row("ElasticGear backlash", gear(ElasticGear, 2, law=backlash), nodes=4),
    Row("FlexibleShaft", shaft, bad={"law must be a Law such as": lambda nodes: FlexibleShaft(*nodes, law=3.0)}),
    Row(
        "Freewheel",
        freewheel(1),
        bad={"damping must be a positive number": lambda nodes: Freewheel(*nodes, stiffness=1.0, damping=0.0)},
    ),
    Row("Freewheel other way", freewheel(-1)),
    Row(
        "Clutch",
        disks(Clutch, "engaged"),
        bad={
            "breakaway (1) must not be less than capacity (2)": lambda nodes: Clutch(
                *nodes, engaged=1.0, capacity=2.0, breakaway=1.0, transition=0.1
            )
        },
    ),
    Row(
        "Brake",
        disks(Brake, "applied"),
        bad={
            "transition must be a positive number": lambda nodes: Brake(
                *nodes, applied=1.0, capacity=2.0, transition=0.0
            ),
        },
    ),
    Row(
        "TurboshaftEngine",
        engine,
        bad={
            "fuel must be a positive number": lambda nodes: TurboshaftEngine(
                *nodes, flow=1.0, power=1, speed=1, fuel=0, time=1
            ),
            "idle is a part": lambda nodes: TurboshaftEngine(
                *nodes, flow=1.0, power=1, speed=1, fuel=1, time=1, idle=1.5
            ),
        },
    ),
    Row(
        "Governor",
        governor,
        bad={
            "lower (1) must be less than upper (0)": lambda nodes: Governor(
                *nodes, target=1.0, proportional=1.0, lower=1.0, upper=0.0, corner=0.1
            )
        },
    ),
]
