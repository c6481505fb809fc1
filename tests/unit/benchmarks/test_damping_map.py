"""The map of damping measures what it says, and the benchmark can be read."""

import numpy as np

from samara.benchmarks.rotorcraft import damping_map
from samara.benchmarks.scaling import parallel
from samara.sweep import grid


def test_ground_resonance_where_theory_has_it():
    """A lag mode without damper regresses at speed - lag frequency; it meets the mast's where the two are equal.

    lag frequency = speed (S e / I)^(1/2), with S the first moment and I the inertia about the hinge, e its offset.
    Undamped blades make the mast unstable there (Coleman); dampers, and a speed far below, do not.
    """
    first = damping_map.BLADE_MASS * damping_map.BLADE_CENTRE
    about = damping_map.BLADE_INERTIA + first * damping_map.BLADE_CENTRE
    ratio = np.sqrt(first * damping_map.HINGE / about)
    whole = damping_map.MAST_MASS + damping_map.BLADES * damping_map.BLADE_MASS
    critical = np.sqrt(damping_map.MAST_STIFFNESS / whole) / (1.0 - ratio)
    assert damping_map.SPEEDS[0] < critical < damping_map.SPEEDS[1]
    found = damping_map.run(grid(damper=[0.0, 8000.0], speed=[0.5 * critical, critical]))["growth"]
    assert not np.isnan(found).any()
    assert found.sel(damper=0.0)[1] > 0.1
    assert (found.sel(damper=8000.0) < 0.0).all() and found.sel(damper=0.0)[0] < 0.1


def test_rows():
    rows = list(damping_map.rows(count=6))
    assert [row.metric for row in rows] == [
        "variants_per_core_second",
        "variants_per_core_second_two_processes",
        "speedup_two_processes",
        "difference_two_processes",
    ]
    assert rows[0].value > 0.0 and rows[3].value == 0.0 and "0 failed" in rows[0].note
    assert parallel.CASES["damping-map"] is damping_map.rows
