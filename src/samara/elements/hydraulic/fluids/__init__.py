"""Liquids, and checks of the circuits they fill."""
