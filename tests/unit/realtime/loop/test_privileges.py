"""What makes a thread punctual: taken where it may be had, for that thread alone; told with its remedy where not."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from samara.realtime.loop.privileges import make_punctual

if sys.platform != "linux":
    pytest.skip("schedulers, affinities and locked memory are those of Linux", allow_module_level=True)

#: Each in a process of its own: it cannot be undone.
ASK = """
    import json, os, resource, subprocess, sys, threading
    from samara.realtime.loop.privileges import make_punctual

    if sys.argv[1] == "without":
        resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
        if os.geteuid() == 0:
            os.setuid(65534)
    found = {}

    def work():
        standing = make_punctual(priority=20, cpu=sorted(os.sched_getaffinity(0))[0])
        found.update(has=standing.has, lacks=standing.lacks)
        found.update(own=os.sched_getscheduler(0), cpus=len(os.sched_getaffinity(0)))
        child = "import os; print(os.sched_getscheduler(0))"
        found["child"] = int(subprocess.run([sys.executable, "-S", "-c", child], capture_output=True, text=True).stdout)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    found["main"] = os.sched_getscheduler(0)
    found["main_cpus"] = len(os.sched_getaffinity(0))
    print(json.dumps(found))
"""


def ask(how: str) -> dict:
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(ASK), how], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_the_thread_alone_gets_what_may_be_had():
    found = ask("as is")
    plain = os.SCHED_OTHER
    assert found["main"] == plain  # and the priority is not handed down
    assert found["child"] in (plain, plain | os.SCHED_RESET_ON_FORK)
    assert (found["cpus"] == 1 and "processor" in found["has"][-1]) or "processor" in " ".join(found["has"])
    assert found["main_cpus"] == len(os.sched_getaffinity(0))
    told = " ".join(found["lacks"])
    if "real-time priority 20" in found["has"]:
        assert found["own"] == os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    else:
        assert found["own"] == plain and "real-time priority 20" in told


def test_without_rights_it_runs_and_says_what_it_lacks():
    found = ask("without")
    assert found["own"] == os.SCHED_OTHER
    told = " ".join(found["lacks"])
    assert "locked memory" in told and "ulimit -l" in told
    assert "real-time priority 20" in told and "rtprio" in told


def test_a_processor_that_is_not_there(monkeypatch):
    monkeypatch.setattr("samara.realtime.loop.privileges._lock", lambda standing: None)
    monkeypatch.setattr("samara.realtime.loop.privileges.gc.disable", lambda: None)
    standing = make_punctual(cpu=4096)
    assert "processor 4096" in standing.lacks[0] and "there are" in standing.lacks[0]


@pytest.mark.parametrize("priority", [-1, 100])
def test_a_priority_that_does_not_exist(monkeypatch, priority):
    monkeypatch.setattr("samara.realtime.loop.privileges._lock", lambda standing: None)
    monkeypatch.setattr("samara.realtime.loop.privileges.gc.disable", lambda: None)
    with pytest.raises(ValueError, match="1 to 99"):
        make_punctual(priority=priority)
