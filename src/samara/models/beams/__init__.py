"""Beams: static benchmarks, rotating beams, and a beam raised by a hydraulic cylinder."""
