"""Shared by native code: status and index codes, calls of kernels and by address, the clock."""
