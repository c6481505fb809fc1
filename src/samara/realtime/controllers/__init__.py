"""Controllers: control laws outside the model, made of discrete blocks, and what runs them beside a simulator.

blocks/             the parts of a law: PID, filters, limits, trajectories, gains that are designed from a model
controller.py, tunable.py, guard.py
                    what a user writes, its tunable numbers, and what keeps its mistakes from the machine
link.py             what a controller needs of a simulator; simulated.py: one in the same process, on its own clock;
session_link.py: one in another process
predictive/         models that are learnt on the way, and control by what they predict
runner.py           runs a controller against a link, and counts
ready/              controllers of the ready models
"""

from samara.blocks.block import Block, BlockError
from samara.blocks.pid import PID, MultiPID
from samara.realtime.controllers.blocks import native as _native  # noqa: F401  (blocks as laws that can be compiled)
from samara.realtime.controllers.blocks.block import PythonBlock
from samara.realtime.controllers.blocks.delay import Delay
from samara.realtime.controllers.blocks.filters import (
    Derivative,
    HighPass,
    LowPass,
    LowPass2,
    MovingAverage,
    Notch,
    Unwrap,
)
from samara.realtime.controllers.blocks.limits import DeadZone, RateLimit, Saturation
from samara.realtime.controllers.blocks.lqr import DesignError, LinearRegulator, OutputGains, kalman, lqr, model_gains
from samara.realtime.controllers.blocks.observer import Observer
from samara.realtime.controllers.blocks.state_space import StateSpaceBlock, discretise
from samara.realtime.controllers.blocks.trajectories import (
    Cubic,
    Quintic,
    SineSweep,
    TableTrajectory,
    Trajectory,
    TrajectoryPoint,
    Trapezoid,
    TwoParabolas,
)
from samara.realtime.controllers.blocks.transfer_function import TransferFunction
from samara.realtime.controllers.controller import Controller, ControllerError, Measures
from samara.realtime.controllers.link import Info, Link, LinkPort, Snapshot
from samara.realtime.controllers.predictive import (
    ARMAX,
    AdaptivePredictiveControl,
    HarmonicAnalysis,
    HigherHarmonicControl,
    Horizons,
    Lags,
    PredictiveControl,
    RecursiveIdentification,
)
from samara.realtime.controllers.predictive import native as _predictive  # noqa: F401  (the same of these)
from samara.realtime.controllers.runner import Summary, run
from samara.realtime.controllers.session_link import SessionLink, connect
from samara.realtime.controllers.simulated import SimulatedLink
from samara.realtime.controllers.tunable import Tunable, tunable

__all__ = [
    "ARMAX",
    "PID",
    "AdaptivePredictiveControl",
    "Block",
    "BlockError",
    "Controller",
    "ControllerError",
    "Cubic",
    "DeadZone",
    "Delay",
    "Derivative",
    "DesignError",
    "HarmonicAnalysis",
    "HighPass",
    "HigherHarmonicControl",
    "Horizons",
    "Info",
    "Lags",
    "LinearRegulator",
    "Link",
    "LinkPort",
    "LowPass",
    "LowPass2",
    "Measures",
    "MovingAverage",
    "MultiPID",
    "Notch",
    "Observer",
    "OutputGains",
    "PredictiveControl",
    "PythonBlock",
    "Quintic",
    "RateLimit",
    "RecursiveIdentification",
    "Saturation",
    "SessionLink",
    "SimulatedLink",
    "SineSweep",
    "Snapshot",
    "StateSpaceBlock",
    "Summary",
    "TableTrajectory",
    "Trajectory",
    "TrajectoryPoint",
    "TransferFunction",
    "Trapezoid",
    "Tunable",
    "TwoParabolas",
    "Unwrap",
    "connect",
    "discretise",
    "kalman",
    "lqr",
    "model_gains",
    "run",
    "tunable",
]
