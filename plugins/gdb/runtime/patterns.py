"""Regular expressions of the script. Most of them serve values of a few types only."""

import re


class Pattern:
    """A regular expression that is compiled at its first use: all together take 7 ms of each start."""

    METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")

    def __init__(self, text, flags=0):
        self.pattern = text
        self.flags = flags

    def __getattr__(self, name):
        """A method of the compiled expression; called only until the first use sets them all."""
        if name not in self.METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        for method in self.METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
