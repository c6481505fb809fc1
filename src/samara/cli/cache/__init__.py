"""Commands about compiled code: kernels, warm."""
