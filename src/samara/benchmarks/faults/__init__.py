"""Deliberate faults: damaged inputs, stopped and killed processes, full disks, attackers."""
