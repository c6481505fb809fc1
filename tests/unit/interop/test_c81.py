"""C81 files: round trips, files as others write them, and one clear message for each thing that is wrong."""

import re

import numpy as np
import pytest

from samara import TabulatedAerofoil, naca0012
from samara.interop import read_c81, write_c81
from samara.interop.c81 import _field
from samara.model import ModelError
from samara.tracing import Surface

# Written by hand after A30,6I2; 7X,9F7.0; 10F7.0/(7X,9F7.0): cl has eleven Mach numbers on two lines a row, fields of
# cd run together, cm has one Mach number.
FILE = """\
A SECTION BY HAND             11 3 2 5 1 2
           0.0    0.1    0.2    0.3    0.4    0.5    0.6    0.7    0.8
           0.9    1.0
-180.     0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00
          0.00   0.00
  10.     1.00   1.10   1.20   1.30   1.40   1.50   1.60   1.70   1.80
          1.90   2.00
 180.     0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00
          0.00   0.00
         0.200  0.800
-180.00  .0220  .0220
 -90.002.02200-.12345
   0.00  .0080   .013
  90.00 2.0220 2.0220
 180.00  .0220  .0220
           0.5
-180.00  .1000
 180.00  .1000
"""


@pytest.fixture
def written(tmp_path):
    """A function that writes a text and gives its path."""

    def write(text: str):
        path = tmp_path / "section.c81"
        path.write_text(text)
        return path

    return write


def test_a_file_in_fixed_columns(written):
    section = read_c81(written(FILE))
    np.testing.assert_allclose(np.degrees(section.cl.x), [-180, 10, 180])
    np.testing.assert_allclose(section.cl.y, np.arange(11) / 10)
    np.testing.assert_allclose(section.cl.z[1], 1 + np.arange(11) / 10)
    np.testing.assert_allclose(
        section.cd.z, [[0.022, 0.022], [2.022, -0.12345], [0.008, 0.013], [2.022] * 2, [0.022] * 2]
    )
    assert section.coefficients(np.radians(10.0), 0.55)[0] == pytest.approx(1.55)
    for mach in (0.0, 0.5, 0.9, 3.0):  # one Mach number holds for all
        assert section.coefficients(0.3, mach)[2] == pytest.approx(0.1)


@pytest.mark.parametrize("corrected", [True, False])
def test_round_trip_of_the_naca_0012(tmp_path, corrected):
    """All its numbers have five digits or fewer: nothing is lost."""
    section = naca0012(corrected)
    write_c81(tmp_path / "a.c81", section, "NACA 0012")
    again = read_c81(tmp_path / "a.c81")
    for name in ("cl", "cd", "cm"):
        a, b = getattr(section, name), getattr(again, name)
        np.testing.assert_array_equal(a.z, b.z)
        np.testing.assert_array_equal(a.y, b.y)
        np.testing.assert_allclose(a.x, b.x, rtol=1e-15)
    text = (tmp_path / "a.c81").read_text().splitlines()
    assert text[0] == "NACA 0012".ljust(30) + "11391165 947"
    assert max(map(len, text)) == 70
    write_c81(tmp_path / "b.c81", again, "NACA 0012")
    assert (tmp_path / "b.c81").read_text() == (tmp_path / "a.c81").read_text()


def test_round_trip_of_any_numbers(tmp_path, rng):
    """Seven columns leave five decimals to a negative fraction: 5e-6 at most is lost, and 5e-5 from 10 on."""
    x = np.radians(np.append(-180.0, np.append(np.sort(rng.uniform(-179, 179, 40)), 180.0)))
    y = np.sort(rng.uniform(0.0, 1.0, 13))
    z = rng.uniform(-2.0, 2.0, (3, x.size, y.size))
    z[:, -1] = z[:, 0]
    section = TabulatedAerofoil(*(Surface(x, y, values) for values in z))
    write_c81(tmp_path / "a.c81", section)
    again = read_c81(tmp_path / "a.c81")
    np.testing.assert_allclose(again.cm.z, section.cm.z, atol=5e-5)
    np.testing.assert_allclose(np.degrees(again.cm.x), np.degrees(x), atol=5e-3)
    np.testing.assert_allclose(again.cm.y, y, atol=5e-6)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0."),
        (-180.0, "-180."),
        (0.0137, "0.0137"),
        (-0.12345, "-.12345"),
        (1.0 / 3.0, ".333333"),
        (-172.53, "-172.53"),
        (123456.7, "123457"),
    ],
)
def test_a_field_keeps_what_goes_in(value, text):
    assert _field(value) == text.rjust(7)


def edited(old: str, new: str) -> str:
    assert FILE.count(old) >= 1, old
    return FILE.replace(old, new, 1)


WRONG = {
    "missing value": (
        edited("1.50   1.60", "1.50       "),
        "table cl, row 2 (line 6, 10 degrees), column 7 (Mach 0.6): the value is missing",
    ),
    "missing on a continuation line": (
        edited("          1.90   2.00", "          1.90"),
        "table cl, row 2 (line 7, 10 degrees), column 11 (Mach 1): the value is missing",
    ),
    "missing Mach number": (
        edited("    0.5    0.6    0.7", "    0.5           0.7"),
        "table cl, row of Mach numbers (line 2), column 7: the Mach number is missing: fill it in, or correct",
    ),
    "missing row": (
        edited("   0.00  .0080   .013\n", ""),
        "table cd, row 5 (line 15), column of angles: the angle is missing: fill it in, or correct the counts",
    ),
    "missing column": (
        edited("11 3 2 5", "11 3 3 5"),
        "table cd, row of Mach numbers (line 10), column 3: the Mach number is missing: fill it in, or correct",
    ),
    "not a number": (
        edited("   .013\n", "  .O13\n"),
        "table cd, row 3 (line 13, 0 degrees), column 2 (Mach 0.8): the value is not a number: '  .O13'",
    ),
    "not finite": (
        edited("  .0080", "    nan"),
        "table cd, row 3 (line 13, 0 degrees), column 1 (Mach 0.2): the value is not finite: nan",
    ),
    "angles": (
        edited("  90.00", " -90.00"),
        "table cd, row 4 (line 14), column of angles: the angle must increase: 0 is followed by -90",
    ),
    "Mach numbers": (
        edited("0.200  0.800", "0.800  0.200"),
        "table cd, row of Mach numbers (line 10), column 2: the Mach number must increase: 0.8 is followed by 0.2",
    ),
    "range": (
        edited(" 180.00  .1000", " 170.00  .1000"),
        "cm covers -180 to 170 degrees: it must cover the full circle",
    ),
    "does not close": (
        edited(" 180.00  .1000", " 180.00  .2000"),
        "cm at Mach 0.5 is 0.1 at -180 degrees and 0.2 at 180",
    ),
    "end": (FILE[: FILE.index(" 180.00  .1000")], "table cm, row 2 of 2: the file ends before it, after line 17"),
    "counts": (
        edited(" 180.00  .0220  .0220\n", " 180.00  .0220  .0220\n" * 2),
        "table cm, Mach numbers (line 16) should begin with seven blanks, got ' 180.00'",
    ),
    "continuation": (
        edited("11 3 2 5", "20 3 2 5"),
        "table cl, Mach numbers: line 4 should go on after seven blanks",
    ),
    "header": (edited("11 3 2 5 1 2", "11 3 2 5 1"), "header: columns 31 to 42 must hold six counts"),
    "empty table": (edited("11 3 2 5 1 2", "11 3 2 5 0 2"), "header: a table needs one Mach number"),
    "tab": (edited("   0.00  .0080", "   0.00\t.0080"), "line 13 has a tab"),
    "empty": ("", "header: the file ends before it"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG.keys())
def test_one_clear_message(written, text, message):
    path = written(text)
    with pytest.raises(ModelError, match=re.escape(message)) as caught:
        read_c81(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "picture.c81"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ModelError, match="not a C81 file"):
        read_c81(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"nowhere.c81: no such file; give the path"):
        read_c81(tmp_path / "nowhere.c81")
    with pytest.raises(ModelError, match="cannot be read"):
        read_c81(tmp_path)


def test_what_cannot_be_written(tmp_path):
    section = naca0012()
    with pytest.raises(ModelError, match="title"):
        write_c81(tmp_path / "a.c81", section, "a title that is longer than thirty characters")
    x = np.linspace(-np.pi, np.pi, 101)
    wide = Surface(x, [0.0, 1.0], np.zeros((101, 2)))
    with pytest.raises(ModelError, match="at most 99"):
        write_c81(tmp_path / "a.c81", TabulatedAerofoil(wide, wide, wide))
    close = Surface(np.radians([-180.0, 100.001, 100.0012, 180.0]), [0.0, 1.0], np.zeros((4, 2)))
    with pytest.raises(ModelError, match="two angles are the same"):
        write_c81(tmp_path / "a.c81", TabulatedAerofoil(close, close, close))
