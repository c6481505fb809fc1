"""A controller against a scripted simulator: what is counted, what is held, how it ends."""

import math
import os
import signal

import pytest

from samara.realtime.controllers import Controller, ControllerError, Info, LinkPort, Snapshot, run, tunable


class Script:
    """A link that plays samples back. A sample is (sequence, value); None: nothing came; "gone": nobody is there."""

    def __init__(self, samples, rate=100.0, slow=0.0, returns=()):
        self.info = Info(
            "script", rate, (LinkPort("y", "rad"), LinkPort("z", "m")), (LinkPort("u", "N m"), LinkPort("v", "N"))
        )
        self.samples, self.slow, self.returns = list(samples), slow, list(returns)
        self.sent, self.announced, self.wanted = [], [], []
        self.is_alive, self.closed, self.clock = True, False, 0.0

    def open(self, sensors, actuators):
        self.opened = sensors, actuators

    def wait(self, timeout):
        item = self.samples.pop(0) if self.samples else "gone"
        if item == "gone":
            self.is_alive = False
            return None
        if item is None:
            return None
        if callable(item):
            item()
            return None
        sequence, value = item
        self.clock = stamp = 1000.0 + sequence
        self.clock += self.slow
        return Snapshot((value,), sequence / self.info.rate, stamp, sequence)

    def send(self, values, time):
        self.sent.append((round(time * self.info.rate), *values))

    def changes(self):
        return self.wanted.pop(0) if self.wanted else {}

    def announce(self, parameters):
        self.announced.append({p["name"]: p["value"] for p in parameters})

    def consult(self, examine):
        self.examine = examine

    def alive(self):
        return self.is_alive

    def reopen(self, timeout):
        self.samples = self.returns.pop(0)
        self.is_alive = True
        return True

    def now(self):
        return self.clock

    def close(self):
        self.closed = True


class Double(Controller):
    sensors, actuators = ("y",), ("u",)
    gain = tunable(2.0, lower=0.0, upper=10.0)
    starts = 0

    def start(self, t, y):
        self.starts += 1

    def step(self, t, y):
        return (self.gain * y.y,)


def quiet(line):
    pass


def count(n, first=1):
    return [(k, float(k)) for k in range(first, first + n)]


def test_every_sample_is_answered():
    link = Script([*count(3), None, *count(2, 4)])
    summary = run(Double(), link, report=quiet)
    assert link.opened == (("y",), ("u",))
    assert link.sent == [(k, 2.0 * k) for k in range(1, 6)]
    assert (summary.handled, summary.missed, summary.late, summary.ended) == (5, 0, 0, "simulator gone")
    assert summary.simulated == pytest.approx(0.04)
    assert link.closed
    assert "5 samples in 0.040 s, 0 missed, 0 late" in str(summary)
    assert summary.as_dict()["step_us"]["max"] > 0.0


def test_gaps_and_late_answers_are_counted():
    summary = run(Double(), Script([(1, 0.0), (2, 0.0), (6, 0.0), (7, 0.0), (9, 0.0)]), report=quiet)
    assert (summary.handled, summary.missed) == (5, 4)
    late = run(Double(), Script(count(4), slow=0.011), report=quiet)
    assert late.late == 4
    assert run(Double(), Script(count(4), slow=0.009), report=quiet).late == 0


def test_a_controller_knows_how_much_time_has_elapsed():
    """Its sum is the time of the samples, whichever of them it saw; anew when the simulator starts anew."""

    class Sum(Double):
        def start(self, t, y):
            self.sum, self.first = 0.0, t - self.period

        def step(self, t, y):
            self.sum += self.elapsed
            assert self.sum == pytest.approx(t - self.first, rel=1e-12)
            return (self.sum,)

    link = Script([(k, 0.0) for k in (3, 4, 5, 9, 10, 31, 2, 3, 8)])
    summary = run(Sum(), link, report=quiet)
    assert (summary.handled, summary.exceptions, summary.restarts) == (9, 0, 1)


def test_a_slower_controller_answers_every_nth():
    class Slow(Double):
        rate = 25.0

    controller = Slow()
    link = Script([s for s in count(20) if s[0] not in (5, 6)])
    summary = run(controller, link, report=quiet)
    assert controller.period == 0.04
    assert [k for k, _ in link.sent] == [1, 7, 11, 15, 19]  # four samples apart at least; the gap delays one
    assert (summary.rate, summary.missed) == (25.0, 2)


@pytest.mark.parametrize("rate", [30.0, 200.0])
def test_a_rate_that_does_not_divide_the_simulators(rate):
    kind = type("Odd", (Double,), {"rate": rate})
    with pytest.raises(ControllerError, match=f"Odd: its rate, {rate:g} Hz, does not divide the simulator's, 100 Hz"):
        run(kind(), Script([]), report=quiet)


def test_unknown_names():
    with pytest.raises(ControllerError, match=r"Odd: the simulator has no sensor 'yy'; did you mean y\?"):
        run(type("Odd", (Double,), {"sensors": ("yy",)})(), Script([]))
    with pytest.raises(ControllerError, match="Odd: the simulator has no actuator 'motor'; there are u, v"):
        run(type("Odd", (Double,), {"actuators": ("motor",)})(), Script([]))


def test_failures_hold_the_last_output_and_are_reported_once():
    class Frail(Double):
        def step(self, t, y):
            if y.y in (1.0, 4.0, 5.0):
                raise RuntimeError("a wire came off")
            return (math.nan if y.y in (6.0, 7.0) else y.y,)

    told = []
    link = Script(count(8))
    summary = run(Frail(), link, report=told.append)
    assert link.sent == [
        (2, 2.0),
        (3, 3.0),
        (4, 3.0),
        (5, 3.0),
        (6, 3.0),
        (7, 3.0),
        (8, 8.0),
    ]  # nothing to hold at first
    assert (summary.exceptions, summary.not_finite, summary.handled) == (3, 2, 8)
    assert "RuntimeError: a wire came off; nothing is sent" in told[0] and "test_runner.py, line" in told[0]
    assert told[1] == "Frail at t = 0.06 s: u = nan; the last output is held"
    assert len(told) == 3  # the third: that the simulator has gone
    with pytest.raises(ControllerError, match=r"Strict at t = 0.01 s: .*a wire came off"):
        run(type("Strict", (Frail,), {"on_error": "stop"})(), Script(count(8)), report=quiet)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((1.0, 2.0), r"Wrong: step returned 2 numbers for 1 actuator \(u\)"),
        (3.0, r"Wrong: step must return 1 number, as a tuple, got 3.0"),
        (None, r"Wrong: step must return 1 number, as a tuple, got None"),
    ],
)
def test_a_wrong_number_of_outputs_ends_it(answer, words):
    link = Script(count(3))
    with pytest.raises(ControllerError, match=words):
        run(type("Wrong", (Double,), {"step": lambda self, t, y: answer})(), link, report=quiet)
    assert link.closed and link.sent == []


def test_numbers_change_while_it_runs():
    told = []
    link = Script(count(5))
    link.wanted = [{}, {"gain": 5.0}, {"gain": 99.0}, {"nonsense": 1.0}, {"gain": 0.0}]
    summary = run(Double(), link, report=told.append)
    assert [u for _, u in link.sent] == [2.0, 10.0, 15.0, 20.0, 0.0]
    assert summary.changes == 2
    assert "not changed: parameter 'gain': 99 is outside [0, 10]" in told[0]
    assert "not changed: Double has no parameter 'nonsense'" in told[1]
    assert [a["gain"] for a in link.announced] == [2.0, 5.0, 5.0, 5.0, 0.0]


def test_a_duration():
    link = Script(count(50))
    summary = run(Double(), link, duration=0.1, report=quiet)
    assert (summary.ended, summary.handled) == ("duration", 11)


def test_a_simulator_that_is_reset_and_one_that_returns():
    controller = Double()
    link = Script([*count(4), *count(3)], returns=[count(2)])
    link.samples.append("gone")
    told = []
    summary = run(controller, link, duration=0.06, wait=True, report=told.append)
    assert controller.starts == 3
    assert (summary.restarts, summary.handled) == (2, 9)
    assert told == ["the simulator 'script' has gone; waiting for its return"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_in_order(number):
    class Last(Double):
        def stop(self, t):
            return (0.0,)

    before = signal.getsignal(number)
    link = Script([*count(3), lambda: os.kill(os.getpid(), number), *count(3, 4)])
    summary = run(Last(), link, report=quiet)
    assert (summary.ended, summary.handled) == ("interrupted", 3)
    assert link.sent[-1] == (3, 0.0)
    assert link.closed
    assert signal.getsignal(number) is before
