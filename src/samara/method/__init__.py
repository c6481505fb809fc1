"""How a run is made, and how long it is and what is kept of it: `Method` and `Timeline`, and the names of integrators.

Importing this folder costs the standard library alone: the command line makes its options from the fields. What checks
values is loaded when a record is made.
"""
