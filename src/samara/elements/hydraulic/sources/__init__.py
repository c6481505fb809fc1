"""Pumps, flow sources and pressure sources."""
