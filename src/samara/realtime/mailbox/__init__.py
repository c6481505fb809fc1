"""Mailboxes: numbers from process to process through shared memory, without locks and without waiting.

`Latest` holds the newest value, `Queue` every row, and a seat is a controller's own place to write its actuators.
Memory, its owner and the order of loads and stores are below them; the bridge carries a mailbox over UDP. This room
knows nothing of models, sessions or clocks.
"""
