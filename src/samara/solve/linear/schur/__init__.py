"""Solution in parts: substructures factored by themselves, joined by the Schur complement of what they share.

    substructures   from a partition and a sample of the Jacobian to parts, identical ones abreast, and their interface
    bordered        pivots of a part's matrix, with its border left over
    part, wide      a part in native code: elimination and substitution; the same for identical parts in lanes
    calls           where Newton's method enters
    solver          a correction and new factors by parts: what Newton's method asks for
    team, ranks     threads and processes that work on parts
    records, local_rows  the arrays that native code takes
    division        how a simulation is cut, and who works on it

    ( B_1        E_1 ) (x_1)   (f_1)
    (     ...    ... ) (...) = (...)      S y = g - sum F_i B_i^-1 f_i,     S = C - sum F_i B_i^-1 E_i
    ( F_1 ...     C  ) ( y )   ( g )      x_i = B_i^-1 (f_i - E_i y)

Source: Quaranta and others, 26th European Rotorcraft Forum, 2000, section 3.
"""
