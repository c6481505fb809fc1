"""Trees in minimal coordinates within the driver: memory, time steps and initial conditions.

machine.py    the data of a tree that native code uses
schemes.py    explicit integrators for trees, with their tables
stepping.py   one step, and passing its result on to the rest of the model
"""
