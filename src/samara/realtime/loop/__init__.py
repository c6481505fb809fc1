"""The loop: a model in real time, one step per period, and the process that it runs in.

`RealTime` makes a model ready and runs it as its `Options` say; the clock, the exchange with a session and the loop
itself are native code. Around it are what makes a thread punctual, the watchdog, and the `Supervisor` that starts a
`Job` as a process of its own and looks after it.
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
