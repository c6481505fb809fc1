"""Samara: general multibody dynamics for rotorcraft and aerospace mechanisms."""

__version__ = "0.1.0"
