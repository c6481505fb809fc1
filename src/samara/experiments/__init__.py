"""Experiments: runs of ready models that published ones can be compared with, each with its figures.

    from samara import experiments

    experiments.names()                             the names
    outcome = experiments.find("windmill-gust").run()
    outcome.findings                                what was measured, beside what was expected
    outcome.draw()                                  a Matplotlib figure

One experiment a file.
"""

from __future__ import annotations

from samara.experiments import (
    cosimulation,
    engine_failure,
    forward_flight_sweep,
    helicopter_trim,
    hover_sweep,
    hydraulic_beam,
    lag_dampers,
    landing,
    pendulum_killed,
    pendulum_realtime,
    puma_flight_123,
    puma_hydraulic,
    puma_realtime,
    robot_motors,
    robot_realtime,
    rotor_sailing,
    rotor_vibration,
    sailing_map,
    tiltrotor_stability,
    windmill_gust,
    windmill_realtime,
    windmill_spin_up,
    wing_vibration,
    wing_vibration_realtime,
    xcell_steps,
)
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
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
