"""The handshake, claims, requests; those who are killed are noticed, replaced and cleaned up after."""

import fcntl
import json
import math
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from samara.realtime import Card, Command, MailboxError, Session, SessionError, Signal
from samara.realtime.mailbox import shared as shared_module
from samara.realtime.mailbox.port import PATIENCE
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.seats import FREE, HEARD, SILENT
from samara.realtime.mailbox.shared import directory

SENSORS = [Signal("arm.angle", "rad", description="from the vertical"), Signal("arm.rate", "rad/s")]
ACTUATORS = [Signal("motor.voltage", "V", limits=(-24.0, 24.0)), Signal("brake.torque", "N m"), Signal("fan", "1")]
PARAMETERS = [Signal("pid.kp", "N m/rad", limits=(0.0, 50.0)), Signal("pid.kd", "N m s/rad", limits=(0.0, math.inf))]


def make(name, **changes):
    setup = {"rate": 1000.0, "sensors": SENSORS, "actuators": ACTUATORS, "parameters": PARAMETERS, "record": 100}
    return Session.create(name, **{**setup, **changes})


@pytest.fixture
def simulator(name):
    with make(name) as session:
        yield session


@pytest.fixture
def guest(simulator):
    with Session.connect(simulator.card.name, timeout=0.0) as session:
        yield session


# ---- handshake
def test_both_know_the_same(simulator, guest):
    assert guest.card == simulator.card
    assert guest.card.rate == 1000.0
    assert guest.card.actuators == tuple(ACTUATORS)
    assert guest.sensors.names == ("arm.angle", "arm.rate")
    assert guest.record.names == ("arm.angle", "arm.rate", "motor.voltage", "brake.torque", "fan")
    assert guest.record.capacity == 128
    simulator.sensors.write([0.5, -1.0], 0.001)
    assert guest.sensors.read().values.tolist() == [0.5, -1.0]
    simulator.record.write(np.arange(5.0), 0.001)
    assert guest.record.read().values.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert guest.alive
    assert guest.silence < 60.0


def test_a_controller_may_come_first(name):
    made = []

    def later():
        time.sleep(0.1)
        made.append(make(name))

    thread = threading.Thread(target=later)
    thread.start()
    try:
        with Session.connect(name, timeout=20.0) as guest:
            assert guest.card.name == name
    finally:
        thread.join()
        made[0].close()


def test_files_are_the_users_alone_and_go_with_the_session(name):
    with make(name) as session:
        folder = session.path
        with Session.connect(name) as guest:
            guest.claim(["fan"])
            guest.tune({"pid.kp": 1.0})
        assert folder.stat().st_mode & 0o777 == 0o700
        assert folder.parent.stat().st_mode & 0o777 == 0o700
        modes = {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}
        assert {"session.json", "sensors", "seats", "requests", "record"} <= set(modes)
        assert set(modes.values()) == {0o600}
    assert not folder.exists()


def test_without_a_memory_file_system(name, monkeypatch, tmp_path):
    monkeypatch.setattr(shared_module.os, "access", lambda *_: False)
    monkeypatch.setattr(shared_module.tempfile, "gettempdir", lambda: str(tmp_path))
    with make(name) as session:
        assert session.path.parent.parent == tmp_path
        assert session.path.parent.stat().st_mode & 0o777 == 0o700


def test_no_session(name):
    with pytest.raises(SessionError, match=r"there is no session .*: start its simulator first"):
        Session.connect(name, timeout=0.01)


@pytest.mark.parametrize("wrong", ["", "../x", "a/b", ".hidden", "x" * 65])
def test_names_that_are_no_file_names(wrong):
    for call in (lambda: make(wrong), lambda: Session.connect(wrong, timeout=0.0)):
        with pytest.raises(ValueError, match="session name"):
            call()


def test_the_name_is_taken(simulator):
    with pytest.raises(SessionError, match=f"is running, in process {os.getpid()}: stop it"):
        make(simulator.card.name)
    with Session.connect(simulator.card.name, timeout=0.0) as guest:
        assert guest.card == simulator.card


def test_another_version(simulator):
    file = simulator.path / "session.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "version": 7}))
    began = time.monotonic()
    with pytest.raises(MailboxError, match="version 7, this Samara reads samara-session version 3"):
        Session.connect(simulator.card.name, timeout=60.0)
    assert time.monotonic() - began < 30.0  # waiting would not mend it
    with pytest.raises(SessionError, match="is running"):  # it lives, whatever its version
        make(simulator.card.name)


def test_a_mailbox_of_another_size(simulator):
    with (simulator.path / "sensors").open("r+b") as stream:
        stream.truncate(192)
    with pytest.raises(MailboxError, match="sensors has 24 words, its header says"):
        Session.connect(simulator.card.name, timeout=0.0)


def test_a_card_survives_its_file():
    switch = Signal("pid.on", "1", limits=(0.0, 1.0), whole=True)
    card = Card("x", "0" * 32, 330.0, Process(1, 2), tuple(SENSORS), tuple(ACTUATORS), (*PARAMETERS, switch))
    assert Card.from_json(card.to_json()) == card
    assert [s.is_switch for s in Card.from_json(card.to_json()).parameters] == [False, False, True]
    with pytest.raises(ValueError, match=r"pid\.on = 0\.5 must be a whole number"):
        switch.check(0.5)
    for text in ("", "[]", "{}", '{"format": "samara-session", "version": 1}'):
        with pytest.raises(MailboxError):
            Card.from_json(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 0.0}, "rate is 0.0 Hz"),
        ({"rate": math.nan}, "must be positive"),
        ({"sensors": [*SENSORS, SENSORS[0]]}, "sensors have the name 'arm.angle' twice"),
    ],
)
def test_sessions_that_cannot_be(name, changes, message):
    with pytest.raises(ValueError, match=message):
        make(name, **changes)
    assert not (directory() / name).exists()


def test_signals_that_cannot_be():
    with pytest.raises(ValueError, match="has no unit"):
        Signal("x", "")
    with pytest.raises(ValueError, match="invalid limits"):
        Signal("x", "m", limits=(1.0, 0.0))
    with pytest.raises(ValueError, match="one number"):
        Signal("x", "m", ("x", "y"))


# ---- claims
def test_each_controller_drives_its_own(simulator, guest):
    commands = np.array([7.0, 8.0, 9.0])
    seats = simulator.seats
    voltage, others = guest.claim(["motor.voltage"]), guest.claim(["fan", "brake.torque"])
    assert seats.gather(commands, 60.0) == 0
    assert commands.tolist() == [7.0, 8.0, 9.0]  # nobody has sent anything yet
    assert seats.port.care.tolist() == [FREE] * 3
    voltage.write([12.0], 0.0)
    seats.gather(commands, 60.0)
    assert commands.tolist() == [12.0, 8.0, 9.0]
    assert seats.port.care.tolist() == [HEARD, FREE, FREE]
    others.write([0.5, -3.0], 0.0)
    voltage.write([-6.0], 0.001)
    assert seats.gather(commands, 60.0) == 0
    assert commands.tolist() == [-6.0, -3.0, 0.5]
    found = {controller.actuators: controller.process for controller in simulator.controllers}
    assert found == {("motor.voltage",): Process.current(), ("brake.torque", "fan"): Process.current()}
    voltage.release()
    seats.gather(commands, 60.0)
    assert commands.tolist() == [-6.0, -3.0, 0.5]  # held
    assert seats.port.care.tolist() == [FREE, HEARD, HEARD]
    with pytest.raises(MailboxError, match=r"motor\.voltage were released"):
        voltage.write([0.0], 0.0)


def test_one_controllers_values_arrive_together_and_the_kept_are_counted(simulator, guest):
    claim = guest.claim(["motor.voltage", "fan"])
    commands = np.zeros(3)
    for k in range(1, 6):
        claim.write([k, -k], 0.0)
        for _ in range(k):
            simulator.seats.gather(commands, 60.0)
        assert commands.tolist() == [k, 0.0, -k]
    seat = simulator.seats.port.state[simulator.seats.port.seat[0]]
    assert (seat[2], seat[3]) == (5, 0 + 1 + 2 + 3 + 4)  # found new, kept


def test_a_seat_is_not_inherited_with_its_values(simulator, guest):
    commands = np.zeros(3)
    first = guest.claim(["motor.voltage", "fan"])
    first.write([1.0, 2.0], 0.0)
    simulator.seats.gather(commands, 60.0)
    first.release()
    commands[:] = 0.0
    second = guest.claim(["brake.torque"])
    simulator.seats.gather(commands, 60.0)
    assert commands.tolist() == [0.0, 0.0, 0.0]
    second.write([5.0], 0.0)
    simulator.seats.gather(commands, 60.0)
    assert commands.tolist() == [0.0, 5.0, 0.0]


def test_a_dead_ones_actuators_go_to_two_others(simulator, guest):
    commands, boxes = np.zeros(3), guest.seats.mailboxes
    guest.claim(["motor.voltage", "fan"]).write([1.0, 2.0], 0.0)
    boxes[0].port.words[8:10] = 2**30, 1  # nobody has such a number: as if it had died
    first, second = guest.claim(["motor.voltage"]), guest.claim(["fan"])
    simulator.seats.gather(commands, 60.0)
    assert commands[0] == 0.0  # its route is gone, its claimant has not spoken: held as it was
    second.write([7.0], 0.0)
    # on the dead one's seat; a loop caught between route and row would still find the old voltage there
    assert simulator.seats.mailboxes[0].read().values.tolist() == [1.0, 0.0, 7.0]
    first.write([6.0], 0.0)
    simulator.seats.gather(commands, 60.0)
    assert commands.tolist() == [6.0, 0.0, 7.0]


def test_claims_that_cannot_be(simulator, guest):
    with pytest.raises(SessionError, match=r"no actuator 'motor\.volt'.*did you mean 'motor\.voltage'"):
        guest.claim(["motor.volt"])
    with pytest.raises(SessionError, match=r"no parameter 'pid\.ki'.*'pid\.k"):
        guest.tune({"pid.ki": 0.0})
    with pytest.raises(ValueError, match="each once"):
        guest.claim(["fan", "fan"])
    with pytest.raises(ValueError, match="each once"):
        guest.claim([])
    claim = guest.claim("fan")
    with pytest.raises(MailboxError, match="'fan' is claimed by this process: release it there first"):
        guest.claim(["motor.voltage", "fan"])
    assert [controller.actuators for controller in simulator.controllers] == [("fan",)]  # all or none
    with pytest.raises(ValueError, match="1 values are wanted, for fan"):
        claim.write([1.0, 2.0], 0.0)
    with pytest.raises(ValueError, match="'fan' was to be sent nan: not a finite number"):
        claim.write([math.nan], 0.0)


def test_the_simulator_waits_for_its_controllers(simulator, guest):
    with pytest.raises(SessionError, match=r"no controller drives motor\.voltage, fan of session .* after 0 s"):
        simulator.wait_driven(["motor.voltage", "fan"], timeout=0.0)
    guest.claim(["fan"]).write([1.0], 0.0)
    simulator.wait_driven(["fan"], timeout=0.0)
    with pytest.raises(SessionError, match=r"drives motor\.voltage, brake\.torque of"):
        simulator.wait_driven(timeout=0.0)


CONTROLLER = """
    import sys, time
    from samara.realtime import Session

    session = Session.connect(sys.argv[1])
    claim = session.claim(sys.argv[2].split(","))
    print("claimed", flush=True)
    while True:
        claim.write([float(sys.argv[3])] * len(claim.names), 0.0)
        time.sleep(0.001)
"""


def settle(session, commands, wanted, patience):
    """Gathers until all controllers are as wanted."""
    began = time.monotonic()
    while session.seats.gather(commands, patience) != wanted or (session.seats.port.care[0] == FREE):
        assert time.monotonic() - began < 60.0
        time.sleep(0.001)


def test_a_killed_controller_is_noticed_and_replaced(simulator, child):
    name, commands = simulator.card.name, np.zeros(3)
    patience = 5 * PATIENCE  # the machine of a test may be slow
    first = child(CONTROLLER, name, "motor.voltage,fan", 4.0)
    first.stdout.readline()
    simulator.wait_driven(["motor.voltage", "fan"])
    settle(simulator, commands, 0, patience)
    assert commands.tolist() == [4.0, 0.0, 4.0]
    with pytest.raises(MailboxError, match=f"claimed by process {first.pid}, which is running"):
        simulator.claim(["fan"])
    first.kill()
    first.wait()
    settle(simulator, commands, 2, patience)
    assert commands.tolist() == [4.0, 0.0, 4.0]  # held
    assert simulator.seats.port.care.tolist() == [SILENT, FREE, SILENT]
    assert [c.process.alive for c in simulator.controllers] == [False]
    # restarted: the same actuators, where they were; nothing moves before the first row of the new one
    second = child(CONTROLLER, name, "motor.voltage,fan", 6.0)
    second.stdout.readline()
    settle(simulator, commands, 0, patience)
    assert commands.tolist() == [6.0, 0.0, 6.0]
    assert [c.process.pid for c in simulator.controllers] == [second.pid]
    second.kill()
    second.wait()
    # one of the two is taken over, the other still is a dead one's
    with Session.connect(name) as guest:
        claim = guest.claim(["fan"])
        claim.write([9.0], 0.0)
        time.sleep(patience)  # so that the dead one is silent
        for _ in range(100):  # the machine may stand still between the beat and the look
            claim.beat()
            simulator.seats.gather(commands, patience)
            if simulator.seats.port.care.tolist() == [SILENT, FREE, HEARD]:
                break
        assert commands.tolist() == [6.0, 0.0, 9.0]
        assert simulator.seats.port.care.tolist() == [SILENT, FREE, HEARD]


SIMULATOR = """
    import sys, time
    from samara.realtime import Session, Signal

    session = Session.create(sys.argv[1], rate=100.0, sensors=[Signal("x", "m")])
    print("ready", flush=True)
    while True:
        session.sensors.write([1.0], 0.0)
        time.sleep(0.001)
"""


def test_a_killed_simulator_is_noticed_and_cleaned_up_after(name, child, capsys):
    simulator = child(SIMULATOR, name)
    simulator.stdout.readline()
    guest = Session.connect(name)
    assert guest.sensors.wait(20.0).fresh
    assert guest.alive
    simulator.kill()
    simulator.wait()
    assert not guest.alive
    time.sleep(2 * PATIENCE)
    assert guest.silence > PATIENCE
    there = (directory() / name).exists  # whoever begins a session sweeps up: tests beside this one too
    with pytest.raises(SessionError) as caught:
        Session.connect(name, timeout=0.01)
    assert f"process {simulator.pid}, has ended: restart it" in str(caught.value) or not there()
    left = there()
    with make(name) as again:
        said = capsys.readouterr().err
        assert f"removed session {name!r}, left by process {simulator.pid}, which has ended" in said or not left
        with Session.connect(name, timeout=0.0) as other:
            again.sensors.write([3.0, 4.0], 0.0)
            assert other.sensors.read().values.tolist() == [3.0, 4.0]
        assert guest.sensors.read().values.tolist() == [1.0]  # who was connected has the old one's last words
    guest.close()


def test_a_session_that_was_never_ready_is_removed(name, capsys):
    (directory() / name).mkdir(mode=0o700)
    make(name).close()
    assert "removed session" in capsys.readouterr().err


def test_a_session_that_cannot_be_read_is_left_alone(name):
    folder = directory() / name
    folder.mkdir(mode=0o700)
    (folder / "session.json").write_text("{")
    try:
        with pytest.raises(SessionError, match="cannot be read: remove it"):
            make(name)
    finally:
        (folder / "session.json").unlink()
        folder.rmdir()


@pytest.fixture
def root(monkeypatch, tmp_path):
    """A place for sessions that no other test uses."""
    monkeypatch.setattr(shared_module.os, "access", lambda *_: False)
    monkeypatch.setattr(shared_module.tempfile, "gettempdir", lambda: str(tmp_path))
    return directory()


def _card(**changes):
    """The text of a session of this very process, changed."""
    whole = json.loads(Card("other", "0" * 32, 330.0, Process.current(), tuple(SENSORS)).to_json())
    return json.dumps({**whole, **changes}).encode()


UNREADABLE = {
    "no JSON": lambda path: path.write_bytes(b"{"),
    "empty": lambda path: path.write_bytes(b""),
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "a list": lambda path: path.write_bytes(b"[]"),
    "a number": lambda path: path.write_bytes(b"5"),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "process a text": lambda path: path.write_bytes(_card(process="x")),
    "number a text": lambda path: path.write_bytes(_card(process={"pid": "1", "started": 2})),
    "number too large": lambda path: path.write_bytes(_card(process={"pid": 10**400, "started": 2})),
    "number a fraction": lambda path: path.write_bytes(_card(process={"pid": 1.5, "started": 2})),
    "folder": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "link to itself": lambda path: path.symlink_to(path),
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_session_that_cannot_be_read_stops_no_other(root, name, kind):
    """Whatever is in its place; it is left alone, and waits for nobody."""
    (root / "other").mkdir(mode=0o700)
    UNREADABLE[kind](root / "other" / "session.json")
    with make(name) as simulator, Session.connect(name, timeout=0.0) as guest:
        assert guest.card == simulator.card
        with pytest.raises(SessionError, match=rf"there is no session 'absent'.*; there are {name}$"):
            Session.connect("absent", timeout=0.0)
    with pytest.raises(SessionError, match="other holds a session that cannot be read: remove it"):
        make("other")
    with pytest.raises(MailboxError):
        Session.connect("other", timeout=0.0)
    assert os.path.lexists(root / "other" / "session.json")


@pytest.mark.parametrize(
    "changes",
    [{k: v} for k in ("name", "token", "rate", "process", "record", "model", "nodes", "sensors") for v in (None, [[]])],
)
def test_a_card_with_something_else_in_it_is_damaged(changes):
    with pytest.raises(MailboxError, match="the description of this session is damaged"):
        Card.from_json(_card(**changes).decode())


def test_a_lock_that_is_held_is_not_waited_for_forever(root, name, monkeypatch):
    """As by a process that was stopped in the middle."""
    monkeypatch.setattr(shared_module, "LOCK_PATIENCE", 0.1)
    with (root / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(MailboxError, match=r"a process has held .*\.lock for 0\.1 s: end it"):
            make(name)
    (root / ".lock").unlink()
    (root / ".lock").mkdir()
    with pytest.raises(MailboxError, match=r"\.lock is no lock .*: remove it"):
        make(name)


def test_where_somebody_else_has_taken_the_name(root, name, monkeypatch, tmp_path):
    """The folder of sessions is another user's, or no folder at all: the user's own runtime folder serves."""
    (tmp_path / "own").mkdir(mode=0o700)
    root.rmdir()
    root.write_text("")
    with pytest.raises(MailboxError, match=r"no private place for sessions .*: set XDG_RUNTIME_DIR"):
        directory()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "own"))
    with make(name) as session, Session.connect(name, timeout=0.0) as guest:
        assert session.path.parent.parent == tmp_path / "own"
        assert guest.card == session.card
    root.unlink()
    if os.getuid():
        pytest.skip("only root makes a folder that belongs to somebody else")
    root.mkdir(mode=0o700)
    os.chown(root, 12345, 12345)
    assert directory().parent == tmp_path / "own"


def test_processes_of_another_namespace_are_let_be(simulator, child, name):
    """Their numbers mean nothing here: a session of one was swept as a dead one's, while it ran."""
    alone = ["unshare", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("a namespace of its own is not to be had here")
    script = """
        import sys
        from samara.realtime import Session, Signal
        with Session.create(sys.argv[1], rate=1.0) as session:
            print(session.path.is_dir(), end="")
    """
    command = [*alone, sys.executable, "-c", textwrap.dedent(script), f"{name}-inner"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == "True"
    assert simulator.there
    assert simulator.path.is_dir()


def test_a_forked_process_removes_nothing(name, child):
    script = """
        import os, sys
        from samara.realtime import Session, Signal
        session = Session.create(sys.argv[1], rate=1.0, actuators=[Signal("a", "1")])
        guest = Session.connect(sys.argv[1])
        claim = guest.claim(["a"])
        pid = os.fork()
        if pid == 0:
            guest.close()
            session.close()
            sys.exit()
        os.waitpid(pid, 0)
        print(session.path.is_dir(), len(session.controllers), flush=True)
        session.close()
        print(session.path.is_dir(), flush=True)
    """
    assert child(script, name).communicate()[0].split() == ["True", "1", "False"]


# ---- requests
def test_parameters_and_commands(simulator, guest):
    ticket = guest.tune({"pid.kd": 2.0, "pid.kp": 3.0})
    last = guest.command(Command.STEP, 5)
    assert not guest.taken(ticket)
    rows = simulator.requests.drain().values.tolist()
    assert rows == [[Command.TUNE, 1.0, 2.0], [Command.TUNE, 0.0, 3.0], [Command.STEP, 0.0, 5.0]]
    assert guest.taken(ticket)
    assert guest.taken(last)
    simulator.parameters.write([3.0, 2.0], 0.0)
    assert guest.parameters.read().values.tolist() == [3.0, 2.0]


def test_requests_that_cannot_be(simulator, guest):
    for wrong in (-1.0, 50.1, math.nan):
        with pytest.raises(ValueError, match=r"pid\.kp = .* N m/rad is outside its limits, 0 to 50"):
            guest.tune({"pid.kd": 1.0, "pid.kp": wrong})
    with pytest.raises(ValueError, match=r"pid\.kd = inf"):
        guest.tune({"pid.kd": math.inf})
    with pytest.raises(ValueError, match="tune parameters by name"):
        guest.command(Command.TUNE)
    assert simulator.requests.waiting == 0
    for _ in range(simulator.requests.capacity):
        guest.command(Command.HOLD)
    with pytest.raises(SessionError, match="does not process requests: 256 are waiting"):
        guest.command(Command.HOLD)


@pytest.mark.parametrize("wrong", ["x", None, 1j, [1], {}, pytest.param(10**400, id="huge")])
def test_what_is_tuned_is_a_number(simulator, guest, wrong):
    for attempt in (guest.tune, guest.check):
        with pytest.raises(ValueError, match=r"pid\.kp must be a number, got "):
            attempt({"pid.kd": 1.0, "pid.kp": wrong})
    assert simulator.requests.waiting == 0


def test_limits_of_a_pure_number_are_told_without_a_unit():
    with pytest.raises(ValueError, match=r"^gain = 3 is outside its limits, 0 to 2$"):
        Signal("gain", "1", limits=(0.0, 2.0)).check(3.0)


def test_numbers_of_any_type_are_tuned(simulator, guest):
    for k, value in enumerate((2, np.float32(2.0), np.int64(2), np.array(2.0))):
        guest.tune({"pid.kp": value})
        assert simulator.requests.waiting == k + 1
    assert (simulator.requests.drain().values[:, 2] == 2.0).all()


def test_what_is_tuned_goes_by_name(guest):
    for wrong in ([1], None, "pid.kp", 3.0):
        with pytest.raises(ValueError, match=r"tune parameters by name: values must be \{name: number\}"):
            guest.tune(wrong)
    with pytest.raises(SessionError, match=r"has no parameter 5 .*it has: .*pid"):
        guest.tune({5: 1.0})
    with pytest.raises(ValueError, match="claim actuators by name, got 5"):
        guest.claim(5)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (None, "must be a whole number"),
        (math.nan, "must be a whole number"),
        ("x", "must be a whole number"),
        (2.5, "must be a whole number"),
        (-5, "must be at least 0"),
        (1e30, "must be at most"),
        (2e9, "must be at most 1000000000"),
    ],
)
def test_steps_are_a_number_of_them(simulator, guest, wrong, words):
    with pytest.raises(ValueError, match=f"value of command STEP {words}"):
        guest.command(Command.STEP, wrong)
    assert simulator.requests.waiting == 0


@pytest.mark.parametrize("wrong", [77, "x", None, 1.5])
def test_a_command_is_one_of_those_that_there_are(guest, wrong):
    with pytest.raises(ValueError, match="command must be one of TUNE, START, HOLD, STEP, STOP, RESET, got "):
        guest.command(wrong)


def test_who_asks_a_simulator_that_has_ended_hears_so(name):
    simulator = make(name)
    with Session.connect(name, timeout=0.0) as guest:
        simulator.close()
        for ask in (
            lambda: guest.tune({"pid.kp": 1.0}),
            lambda: guest.check({"pid.kp": 1.0}),
            lambda: guest.command(Command.STOP),
            lambda: guest.claim("fan"),
        ):
            with pytest.raises(
                SessionError, match=rf"the simulator of session '{name}', .* has ended it: start it again"
            ):
                ask()


def test_several_may_ask(simulator, child):
    script = """
        import sys
        from samara.realtime import Command, Session
        session = Session.connect(sys.argv[1])
        print("ready", flush=True)
        sys.stdin.readline()
        for k in range(60): session.command(Command.STEP, 1000 * int(sys.argv[2]) + k)
    """
    processes = [child(script, simulator.card.name, k) for k in range(3)]
    for process in processes:
        process.stdout.readline()
    for process in processes:
        process.communicate("\n")
    values = simulator.requests.drain().values[:, 2]
    for k in range(3):
        assert values[values // 1000 == k].tolist() == [1000 * k + i for i in range(60)]
