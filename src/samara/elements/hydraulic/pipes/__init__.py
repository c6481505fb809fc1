"""Pipes, orifices and minor losses between junctions."""
