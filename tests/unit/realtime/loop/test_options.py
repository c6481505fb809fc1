"""One object says how a loop is run: checked where it is made, the same from a script, a process and the command."""

import dataclasses
import json

import pytest

import samara as sm
from samara.cli.parser import POLICIES, make_parser
from samara.models.mechanisms import pendulum
from samara.realtime.loop import Job, Options, Policy, RealTime, Supervisor, made_up


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"priority": 100}, "RealTime: priority must be at most 99, got 100"),
        ({"priority": -1}, "RealTime: priority must be at least 0, got -1"),
        ({"cpu": -1}, "RealTime: cpu must be at least 0, got -1"),
        ({"spin": -1e-3}, "RealTime: spin must be a number that is not negative, got -0.001"),
        ({"driven": True}, "needs a session"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_is_made(given, words):
    with pytest.raises(sm.ArgumentError) as error:
        Options(1000.0, **given)
    assert words in str(error.value)


def test_numbers_and_words_are_made_plain():
    found = Options(1000, Policy.HOLD, iterations=5.0, sensors="*.angle")
    assert found == Options(1000.0, "hold", iterations=5, sensors=("*.angle",))
    assert dataclasses.replace(found, rate=None).rate is None  # left to the model


def test_keywords_and_options_give_the_same_loop():
    options = Options(500.0, "degrade", iterations=6, few=3, spin=1e-4)
    with RealTime(pendulum.build(), options, clock=made_up()) as one:
        pass
    with RealTime(pendulum.build(), 500.0, policy="degrade", iterations=6, few=3, spin=1e-4, clock=made_up()) as other:
        pass
    assert one.plan == other.plan
    assert one.options == other.options == options
    with pytest.raises(sm.ArgumentError, match="rate must be a positive number, got None"):
        RealTime(pendulum.build(), Options())
    with pytest.raises(TypeError, match="priorty"):
        RealTime(pendulum.build(), 500.0, priorty=3)


def test_a_job_comes_through_a_line_of_text_unchanged():
    options = Options(400.0, Policy.SLIP, session="s", sensors=("a.*", "b"), record=64, cpu=1)
    job = Job("puma", {"blades": "rigid", "length": 1.5}, options, duration=2.0, bare=0.1)
    text = job.to_text()
    assert "\n" not in text and json.loads(text)["options"]["policy"] == "slip"
    assert Job.from_text(text) == job
    assert job.with_options(rate=10.0).rate == 10.0 and job.rate == 400.0


def test_a_job_that_is_watched_needs_a_session():
    with pytest.raises(sm.ArgumentError, match="must name a session"):
        Supervisor(Job("pendulum"))


def test_the_command_has_the_same_defaults():
    args = vars(make_parser().parse_args(["realtime", "pendulum"]))
    known = {f.name: getattr(Options(), f.name) for f in dataclasses.fields(Options) if f.name in args}
    assert known.keys() >= {"rate", "policy", "iterations", "priority", "cpu", "spin", "record", "patience"}
    assert {name: args[name] for name in known} == known | {"sensors": ["*"]}
    assert POLICIES == tuple(policy.name.lower() for policy in Policy)
