"""Beams: geometrically exact, finite volumes, three and two nodes."""
