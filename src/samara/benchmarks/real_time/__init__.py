"""The loop in real time, its mailboxes, an hour of it."""
