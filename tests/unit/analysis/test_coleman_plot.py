"""The Coleman plot shows what it is given, where it is given."""

import numpy as np
import pytest

import samara as sm
from samara.analysis import track

SPEED = np.linspace(0.0, 30.0, 7)
LINES = {"lag": (SPEED, -0.1 + 1j * np.abs(6.0 - 0.7 * SPEED)), "body": (SPEED, 0.0 * SPEED + 0.2 + 8.0j)}
POINTS = {"lag": (SPEED[::3], -0.1 + 1j * np.abs(6.0 - 0.7 * SPEED[::3]), np.full(3, 0.02 + 0.3j))}


def test_lines_points_and_boundary():
    figure = sm.coleman_plot(LINES, POINTS, per_rev=2, title="ground resonance", stand_in="surrogate hub")
    above, below = figure.axes
    assert (above.get_ylabel(), below.get_ylabel()) == ("frequency [Hz]", "real part [1/s]")
    assert below.get_xlabel() == "speed [rpm]"
    lag = above.lines[0]
    assert lag.get_xdata() == pytest.approx(SPEED * 30 / np.pi)
    assert lag.get_ydata() == pytest.approx(LINES["lag"][1].imag / (2 * np.pi))
    assert lag.get_linestyle() == "-"
    assert below.lines[0].get_ydata() == pytest.approx(-0.1)
    circles = [line for line in below.lines if line.get_marker() == "o"]
    assert len(circles) == 1
    assert circles[0].get_ydata() == pytest.approx(-0.1)
    assert circles[0].get_color() == lag.get_color()  # one mode, one colour
    assert any(np.all(np.asarray(line.get_ydata()) == 0.0) for line in below.lines)  # the boundary of stability
    assert [line.get_linestyle() for line in above.lines].count("--") == 2
    assert {text.get_text() for text in above.texts} == {"1/rev", "2/rev"}
    assert figure.get_suptitle() == "ground resonance"
    assert "stand-in data: surrogate hub" in figure.get_supxlabel()
    bars = above.collections[0].get_segments()
    assert bars[0][1, 1] - bars[0][0, 1] == pytest.approx(4 * 0.3 / (2 * np.pi))  # twice the error, both ways


def test_branches_with_gaps():
    sets = [[5.0j, 8.0j], [5.2j], [5.4j, np.nan]]
    figure = sm.coleman_plot(points=track([1.0, 2.0, 3.0], sets))
    circles = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert len(circles) == 2
    assert np.isnan(circles[1].get_ydata()[1:]).all()
    assert figure.get_supxlabel() == ""
    assert not figure.axes[0].collections  # no errors, no bars


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sm.coleman_plot(), "coleman_plot: nothing to draw: give lines or points"),
        (lambda: sm.coleman_plot({"lag": (SPEED, [1j])}), "lines['lag'] must be speeds (n,) and eigenvalues"),
        (lambda: sm.coleman_plot(points=[1j]), "points must be what track or campbell returns, or a mapping"),
        (lambda: sm.coleman_plot(LINES, per_rev=-1), "coleman_plot: per_rev must be at least 0, got -1"),
    ],
)
def test_refused(call, words):
    with pytest.raises(sm.ArgumentError) as error:
        call()
    assert words in str(error.value)
