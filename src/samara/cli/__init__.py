"""The command line, `samara COMMAND`.

parser.py    options and help texts, free of anything heavy: `samara --help` answers at once
known.py     names that are known without loading what they stand for
notes.py     what the help texts say below the options
target.py    the model and the settings that a command is given
report.py    errors and exit codes, tables, JSON
motion.py    the periodic motion that a command looks at
pictures.py  the picture and the page that it leaves
run.py, view.py, models.py, modes.py, floquet.py, campbell.py, harmonics.py, kernels.py, warm.py, bench.py, sweep.py,
experiment.py, realtime.py, controller.py, record.py, panel.py, replay.py, check.py, tree.py,
sessions.py, doctor.py, completion.py
    one command each, loaded when it is called
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from samara.cli.known import unknown_model
from samara.cli.parser import Misuse, make_parser
from samara.entry import MISUSED, complain, conduct, open_streams

#: Commands and the rooms that their modules are in.
_ROOMS = {
    "runs": ("run", "view", "models", "check", "tree"),
    "analyses": ("modes", "floquet", "campbell", "harmonics"),
    "studies": ("sweep", "experiment", "bench"),
    "cache": ("kernels", "warm"),
    "machine": ("sessions", "doctor", "completion"),
    "simulator": ("realtime", "controller", "record", "panel", "replay"),
}
COMMANDS = {name: f"samara.cli.{room}.{name}" for room, names in _ROOMS.items() for name in names}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code: 0, 1 (failed), 2 (misused) or 130 (interrupted)."""
    open_streams()
    words = sys.argv[1:] if argv is None else [str(word) for word in argv]
    try:
        args = make_parser().parse_args(words, argparse.Namespace(words=words))
    except Misuse as error:
        as_json = any(len(word) > 2 and "--json".startswith(word) for word in words)
        return complain(error.command, str(error), MISUSED, as_json)
    if wrong := unknown_model(args.command, getattr(args, "name", None)):  # at once, before anything is loaded
        return complain(f"samara {args.command}", wrong, MISUSED, args.json)
    return conduct(
        f"samara {args.command}",
        lambda: importlib.import_module(COMMANDS[args.command]).main(args),
        as_json=args.json,
        debug=args.debug,
    )
