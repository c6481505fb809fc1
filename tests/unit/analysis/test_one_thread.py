"""One thread for small dense matrices, and the others back afterwards."""

import pytest

from samara.analysis.linearisation import one_thread as module
from samara.analysis.linearisation.one_thread import SMALL, one_thread


@pytest.fixture
def threads():
    """Numbers of threads now; two at the beginning."""
    before = [get() for get, _ in module._libraries()]
    for _, put in module._libraries():
        put(2)
    yield lambda: {get() for get, _ in module._libraries()} or {None}
    for (_, put), count in zip(module._libraries(), before, strict=True):
        put(count)


def test_one_meanwhile(threads):
    several = threads()
    with one_thread():
        with one_thread(SMALL):
            assert threads() <= {1, None}
        assert threads() <= {1, None}  # the outer one still holds
    assert threads() == several
    with pytest.raises(ValueError, match="no"), one_thread():
        raise ValueError("no")
    assert threads() == several


def test_large_matrices_keep_theirs(threads):
    several = threads()
    with one_thread(SMALL + 1):
        assert threads() == several
