"""Motors and engines at the command of a signal."""
