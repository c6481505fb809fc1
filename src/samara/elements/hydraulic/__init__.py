"""Hydraulics: liquids, pipes, valves, pumps and cylinders on pressure junctions."""
