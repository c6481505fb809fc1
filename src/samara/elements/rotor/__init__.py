"""Assemblies of rotors, made of elements: swashplate, pitch links, the gimbal of base joints."""
