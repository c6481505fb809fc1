"""Sampled plants that the tests of predictive control share."""

import numpy as np
import scipy.linalg

STEP = 0.05  # s


def two_masses(damping=0.0, inputs=(0,), outputs=(1,), step=STEP, forces=()):
    """Ground, spring, mass, spring, mass: A, B, C sampled with held forces; 1 kg, 100 N/m, positions in outputs.

    forces: masses on which a disturbance acts; where there are any, its matrix is returned as well.
    """
    K = np.array([[200.0, -100.0], [-100.0, 100.0]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -damping * K]])
    B = np.zeros((4, len(inputs) + len(forces)))
    for column, mass in enumerate((*inputs, *forces)):
        B[2 + mass, column] = 1.0
    n = B.shape[1]
    whole = scipy.linalg.expm(np.block([[A, B], [np.zeros((n, 4 + n))]]) * step)
    C = np.eye(4)[list(outputs)]
    parts = whole[:4, :4], whole[:4, 4 : 4 + len(inputs)], C
    return (*parts, whole[:4, 4 + len(inputs) :]) if forces else parts


def decibels(after, before):
    """Ratio of two root mean squares."""
    return 20.0 * np.log10(np.sqrt(np.mean(np.square(after)) / np.mean(np.square(before))))
