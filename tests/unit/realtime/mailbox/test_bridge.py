"""Rows over UDP: what arrives is checked, put in order and counted."""

import hashlib
import math
import socket
import struct
import time

import numpy as np
import pytest

from samara.realtime import Latest, MailboxError, Session, Signal
from samara.realtime.mailbox.bridge import Receiver, Sender
from samara.realtime.mailbox.shared import BEATS

TOKEN = "0123456789abcdef" * 2
KEY = bytes(range(32))
OTHER = b"sender-2"
HERE = ("127.0.0.1", 0)


def datagram(
    number,
    sequence,
    values,
    *,
    time=0.0,
    magic=b"SAMU",
    version=3,
    count=None,
    channel=3,
    token=TOKEN,
    more=b"",
    nonce=b"sender-1",
    key=None,
):
    """Written by hand from the table in the documentation."""
    count = len(values) if count is None else count
    head = struct.pack(">4sBBHI", magic, version, 0, count, channel) + bytes.fromhex(token)
    numbers = nonce + struct.pack(">qqdq", number, sequence, time, 123)
    found = head + numbers + struct.pack(f">{len(values)}d", *values) + more
    return found if key is None else found + hashlib.blake2b(found, digest_size=16, key=key).digest()


@pytest.fixture
def box(tmp_path):
    with Latest.create(tmp_path / "box", 2) as made:
        yield made


@pytest.fixture
def receiver(box):
    made = Receiver(box, HERE, token=TOKEN, channel=3, source="127.0.0.1")
    yield made
    made.close()


def counts(receiver):
    return {name: getattr(receiver, name) for name in ("taken", "repeated", "old", "lost", "refused")}


def until(true, seconds=30.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_a_row_is_written_with_its_time(receiver, box):
    assert receiver.accept(datagram(1, 17, [1.5, -2.5], time=0.75), "127.0.0.1")
    found = box.read()
    assert found.values.tolist() == [1.5, -2.5]
    assert (found.time, found.sequence) == (0.75, 1)
    assert abs(time.monotonic_ns() - found.stamp) < 60e9  # the clock of this machine
    assert receiver.sequence == 17


def test_reordered_repeated_and_lost(receiver, box):
    seen = []
    for number, sequence in [(1, 5), (2, 6), (2, 6), (5, 9), (3, 7), (6, 9), (9, 20), (8, 19)]:
        receiver.accept(datagram(number, sequence, [sequence, 0.0]), "127.0.0.1")
        seen.append(box.read().values[0])
    assert seen == [5, 6, 6, 9, 9, 9, 20, 20]
    # numbers 3 and 4, then 7 and 8, were skipped when 5 and 9 came; 3 and 8 then came late
    assert counts(receiver) == {"taken": 4, "repeated": 1, "old": 3, "lost": 4, "refused": 0}


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"SAMU",
        bytes(76),
        datagram(1, 1, [1.0, 2.0], magic=b"NOPE"),
        datagram(1, 1, [1.0, 2.0], version=2),
        datagram(1, 1, [1.0, 2.0], channel=4),
        datagram(1, 1, [1.0, 2.0], token="f" * 32),
        datagram(1, 1, [1.0, 2.0], count=3),
        datagram(1, 1, [1.0, 2.0], more=b"x"),
        datagram(1, 1, [1.0]),
        datagram(1, 1, [1.0, 2.0, 3.0]),
        datagram(1, 0, [1.0, 2.0]),
        datagram(1, -5, [1.0, 2.0]),
        datagram(0, 1, [1.0, 2.0]),
        datagram(1, 1, [1.0, 2.0], key=KEY),
    ],
)
def test_what_is_not_ours_is_refused(receiver, box, garbage):
    assert not receiver.accept(garbage, "127.0.0.1")
    assert counts(receiver) == {"taken": 0, "repeated": 0, "old": 0, "lost": 0, "refused": 1}
    assert box.read().sequence == 0


def test_a_stranger_is_refused(receiver):
    assert not receiver.accept(datagram(1, 1, [1.0, 2.0]), "192.0.2.1")
    assert receiver.refused == 1


def test_through_the_network_with_noise(receiver, box, tmp_path):
    """Rows arrive in order whatever comes between; the sender's and the receiver's counts agree."""
    with Latest.create(tmp_path / "source", 2) as source, receiver:
        sender = Sender(Latest.attach(tmp_path / "source"), receiver.address, token=TOKEN, channel=3)
        stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        reader = Latest.attach(tmp_path / "box")
        with sender, stranger:
            for k in range(1, 51):
                source.write([k, -k], 0.01 * k)
                stranger.sendto(b"noise", receiver.address)
                stranger.sendto(datagram(k, k, [k, k], channel=9), receiver.address)
                until(lambda k=k: receiver.sequence == k)
                found = reader.read()
                assert (found.values.tolist(), found.time) == ([k, -k], 0.01 * k)
            until(lambda: receiver.refused == 100)
            until(lambda: receiver.taken + receiver.repeated == sender.sent)
        assert (receiver.taken, receiver.old, receiver.lost, sender.failed) == (50, 0, 0, 0)


def test_beats_pass_while_the_writer_lives(receiver, box, tmp_path):
    with Latest.create(tmp_path / "source", 2) as source, receiver:
        with Sender(Latest.attach(tmp_path / "source"), receiver.address, token=TOKEN, channel=3):
            source.write([1.0, 2.0], 0.0)
            until(lambda: receiver.taken == 1)

            def beaten():
                source.beat()
                return receiver.repeated >= 2

            until(beaten)
            until(lambda: source.silence > 0.5)  # the writer is stuck: no beats any more
            repeated = receiver.repeated
            time.sleep(0.1)
            assert receiver.repeated == repeated
            assert box.silence > 0.1
        assert receiver.taken == 1


def test_actuators_from_another_machine(name, tmp_path):
    signals = [Signal("a", "1"), Signal("b", "1")]
    commands = np.zeros(2)
    with Session.create(name, rate=100.0, actuators=signals) as simulator, Session.connect(name) as guest:
        claim = guest.claim(["b"])
        receiver = Receiver(claim, HERE, token=guest.card.token)
        try:
            assert receiver.accept(datagram(1, 1, [4.0], channel=0, token=guest.card.token), "127.0.0.1")
            assert not receiver.accept(datagram(2, 2, [math.nan], channel=0, token=guest.card.token), "127.0.0.1")
            assert receiver.refused == 1
            simulator.seats.gather(commands, 60.0)
            assert commands.tolist() == [0.0, 4.0]
        finally:
            receiver.close()


def test_a_bridge_ends_with_its_mailbox(tmp_path, receiver, box):
    source = Latest.create(tmp_path / "source", 2)
    with Sender(source, receiver.address, token=TOKEN, channel=3) as sender:
        assert sender.running
        source.close()
        until(lambda: not sender.running)


def test_errors_say_what_is_wrong(receiver, box, tmp_path):
    with pytest.raises(MailboxError, match=f"cannot receive at 127.0.0.1 port {receiver.address[1]}"):
        Receiver(box, receiver.address, token=TOKEN)
    with pytest.raises(ValueError, match="32 hexadecimal digits"):
        Receiver(box, HERE, token="abcd")
    with Latest.create(tmp_path / "large", 9000) as large, pytest.raises(ValueError, match="does not fit"):
        Sender(large, receiver.address, token=TOKEN)


def test_a_sender_that_is_started_again_counts_anew(receiver, box):
    """By its nonce: no clock of its machine is asked, which may have stepped back. What the former one still has under
    way is old, also once the new one is silent."""
    accept = receiver.accept
    assert accept(datagram(1000, 1000, [1.0, 2.0]), "127.0.0.1", 5.0)
    assert accept(datagram(1, 1, [3.0, 4.0], nonce=OTHER), "127.0.0.1", 6.0)
    assert box.read().values.tolist() == [3.0, 4.0]
    assert accept(datagram(3, 3, [4.0, 5.0], nonce=OTHER), "127.0.0.1", 6.0)
    for now in (6.0, 9.0):
        assert not accept(datagram(1001, 1001, [5.0, 6.0]), "127.0.0.1", now)
    assert counts(receiver) == {"taken": 3, "repeated": 0, "old": 2, "lost": 1, "refused": 0}


def test_a_sender_that_lives_is_not_shut_out(receiver, box):
    """By one datagram that was made up; only where it is silent somebody else is listened to."""
    largest = 2**63 - 1
    assert receiver.accept(datagram(1, 1, [1.0, 2.0]), "127.0.0.1", 5.0)
    assert not receiver.accept(datagram(largest, largest, [0.0, 0.0], nonce=OTHER), "127.0.0.1", 5.09)
    assert receiver.accept(datagram(2, 2, [3.0, 4.0]), "127.0.0.1", 5.1)
    assert box.read().values.tolist() == [3.0, 4.0]
    assert counts(receiver) == {"taken": 2, "repeated": 0, "old": 0, "lost": 0, "refused": 1}


def test_what_is_shown_again_is_no_sign_of_life(receiver, box):
    """The mailbox falls silent although somebody repeats all that a sender which died has sent, beats too."""
    said = [datagram(1, 1, [1.0, 2.0]), datagram(2, 2, [3.0, 4.0]), datagram(3, 2, [3.0, 4.0])]
    for data in said:
        receiver.accept(data, "127.0.0.1")
    beaten = box.port.words[BEATS]
    for data in said * 3:
        assert not receiver.accept(data, "127.0.0.1")
    assert box.port.words[BEATS] == beaten
    assert counts(receiver) == {"taken": 2, "repeated": 1, "old": 9, "lost": 0, "refused": 0}


def test_with_a_key_nothing_is_made_up(box, rng):
    with Receiver(box, HERE, token=TOKEN, channel=3, key=KEY) as receiver:
        good = datagram(1, 1, [1.0, 2.0], key=KEY)
        wrong = [datagram(1, 1, [1.0, 2.0]), datagram(1, 1, [1.0, 2.0], key=KEY[::-1])]
        for place in rng.integers(0, 8 * len(good), 200):  # one bit is another
            data = bytearray(good)
            data[place // 8] ^= 1 << place % 8
            wrong.append(bytes(data))
        assert not any(receiver.accept(data, "127.0.0.1") for data in wrong)
        assert receiver.refused == len(wrong) and box.read().sequence == 0
        assert receiver.accept(good, "127.0.0.1")


def test_sender_and_receiver_with_a_key(box, tmp_path):
    with Latest.create(tmp_path / "source", 2) as source:
        with Receiver(box, HERE, token=TOKEN, key=KEY) as receiver:
            with Sender(Latest.attach(tmp_path / "source"), receiver.address, token=TOKEN, key=KEY):
                source.write([1.0, 2.0], 0.5)
                until(lambda: receiver.taken == 1)
        assert box.read().values.tolist() == [1.0, 2.0]
        with pytest.raises(ValueError, match="a key has 16 to 64 bytes, not 5"):
            Sender(source, HERE, token=TOKEN, key=b"short")
