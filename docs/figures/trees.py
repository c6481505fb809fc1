"""Figures of trees in minimal coordinates."""

import matplotlib.pyplot as plt
from registry import figure

import samara as sm
from samara import models


@figure
def tree_xcell() -> plt.Figure:
    """The X-Cell as a tree, as `samara tree xcell --plot` draws it."""
    return sm.TreeView(models.find("xcell").make()).plot()
