"""Random choices that are the same for a seed on every machine and with every version of Python.

Only random.Random(text).random() is used: Python's documentation promises its sequence for ever, which it does not do
for choice, shuffle and the like.
"""
import math
import random


class Draw:
    """The choices of one workload."""

    def __init__(self, seed, number):
        self.random = random.Random(f"foldwise drawn {seed} {number}").random

    def below(self, count):
        """A whole number from 0 to count - 1."""
        return min(count - 1, int(self.random() * count))

    def between(self, low, high):
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def uniform(self, low, high):
        return low + (high - low) * self.random()

    def log_uniform(self, low, high):
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def chance(self, probability):
        return self.random() < probability

    def pick(self, items):
        return items[self.below(len(items))]

    def weighted(self, weights):
        """A key of a dictionary, by its weight."""
        left = self.random() * sum(weights.values())
        for key, weight in weights.items():
            left -= weight
            if left < 0:
                return key
        return key

    def shuffled(self, items):
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def constant(self, low, high):
        """A short decimal: the same number in every language, and in float after one rounding."""
        return round(self.uniform(low, high), 3)
