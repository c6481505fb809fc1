"""The ways to eigenvalues of turning things agree, or refuse, as the documentation's table says."""

import re

import pytest
from agreement import HEAD, rows

#: Of numbers in the table, which has three digits; what taking the step out leaves.
WITHIN = 2.1e-3
NUMBER = re.compile(r"[-+]?\d+\.\d{3}")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::samara.solve.start_report.ChangedStart")
def test_the_table_of_the_documentation(root):
    text = (root / "docs/validation/eigenvalues.md").read_text(encoding="utf-8")
    told = text[text.index(HEAD) :].split("\n\n")[0].splitlines()[2:]
    made = rows()
    assert len(told) == len(made)
    for one, other in zip(told, made, strict=True):
        assert NUMBER.sub("#", one) == NUMBER.sub("#", other)
        numbers = ([float(x) for x in NUMBER.findall(line)] for line in (one, other))
        assert next(numbers) == pytest.approx(next(numbers), abs=WITHIN)
        values = [complex(cell.strip()) for cell in one.split("|")[2:-1] if cell.strip().endswith("j")]
        assert max(abs(x - values[0]) for x in values) <= WITHIN
