"""`samara replay`: a recording, or the results of any run, in the panel."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from pathlib import Path

from samara.cli.report import CommandError, one_line
from samara.dashboard.server.start import PanelError, start_panel
from samara.realtime.recording.replay import Replay
from samara.results import Results

#: How long the panel waits for its first page, and stays without one [s].
LINGER = 120.0


def main(args: argparse.Namespace) -> int:
    """Plays until the last page is closed, or Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the panel is ended, too
    path = Path(args.file)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", path.stem).strip("-_")[:32] or "run"
    try:
        replay = Replay(Results.load(path), args.session or f"replay-{stem}-{os.getpid()}", args.speed)
    except ValueError as error:
        raise CommandError(f"{path}: {one_line(error)}") from error
    try:
        name = replay.session.card.name
        panel = start_panel(name, port=args.port, open_browser=args.open, linger=LINGER, only_pages=True)
    except PanelError as error:
        replay.close()
        raise CommandError(one_line(error)) from error
    print(f"replay of {path}: {panel.operator}\nview-only: {panel.viewer}", file=sys.stderr, flush=True)
    try:
        replay.run(lambda: panel.process.poll() is None)
    except KeyboardInterrupt:
        pass
    finally:
        panel.process.terminate()
        replay.close()
    return 0
