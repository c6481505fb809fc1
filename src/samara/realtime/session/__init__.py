"""The session: everything the processes of one experiment share, under one name.

It comprises the mailboxes, the card with names, units and limits, the operator's commands, and the ledger, where a loop
keeps its counters and reads how it should run. The loop, the recorder, controllers and the panel communicate only
through the session and do not depend on each other.
"""

from samara.realtime.session.session import Session, SessionError, clear

__all__ = ["Session", "SessionError", "clear"]
