"""Experiments with pendulums, robots, a hydraulic beam and small machines with impacts."""
