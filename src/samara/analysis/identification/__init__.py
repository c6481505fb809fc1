"""Identification of modes from transients: logarithmic decrement, moving block, matrix pencil, ERA."""

from samara.analysis.identification.decrement import logarithmic_decrement
from samara.analysis.identification.identified import Identified
from samara.analysis.identification.matrix_pencil import matrix_pencil
from samara.analysis.identification.moving_block import moving_block
from samara.analysis.identification.realisation import era

__all__ = ["Identified", "era", "logarithmic_decrement", "matrix_pencil", "moving_block"]
