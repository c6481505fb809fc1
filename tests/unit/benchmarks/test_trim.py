"""The benchmark of trims: on rigid blades, which are cheap."""

from samara.benchmarks.rotorcraft import trim


def test_both_ways_meet_the_same_controls():
    rows = list(trim.rows(repeats=1, blades="rigid"))
    assert {row.case for row in rows} == {f"trim-{tolerance:g}" for tolerance in trim.TOLERANCES}
    for row in rows:
        assert row.value > 0.0
        if row.metric.startswith("seconds"):
            assert row.note.startswith("met"), row
