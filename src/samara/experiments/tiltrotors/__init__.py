"""Experiments with tiltrotors: stability, wind-milling, vibration of the wing."""
