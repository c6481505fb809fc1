"""Set points as laws of time: where to be, how fast, with which acceleration."""
