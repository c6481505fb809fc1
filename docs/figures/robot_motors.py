"""Figure of the robot with motors."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def robot_motors() -> plt.Figure:
    """The robot following its path with ideal torques, and with motors, gears and current loops."""
    return experiments.find("robot-motors").run().draw()
