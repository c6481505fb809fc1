"""Numbers of a page: back to half a level, and none stays none."""

import numpy as np
import pytest
from block import Block

from samara.viewer.packing import LEVELS, Packing


def test_columns_come_back_to_half_a_level(rng):
    table = np.cumsum(rng.normal(size=(200, 5)), axis=0) * [1e-9, 1.0, 1e6, 0.0, 1.0] + [0.0, 1e3, -1e7, 7.0, 0.0]
    table[30:40, 4] = np.nan
    packing = Packing()
    packing.floats([1.0, 2.0, 3.0])  # what comes before is no matter
    ref = packing.columns(table)
    block = Block(f'id="data">{packing.block({})}<')
    found, half = block.columns(ref)
    assert (np.isnan(found) == np.isnan(table)).all()
    spread = np.nanmax(table, axis=0) - np.nanmin(table, axis=0)
    # smallest numbers and steps are in single precision
    single = 2.0**-23 * np.nanmax(np.abs(table), axis=0)
    assert (half <= 0.5 * (spread + single) / (LEVELS - 1) * 1.001 + 1e-30).all()
    error = np.nanmax(np.abs(found - table), axis=0)
    assert (error <= 1.001 * half + single).all()


def test_a_short_table_and_none_at_all():
    packing = Packing()
    refs = [packing.columns(np.zeros((1, 2))), packing.columns(np.zeros((3, 0)))]
    block = Block(f'id="data">{packing.block({"refs": refs})}<')
    assert block.columns(block.head["refs"][0])[0].tolist() == [[0.0, 0.0]]
    assert block.columns(block.head["refs"][1])[0].shape == (3, 0)


@pytest.mark.parametrize("word", ["</script>", "ä & <b>", "%DATA%"])
def test_texts_do_not_end_the_page(word):
    packing = Packing()
    page = packing.block({"title": word})
    assert "<" not in page
    assert Block(f'id="data">{page}<').head == {"title": word}
