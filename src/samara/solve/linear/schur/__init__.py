"""Substructuring: substructures are factored separately and coupled through the Schur complement of their interface.

    substructures   parts and their interface, from a partition and a sample Jacobian; identical parts are grouped
    bordered        pivots of a part's matrix; its border is not eliminated
    part, wide      native elimination and substitution of a part; the same for identical parts in lanes
    calls           entry points for Newton's method
    solver          Newton corrections and refactorisation, part by part
    team, ranks     threads and processes that work on parts
    records, local_rows  the arrays that native code takes
    division        how a simulation is partitioned, and which workers get which parts

    ( B_1        E_1 ) (x_1)   (f_1)
    (     ...    ... ) (...) = (...)      S y = g - sum F_i B_i^-1 f_i,     S = C - sum F_i B_i^-1 E_i
    ( F_1 ...     C  ) ( y )   ( g )      x_i = B_i^-1 (f_i - E_i y)

Source: Quaranta and others, 26th European Rotorcraft Forum, 2000, section 3.
"""
