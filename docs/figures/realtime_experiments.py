"""Figures of the experiments against the clock: each runs when it is drawn, in about twenty seconds."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def experiment_pendulum_killed() -> plt.Figure:
    """Swing-up, hold, kill -9 of the controller, fall, and the next controller."""
    return experiments.find("pendulum-killed-controller").run().draw()


@figure
def experiment_robot_realtime() -> plt.Figure:
    """Joint angles, errors and paths at 330 Hz and 3.3 kHz."""
    return experiments.find("robot-realtime").run().draw()


@figure
def experiment_windmill_realtime() -> plt.Figure:
    """The wind-mill in a swinging airstream with its controller in another process."""
    return experiments.find("windmill-realtime").run().draw()


@figure
def experiment_puma_realtime() -> plt.Figure:
    """Flap, lag, pitch and thrust of the Puma against the clock."""
    return experiments.find("puma-realtime").run().draw()
