"""`samara panel`: the operator's panel of a running simulator, in the browser."""

from __future__ import annotations

import argparse
from typing import Any

from samara.dashboard.server.process import show, tell


def main(args: argparse.Namespace) -> int:
    """Serves until the simulator ends, or Ctrl-C."""

    def ready(news: dict[str, Any]) -> None:
        print(
            f"panel of session {args.session}\n  operator  {news['operator']}\n  viewer    {news['viewer']}", flush=True
        )

    return show(
        args.session, host=args.host, port=args.port, linger=args.linger, timeout=args.timeout,
        pilot_timeout=args.pilot_timeout, open_browser=args.open, ready=tell if args.json else ready,
    )  # fmt: skip
