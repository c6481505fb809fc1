"""Discrete laws in the driver: when they are sampled, with what, and where their answers are held."""
