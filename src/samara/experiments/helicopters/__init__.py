"""Experiments with whole helicopters."""
