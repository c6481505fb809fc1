"""Entry points: how a process is told its task, how it says what went wrong, and with which exit code it ends.

The samara command and the processes that it starts share this; only the standard library is loaded here.
"""

from __future__ import annotations

import json
import math
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

FAILED, MISUSED, INTERRUPTED = 1, 2, 130


class CommandError(Exception):
    """An error of a command: one sentence, and the exit code."""

    def __init__(self, message: str, code: int = MISUSED) -> None:
        super().__init__(message)
        self.code = code


def command(module: str, **task: Any) -> list[str]:
    """How to start a process that runs a module of this package: the words of its command line."""
    return [sys.executable, "-m", module, json.dumps(task)]


def told() -> dict[str, Any]:
    """What this process was told by whoever started it with `command`."""
    return json.loads(sys.argv[1])


def open_streams() -> None:
    """Opens standard streams that were closed before the process began: what is written there goes nowhere."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:  # free: a file that is opened next would get what is meant for the stream
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        setattr(sys, name, open(os.devnull, "w" if number else "r"))


def conduct(name: str, work: Callable[[], int], *, as_json: bool = False, debug: bool = False) -> int:
    """Does the work of a process; returns its exit code, that of the work, or 1 (failed), 2 (misused), 130 (stopped).

    Warnings and errors are told in one line each, after the name. as_json: errors are a JSON document too, on standard
    output. debug: errors are raised.
    """
    open_streams()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda text, *_, **__: print(f"{name}: warning: {text}", file=sys.stderr)
            code = work()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough; nothing is left to be flushed into it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        return complain(name, *explain(error), as_json)


def complain(command: str, message: str, code: int, as_json: bool) -> int:
    """Says what went wrong in one line, also as JSON where that was asked for; returns the exit code."""
    print(f"{command}: {message}", file=sys.stderr)
    if as_json:
        print_json({"error": message})
    return code


def explain(error: Exception) -> tuple[str, int]:
    """One line about an error, and its exit code."""
    from samara.model import ArgumentError, ModelError
    from samara.results import UnknownChannelError

    if isinstance(error, CommandError):
        return one_line(error), error.code
    if isinstance(error, (ModelError, ArgumentError, UnknownChannelError, OSError)):
        return one_line(error), MISUSED
    return f"unexpected {type(error).__name__}: {one_line(error)} (--debug shows the traceback)", FAILED


def one_line(error: BaseException) -> str:
    """The message of an error, with the notes that were added to it, on one line."""
    parts = [str(error), *getattr(error, "__notes__", ())]
    return " ".join("; ".join(part for part in parts if part).split())


def print_json(data: Any) -> None:
    """A JSON document on standard output."""
    print(as_json(data))


def as_json(data: Any) -> str:
    """A JSON document; numbers that are not finite become null."""
    return json.dumps(plain(data), indent=2, allow_nan=False)


def plain(value: Any) -> Any:
    """The same with dictionaries, lists, texts and finite numbers only."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
