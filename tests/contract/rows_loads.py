"""Loads and actuators under the contract."""

import numpy as np
from row import Row, placement, vector

from samara import Actuator, Couple, FollowerCouple, FollowerForce, Force, RotaryActuator
from samara.model import Parameter, Sine

ROWS = [
    Row(
        "Force",
        lambda nodes, rng, turn: Force(*nodes, force=turn(vector(rng, 9.0)), point=vector(rng, 0.5)),
        nodes=1,
        bad={
            "give either force": lambda nodes: Force(*nodes),
            "force must have 3 components": lambda nodes: Force(*nodes, force=(1.0, 2.0)),
            "force: 'up' is not a drive": lambda nodes: Force(*nodes, force=(0.0, 0.0, "up")),
            "force: Sine: frequency must be a finite number": lambda nodes: Force(
                *nodes, force=(0, 0, Sine(1.0, "fast"))
            ),
            "force: a drive expression": lambda nodes: Force(*nodes, force=(0, 0, lambda t: np.array([t, t]))),
            "cannot be traced": lambda nodes: Force(*nodes, force=(0, 0, lambda t: 1.0 if t > 1 else 0.0)),
            "direction must not be zero": lambda nodes: Force(*nodes, magnitude=1.0, direction=(0, 0, 0)),
            "point must have shape": lambda nodes: Force(*nodes, force=(0, 0, 1), point=(1, 2)),
        },
    ),
    Row(
        "Force, magnitude and direction",
        lambda nodes, rng, turn: Force(
            *nodes, magnitude=Sine(rng.uniform(1.0, 5.0), 3.0), direction=turn(vector(rng)), point=vector(rng, 0.5)
        ),
        nodes=1,
    ),
    Row(
        "FollowerForce",
        lambda nodes, rng, turn: FollowerForce(*nodes, force=vector(rng, 9.0), point=vector(rng, 0.5)),
        nodes=1,
        bad={"give either force": lambda nodes: FollowerForce(*nodes, magnitude=1.0)},
    ),
    Row(
        "Couple",
        lambda nodes, rng, turn: Couple(*nodes, couple=turn(vector(rng, 9.0))),
        nodes=1,
        bad={"give either couple": lambda nodes: Couple(*nodes, direction=(0, 0, 1))},
    ),
    Row(
        "FollowerCouple",
        lambda nodes, rng, turn: FollowerCouple(*nodes, couple=vector(rng, 9.0)),
        nodes=1,
        bad={"couple must have 3 components": lambda nodes: FollowerCouple(*nodes, couple=1.0)},
    ),
    Row(
        "Actuator",
        lambda nodes, rng, turn: Actuator(
            *nodes, place_a=vector(rng, 0.3), place_b=vector(rng, 0.3), tension=lambda t: 10.0 * np.sin(t)
        ),
        bad={
            "tension: None is not a drive": lambda nodes: Actuator(*nodes, tension=None),
            "ends must be two points": lambda nodes: Actuator(*nodes, tension=1.0, ends=(0, 0, 0)),
        },
    ),
    Row(
        "RotaryActuator",
        lambda nodes, rng, turn: RotaryActuator(
            *nodes,
            place_a=placement(rng),
            place_b=placement(rng),
            torque=Parameter(f"torque {nodes[0].name}", rng.uniform(1.0, 9.0)),
        ),
        bad={"torque: 'much' is not a drive": lambda nodes: RotaryActuator(*nodes, torque="much")},
    ),
]
