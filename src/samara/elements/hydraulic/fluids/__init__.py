"""Liquids, and what they ask of the circuit that they fill."""
