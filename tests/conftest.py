"""What every test shares: one thread a process, no display, seeded chance, how an order is observed."""

import gc
import os
import signal
import time

# Before NumPy is imported: xdist already uses the cores, and pictures need no screen.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SAMARA_PROGRESS", "0")  # whether something is compiled depends on the tests before
# Kernels that LLVM does not optimise are made in a quarter of the time, and their results differ by rounding alone.
# Those of users are looked at where a test asks for them: the fixture `optimised`.
os.environ.setdefault("SAMARA_OPTIMISATION", "0")

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from scipy.integrate import solve_ivp

from samara.arguments import ArgumentError
from samara.tracing.compiling import COMPILING, Compiling
from samara.tracing.kernels import native

# A recorder or a panel within the tests' own process does not take the tests after it along.
os.nice = lambda increment: 0

# A shell that starts jobs in the background lets them ignore Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run: a failure seen once is seen again.
settings.register_profile("samara", derandomize=True, deadline=None)
settings.load_profile("samara")


# ---- lanes: `./go test physics` runs one, and a table tells what each took
#: Folders of tests that belong to the lane of another.
LANES = {"formulations": "physics", "invariance": "physics"}
#: Of each lane: tests, processor time, of that for compiling [s].
SPENT: dict[str, list[float]] = {}


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out whatever needs native code, from the cache or not")


def pytest_configure(config):
    if config.getoption("--quick"):

        def leave_out(*args, **kwargs):
            pytest.skip("needs native code")

        native.load = leave_out
        Compiling.function = leave_out


def taken() -> tuple[float, float]:
    """Processor time of this process and of those that it started and that ended [s], and for compiling, since asked
    for last."""
    now = time.process_time() + (sum(os.times()[2:4]) if hasattr(os, "fork") else 0.0), COMPILING.seconds
    before, taken.before = taken.before, now
    return now[0] - before[0], now[1] - before[1]


taken.before = (0.0, 0.0)


def pytest_collection_finish(session):
    """What is there stays: the collector of garbage need not look through it again and again, nor after each graph."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    session.config.stash[COLLECTION] = taken()[0]


COLLECTION = pytest.StashKey[float]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    if call.when == "teardown":
        item.user_properties.append(("taken", taken()))


def pytest_runtest_logreport(report):
    for name, (seconds, compiling) in report.user_properties if report.when == "teardown" else ():
        if name == "taken":
            folder = Path(report.nodeid).parts[1] if report.nodeid.startswith("tests/") else "other"
            add(LANES.get(folder, folder), 1, seconds, compiling)


def add(lane: str, *more: float) -> None:
    SPENT[lane] = [a + b for a, b in zip(SPENT.get(lane, (0, 0.0, 0.0)), more, strict=True)]


def pytest_sessionfinish(session):
    """Each worker has collected on its own."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["collection"] = session.config.stash.get(COLLECTION, 0.0)
    else:
        add("collection", 0, session.config.stash.get(COLLECTION, 0.0), 0.0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    add("collection", 0, getattr(node, "workeroutput", {}).get("collection", 0.0), 0.0)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.section("processor time by lane")
    total = [sum(column) for column in zip(*SPENT.values(), strict=True)]
    terminalreporter.write_line(f"{'lane':<12}{'tests':>8}{'minutes':>10}{'compiling':>11}")
    for lane, (count, seconds, compiling) in [*sorted(SPENT.items()), ("total", total or [0, 0.0, 0.0])]:
        terminalreporter.write_line(f"{lane:<12}{count:>8.0f}{seconds / 60:>10.2f}{compiling / 60:>11.2f}")


# ---- fixtures


@pytest.fixture
def rng() -> np.random.Generator:
    """A seeded random generator."""
    return np.random.default_rng(20260)


@pytest.fixture(scope="session")
def refuses() -> Callable:
    """`with refuses("solve_lcp: M"): ...` says which argument of whom must be refused; the words are free."""

    @contextmanager
    def refusing(what: str, kind: type[ArgumentError] = ArgumentError) -> Iterator[None]:
        with pytest.raises(kind) as caught:
            yield
        culprit, _, argument = what.rpartition(": ")
        assert caught.value.argument == argument, caught.value
        assert caught.value.culprit == culprit or not culprit, caught.value
        assert argument in str(caught.value)

    return refusing


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def orders() -> Callable:
    """Observed orders of a list of errors, each for half the step of the one before: one row a halving."""

    def observed(errors):
        errors = np.asarray(errors)
        return np.log2(errors[:-1] / errors[1:])

    return observed


@pytest.fixture(scope="session")
def fine() -> Callable:
    """The solution of y' = f(t, y) to about 1e-12, as a function of time (Dormand and Prince, order 8)."""

    def solve(f, end, y0):
        return solve_ivp(f, (0, end), y0, method="DOP853", rtol=1e-13, atol=1e-13, dense_output=True).sol

    return solve


@pytest.fixture
def optimised(monkeypatch):
    """Kernels as users have them."""
    monkeypatch.delenv("SAMARA_OPTIMISATION")
