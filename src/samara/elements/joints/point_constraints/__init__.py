"""Constraints on one point: on a sphere, a line, a plane."""
