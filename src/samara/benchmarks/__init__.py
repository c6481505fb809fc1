"""Measured speed and accuracy: a chain that every code can run, the rows of a report, and the peers.

    chain.py    the definition of the benchmark, free of any code's conventions
    rows.py     one measured figure is one Row; timing that stands up to a noisy machine
    peers/      an independent reference solution, and the same chain in other codes

Nothing here is imported by the rest of Samara.
"""
