"""Controller of the ready model `robot`: one PID per joint on a path of two parabolas."""

from __future__ import annotations

import math
from typing import ClassVar

from samara.blocks.pid import PID, MultiPID
from samara.blocks.trajectories.point_to_point import TwoParabolas
from samara.realtime.controllers.controller import Controller
from samara.realtime.controllers.ready.voltage import ByVoltage
from samara.realtime.controllers.tunable import tunable


class RobotPath(Controller):
    """Drives each joint from where it is to `target` along two parabolas, with a PID on its angle alone.

    As in the source (Attolico and Masarati 2003, section 5.2): 0 to 90 degrees in 5 s, at 330 Hz and, here, at any rate
    of the simulator. Angles are within half a turn.

    The source gives no gains, and its figures are not available. The gains here came from a search on the linear model
    and from simulation: motions decay at 330 Hz, even with one sample of delay. This requires some structural damping
    (1e-3 s: 3 % at 10 Hz, the first bending mode of the arm); without it the robot diverges at 330 Hz, perhaps because
    one output every 3 ms is too slow for the bending mode. At 3.3 kHz no damping is needed if outputs are not late.

    The tracking errors are then a few degrees while the joints accelerate. `inertia_1` and `inertia_2` add a torque
    proportional to the path's acceleration, which the source's PID does not have; they are zero by default.
    """

    session = "robot"
    sensors: ClassVar[tuple[str, ...]] = ("joint_1.angle", "joint_2.angle")
    actuators = ("torque_1", "torque_2")

    target = tunable(math.pi / 2, "rad", lower=-3.0, upper=3.0, description="angle of both joints at the end")
    duration = tunable(5.0, "s", lower=0.1, description="of the motion")
    begin = tunable(0.5, "s", lower=0.0, description="when it starts, after the controller")
    kp_1 = tunable(45.0, "N m/rad", lower=0.0, description="proportional gain, joint 1")
    ki_1 = tunable(35.0, "N m/(rad s)", lower=0.0, description="integral gain, joint 1")
    kd_1 = tunable(8.0, "N m s/rad", lower=0.0, description="derivative gain, joint 1")
    kp_2 = tunable(4.6, "N m/rad", lower=0.0, description="proportional gain, joint 2")
    ki_2 = tunable(4.0, "N m/(rad s)", lower=0.0, description="integral gain, joint 2")
    kd_2 = tunable(0.85, "N m s/rad", lower=0.0, description="derivative gain, joint 2")
    inertia_1 = tunable(0.0, "kg m^2", lower=0.0, description="torque for the path's acceleration, joint 1")
    inertia_2 = tunable(0.0, "kg m^2", lower=0.0, description="torque for the path's acceleration, joint 2")
    lag = tunable(0.05, "s", lower=0.0, description="of the derivative's filter")
    limit_1 = tunable(20.0, "N m", lower=1e-6, description="largest torque, joint 1")
    limit_2 = tunable(4.0, "N m", lower=1e-6, description="largest torque, joint 2")

    def start(self, t, y):
        path = t + self.begin
        self.paths = [TwoParabolas(q, self.target, self.duration, begin=path) for q in y.values[:2]]
        self.joints = MultiPID(self.axes(), step=self.period)
        self.now = t

    def axes(self) -> list[PID]:
        """The law of each joint, with the gains of now."""
        gains = ((self.kp_1, self.ki_1, self.kd_1, self.limit_1), (self.kp_2, self.ki_2, self.kd_2, self.limit_2))
        return [
            PID(
                proportional=kp, integral=ki, derivative=kd, lag=self.lag, lower=-limit, upper=limit,
                anti_windup="clamping",
            )
            for kp, ki, kd, limit in gains
        ]  # fmt: skip

    def changed(self, names):
        self.joints.tune(axes=self.axes())
        if {"target", "duration", "begin"} & set(names):
            starts = [path(self.now).position for path in self.paths]
            self.paths = [TwoParabolas(q, self.target, self.duration, begin=self.now + self.begin) for q in starts]

    def step(self, t, y):
        self.now = t
        first, second = self.paths[0](t), self.paths[1](t)
        ahead = (self.inertia_1 * first.acceleration, self.inertia_2 * second.acceleration)
        return self.joints((first.position, second.position), y.values[:2], ahead, elapsed=self.elapsed)


class RobotPathByVoltage(ByVoltage, RobotPath):
    """The same for a robot with direct-current motors: the torque requested by the PID is produced by a voltage.

    The constant [N m/A, V s/rad] is that of motor and gear together, as in the model; the rate is measured.
    """

    sensors = ("joint_1.angle", "joint_2.angle", "joint_1.angle_rate", "joint_2.angle_rate")
    actuators = ("voltage_1", "voltage_2")

    def step(self, t, y):
        return self.voltages(super().step(t, y), y.values[2:])
