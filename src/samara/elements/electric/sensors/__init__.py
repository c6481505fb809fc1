"""Sensors that give a voltage."""
