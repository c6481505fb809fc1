"""Views of the machine: the scene in 3-D, rotors by azimuth."""
