"""One rule for all blocks: no memory keeps what is not finite. The rule is told by `Block`."""

import numpy as np
import pytest
from every_block import MADE, PREDICTIVE, TAKEN, made, taken

from samara import BlockError, Delay, MultiPID, Observer, StateSpace

BAD = [np.nan, np.inf, -np.inf, None, "1", 1j, [], True]


def plain(answer):
    """A copy: some answers are used again."""
    return np.array(answer, float).copy()


@pytest.mark.parametrize("bad", BAD, ids=str)
@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_a_bad_sample_is_refused_by_name_and_leaves_no_trace(kind, bad, rng):
    """A twin that never saw it gives the same answers, to the last bit, whichever argument it came by."""
    block, twin = made(kind), made(kind)
    for k, u in enumerate(rng.normal(size=12)):
        given = taken(kind, float(u))
        if k in (0, 5, 6):
            for name in given:
                if bad is None and name == "elapsed":
                    continue  # stands for a step
                if bad is None and name == "feedforward":
                    continue  # stands for none
                wrong = [*given[name][:-1], bad] if isinstance(given[name], list) and bad != [] else bad
                with pytest.raises(BlockError, match=f"^{kind.__name__}: {name} must be"):
                    block(**(given | {name: wrong}))
        assert (plain(block(**given)) == plain(twin(**given))).all()


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_an_answer_that_would_not_be_finite_is_refused_too(kind):
    """Numbers at the end of what floats hold, either way: no answer and no memory goes beyond."""
    block = made(kind)
    for u in (1e308, -1e308, 1.7e308, -1.7e308, 1.7e308):
        try:
            answer = plain(block(**taken(kind, u)))
        except BlockError as error:
            parts = {"MultiPID": "PID"}.get(kind.__name__, "TransferFunction")  # what a block is made of
            assert str(error).startswith((f"{kind.__name__}: ", f"{parts}: "))
        else:
            assert np.isfinite(answer).all()
    block.reset()
    assert np.isfinite(plain(block(**taken(kind, 0.3)))).all()


@pytest.mark.parametrize("kind", [k for k in MADE if k not in TAKEN], ids=lambda kind: kind.__name__)
def test_numbers_of_numpy_are_samples(kind):
    """Single precision, whole numbers, arrays of no dimension."""
    block, twin = made(kind), made(kind)
    for u in (np.float32(0.5), np.int64(2), np.array(0.25), 3):
        assert plain(block(u)) == plain(twin(float(u)))


def test_a_sample_of_several_channels_needs_all_of_them():
    two = StateSpace(0.5 * np.eye(2), np.eye(2), np.eye(2), step=1.0)
    for call, words in (
        (lambda: two(1.0), r"StateSpace: u must be 2 numbers, got 1.0"),
        (lambda: two([1.0, 2.0, 3.0]), r"StateSpace: u must be 2 numbers, got 3"),
        (lambda: made(Observer)([1.0, 2.0], [1.0]), r"Observer: u must be 1 number, got 2"),
        (lambda: made(MultiPID)([1.0], [1.0, 2.0]), r"MultiPID: r must be 2 numbers, got 1"),
    ):
        with pytest.raises(BlockError, match=words):
            call()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, None], ids=str)
@pytest.mark.parametrize("name", PREDICTIVE)
def test_predictive_laws_go_on_without_it(name, bad, rng):
    """They answer all the same, finitely; what is no number at all is refused."""
    law = PREDICTIVE[name]()
    for k, y in enumerate(rng.normal(size=40)):
        assert np.isfinite(plain(law([bad] if k in (0, 9, 10) else [y]))).all()
    with pytest.raises(BlockError, match="must be"):
        law(["a"])


def test_a_delay_passes_nothing_on_that_it_refused():
    block = Delay(1)
    block(1.0)
    with pytest.raises(BlockError, match="Delay: u must be a finite number, got nan"):
        block(float("nan"))
    assert [block(2.0), block(3.0)] == [1.0, 2.0]
