"""Real time: clock, loop, mailboxes, recorder, controllers."""

from samara.realtime.card import Card, Signal
from samara.realtime.command import Command
from samara.realtime.latest import Latest, publish, take
from samara.realtime.port import PATIENCE, Port, Sample, beat
from samara.realtime.queue import Queue, pop, push
from samara.realtime.seats import Claim, gather
from samara.realtime.session import Session, SessionError
from samara.realtime.shared import MailboxError

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
