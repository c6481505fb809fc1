"""Controllers: control laws outside the model, made of blocks (`samara.blocks`), and what runs them beside a simulator.

controller.py, tunable.py, guard.py
                    what a user writes, its tunable numbers, and what keeps its mistakes from the machine
link.py             what a controller needs of a simulator; simulated.py: one in the same process, on its own clock;
session_link.py: one in another process
runner.py           runs a controller against a link, and counts
ready/              controllers of the ready models
"""

from samara.realtime.controllers.controller import Controller, ControllerError, Measures
from samara.realtime.controllers.link import Info, Link, LinkPort, Snapshot
from samara.realtime.controllers.runner import Summary, run
from samara.realtime.controllers.session_link import SessionLink, connect
from samara.realtime.controllers.simulated import SimulatedLink
from samara.realtime.controllers.tunable import Tunable, tunable

__all__ = [
    "Controller",
    "ControllerError",
    "Info",
    "Link",
    "LinkPort",
    "Measures",
    "SessionLink",
    "SimulatedLink",
    "Snapshot",
    "Summary",
    "Tunable",
    "connect",
    "run",
    "tunable",
]
