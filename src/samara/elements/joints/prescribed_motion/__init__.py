"""Joints whose motion is prescribed."""
