"""From a graph to native kernels: LLVM IR on lanes, look-up in tables, evaluation on plain numbers."""
