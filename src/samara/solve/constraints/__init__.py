"""Redundant constraints: detection, naming and release, including redundant locks."""
