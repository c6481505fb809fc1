"""Consistent initial conditions: positions, velocities, accelerations, massless nodes, loops, discrete laws."""
