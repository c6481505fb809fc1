"""Experiments: runs of ready models for comparison with published results, each with its figures.

    from samara import experiments

    experiments.names()                             the names
    outcome = experiments.find("windmill-gust").run()
    outcome.findings                                measured values with the expected ones
    outcome.draw()                                  a Matplotlib figure

One experiment a file.
"""

from __future__ import annotations

from samara.experiments.helicopters import engine_failure, helicopter_trim, landing, xcell_steps
from samara.experiments.mechanisms import (
    cosimulation,
    hydraulic_beam,
    pendulum_killed,
    pendulum_realtime,
    robot_motors,
    robot_realtime,
)
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.rotors import (
    forward_flight_sweep,
    hover_sweep,
    lag_dampers,
    puma_flight_123,
    puma_hydraulic,
    puma_realtime,
    rotor_sailing,
    rotor_vibration,
    sailing_map,
)
from samara.experiments.tiltrotors import (
    tiltrotor_stability,
    windmill_gust,
    windmill_realtime,
    windmill_spin_up,
    wing_vibration,
    wing_vibration_realtime,
)
from samara.models.registry import look_up

_MODULES = (
    windmill_spin_up,
    windmill_gust,
    puma_flight_123,
    hover_sweep,
    forward_flight_sweep,
    helicopter_trim,
    puma_hydraulic,
    lag_dampers,
    hydraulic_beam,
    xcell_steps,
    cosimulation,
    rotor_sailing,
    sailing_map,
    landing,
    engine_failure,
    tiltrotor_stability,
    pendulum_realtime,
    pendulum_killed,
    robot_realtime,
    robot_motors,
    windmill_realtime,
    puma_realtime,
    wing_vibration,
    wing_vibration_realtime,
    rotor_vibration,
)
EXPERIMENTS: dict[str, Experiment] = {module.EXPERIMENT.name: module.EXPERIMENT for module in _MODULES}


def names() -> list[str]:
    """Names of the experiments."""
    return list(EXPERIMENTS)


def find(name: str) -> Experiment:
    """The experiment of that name."""
    return look_up(EXPERIMENTS, name, "experiment")


__all__ = ["EXPERIMENTS", "Experiment", "Finding", "Outcome", "Sheet", "find", "names"]
