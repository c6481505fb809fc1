"""Cylinders and dampers: chambers whose volume a piston changes."""
