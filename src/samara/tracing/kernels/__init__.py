"""From an expression graph to native kernels: LLVM IR on vector lanes, table look-up, evaluation with plain numbers."""
