"""One thread for small dense matrices, and the others back afterwards."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from threadpoolctl import ThreadpoolController

from samara import blas
from samara.blas import SMALL, one_thread


@pytest.fixture
def threads():
    """Numbers of threads now, by library; two at the beginning."""
    libraries = ThreadpoolController().select(user_api="blas")
    with libraries.limit(limits=2):
        yield lambda: {library["filepath"]: library["num_threads"] for library in libraries.info()}


def test_one_meanwhile(threads):
    several = threads()
    with one_thread():
        with one_thread(SMALL):
            assert set(threads().values()) == {1}
        assert set(threads().values()) == {1}  # the outer one still holds
    assert threads() == several
    with pytest.raises(ValueError, match="no"), one_thread():
        raise ValueError("no")
    assert threads() == several


def test_large_matrices_keep_theirs(threads):
    several = threads()
    with one_thread(SMALL + 1):
        assert threads() == several


def test_a_process_of_ours_makes_no_threads():
    """Not even idle ones: their stacks would be locked in a loop's memory."""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("this system does not tell the threads of a process")
    script = (
        "import os, numpy, scipy.linalg; numpy.ones((300, 300)) @ numpy.ones((300, 300));"
        "print(len(os.listdir('/proc/self/task')))"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **blas.ONE_THREAD}, capture_output=True, check=True
    )
    assert told.stdout.split() == [b"1"]
