"""Rows of a benchmark report and the timing helpers."""

import json

import numpy as np
import pytest

from samara.benchmarks.rows import (
    Row,
    Timing,
    cpu_time_per_call,
    interleave,
    ratio,
    to_json,
    to_table,
    to_text,
)

ROWS = [
    Row("chain 2", "CPU time per step", np.float64(39.25), "us", aim=20.0, note="kept Jacobian"),
    Row("chain 200", "tip error", float("nan"), "m"),
]


def test_json_has_plain_numbers_and_no_nan():
    document = json.loads(to_text(ROWS))
    assert document == to_json(ROWS)
    first, second = document["rows"]
    assert first == {
        "case": "chain 2",
        "metric": "CPU time per step",
        "value": 39.25,
        "unit": "us",
        "aim": 20.0,
        "note": "kept Jacobian",
    }
    assert second["value"] is None


def test_table_columns_line_up():
    head, rule, first, second = to_table(ROWS).splitlines()
    assert head.split() == ["case", "metric", "value", "unit", "aim", "note"]
    assert set(rule) == {"-", " "}
    end_of_value = head.index("value") + len("value")
    assert first[:end_of_value].endswith(" 39.25")
    assert second[:end_of_value].endswith(" nan")
    assert first.index("us") == second.index("m", end_of_value) == head.index("unit")


def test_table_without_rows_is_a_heading():
    assert len(to_table([]).splitlines()) == 2


def test_setup_runs_before_each_call_and_feeds_it():
    made, seen = iter(range(100)), []
    timing = cpu_time_per_call(seen.append, setup=lambda: next(made), repeats=3, warmup=2)
    assert seen == [0, 1, 2, 3, 4]
    assert timing.samples.shape == (3,)


def test_interleave_takes_turns():
    order: list[str] = []
    timings = interleave({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, repeats=3, warmup=0)
    assert order == list("ababab")
    assert set(timings) == {"a", "b"}


def test_inner_calls_are_averaged():
    calls = []
    cpu_time_per_call(lambda: calls.append(0), repeats=2, warmup=1, inner=5)
    assert len(calls) == 15


def test_ratio_is_taken_pair_by_pair():
    # The machine slows down tenfold after the first pair: the ratio of the codes stays 2.
    assert ratio(Timing(np.array([2.0, 20.0, 20.0])), Timing(np.array([1.0, 10.0, 10.0]))) == 2.0
    with pytest.raises(ValueError, match="equal length"):
        ratio(Timing(np.ones(3)), Timing(np.ones(2)))


def test_timing_statistics():
    timing = Timing(np.array([1.0, 2.0, 3.0, 10.0])).scaled(2.0)
    assert (timing.best, timing.median, timing.worst) == (2.0, 5.0, 20.0)
    assert timing.percentile(100) == 20.0


def test_bad_counts_name_themselves():
    with pytest.raises(ValueError, match="repeats"):
        interleave({"a": lambda: None}, repeats=0)
