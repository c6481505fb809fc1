"""Servos in a hinge and along a line."""
