"""From a model to flat arrays: kernels, layout, lanes."""

from samara.system.system import System

__all__ = ["System"]
