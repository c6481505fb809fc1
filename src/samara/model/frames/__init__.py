"""Nodes, how they move at the start, and the frame that an element sees."""
