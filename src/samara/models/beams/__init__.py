"""Beams: static benchmarks, rotating beams, a beam raised by a cylinder."""
