"""Flexible bodies by their modes."""
