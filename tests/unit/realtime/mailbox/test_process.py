"""Who lives: told from the number and the start, for the killed, the unburied and those with a number of old."""

import errno
import os
import signal
import time
from pathlib import Path

from samara.realtime.mailbox.process import Process


def status(pid):
    with open(f"/proc/{pid}/stat") as stream:
        return stream.read().rpartition(")")[2].split()[0]


def test_this_one_lives():
    here = Process.current()
    assert here.pid == os.getpid()
    assert here.alive
    assert Process.current() == here
    assert str(here) == f"process {os.getpid()}"


def test_nobody():
    assert not Process(0, 0).alive
    assert not Process(-1, 0).alive


def test_another_with_the_same_number():
    here = Process.current()
    assert not here._replace(started=here.started - 1).alive


def test_killed_and_not_yet_fetched(child):
    script = """
        import sys
        from samara.realtime.mailbox.process import Process
        print(*Process.current(), flush=True)
        sys.stdin.readline()
    """
    process = child(script)
    other = Process(*map(int, process.stdout.readline().split()))
    assert other.pid == process.pid
    assert other.alive
    os.kill(process.pid, signal.SIGKILL)
    while status(process.pid) != "Z":
        time.sleep(0.001)
    assert not other.alive  # its entry is still there: nobody has waited for it
    process.wait()
    assert not other.alive


def test_too_many_open_files_are_no_death(monkeypatch):
    """Where nothing can be opened it cannot be seen how a process is: it lives unless something says otherwise."""
    here = Process.current()

    def full(*args, **kwargs):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(Path, "read_text", full)
    assert here.alive
