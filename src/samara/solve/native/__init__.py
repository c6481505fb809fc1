"""What native code shares: codes of its arrays, calls of kernels and of addresses, the clock."""
