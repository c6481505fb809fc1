"""Messages of a run: why it stopped, warnings, and descriptions of motions and loops."""
