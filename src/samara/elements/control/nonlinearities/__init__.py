"""Blocks that bend a signal: saturation, dead zone, backlash, rate limit, quantisation."""
