"""From a model to flat arrays: kernels, layout, lanes."""
