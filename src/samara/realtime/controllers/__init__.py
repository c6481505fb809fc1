"""Controllers: control laws outside the model, built from blocks (`samara.blocks`), and the runner for them.

controller.py, tunable.py, guard.py
                    the class a user subclasses, its tunable numbers, and protection of the machine from its errors
link.py             the interface to a simulator; simulated.py: a simulator in the same process, on its own clock;
                    session_link.py: a simulator in another process
runner.py           runs a controller over a link and keeps statistics
ready/              controllers for the ready models
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
