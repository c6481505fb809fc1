"""Trees in minimal coordinates in the driver's hands: their memory, their steps, their start.

machine.py    what native code takes of a tree
schemes.py    integrators of it: explicit ones, and their tables
stepping.py   one step, and what shows its end to the rest
"""
