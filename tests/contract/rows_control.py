"""Regulators, servos and motors under the contract."""

import numpy as np
from row import Row, placement

from samara import (
    PID,
    AngleRegulator,
    AttitudeRegulator,
    DCMotor,
    Engine,
    Integral,
    Lag,
    LimitedServo,
    LinearServo,
    ModalBody,
    PitchControl,
    Reduction,
    RotaryServo,
    ServoMotor,
    SpeedRegulator,
    ValueRegulator,
)


def integral(rng):
    """Limits that some of the random outputs are beyond, and some in the corner of."""
    return Integral(gain=rng.uniform(0.5, 2.0), lower=-0.6, upper=0.5, corner=0.4)


def pid(rng):
    p, i, d = rng.uniform(0.2, 1.0, 3)
    limits = {"lower": -0.5, "upper": 0.7, "corner": 0.4, "tracking": 0.3}
    return PID(proportional=p, integral=i, derivative=0.1 * d, lag=0.2, **limits, b=rng.uniform(), c=rng.uniform())


def speed(law):
    def make(nodes, rng, turn):
        places = {"place_a": placement(rng), "place_b": placement(rng)}
        return SpeedRegulator(*nodes, law=law(rng), target=rng.uniform(0.0, 2.0), **places)

    return make


def angle(nodes, rng, turn):
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    return AngleRegulator(*nodes, law=pid(rng), target=lambda t: 0.1 * t, **places)


def amplitude(nodes, rng, turn):
    shape = np.zeros((1, 6, 1))
    shape[0, 1, 0] = 1.0
    body = ModalBody(nodes[0], reduction=Reduction.from_arrays([[1.0, 0.0, 0.0]], shape, [1.0], [50.0]))
    return body, ValueRegulator(body.owned["q1"], law=integral(rng), target=0.1)


def commanding(nodes, rng):
    return SpeedRegulator(*nodes, law=integral(rng), target=1.0)


def servo(nodes, rng, turn):
    regulator, places = commanding(nodes, rng), {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = {"stiffness": rng.uniform(1.0, 9.0), "damping": 0.3, "gain": 0.5, "offset": 0.1}
    return regulator, RotaryServo(*nodes, regulator.output, **places, **numbers)


def attitude(which):
    def make(nodes, rng, turn):
        places = {"place_a": placement(rng), "place_b": placement(rng)}
        return AttitudeRegulator(*nodes, law=pid(rng), target=0.1, angle=which, **places)

    return make


def linear_servo(nodes, rng, turn):
    regulator, places = commanding(nodes, rng), {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = {"stiffness": rng.uniform(1.0, 9.0), "damping": 0.3, "length": lambda t: 0.5 + 0.1 * t, "gains": [0.4]}
    return regulator, LinearServo(*nodes, x=[regulator.output], **places, **numbers)


def motor(nodes, rng, turn):
    regulator, places = commanding(nodes, rng), {"place_a": placement(rng), "place_b": placement(rng)}
    return regulator, ServoMotor(*nodes, regulator.output, gain=rng.uniform(1.0, 3.0), **places)


def dc_motor(nodes, rng, turn):
    places = {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = dict(zip(("constant", "resistance", "inductance"), rng.uniform(0.3, 2.0, 3), strict=True))
    return DCMotor(*nodes, voltage=lambda t: 3.0 - t, **numbers, **places)


def lag(nodes, rng, turn):
    return Lag(command=lambda t: 0.3 + 0.1 * t, time=rng.uniform(0.1, 0.5), start=0.2)


def limited(nodes, rng, turn):
    """Limits that some of the random states are beyond."""
    other = Lag(command=0.3, time=0.2)
    numbers = {"time": rng.uniform(0.1, 0.5), "rate": 1.0, "lower": -0.4, "upper": 0.5, "corner": 0.3}
    return other, LimitedServo(command=lambda t: 0.3 + 0.1 * t, y=[other.output], gain=0.7, **numbers)


def engine(nodes, rng, turn):
    regulator, places = commanding(nodes, rng), {"place_a": placement(rng), "place_b": placement(rng)}
    numbers = {"power": rng.uniform(1.0, 3.0), "slow": 0.7, "sense": int(rng.choice([-1, 1]))}
    return regulator, Engine(*nodes, regulator.output, **numbers, **places)


def pitch_control(nodes, rng, turn):
    servos = [Lag(command=lambda t, k=k: 0.1 * k + 0.1 * t, time=0.3) for k in range(3)]
    places = {f"place_{name}": placement(rng) for name in ("craft", "hub", "arm", "blade")}
    numbers = {"stiffness": rng.uniform(1.0, 9.0), "damping": 0.3, "sense": int(rng.choice([-1, 1]))}
    return *servos, PitchControl(*nodes, *(s.output for s in servos), gains=(1.0, -0.8, 0.5), **places, **numbers)


def two_gains(nodes):
    states = [Lag(command=0.0, time=1.0).output for _ in range(3)]
    return PitchControl(*nodes, *states, gains=(1.0, 1.0), stiffness=1.0)


ROWS = [
    Row(
        "SpeedRegulator integral",
        speed(integral),
        bad={
            "law must be a control law": lambda nodes: SpeedRegulator(*nodes, law=3.0, target=1.0),
            "corner (50) must not be wider": lambda nodes: SpeedRegulator(
                *nodes, law=PID(proportional=1.0, lower=-1.0, upper=1.0, corner=50.0), target=1.0
            ),
        },
    ),
    Row("SpeedRegulator PID", speed(pid)),
    Row(
        "AngleRegulator",
        angle,
        bad={"lag must be positive in": lambda nodes: AngleRegulator(*nodes, law=PID(lag=0.0), target=0.0)},
    ),
    Row(
        "ValueRegulator",
        amplitude,
        nodes=1,
        bad={"is not a state": lambda nodes: ValueRegulator(3.0, law=Integral(gain=1.0), target=1.0)},
    ),
    *(Row(f"AttitudeRegulator {which}", attitude(which)) for which in ("roll", "pitch", "heading")),
    Row(
        "LinearServo",
        linear_servo,
        bad={
            "one gain per state": lambda nodes: LinearServo(*nodes, length=1.0, stiffness=1.0, gains=[1.0]),
            "x must be a sequence": lambda nodes: LinearServo(*nodes, length=1.0, stiffness=1.0, x=3.0),
            "length must not be negative": lambda nodes: LinearServo(*nodes, length=-1.0, stiffness=1.0),
        },
    ),
    Row("RotaryServo", servo, bad={"is not a state": lambda nodes: RotaryServo(*nodes, 1.0, stiffness=1.0)}),
    Row("ServoMotor", motor, bad={"is not a state": lambda nodes: ServoMotor(*nodes, 1.0)}),
    Row(
        "DCMotor",
        dc_motor,
        bad={
            "inductance must be a positive number": lambda nodes: DCMotor(
                *nodes, voltage=1, constant=1, resistance=1, inductance=0
            ),
            "resistance must be a number that is not negative": lambda nodes: DCMotor(
                *nodes, voltage=1, constant=1, resistance=-1, inductance=1
            ),
        },
    ),
    Row(
        "LimitedServo",
        limited,
        nodes=0,
        bad={
            "lower (1) must be less than upper (0)": lambda nodes: LimitedServo(
                command=0.0, time=1.0, rate=1.0, lower=1.0, upper=0.0
            ),
            "is not a state": lambda nodes: LimitedServo(
                command=0.0, time=1.0, rate=1.0, lower=0.0, upper=1.0, y=[1.0]
            ),
            "y must be a sequence": lambda nodes: LimitedServo(
                command=0.0, time=1.0, rate=1.0, lower=0.0, upper=1.0, y=5.0
            ),
            "corner (3) must not be wider": lambda nodes: LimitedServo(
                command=0.0, time=1.0, rate=1.0, lower=0.0, upper=1.0, corner=3.0
            ),
            "start (50) must be from lower (0) to upper (1)": lambda nodes: LimitedServo(
                command=0.0, time=1.0, rate=1.0, lower=0.0, upper=1.0, start=50.0
            ),
        },
    ),
    Row(
        "Engine",
        engine,
        bad={"is not a state": lambda nodes: Engine(*nodes, 1.0, power=1.0, slow=1.0)},
    ),
    Row("PitchControl", pitch_control, nodes=4, bad={"gains must be three": two_gains}),
    Row("Lag", lag, nodes=0, bad={"time must be a positive number": lambda nodes: Lag(command=1.0, time=0.0)}),
]
