"""The benchmark of machines with hydraulics: what it reports, not how long it takes."""

from samara.benchmarks.rotorcraft.multiphysics import rows


def test_rows():
    found = {(row.case, row.metric): row.value for row in rows(steps=100)}
    for case in ("puma-hydraulic", "puma-hydraulic-elastic"):
        for metric in ("us_per_step_median", "us_per_step_max", "real_over_sim", "cost_of_hydraulics"):
            assert found[case, metric] > 0.0
        assert found[case, "unknowns"] > 100
