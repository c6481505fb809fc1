"""Parameters that a guest tunes go through the same check as `set_parameter`, in the simulator's process."""

import json
import os
import socket

import pytest

import samara as sm
from samara.realtime import Session
from samara.realtime.loop import RealTime, made_up
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session.tuning import ask

RATE = 1000.0


def spinner():
    model = sm.Model("spinner")
    node = model.node("top", angular_velocity=(0.0, 0.0, 1.0))
    moments = [sm.Parameter(f"J{axis}", 1.0, "kg m^2") for axis in "xyz"]
    model.add("body", sm.Body(node, mass=sm.Parameter("mass", 2.0, "kg"), inertia=moments))
    return model


@pytest.fixture
def rig():
    name = f"test-tuning-{os.getpid()}"
    with (
        RealTime(spinner(), RATE, session=name, clock=made_up()) as runner,
        Session.connect(name, timeout=5.0) as guest,
    ):
        yield runner, guest


def in_force(guest):
    return dict(zip((s.name for s in guest.card.parameters), guest.parameters.read().values.tolist(), strict=True))


def test_limits_of_the_fields_are_on_the_card(rig):
    _, guest = rig
    assert {s.name: s.limits[0] for s in guest.card.parameters} == {"mass": 0.0} | dict.fromkeys(
        ("Jx", "Jy", "Jz"), -float("inf")
    )
    with pytest.raises(ValueError, match="outside its limits"):
        guest.tune({"mass": -1.0})


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"Jx": 2.5}, "element 'body': .*inertia is not physical"),
        ({"mass": 0.0}, "mass must be a positive"),
    ],
)
def test_what_an_element_refuses_never_reaches_the_loop(rig, wanted, words):
    runner, guest = rig
    before = in_force(guest)
    for attempt in (guest.tune, guest.check):
        with pytest.raises(ValueError, match=words):
            attempt(wanted)
    runner.run(0.01)
    assert in_force(guest) == before
    assert sorted(runner.sim.system.parameters.values()) == sorted(before.values())


def test_the_next_change_is_checked_against_the_last(rig):
    """Moments that only suit each other together go in one batch, and are what the next is compared with."""
    runner, guest = rig
    ticket = guest.tune({"Jx": 2.5, "Jy": 1.6})
    with pytest.raises(ValueError, match="inertia is not physical"):
        guest.tune({"Jy": 1.0})
    runner.run(0.01)
    assert guest.taken(ticket)
    assert in_force(guest) == {"mass": 2.0, "Jx": 2.5, "Jy": 1.6, "Jz": 1.0}
    assert runner.sim.model.parameters["Jx"].value == 2.5


def test_a_check_sends_nothing(rig):
    runner, guest = rig
    guest.check({"Jx": 1.9})
    assert guest.requests.waiting == 0
    assert runner.sim.model.parameters["Jx"].value == 1.0


def test_a_full_queue_takes_the_change_back(rig):
    runner, guest = rig
    tickets = 0
    with pytest.raises(ValueError, match="does not process requests"):
        while True:
            guest.tune({"Jx": 1.0 + 1e-3 * tickets})
            tickets += 1
    assert tickets > 100
    assert runner.sim.model.parameters["Jx"].value == pytest.approx(1.0 + 1e-3 * (tickets - 1))


def test_nonsense_is_answered_and_does_no_harm(rig):
    _, guest = rig
    for words in (b"{}\n", b"no json\n", b'{"values": 3, "send": true}\n', b'{"values": {"Jx": "x"}, "send": true}\n'):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(guest.path / "tuning"))
            line.sendall(words)
            assert "error" in json.loads(line.recv(1 << 16))
    guest.tune({"Jx": 1.2})


def test_an_end_is_told(rig):
    runner, guest = rig
    runner._tuning._socket.shutdown(socket.SHUT_RDWR)  # a simulator that is gone, its socket left behind
    with pytest.raises(MailboxError, match="does not answer"):
        guest.tune({"Jx": 1.2})


@pytest.mark.parametrize(
    "line",
    [b'{"values": {"mass": 1' + b"0" * 400 + b'}, "send": true}', b"[" * 100_000, b"\xff\xfe", b'{"values": 5}'],
)
def test_no_question_ends_the_answers(rig, line):
    _, guest = rig
    with socket.socket(socket.AF_UNIX) as plain:
        plain.settimeout(2.0)
        plain.connect(str(guest.path / "tuning"))
        plain.sendall(line + b"\n")
        assert b"error" in plain.recv(1 << 16)
    guest.check({"mass": 3.0})


@pytest.mark.parametrize("value", ["x", "1", None, True, [1.0], float("nan"), pytest.param(10**400, id="huge")])
def test_a_value_is_a_number(rig, value):
    _, guest = rig
    with pytest.raises(ValueError, match="parameter 'mass' must be a finite number, got "):
        ask(guest.path, {"mass": value}, send=True)


def test_values_go_by_name(rig):
    _, guest = rig
    with pytest.raises(ValueError, match=r"tuning: values must be \{name: number\}, got 5"):
        ask(guest.path, 5, send=True)
