"""Blocks of signals under the contract."""

import numpy as np
from row import Row, placement

from samara import (
    PID,
    Accelerometer,
    Backlash,
    ContinuousBlock,
    DeadZone,
    Delay,
    Derivative,
    Gain,
    Lag,
    LimitedServo,
    LowPass2,
    MotionSensor,
    Notch,
    Observer,
    PadeDelay,
    Quantiser,
    RateLimit,
    SampledBlock,
    Saturation,
    SignalLink,
    SignalRegulator,
    SignalSum,
    SpeedRegulator,
    StateSpace,
    TransferFunction,
)
from samara.model import ELECTRIC, Contribution, Element, Junction, State


def source(rng):
    """A state that somebody else governs."""
    return Lag(command=lambda t: 0.3 + 0.1 * t, time=rng.uniform(0.1, 0.5))


def behind(make):
    """A block whose input is a state."""

    def both(nodes, rng, turn):
        lag = source(rng)
        return lag, make(lag.output, rng)

    return both


def driven(make):
    """A block whose input is a function of time."""
    return lambda nodes, rng, turn: make(lambda t: 0.4 * t - 0.2, rng)


def mixed(nodes, rng, turn):
    first, second = source(rng), source(rng)
    signals = [first.output, 0.7, lambda t: t, second.output]
    return first, second, SignalSum(signals, gains=rng.uniform(-1.0, 1.0, 4))


def filtered(u, rng):
    return ContinuousBlock(
        [u], law=TransferFunction(numerator=(0.3, 1.0, 2.0), denominator=(2.0, *rng.uniform(0.5, 3.0, 2)))
    )


def two_by_two(nodes, rng, turn):
    lag = source(rng)
    A = rng.uniform(-1.0, 1.0, (3, 3)) - 3.0 * np.eye(3)
    B, C, D = rng.uniform(-1.0, 1.0, (3, 2)), rng.uniform(-1.0, 1.0, (2, 3)), rng.uniform(-1.0, 1.0, (2, 2))
    return lag, ContinuousBlock([lag.output, lambda t: 0.1 * t], law=StateSpace(A=A, B=B, C=C, D=D))


def observed(nodes, rng, turn):
    lag, A, C = source(rng), -np.eye(2) + rng.uniform(-0.3, 0.3, (2, 2)), np.array([[1.0, 0.0]])
    law = Observer(A, [[0.0], [1.0]], C, [[0.0]], [[2.0], [0.5]], initial=rng.uniform(-0.1, 0.1, 2))
    return lag, ContinuousBlock([lag.output, lambda t: 0.1 * t], law=law)


class Begin(Element):
    """Brings a state y that a link says the value of; x is its own."""

    def own_states(self):
        return {"x": State(0), "y": State(0)}

    def states(self):
        return [*self.owned.values()]

    def readings(self):
        return [self.owned["y"]]

    def formulate(self, site):
        return Contribution(wrenches=[], balances=[site.states[0].value - 0.3])


def linked(nodes, rng, turn):
    lag, begin = source(rng), Begin()
    return lag, begin, SignalLink(begin.owned["y"], lag.output)


def regulator(nodes, rng, turn):
    lag = source(rng)
    law = PID(proportional=0.7, integral=0.4, derivative=0.05, lag=0.2, lower=-0.5, upper=0.7, corner=0.4)
    return lag, SignalRegulator(u=lag.output, target=lambda t: 0.2 + 0.1 * t, law=law)


def cascade(nodes, rng, turn):
    lag = source(rng)
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    return lag, SpeedRegulator(*nodes, law=PID(proportional=0.7, integral=0.4), target=lag.output, **places)


def servo(nodes, rng, turn):
    pilot, autopilot = source(rng), source(rng)
    limits = {"time": 0.3, "rate": 1.0, "lower": -0.4, "upper": 0.5, "corner": 0.3}
    return pilot, autopilot, LimitedServo(command=pilot.output, y=[autopilot.output], gain=0.7, **limits)


def sampled(nodes, rng, turn):
    lag = source(rng)
    return lag, SampledBlock([lag.output, lambda t: t], law=lambda u, v: (u, v), step=0.1, count=2)


def accelerometer(nodes, rng, turn):
    numbers = {"gain": rng.uniform(0.5, 2.0), "offset": 0.1, "noise": lambda t: 0.01 * t}
    return Accelerometer(*nodes, place=placement(rng), gravity=turn((0.0, 0.0, -9.81)), **numbers)


def sensor(quantity, **more):
    def make(nodes, rng, turn):
        places = {"place_a": placement(rng), "place_b": placement(rng)}
        numbers = {"gain": rng.uniform(0.5, 2.0), "offset": 0.1, **more}
        return MotionSensor(*nodes, quantity=quantity, noise=lambda t: 0.01 * t, **numbers, **places)

    return make


ROWS = [
    Row("Gain", behind(lambda u, rng: Gain(u, gain=rng.uniform(1.0, 3.0), offset=0.2)), nodes=0),
    Row("Gain of a drive", driven(lambda u, rng: Gain(u, gain=rng.uniform(1.0, 3.0))), nodes=0),
    Row(
        "SignalSum",
        mixed,
        nodes=0,
        bad={
            "one gain per signal is needed, got 2 signals and 3 gains": lambda nodes: SignalSum(
                [1.0, 2.0], gains=[1, 1, 1]
            ),
            "u must be a list": lambda nodes: SignalSum(2.0),
            "u must be a signal, got 'x'": lambda nodes: SignalSum(["x"]),
        },
    ),
    Row("ContinuousBlock TransferFunction", behind(filtered), nodes=0),
    Row("ContinuousBlock TransferFunction of a drive", driven(filtered), nodes=0),
    Row(
        "ContinuousBlock PadeDelay",
        behind(lambda u, rng: ContinuousBlock([u], law=PadeDelay(rng.uniform(0.2, 0.5), order=2))),
        nodes=0,
    ),
    Row("ContinuousBlock StateSpace", two_by_two, nodes=0),
    *(
        Row(
            f"ContinuousBlock {type(law).__name__}",
            behind(lambda u, rng, law=law: ContinuousBlock([u], law=law)),
            nodes=0,
        )
        for law in (
            LowPass2(0.5, damping=0.3),
            Notch(0.5, depth=0.1),
            Derivative(0.3),
            Saturation(-0.4, 0.5, corner=0.3),
            DeadZone(-0.4, 0.5, corner=0.3),
            RateLimit(1.0, 2.0, time=0.3),
            Backlash(0.6, time=0.3, corner=0.5),
            Quantiser(0.5, width=0.4),
        )
    ),
    Row(
        "ContinuousBlock Observer",
        observed,
        nodes=0,
        bad={
            "law must be a block": lambda nodes: ContinuousBlock([1.0], law=3.0),
            "u must be a list": lambda nodes: ContinuousBlock(1.0, law=Saturation()),
            "u gives the law 2 signals, but a Saturation takes 1": lambda nodes: ContinuousBlock(
                [1.0, 2.0], law=Saturation()
            ),
            "corner (3) must not be wider": lambda nodes: ContinuousBlock([1.0], law=Saturation(0.0, 1.0, corner=3.0)),
            "corner must not be wider than the gap": lambda nodes: ContinuousBlock(
                [1.0], law=Backlash(1.0, time=1.0, corner=2.0)
            ),
            "width must be less than 1": lambda nodes: ContinuousBlock([1.0], law=Quantiser(1.0, width=1.0)),
            "time must be positive in continuous time": lambda nodes: ContinuousBlock([1.0], law=RateLimit(1.0)),
            "has a step": lambda nodes: ContinuousBlock([1.0], law=LowPass2(0.5, step=0.1)),
            "use PadeDelay": lambda nodes: ContinuousBlock([1.0], law=Delay(3)),
            "use a SignalRegulator": lambda nodes: ContinuousBlock([1.0, 2.0], law=PID()),
        },
    ),
    Row(
        "SignalLink",
        linked,
        nodes=0,
        outside=True,
        bad={
            "y must be a state of order 0": lambda nodes: SignalLink(Lag(command=0.0, time=1.0).output, 1.0),
            "is a junction": lambda nodes: SignalLink(Junction(ELECTRIC), 1.0),
        },
    ),
    Row("SignalRegulator", regulator, nodes=0),
    Row("SpeedRegulator of a signal", cascade),
    Row("Lag of a signal", behind(lambda u, rng: Lag(command=u, time=rng.uniform(0.1, 0.5))), nodes=0),
    Row("LimitedServo of a signal", servo, nodes=0),
    Row(
        "SampledBlock",
        sampled,
        nodes=0,
        bad={
            "law must be a discrete block": lambda nodes: SampledBlock([1.0], law=3.0),
            "step must be a positive sample time": lambda nodes: SampledBlock([1.0], law=float),
            "takes 1: u": lambda nodes: SampledBlock([1.0, 2.0], law=LowPass2(0.5), step=0.1),
            "give its sampled form": lambda nodes: SampledBlock([1.0], law=StateSpace(-1.0, 1.0, 1.0), step=0.1),
            "lists must add up to the 1 signals": lambda nodes: SampledBlock([1.0], law=float, step=1.0, lists=(2,)),
            "lists must be whole numbers": lambda nodes: SampledBlock([1.0], law=float, step=1.0, lists="a"),
            "u gives the law 2 signals": lambda nodes: SampledBlock([1.0, 2.0], law=lambda u: u, step=1.0),
            "count must be a whole number": lambda nodes: SampledBlock([1.0], law=float, step=1.0, count=0),
        },
    ),
    Row("Accelerometer", accelerometer, nodes=1),
    *(Row(f"MotionSensor {what}", sensor(what)) for what in ("angle", "angle_rate", "y", "z_rate", "distance_rate")),
    Row(
        "MotionSensor quantised",
        sensor("distance", quantum=2.0, width=0.5),
        bad={"quantity must be one of": lambda nodes: MotionSensor(*nodes, quantity="colour")},
    ),
]
