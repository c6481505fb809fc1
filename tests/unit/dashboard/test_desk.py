"""The feed, the desk and scopes on a session whose simulator is this test."""

import itertools
import json
import math
import os
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

from samara.dashboard.access.roles import RefusedError, Role, Visitor
from samara.dashboard.desk import layouts
from samara.dashboard.desk.desk import Desk
from samara.dashboard.desk.layouts import LayoutError, PanelLayout
from samara.dashboard.desk.rerun import Rerun
from samara.dashboard.desk.staging import Staging
from samara.dashboard.feed.alarms import Rule
from samara.dashboard.feed.feed import Feed
from samara.dashboard.feed.health import SimulatorState
from samara.dashboard.server.shown import Shown
from samara.dashboard.traces.histogram import rebinned
from samara.dashboard.traces.scope import Scope, Setup
from samara.realtime import Command, Session, Signal
from samara.realtime.session.accounts import Account
from samara.realtime.session.ledger import Phase
from samara.realtime.session.schedule import Ended, Schedule

OPERATOR, VIEWER = Visitor(Role.OPERATOR, "one"), Visitor(Role.VIEWER, "two")
NUMBERS = itertools.count()
RATE = 1000.0


class Machine:
    """A simulator by hand."""

    def __init__(self, name):
        self.session = Session.create(
            name,
            rate=RATE,
            sensors=[Signal("wave", "m"), Signal("ramp", "1")],
            actuators=[Signal("force", "N", limits=(-1.0, 1.0))],
            parameters=[Signal("size", "m", limits=(0.0, 5.0)), Signal("bias", "m")],
            model="made up",
            nodes=["bob"],
        )
        self.values = {"size": 1.0, "bias": 0.0}
        self.session.parameters.write(list(self.values.values()), 0.0)
        self.session.ledger.phase = Phase.RUNNING
        self.session.ledger.schedule[Schedule.STEPS] = -1
        self.steps = 0

    def run(self, count):
        for _ in range(count):
            t = self.steps / RATE
            wave = self.values["size"] * math.sin(2 * math.pi * t) + self.values["bias"]
            self.session.actuators.write([0.0], t)
            self.session.sensors.write([wave, t], t)
            self.steps += 1
        self.session.ledger.accounts[Account.CYCLES] += count
        self.session.ledger.accounts[Account.BUSY] += count * 250_000

    def heard(self):
        """Requests since the last time; parameters are set."""
        found = []
        for command, place, value in self.session.requests.drain().values.tolist():
            found.append((Command(int(command)), value))
            if command == Command.TUNE:
                self.values[["size", "bias"][int(place)]] = value
                self.session.parameters.write(list(self.values.values()), self.steps / RATE)
        return found


@pytest.fixture
def machine():
    found = Machine(f"test-desk-{os.getpid()}-{next(NUMBERS)}")
    yield found
    found.session.close()


@pytest.fixture
def feed(machine):
    found = Feed(Session.connect(machine.session.card.name), now=0.0)
    yield found
    found.close()


@pytest.fixture
def desk(feed):
    return Desk(feed)


# ---- the feed
def test_every_row_arrives(machine, feed):
    for k in range(50):
        machine.run(40)
        feed.update(now=0.04 * (k + 1))
    times, values = feed.column("ramp")
    assert np.array_equal(times, np.arange(2000) / RATE) and np.array_equal(values, times)
    assert feed.time == feed.latest["ramp"] == 1.999 and feed.lost == 0
    assert feed.column("nothing")[0].size == 0
    assert feed.poses().shape == (1, 12)


def test_the_load_is_that_of_the_last_second(machine, feed):
    for k in range(30):
        machine.run(40)
        feed.update(now=0.04 * (k + 1))
    assert feed.health.real_over_sim == pytest.approx(0.25)  # 0.25 ms of every step of 1 ms
    for k in range(30, 60):  # held: nothing is simulated
        feed.update(now=0.04 * (k + 1))
    assert math.isnan(feed.health.real_over_sim)


def test_states(machine, feed):
    machine.run(1)
    feed.update(1.0)
    assert feed.state is SimulatorState.RUNNING
    machine.session.ledger.schedule[Schedule.STEPS] = 0
    feed.update(2.0)
    assert feed.state is SimulatorState.HELD
    machine.session.ledger.phase = Phase.ENDED
    feed.update(3.0)
    assert feed.state is SimulatorState.FINISHED and feed.there
    machine.session.close()
    assert not feed.there
    told = [event.text for event in feed.events]
    assert "the loop changed from running to held" in told and "the loop changed from held to finished" in told


def test_a_run_that_failed_is_not_taken_for_one_that_finished(machine, feed):
    machine.run(1)
    machine.session.ledger.ended = Ended.NOT_FINITE
    machine.session.ledger.phase = Phase.ENDED
    feed.update(1.0)
    assert feed.state is SimulatorState.ENDED and feed.state.over


def test_a_simulator_that_vanishes_without_a_word_was_killed(machine, feed):
    machine.run(1)
    machine.session.close()
    feed.update(1.0)
    assert feed.state is SimulatorState.ENDED


def test_overruns_that_keep_coming_are_told_less_and_less_often(machine, feed):
    feed.update(0.0)
    for second in range(1, 601):
        machine.session.ledger.accounts[Account.OVERRUNS] += 1
        feed.update(float(second))
    told = [event for event in feed.events if "overruns" in event.text]
    assert 5 <= len(told) <= 8  # at 1, 6, 16, 36, 76, 156, 316 s, not at each of 120 times five seconds
    assert sum(int(event.text.split(": ")[1].split()[0]) for event in told) == 316


def test_another_run_under_the_same_name_is_shown_with_events_and_alarms_kept(machine):
    name = machine.session.card.name
    shown = Shown(name, timeout=1.0, pilot_timeout=1.0)
    rule = Rule("wave", level=2.0)
    shown.desk.set_alarms(OPERATOR, [rule])
    assert not shown.renew(0.0)  # the first is still there
    machine.session.close()
    assert not shown.renew(1.0)  # nobody has started the next
    later = Machine(name)
    try:
        assert shown.renew(2.0) and shown.feed.there
        assert shown.feed.card.token == later.session.card.token
        assert shown.feed.alarms.rules == [rule]
        assert any(event.text.startswith("alarms: wave") for event in shown.feed.events)
    finally:
        later.session.close()
        shown.close()


def test_running_again_needs_an_operator_a_command_and_a_simulator_that_has_ended(machine, feed, desk):
    with pytest.raises(ValueError, match="start it again in its terminal"):
        desk.run_again(OPERATOR)
    desk.rerun = Rerun([sys.executable, "-c", "raise SystemExit('no such model')"])
    with pytest.raises(RefusedError, match="operator"):
        desk.run_again(VIEWER)
    with pytest.raises(ValueError, match="stop it first"):
        desk.run_again(OPERATOR)
    machine.session.close()
    desk.run_again(OPERATOR)
    while desk.rerun.running:
        time.sleep(0.01)
    desk.serve()
    assert [e.text for e in feed.events][-1] == "the next run failed: no such model"


def test_controllers_come_and_go(machine, feed, desk):
    name = f"{machine.session.card.name}.pid"
    controller = Session.create(name, rate=RATE, parameters=[Signal("gain", "1", limits=(0.0, 10.0))])
    controller.parameters.write([2.0], 0.0)
    feed.update(now=10.0)
    feed.update(now=10.1)
    assert feed.sources.all["pid"].values == {"gain": 2.0}
    desk.tune(OPERATOR, {"pid": {"gain": 3.0}, "model": {"size": 2.0}})
    assert controller.requests.read().values.tolist() == [0.0, 0.0, 3.0]
    assert machine.heard() == [(Command.TUNE, 2.0)]
    feed.update(now=10.2)
    desk.tune(OPERATOR, {"pid": {"gain": 4.0}})
    staging = Staging(feed.sources)
    assert staging.stage("pid", "gain", "much") and staging.stage("model", "size", "7") and staging.errors
    controller.close()
    feed.update(now=20.0)
    assert "pid" not in feed.sources.all
    with pytest.raises(ValueError, match="pid is no longer available"):
        desk.tune(OPERATOR, {"pid": {"gain": 5.0}})
    # the second change is lost, of the first what is left is taken back
    assert desk.undo(OPERATOR).values == {"model": {"size": (1.0, 2.0)}}
    assert machine.heard() == [(Command.TUNE, 1.0)] and desk.undo(OPERATOR) is None
    staging.sweep()
    assert staging.texts == {("model", "size"): "7"} and list(staging.errors) == [("model", "size")]
    told = [event.text for event in feed.events]
    assert sum("cannot be undone, no longer available: pid: gain" in text for text in told) == 2
    assert (
        "controller pid has connected; its parameters are available" in told
        and "controller pid has disconnected" in told
    )


# ---- the desk
@pytest.mark.parametrize(
    "action",
    [
        *(lambda d, w, c=c: d.command(w, c) for c in Command if c != Command.TUNE),
        lambda d, w: d.toggle(w),
        lambda d, w: d.tune(w, {"model": {"size": 2.0}}),
        lambda d, w: d.undo(w),
        lambda d, w: d.set_alarms(w, [Rule("wave")]),
        lambda d, w: d.acknowledge(w),
        lambda d, w: d.record(w, "start"),
    ],
)
def test_a_viewer_is_refused_everything(machine, feed, desk, action):
    before = feed.events.count
    with pytest.raises(RefusedError, match="needs the operator role"):
        action(desk, VIEWER)
    assert machine.heard() == [] and feed.alarms.rules == []
    assert [event.who for event in feed.events.after(before)] == ["viewer two"]
    action(desk, OPERATOR)  # and an operator is not


def test_a_single_step_holds_first(machine, desk):
    desk.command(OPERATOR, Command.STEP, 3)
    assert machine.heard() == [(Command.HOLD, 0.0), (Command.STEP, 3.0)]
    machine.session.ledger.schedule[Schedule.STEPS] = 0
    desk.command(OPERATOR, Command.STEP)
    assert machine.heard() == [(Command.STEP, 1.0)]


def test_staged_applied_undone(machine, feed, desk):
    staging = Staging(feed.sources)
    assert staging.stage("model", "size", "2,5") == ""
    assert staging.stage("model", "bias", "1e-1") == ""
    assert "outside its limits" in staging.stage("model", "size", "7")
    with pytest.raises(ValueError, match="outside its limits"):
        staging.batches()
    assert "not a number" in staging.stage("model", "size", "much")
    assert "not a finite number" in staging.stage("model", "size", "nan")
    staging.stage("model", "size", "2,5")
    assert machine.heard() == []
    desk.tune(OPERATOR, staging.batches())
    machine.heard()
    assert machine.values == {"size": 2.5, "bias": 0.1}
    feed.update()
    desk.tune(OPERATOR, {"model": {"size": 4.0}})
    machine.heard()
    for wanted in (2.5, 1.0):
        feed.update()
        desk.undo(OPERATOR)
        machine.heard()
        assert machine.values["size"] == wanted
    assert machine.values == {"size": 1.0, "bias": 0.0}
    assert desk.undo(OPERATOR) is None
    feed.update()
    staging.discard()
    staging.stage("model", "size", "1")
    assert staging.values == {}  # it is in force already


def test_nothing_is_sent_if_one_value_is_wrong(machine, desk):
    with pytest.raises(ValueError, match="outside its limits"):
        desk.tune(OPERATOR, {"model": {"bias": 1.0, "size": 9.0}})
    assert machine.heard() == [] and desk.changes == []


def test_what_the_model_refuses_is_not_sent_to_anyone(machine, desk):
    """Its own conditions count before a controller hears of the same change."""

    class Changes:
        def put(self, values):
            if values.get("size", 1.0) < values.get("bias", 0.0):
                raise ValueError("size must not be below bias")
            return {}

        def take_back(self, before):
            pass

    tuning = machine.session.serve_tuning(Changes())
    try:
        with pytest.raises(ValueError, match="size must not be below bias"):
            desk.tune(OPERATOR, {"model": {"size": 1.0, "bias": 2.0}})
        assert machine.heard() == [] and desk.changes == []
        assert list(desk.feed.events)[-1].text == "refused: size = 1, bias = 2: size must not be below bias"
        desk.tune(OPERATOR, {"model": {"size": 3.0, "bias": 2.0}})
        assert [value for _, value in machine.heard()] == [3.0, 2.0]
    finally:
        tuning.close()


@pytest.mark.parametrize(
    ("rule", "heard"),
    [
        (Rule("wave", level=0.9), []),
        (Rule("wave", level=0.9, action="hold"), [(Command.HOLD, 0.0)]),
        (Rule("wave", level=0.9, action="stop"), [(Command.STOP, 0.0)]),
        (Rule("wave", "below", -0.9, 0, "set", "model", "size", 0.5), [(Command.TUNE, 0.5)]),
        (Rule("wave", level=1.1, action="hold"), None),
    ],
)
def test_alarms_act(machine, feed, desk, rule, heard):
    desk.set_alarms(OPERATOR, [rule])
    machine.run(1000)
    feed.update()
    desk.serve()
    assert machine.heard() == (heard or [])
    assert feed.alarms.raised == (heard is not None)
    assert any("raised at" in event.text for event in feed.events) == (heard is not None)


class Recording:
    """Stands for `samara.realtime.recording`, which has tests of its own."""

    def __init__(self):
        self.now = SimpleNamespace(alive=True, on=False, file="", rows=0, bytes=0, lost=0, message="", finished=[])
        self.now.keeps, self.everything = "all channels", False

    def state(self, session):
        return SimpleNamespace(**vars(self.now))

    def start(self, session, everything=False):
        self.now.on, self.now.file, self.everything = True, "a.nc", everything

    def stop(self, session):
        self.now.on, self.now.finished = False, ["a.nc"]


def test_the_recorder_is_told_and_tells(machine, feed, monkeypatch):
    recording = Recording()
    monkeypatch.setattr("samara.dashboard.desk.recording.recording", recording)
    desk = Desk(feed)
    desk.serve()
    desk.set_alarms(OPERATOR, [Rule("wave", level=0.9, action="record")])
    machine.run(1000)
    feed.update()
    desk.serve()
    assert desk.recorder.on and "recording a.nc" in desk.recorder.state
    desk.record(OPERATOR, "stop")
    desk.serve()
    recording.now.message = "the disk is full"
    desk.serve()
    told = [event.text for event in feed.events if event.who == "recorder"]
    assert not recording.everything and "MB/s" in desk.recorder.whole
    desk.record(OPERATOR, "start all")
    assert recording.everything
    assert told == ["recording a.nc", "complete: a.nc", "the disk is full"]
    assert desk.recorder.state == "the disk is full"
    recording.now.alive = False
    assert "samara record" in desk.recorder.state and not desk.recorder.on


def test_events_are_a_table_that_spreadsheets_do_not_execute(feed):
    from samara.dashboard.feed.events import EventKind

    feed.events.add(EventKind.LAYOUT, "=cmd()", "operator")
    last = feed.events.to_csv().splitlines()[-1]
    assert last.endswith(",layout,operator,'=cmd()")


# ---- scopes
def drawn(messages):
    """The trace that a screen has after these messages."""
    x, y = [], []
    for message in filter(None, messages):
        if message["reset"]:
            x, y = [], []
        x += message["x"][0]
        y += message["y"][0]
    return np.array(x), np.array(y, float)


def test_a_rolling_scope_sends_what_is_new_and_no_more(machine, feed):
    scope, messages = Scope(feed, Setup(["wave"], window=2.0)), []
    for _ in range(100):
        machine.run(40)
        feed.update()
        messages.append(scope.message())
    assert [m["reset"] for m in messages].count(True) == 1
    assert max(len(m["x"][0]) for m in messages[1:]) <= 2 * (0.04 / (2.0 / 400) + 1)
    x, y = drawn(messages)
    assert np.allclose(y, np.sin(2 * np.pi * x), atol=1e-6)  # seven digits
    assert messages[-1]["to"] == pytest.approx(3.999) and x[-1] > 3.98


def test_a_scope_begins_anew_after_a_reset(machine, feed):
    scope = Scope(feed, Setup(["wave"]))
    machine.run(500)
    feed.update()
    scope.message()
    machine.steps = 0
    machine.run(100)
    feed.update()
    message = scope.message()
    assert message["reset"] and message["to"] == pytest.approx(0.099) and max(message["x"][0]) < 0.1


def test_a_triggered_scope_stands(machine, feed):
    scope, sweeps = Scope(feed, Setup(["wave", "ramp"], 0.5, "normal", "wave", 0.0, rising=False)), []
    for _ in range(100):
        machine.run(40)
        feed.update()
        if (message := scope.message()) is not None:
            sweeps.append(message)
    assert sweeps.pop(0)["at"] is None  # before the first crossing it shows what there is
    assert 3 <= len(sweeps) <= 5  # a period of 1 s, 4 s long
    for sweep in sweeps:
        assert sweep["at"] % 1.0 == pytest.approx(0.5, abs=1e-4)
        assert sweep["to"] - sweep["from"] == pytest.approx(0.5)


def test_what_a_frozen_scope_shows_can_be_shown_by_another(machine, feed):
    """As after a reload of its page: the same points, cursors and readings."""
    scope, other = (Scope(feed, Setup(["wave", "ramp"], window=1.0)) for _ in range(2))
    machine.run(3000)
    feed.update()
    scope.message()
    assert scope.still() is None
    scope.freeze(True)
    scope.cursors = (2.1, 2.6)
    machine.run(3000)
    feed.update()
    other.show_still(scope.still())
    assert other.frozen and other.cursors == scope.cursors and other.read() == scope.read()
    assert other.message() is None
    points = other.message(whole=True)
    assert points == scope.message(whole=True) and points["reset"]
    assert (points["from"], points["to"]) == scope.shown
    assert max(abs(y) for y in points["y"][0]) == pytest.approx(1.0, abs=1e-3)  # a wave of one


def test_a_frozen_scope_keeps_every_sample(machine, feed):
    scope = Scope(feed, Setup(["wave"], window=1.0))
    machine.run(3000)
    feed.update()
    scope.message()
    scope.freeze(True)
    machine.run(3000)
    feed.update()
    assert scope.message() is None
    scope.cursors = (2.0, 2.25)
    reading = scope.read()["wave"]
    assert (reading.a, reading.b) == pytest.approx((0.0, 1.0), abs=1e-9)
    assert reading.mean == pytest.approx(2 / math.pi, abs=1e-5)
    scope.freeze(False)
    assert scope.message()["reset"] and scope.cursors is None


def test_signals_that_are_not_there_are_left_out(feed):
    assert Scope(feed, Setup(["wave", "gone"])).setup.signals == ["wave"]


# ---- the rest
def test_a_histogram_with_fewer_bins_has_the_same_counts(rng):
    from samara.realtime.session.accounts import new_histogram, note

    counts, durations = new_histogram(), rng.lognormal(10.0, 1.5, 5000).astype(int)
    for duration in durations:
        note(counts, duration)
    edges, found = rebinned(counts)
    assert found.sum() == 5000
    assert np.allclose(edges[1:] / edges[:-1], 2**0.25)
    for k in (0, len(edges) // 2, len(edges) - 1):
        inside = (durations >= 1e3 * edges[k]) & (durations < 1e3 * edges[k] * 2**0.25)
        assert found[k] == pytest.approx(inside.sum(), abs=3)  # one at an edge may be rounded across
    assert rebinned(new_histogram())[1].size == 0


def test_layouts_are_saved_and_found_again(tmp_path, monkeypatch, feed):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    layout = PanelLayout([Setup(["wave"], 5.0, "auto", "wave", 0.25), Setup()], ["ramp"], [Rule("wave")], 1.5)
    path = layouts.save("made up", "default", layout)
    assert path == tmp_path / "samara" / "panel" / "made_up" / "default.json"
    assert layouts.first(feed) == layouts.load("made up", "default") == layout
    assert layouts.names("made up") == ["default"] and layouts.names("other") == []
    layouts.delete("made up", "default")
    assert layouts.first(feed).scopes[0].signals  # something is shown


ROTOR = (
    "swashplate.actuator_1.power swashplate.actuator_1.angle blade_1.flap.angle blade_1.flap.angle_rate "
    "blade_1.lag.angle blade_2.flap.angle rotor.power rotor.torque rotor.thrust rotor.CT_sigma hub.position.z"
).split()


def test_the_first_page_of_a_rotor_shows_its_rotor(tmp_path, monkeypatch):
    """Before the first step as well as later; then what stands still is left out of the scopes."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    rotor = Session.create(
        f"test-first-{os.getpid()}", rate=RATE, sensors=[Signal(name, "1") for name in ROTOR],
        actuators=[Signal("collective", "rad"), Signal("cyclic", "rad")], model="rotor",
    )  # fmt: skip
    feed = Feed(Session.connect(rotor.card.name), now=0.0)
    try:
        dials = ["rotor.thrust", "rotor.CT_sigma", "rotor.torque", "rotor.power"]
        layout = layouts.first(feed)
        assert not layouts.settled(feed) and layout.gauges[:4] == dials
        assert layout.scopes[0].signals == ["blade_1.flap.angle", "blade_1.lag.angle"]
        assert layout.scopes[1].signals == ["blade_1.flap.angle_rate", "rotor.thrust"]
        for step in range(1000):
            moving = {"blade_1.flap.angle", "blade_2.flap.angle", "blade_1.flap.angle_rate", "rotor.thrust"}
            t = step / RATE
            rotor.sensors.write([math.sin(t) * (name in moving) for name in ROTOR], t)
            rotor.actuators.write([t, 0.0], t)
        feed.update()
        layout = layouts.first(feed)
        assert layouts.settled(feed) and layout.gauges[:4] == dials
        assert [scope.signals for scope in layout.scopes] == [
            ["blade_1.flap.angle", "blade_2.flap.angle"],
            ["collective", "blade_1.flap.angle_rate"],
        ]
    finally:
        feed.close()
        rotor.close()


def test_alarms_of_the_default_layout_are_set_once(tmp_path, monkeypatch, feed, desk):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    desk.begin()
    assert feed.alarms.rules == []  # there is no such layout yet
    layout = PanelLayout(alarms=[Rule("wave", level=0.5), Rule("gone")])
    path = layouts.save("made up", "default", layout)
    desk.begin()
    assert feed.alarms.rules == [Rule("wave", level=0.5)]
    desk.set_alarms(OPERATOR, [Rule("ramp")])
    desk.begin()
    assert feed.alarms.rules == [Rule("ramp")]  # those that are there stay
    desk.take_alarms(OPERATOR, layout)  # an operator asks for them
    assert feed.alarms.rules == [Rule("wave", level=0.5)]
    with pytest.raises(RefusedError):
        desk.take_alarms(VIEWER, PanelLayout(alarms=[Rule("ramp")]))
    desk.set_alarms(OPERATOR, [])
    path.write_text("[]")
    desk.begin()
    assert any("were not set: this layout is damaged" in event.text for event in feed.events)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 65, "a\0b"])
def test_names_of_layouts_stay_in_their_folder(name):
    with pytest.raises(LayoutError, match="layout name"):
        layouts.save("made up", name, PanelLayout())


@pytest.mark.parametrize("damage", ["[", 5, None, {}, [], [[]], math.nan, 1e999, "x", True], ids=repr)
def test_a_damaged_default_layout_locks_nobody_out(tmp_path, monkeypatch, feed, desk, damage):
    """Whatever stands in one of its places: it is refused in words, or it can be shown; the panel begins."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    whole = PanelLayout([Setup(["wave"], 5.0, "auto", "wave", 0.25)], ["ramp"], [Rule("wave")], 1.5)
    path = layouts.save("made up", "default", whole)
    plain = json.loads(whole.to_json())
    texts = [json.dumps({**plain, name: damage}) for name in plain]
    for group in ("scopes", "alarms"):
        texts += [json.dumps({**plain, group: [{**plain[group][0], name: damage}]}) for name in plain[group][0]]
    for text in texts:
        path.write_text(text)
        desk.begin()
        try:
            layout = layouts.first(feed)
        except LayoutError as error:
            assert "this layout" in str(error)
            continue
        desk.take_alarms(OPERATOR, layout)
        for setup in layout.scopes:
            Scope(feed, setup).message()
        assert 0.5 <= layout.scale <= 3.0
        assert all(isinstance(name, str) for name in layout.gauges)


def test_a_default_layout_that_cannot_be_read(tmp_path, monkeypatch, feed, desk):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = layouts.save("made up", "default", PanelLayout())
    for data in (b"\xff\xfe", b"[" * 100_000):
        path.write_bytes(data)
        with pytest.raises(LayoutError, match=r"cannot be read|this layout is damaged"):
            layouts.first(feed)
        desk.begin()


@pytest.mark.parametrize("text", ["", "[]", '{"format": "samara-panel"}', '{"format": "x", "version": 1}'])
def test_damaged_layouts_say_so(text):
    with pytest.raises(LayoutError, match="this layout is"):
        PanelLayout.from_json(text)


def test_what_a_scope_shows_can_be_downloaded_at_the_full_rate(machine, feed):
    machine.run(1000)
    feed.update(1.0)
    scope = Scope(feed, Setup(["wave", "force"], window=0.5))
    scope.message(whole=True)
    head, *rows = scope.to_csv().splitlines()
    assert head == "time [s],wave [m],force [N]"
    table = np.array([[float(x) for x in row.split(",")] for row in rows])
    assert len(table) == 501 and table[-1, 0] == pytest.approx(0.999)
    assert table[:, 1] == pytest.approx(np.sin(2.0 * np.pi * table[:, 0]), abs=1e-8)
    scope.freeze(True)
    machine.run(1000)
    feed.update(2.0)
    assert scope.to_csv().splitlines() == [head, *rows]  # what is on the screen


def test_a_page_opens_with_what_the_model_plots(tmp_path, monkeypatch):
    """Signals of one unit share a scope; what is not published is left out."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    name = f"test-plots-{os.getpid()}"
    signals = [
        Signal("arm.angle", "rad"),
        Signal("hub.angle", "rad"),
        Signal("rotor.thrust", "N"),
        Signal("a.force.x", "N"),
    ]
    plot = ["rotor.thrust", "arm.angle", "a.force.x", "gone"]
    with Session.create(name, rate=RATE, sensors=signals, model="plots", scene={"plot": plot}):
        feed = Feed(Session.connect(name), now=0.0)
        assert [s.signals for s in layouts.first(feed).scopes] == [["rotor.thrust", "a.force.x"], ["arm.angle"]]
        feed.close()
