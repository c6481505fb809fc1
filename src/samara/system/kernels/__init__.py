"""From an element to native functions: tracing, kinds, kernels of nodes, states and drives."""
