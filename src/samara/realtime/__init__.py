"""Real time: the same model in step with the wall clock; controllers, recorders and panels run as separate processes.

The subpackages; each depends only on those above it, and loop and recording are independent of each other:

    mailbox/      exchange of numbers between processes through shared memory
    session/      everything the processes of one experiment share, under one name
    loop/         a model in real time, and the process it runs in
    recording/    writing every step to disk, in a separate process
    controllers/  control laws outside the model, and the runner for them
"""

from samara.realtime.mailbox.latest import Latest, publish, take
from samara.realtime.mailbox.port import PATIENCE, Port, Sample, beat
from samara.realtime.mailbox.queue import Queue, pop, push
from samara.realtime.mailbox.seats import Claim, gather
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session import Session, SessionError
from samara.realtime.session.card import Card, Signal
from samara.realtime.session.command import Command

__all__ = [
    "PATIENCE",
    "Card",
    "Claim",
    "Command",
    "Latest",
    "MailboxError",
    "Port",
    "Queue",
    "Sample",
    "Session",
    "SessionError",
    "Signal",
    "beat",
    "gather",
    "pop",
    "publish",
    "push",
    "take",
]
