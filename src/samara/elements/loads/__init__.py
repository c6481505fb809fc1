"""Loads: forces and couples from outside, and actuators between nodes."""
