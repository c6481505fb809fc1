"""Sensors with a voltage output."""
