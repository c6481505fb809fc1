"""Mailboxes: exchange of numbers between processes through shared memory, without locks or waiting.

`Latest` holds the newest row and `Queue` holds every row; a seat is where one controller writes its actuators. Lower
modules handle the memory, its owner, and the order of loads and stores; the bridge carries a mailbox over UDP. This
package does not depend on models, sessions or clocks.
"""
