"""Storage of liquid at a junction: volumes, tanks, accumulators."""
