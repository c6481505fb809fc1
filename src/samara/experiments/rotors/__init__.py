"""Experiments with the Puma's rotor."""
