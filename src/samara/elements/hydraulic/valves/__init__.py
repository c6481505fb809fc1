"""Valves that pressures open, and servo valves."""
