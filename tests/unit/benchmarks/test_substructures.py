"""`samara bench substructures` at small sizes: its rows."""

import numpy as np

from samara.benchmarks.scaling.substructures import rotor_rows, rows


def test_every_size_has_its_figures():
    found = {(row.case, row.metric): row.value for row in rows(beams=(2, 3), repeats=1, ranks=())}
    for case in ("wrats-2", "wrats-3"):
        for metric in ("interface", "us_per_step_whole", "lanes_speedup", "threads_speedup", "residual_us"):
            assert found[case, metric] > 0.0
    assert (
        found["wrats-2", "interface"] == found["wrats-3", "interface"] == 39 + 21
    )  # the swashplate's 12, its joints 9
    assert found["wrats-3", "unknowns"] - found["wrats-2", "unknowns"] == 4 * 12
    assert np.isfinite(list(found.values())).all()


def test_rotors_have_a_speedup():
    found = {(row.case, row.metric): row.value for row in rotor_rows(sizes=((2, 3),), repeats=1)}
    assert {case for case, _ in found} == {"rotor-96"}
    assert found["rotor-96", "threads_speedup"] > 0.0
