"""Real time: the same model in step with the wall clock, with controllers, recorders and panels as processes beside it.

The rooms, each of which knows only those above it (loop and recording do not know each other):

    mailbox/      numbers from process to process through shared memory
    session/      what the processes of one experiment share, under one name
    loop/         a model in real time, and the process that it runs in
    recording/    every step on the disk, by a process beside the loop
    controllers/  control laws outside the model, and what runs them
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
