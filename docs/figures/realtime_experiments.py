"""Figures of the experiments in real time: each is run when plotted, in about twenty seconds."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments
from samara.solve import SolveError

TIMES = 3  # a machine that is overloaded for a moment may be too late for the robot: it is tried again


def drawn(name: str) -> plt.Figure:
    """The figure of an experiment that is run now."""
    for left in reversed(range(TIMES)):
        try:
            return experiments.find(name).run().draw()
        except SolveError:
            if not left:
                raise
    raise AssertionError


@figure
def experiment_pendulum_killed() -> plt.Figure:
    """Swing-up, hold, kill -9 of the controller, fall, and the next controller."""
    return drawn("pendulum-killed-controller")


@figure
def experiment_robot_realtime() -> plt.Figure:
    """Joint angles, errors and paths at 330 Hz and 3.3 kHz."""
    return drawn("robot-realtime")


@figure
def experiment_windmill_realtime() -> plt.Figure:
    """The windmilling tiltrotor in an oscillating airstream with its controller in another process."""
    return drawn("windmill-realtime")


@figure
def experiment_puma_realtime() -> plt.Figure:
    """Flap, lag, pitch and thrust of the Puma in real time."""
    return drawn("puma-realtime")
