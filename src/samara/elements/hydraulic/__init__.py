"""Hydraulics: liquids, pipes, valves, pumps and cylinders on junctions of pressure."""
