"""A small seeded run, shared by the tests of this folder."""

import numpy as np
import pytest

from samara.results import Channel, Channels, Results, RunAttrs

CHANNELS = Channels(
    [
        Channel("arm.position", "m", ("x", "y", "z"), "position of the arm's centre of mass", "W"),
        Channel("arm.angle", "rad", (), "hinge angle"),
        Channel("hinge.reaction_force", "N", ("x", "y", "z"), "force on the arm at the hinge", "W"),
        Channel("arm.orientation", "1", ("w", "x", "y", "z"), "unit quaternion", "W"),
        Channel("blade[1].loads", "N", ("lift", "drag")),
        Channel("energy", "J"),
    ]
)

ATTRS = RunAttrs(
    model="pendulum",
    parameters={"arm.mass": (1.5, "kg"), "arm.length": (0.1 + 0.2, "m"), "gain": (5e-324, "1")},
    integrator="multistep",
    options={"rho_inf": 0.6, "step": 1e-3, "adaptive": False, "ordering": "amd", "limit": None},
    counters={"steps": 40, "iterations": 83, "jacobians": 2, "factorisations": 2, "real_time": 0.0125},
    analyses=("assemble", "transient"),
    notes=("the start was changed: node 'arm': velocity by 2 m/s",),
    stand_in="blade tables scaled from a NACA 0012",
)


@pytest.fixture
def results() -> Results:
    rng = np.random.default_rng(20240611)
    times = np.arange(41) * 1e-3
    table = rng.normal(size=(41, CHANNELS.width)) * 10.0 ** rng.integers(-12, 12, size=(41, CHANNELS.width))
    table[0, :6] = [-0.0, 5e-324, np.inf, -np.inf, np.nan, np.finfo(float).max]
    table[1, 0] = np.array(0x7FF8000000000ABC, dtype=np.uint64).view(np.float64)  # a NaN with a payload
    return Results(CHANNELS, times, table, ATTRS)
