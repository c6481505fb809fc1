"""Drive trains: gears, shafts, clutches, freewheels, brakes, and a turboshaft engine with its governor.

All of them act on angular velocities, so that shafts may turn any number of times. Torques that a gear or an engine
puts on its casing are part of their equations.
"""
