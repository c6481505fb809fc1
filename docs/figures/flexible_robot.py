"""Figures of the two-link robot."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import transient
from samara.models.robots import robot
from samara.models.robots.robot_rigid import rigid_motion


@figure
def robot_motion() -> plt.Figure:
    """Two-link robot: frequencies versus mesh, chords under a pulse with rigid links, momentum and impulse."""
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4))
    counts = np.array([1, 2, 4, 8, 16])
    for link, name, marker in ((robot.STEEL, "link 1", "o"), (robot.ALUMINIUM, "link 2", "s")):
        found = [sm.modes(robot.clamped_link(link, int(n)), 12) for n in counts]
        plane = np.array([m.frequencies_hz[m.share((1, 5)) > 0.9][:2] for m in found])
        exact = np.array([3.516015, 22.034492]) / (2 * np.pi) * np.sqrt(link.EI / (link.mass * robot.LENGTH**3))
        for k, style in enumerate(("-", "--")):
            axes[0].loglog(counts, np.abs(plane[:, k] / exact[k] - 1), marker + style, label=f"{name}, mode {k + 1}")
    axes[0].set(xlabel="beams per link", title="error of the clamped frequency")
    axes[0].set_xticks(counts, map(str, counts), minor=False)
    axes[0].set_xticks([], minor=True)
    model = robot.build(beams=2, angle_2=0.5, pulse_2=-0.1)
    run = transient(model, 3.6, 1 / 330, progress=False)
    rigid = rigid_motion(1.0, -0.1, 2.4, 0.5, 3.6)(run.time)
    chords = np.array([run["link_1.n4.position"], run["link_2.n4.position"] - run["link_1.n4.position"]])
    first, second = np.degrees(np.unwrap(np.arctan2(chords[:, :, 1], chords[:, :, 0])))
    for ours, theirs, name, colour in (
        (first, rigid[0], "link 1", "#0072B2"),
        (second, rigid[0] + rigid[1], "link 2", "#D55E00"),
    ):
        axes[1].plot(run.time, ours, color=colour, label=name)
        axes[1].plot(run.time[::60], np.degrees(theirs[::60]), "o", color=colour, fillstyle="none")
    axes[1].plot([], [], "ko", fillstyle="none", label="rigid links")
    axes[1].set(xlabel="time [s]", title="chords of the links [deg]")
    torque = -run["motor_1.effort"]
    impulse = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(run.time) * (torque[1:] + torque[:-1]))])
    axes[2].plot(run.time, robot.angular_momentum(model, run), label="angular momentum")
    axes[2].plot(run.time[::60], impulse[::60], "ko", fillstyle="none", label="impulse of motor 1")
    axes[2].set(xlabel="time [s]", title="angular momentum about hinge 1 [kg m²/s]")
    for panel in axes:
        panel.legend(fontsize="x-small")
    return picture
