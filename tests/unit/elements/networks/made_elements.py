"""Elements of networks as an author makes them."""

import samara as sm


class Leak(sm.Branch):
    """flow = rate (a - b)."""

    rate: float = sm.number(positive=True)

    def flow(self, a, b):
        return self.rate * (a.value - b.value)


class Vessel(sm.Storage):
    """content = size n + bend n^2 / 2."""

    size: float = sm.number(positive=True)
    bend: float = sm.number(default=0.0)

    def content(self, n):
        return self.size * n.value + 0.5 * self.bend * n.value**2

    def stored(self, n):
        return 0.5 * self.size * n.value**2 + self.bend * n.value**3 / 3.0


class Level(sm.Hold):
    """n = level, which may change."""

    level: float = sm.driven()

    def given(self):
        return self.level
