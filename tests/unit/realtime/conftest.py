"""Other processes, started and killed; sessions with names of their own."""

import os
import secrets
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"


@pytest.fixture
def child():
    """child(script, *arguments): a Python process beside this one; it is killed at the end, if it still runs."""
    running = []

    def start(script: str, *arguments: object) -> subprocess.Popen:
        paths = [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def name():
    """Of a session that nobody else has."""
    return f"test-{os.getpid()}-{secrets.token_hex(4)}"
