"""The consistent start: positions, velocities, accelerations, massless balance, loops, discrete laws."""
