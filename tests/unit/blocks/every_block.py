"""One of every discrete block, how it is made and called: what tests of all of them share."""

import numpy as np

from samara import (
    ARMAX,
    PID,
    AdaptivePredictiveControl,
    Backlash,
    Cubic,
    DeadZone,
    Delay,
    Derivative,
    HarmonicAnalysis,
    HigherHarmonicControl,
    HighPass,
    Horizons,
    Lags,
    LowPass,
    LowPass2,
    MovingAverage,
    MultiPID,
    Notch,
    Observer,
    PredictiveControl,
    Quantiser,
    Quintic,
    RateLimit,
    RecursiveIdentification,
    Saturation,
    SineSweep,
    StateSpace,
    TableTrajectory,
    TransferFunction,
    Trapezoid,
    TwoParabolas,
    Unwrap,
)

H = 0.01
A, B, C, D = np.array([[0.9, 0.1], [0.0, 0.8]]), np.array([[0.0], [1.0]]), np.array([[1.0, 0.5]]), np.zeros((1, 1))
TWO = {"A": 0.5 * np.eye(2), "B": np.eye(2), "C": np.eye(2)}


def pids():
    """Two axes."""
    return [
        PID(proportional=2.0, integral=3.0, derivative=0.1, step=H, lag=0.02, c=0.0),
        PID(proportional=1.0, integral=5.0, step=H, upper=1.0),
    ]


#: Blocks that take samples: how each is made, its arguments by name.
MADE = {
    Delay: {"samples": 3, "initial": 0.5, "step": H},
    LowPass: {"frequency": 5.0, "step": H},
    HighPass: {"frequency": 5.0, "step": H},
    LowPass2: {"frequency": 5.0, "damping": 0.5, "step": H},
    Notch: {"frequency": 5.0, "damping": 0.3, "depth": 0.1, "step": H},
    Derivative: {"time": 0.05, "step": H},
    MovingAverage: {"count": 4, "step": H},
    Unwrap: {"step": H},
    Backlash: {"gap": 0.3, "time": 0.1, "corner": 0.1, "initial": 0.2},
    Quantiser: {"quantum": 0.1, "width": 0.1},
    Saturation: {"lower": -1.0, "upper": 2.0, "step": H},
    DeadZone: {"lower": -0.1, "upper": 0.2, "step": H},
    RateLimit: {"rise": 3.0, "fall": 4.0, "step": H},
    Observer: {"A": A, "B": B, "C": C, "D": D, "L": [[0.3], [0.1]], "step": H},
    PID: {
        "proportional": 2.0, "integral": 3.0, "derivative": 0.1, "step": H, "lag": 0.02, "b": 0.7, "c": 0.5,
        "lower": -9.0, "upper": 9.0, "tracking": 0.5, "initial": 0.1, "anti_windup": "back-calculation",
    },
    MultiPID: {"axes": pids},
    StateSpace: {"A": A, "B": B, "C": C, "D": D, "step": H},
    TransferFunction: {"numerator": [0.2, 0.1], "denominator": [1.0, -0.8, 0.1], "step": H},
}  # fmt: skip

#: What one call of each takes, by name, for a sample u; all others take u alone.
TAKEN = {
    Observer: lambda u: {"u": [u], "y": [0.5 * u]},
    PID: lambda u: {"r": 1.0, "y": u, "feedforward": 0.1 * u, "elapsed": 1.5 * H},
    MultiPID: lambda u: {"r": [1.0, 2.0], "y": [u, -u], "feedforward": [0.1 * u, 0.0], "elapsed": 1.5 * H},
}

#: Functions of time.
PATHS = {
    TwoParabolas: {"start_at": 0.0, "end_at": 1.0, "duration": 2.0, "begin": 0.5},
    Cubic: {"start_at": 0.0, "end_at": 1.0, "duration": 2.0, "begin": 0.5},
    Quintic: {"start_at": 0.0, "end_at": 1.0, "duration": 2.0, "begin": 0.5},
    Trapezoid: {"start_at": 0.0, "end_at": 1.0, "speed": 2.0, "acceleration": 1.0, "begin": 0.5},
    SineSweep: {
        "amplitude": 1.0, "first": 1.0, "last": 2.0, "duration": 2.0, "begin": 0.5, "offset": 0.1, "logarithmic": True,
    },
    TableTrajectory: {"times": [0.0, 1.0, 2.0], "values": [0.0, 1.0, 0.5], "smoothly": True},
}  # fmt: skip


def made(kind, **other):
    """A block, with some arguments of its own."""
    given = (MADE | PATHS)[kind] | other
    return kind(**{name: value() if value is pids else value for name, value in given.items()})


def taken(kind, u):
    """The arguments of a call."""
    return TAKEN.get(kind, lambda u: {"u": u})(u)


#: Predictive laws and what they are made of, each called with one output and one control.
PREDICTIVE = {
    "known": lambda: PredictiveControl(ARMAX([0.5], [1.0]), Horizons(5, 2), step=H),
    "adaptive": lambda: AdaptivePredictiveControl(Lags(1, 1, 2, 2), Horizons(5, 2), step=H),
    "identification": lambda: _learner(),
    "amplitudes": lambda: HigherHarmonicControl(1, 1, step=H),
    "analysis": lambda: _analysis(),
}


def _learner():
    found = RecursiveIdentification(Lags(1, 1, 2, 2), step=H)
    return lambda y: found(y, np.zeros(0)).copy()


def _analysis():
    block, turned = HarmonicAnalysis(1, 1, 8, step=H, multiples=1), iter(np.arange(1000) * np.pi / 4)
    return lambda y: (block(y, float(next(turned))), block.values.copy())[1]
