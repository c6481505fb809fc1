"""The session: all that the processes of one experiment share, under one name.

Its mailboxes, the card that tells names, units and limits, the commands of an operator, and the ledger in which a loop
counts what it does and finds how it is told to run. The loop, the recorder, controllers and the panel meet here and
need not know each other.
"""

from samara.realtime.session.session import Session, SessionError, clear

__all__ = ["Session", "SessionError", "clear"]
