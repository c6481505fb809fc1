"""Every feature in every way to run: what the plain run gives, or a refusal that names the element (see `matrix`)."""

import importlib.util
import warnings

import pytest
from features import FEATURES
from matrix import OTHERWISE, USUAL, Refused, Shared, Told, outcome
from ways import IN_TREES, WAYS

ALL = WAYS | IN_TREES
CELLS = [(feature, way) for feature in FEATURES for way in ALL]


@pytest.mark.parametrize(("feature", "way"), CELLS, ids=[f"{feature}-{way}" for feature, way in CELLS])
def test_cell(feature, way):
    if way == "MPI" and importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed")
    wanted, run = outcome(feature, way), ALL[way]
    if isinstance(wanted, Refused):
        with pytest.raises(wanted.error) as refusal:
            run(FEATURES[feature])
        assert type(refusal.value) is wanted.error
        assert all(word in str(refusal.value) for word in wanted.words), refusal.value
        return
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = run(FEATURES[feature])
    messages = [str(warning.message) for warning in told]
    assert all(isinstance(wanted, Told) and wanted.words in message for message in messages), messages
    assert messages or not isinstance(wanted, Told)
    if isinstance(wanted, Shared):
        assert found.differ
        assert all(name.endswith((".force", ".couple")) for name in found.differ), found.differ
    else:
        assert found.ratio <= 1.0, f"{found.where}: {found.ratio:.2g} times as far from the plain run as it may be"


def test_the_table_is_of_what_is_tried():
    assert set(USUAL) == set(ALL)
    assert set(OTHERWISE) <= set(FEATURES)
    for names in (names for rules in OTHERWISE.values() for names in rules):
        assert set(names.split(" + ")) <= set(ALL)
