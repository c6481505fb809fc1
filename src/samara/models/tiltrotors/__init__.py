"""Tiltrotors and propellers on wings."""
