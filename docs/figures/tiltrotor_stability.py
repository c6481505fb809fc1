"""Figures of the study of the soft-in-plane tiltrotor, from one run of it."""

import functools

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments

STUDY = experiments.find("tiltrotor-stability")


@functools.cache
def outcome() -> experiments.Outcome:
    """The study with fewer points than by default."""
    return STUDY.run(speeds=10, circles=3, pitches=2)


def _register(name: str) -> None:
    def draw() -> plt.Figure:
        return outcome().figures[name]()

    draw.__name__ = f"tiltrotor_{name}"
    figure(draw)


for one in STUDY.figures:
    _register(one)
