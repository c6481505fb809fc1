"""Circuit components: resistors, capacitors, inductors, diodes, switches, sources."""
