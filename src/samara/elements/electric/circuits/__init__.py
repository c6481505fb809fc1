"""Components of circuits: resistors, capacitors, inductors, diodes, switches, sources."""
