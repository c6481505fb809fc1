"""What keeps liquid at a junction: volumes, tanks, accumulators."""
