"""Discrete control laws in the driver: sample times, sampled inputs and held outputs."""
