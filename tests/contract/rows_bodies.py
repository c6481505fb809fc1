"""Bodies under the contract."""

import numpy as np
from row import Row, inertia, vector

from samara import Body

ROUND = (1.0, 1.0, 1.0)

ROWS = [
    Row(
        "Body",
        lambda nodes, rng, turn: Body(
            *nodes,
            mass=rng.uniform(0.5, 3.0),
            inertia=inertia(rng),
            com=vector(rng, 0.3),
            gravity=turn(vector(rng, 10.0)),
        ),
        nodes=1,
        bad={
            "mass must be a positive number": lambda nodes: Body(*nodes, mass=0.0, inertia=ROUND),
            "got nan": lambda nodes: Body(*nodes, mass=np.nan, inertia=ROUND),
            "got 'heavy'": lambda nodes: Body(*nodes, mass="heavy", inertia=ROUND),
            "inertia must be symmetric": lambda nodes: Body(*nodes, mass=1.0, inertia=np.eye(3) + np.eye(3, k=1)),
            "inertia must have shape": lambda nodes: Body(*nodes, mass=1.0, inertia=(1.0, 2.0)),
            "inertia is not physical": lambda nodes: Body(*nodes, mass=1.0, inertia=(1.0, 1.0, 3.0)),
            "inertia is zero": lambda nodes: Body(*nodes, mass=1.0, inertia=(0.0, 0.0, 0.0)),
            "com must have shape": lambda nodes: Body(*nodes, mass=1.0, inertia=ROUND, com=(1.0, 2.0)),
        },
    ),
]
