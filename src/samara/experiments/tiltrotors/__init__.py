"""Experiments with tiltrotors: stability, windmilling, wing vibration."""
