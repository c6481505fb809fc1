"""The process of a panel: what `start_panel` starts and `samara panel` is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from samara.dashboard.server.start import installed
from samara.entry import CommandError, conduct, print_json, told
from samara.realtime.mailbox.shared import MailboxError


def show(session: str, *, host: str, ready: Callable[[dict[str, Any]], None], **options: Any) -> int:
    """Serves the panel of a session until the simulator ends, or Ctrl-C. See `samara.dashboard.server.server.serve`."""
    if not installed():
        raise CommandError('the panel needs NiceGUI: pip install "samara[panel]"')
    from samara.dashboard.server.server import is_loopback, serve

    if not is_loopback(host):
        print(
            f"samara panel: served on {host}, reachable from other machines: the connection is not "
            f"encrypted, and anybody who sees an address below can use it",
            file=sys.stderr,
        )
    try:
        return serve(session, host=host, ready=ready, **options)
    except (OSError, MailboxError) as error:
        raise CommandError(str(error)) from error


def tell(news: dict[str, Any]) -> None:
    """The addresses, as JSON on standard output."""
    print_json(news)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(conduct("samara panel", lambda: show(**told(), ready=tell), as_json=True))
