"""`samara panel`: the operator's panel of a running simulator, in the browser."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from typing import Any

from samara.cli.report import CommandError, print_json


def main(args: argparse.Namespace) -> int:
    """Serves until the simulator ends, or Ctrl-C."""
    if importlib.util.find_spec("nicegui") is None:
        raise CommandError('the panel needs NiceGUI: pip install "samara[panel]"')
    from samara.dashboard.server import is_loopback, serve
    from samara.realtime.mailbox.shared import MailboxError

    if not is_loopback(args.host):
        print(
            f"samara panel: served on {args.host}, beyond this machine: what goes over the network is not encrypted, "
            "and who reads an address below can use it",
            file=sys.stderr,
        )

    def ready(news: dict[str, Any]) -> None:
        if args.json:
            print_json(news)
        else:
            print(f"panel of session {args.session}\n  operator  {news['operator']}\n  viewer    {news['viewer']}")
        sys.stdout.flush()

    try:
        return serve(
            args.session, host=args.host, port=args.port, linger=args.linger, ready=ready, timeout=args.timeout,
            open_browser=args.open,
        )  # fmt: skip
    except (OSError, MailboxError) as error:
        raise CommandError(str(error)) from error
