"""From elements to native functions: tracing, element kinds, kernels of nodes, states and drives."""
