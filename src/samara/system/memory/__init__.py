"""How numbers lie in memory: blocks, aligned arrays, values as kernels read them."""
