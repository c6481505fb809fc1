"""Beams: geometrically exact, finite volumes, three and two nodes; sections; spanwise tables made into beams."""
