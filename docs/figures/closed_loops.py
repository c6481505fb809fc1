"""Figure of the controllers outside the model."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

from samara import TwoParabolas
from samara.models import find
from samara.realtime.controllers import SimulatedLink, run
from samara.realtime.controllers.ready import PendulumSwing, RobotPath


@figure
def closed_loops() -> plt.Figure:
    """Pendulum and robot under their ready controllers, off-line."""
    picture, axes = plt.subplots(2, 2, figsize=(9.6, 6.4))
    link = SimulatedLink(find("pendulum").make(motor=True, angle=0.0), 1000.0, 8.0)
    run(PendulumSwing(), link, report=lambda line: None)
    swing = link.results()
    panel = axes[0, 0]
    panel.plot(swing.time, np.degrees(np.unwrap(swing["hinge.angle"])), label="angle [deg]")
    panel.plot(swing.time, -25 * swing["motor.effort"], linewidth=0.7, label="torque [N m] × 25")
    panel.set(xlabel="time [s]", title="pendulum, 1 kHz, torque limit 4 N m")
    panel.legend()
    path = TwoParabolas(0.0, np.pi / 2, 5.0, begin=0.5)
    for rate, style in ((330.0, "-"), (3300.0, ":")):
        model = find("robot").make(pulse_1=0.0, pulse_2=0.0, damping=1e-3)
        link = SimulatedLink(model, rate, 9.0, outputs=("joint_*.angle", "link_*.n2.position"))
        run(RobotPath(), link, report=lambda line: None)
        robot = link.results()
        wanted = np.array([path(t).position for t in robot.time])
        for k, colour in ((1, "#0072B2"), (2, "#D55E00")):
            angle, label = robot[f"joint_{k}.angle"], f"joint {k}, {rate:g} Hz"
            axes[0, 1].plot(robot.time, np.degrees(angle), style, color=colour, label=label)
            axes[1, 0].plot(robot.time, np.degrees(angle - wanted), style, color=colour, label=label)
            place = robot[f"link_{k}.n2.position"]
            axes[1, 1].plot(place[:, 0], place[:, 1], style, color=colour, label=f"end of link {k}, {rate:g} Hz")
    axes[0, 1].plot(robot.time, np.degrees(wanted), "k--", linewidth=0.8, label="set point")
    q = wanted
    axes[1, 1].plot(np.cos(q), np.sin(q), "k--", linewidth=0.8)
    axes[1, 1].plot(np.cos(q) + np.cos(2 * q), np.sin(q) + np.sin(2 * q), "k--", linewidth=0.8, label="rigid, no error")
    axes[0, 1].set(xlabel="time [s]", title="joint angles [deg]")
    axes[1, 0].set(xlabel="time [s]", title="tracking errors [deg]")
    axes[1, 1].set(xlabel="x [m]", title="ends of the links, y [m]", aspect="equal")
    for panel in (axes[0, 1], axes[1, 0], axes[1, 1]):
        panel.legend(fontsize="x-small")
    return picture
