"""What a trim is asked for: targets, period and step, controls and their limits, angles of attack."""
