"""A list of journeys: what a reader does with the page, a function of a new tab each."""


class Journeys(list):
    """Decorates the functions that it holds."""

    def __call__(self, act):
        self.append(act)
        return act
