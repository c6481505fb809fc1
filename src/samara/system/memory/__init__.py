"""Memory layout: blocks, aligned arrays, values in the order in which kernels read them."""
