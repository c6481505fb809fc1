"""The real-time loop: one step of a model per period, and the process it runs in.

`RealTime` prepares a model and runs it according to its `Options`; the clock, the exchange with a session and the loop
itself are native code. Other modules set up thread scheduling and the watchdog, and the `Supervisor` starts a `Job` in
a separate process and monitors it.
"""

from samara.realtime.loop.clock import Clock, machine_clock, made_up
from samara.realtime.loop.job import Job
from samara.realtime.loop.options import Options
from samara.realtime.loop.simulator import RealTime, Report
from samara.realtime.loop.supervisor import SimulatorError, Supervisor
from samara.realtime.session.schedule import Policy

__all__ = [
    "Clock",
    "Job",
    "Options",
    "Policy",
    "RealTime",
    "Report",
    "SimulatorError",
    "Supervisor",
    "machine_clock",
    "made_up",
]
