"""Mechanisms of a few rigid bodies: pendulums, linkages, tops, chains."""
