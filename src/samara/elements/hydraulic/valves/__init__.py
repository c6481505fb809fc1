"""Pressure-actuated valves and servo valves."""
