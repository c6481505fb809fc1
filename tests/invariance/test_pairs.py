"""Two features side by side in one model, which know nothing of each other: each does what it does alone.

But for the order of sums and Newton's tolerance, which is of the largest speed in the model. An event, of an impact, a
lock, a law that samples or a circuit that is switched on, is one of the whole model, and so is the start that is
smoothed where all of the first steps are smooth: then a machine differs by less than what steps leave, and is compared
in the motion of its nodes.
"""

import functools
import itertools
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from features import FEATURES, Feature, beside
from runs import kind, scales
from ways import OF_NODES, ROUNDING, simulation, without_meaning

import samara as sm

#: Error of a start of the scheme after an event of the other machine, of second order, where one by itself has none:
#: motions between samples of a law are parabolas, which are exact.
RESTART = 2e-5
EVENTS = {"contact", "stops", "locks", "sampled laws", "laws in Python", "electrics"}
UNEVEN = [{"prescribed motion", "rotors"}, {"modal bodies", "drive trains"}]
PAIRS = list(itertools.combinations_with_replacement(FEATURES, 2))


@functools.cache
def alone(name: str, step: float, finer: int = 1) -> sm.Results:
    """A machine by itself, at the step of the pair."""
    sim = simulation(FEATURES[name].build())
    return sm.transient(sim, 40 * step, step / finer, every=finer, progress=False)


def together(first: Feature, second: Feature, step: float) -> sm.Results:
    """Both in one run; nothing is to be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return sm.transient(simulation(beside(first, second)), 40 * step, step, progress=False)


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_side_by_side(pair):
    first, second = (FEATURES[name] for name in pair)
    if first is second:
        second = Feature("twin", first.add, first.step)
    step = min(first.step, second.step)
    both = together(first, second, step)
    for feature, name in zip((first, second), pair, strict=True):
        for channel, error, bound in differences(name, step, both, feature.name, pair):
            assert error <= bound, f"{name} in {pair}: {channel} differs by {error:.1e}, bound {bound:.1e}"


def differences(
    name: str, step: float, both: sm.Results, side: str, pair: tuple[str, str]
) -> Iterator[tuple[str, float, float]]:
    """Of the channels of one machine in a run of both: (channel, error, bound), relative to its own largest numbers."""
    here, size = alone(name, step), scales(alone(name, step))
    faster = max(fast(other, step) for other in pair) / fast(name, step)
    events = bool(EVENTS & set(pair)) or set(pair) in UNEVEN
    for channel in here.channels:
        what = kind(channel)
        if channel.name.startswith("model.") or channel.name in without_meaning(name):
            continue
        if (events and channel.description not in OF_NODES) or (what == "loads" and name == "redundant joints"):
            continue  # couples that redundant joints share count by the size of the whole model
        rows = slice(len(here) // 2 if what == "loads" or events else 0, None)
        there = both[f"{side.replace(' ', '_')}.{channel.name}"]
        scale = size[channel.unit] or 1.0
        error = float(np.abs(there - here[channel.name])[rows].max()) / scale
        bound = ROUNDING[what] * faster
        if events:
            half = alone(name, step, 2)[channel.name]
            bound += 2.0 * float(np.abs(half - here[channel.name]).max()) / scale + RESTART
        yield channel.name, error, bound


@functools.cache
def fast(name: str, step: float) -> float:
    """The largest speed of a machine of some 1 m [m/s]."""
    size = scales(alone(name, step))
    return max(size["m/s"], size["rad/s"])
