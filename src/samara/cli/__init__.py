"""The command line, `samara COMMAND`.

parser.py    options and help texts, free of anything heavy: `samara --help` answers at once
target.py    a ready model by name, or a model in a Python file
files.py     Python files of the user
report.py    errors and exit codes, tables, JSON
run.py, models.py, modes.py, campbell.py, kernels.py, warm.py, bench.py, experiment.py, realtime.py, controller.py,
record.py, panel.py, check.py
    one command each, loaded when it is called
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Sequence

from samara.cli.parser import Misuse, make_parser
from samara.cli.report import INTERRUPTED, MISUSED, complain, explain


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code: 0, 1 (failed), 2 (misused) or 130 (interrupted)."""
    words = sys.argv[1:] if argv is None else [str(word) for word in argv]
    try:
        args = make_parser().parse_args(words)
    except Misuse as error:
        as_json = any(len(word) > 2 and "--json".startswith(word) for word in words)
        return complain(error.command, str(error), MISUSED, as_json)
    try:
        command = importlib.import_module(f"samara.cli.{args.command}")
        with warnings.catch_warnings():
            warnings.showwarning = lambda text, *_, **__: print(
                f"samara {args.command}: warning: {text}", file=sys.stderr
            )
            code = command.main(args)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"samara {args.command}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough; nothing is left to be flushed into it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if args.debug:
            raise
        return complain(f"samara {args.command}", *explain(error), args.json)
