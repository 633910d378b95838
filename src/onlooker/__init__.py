"""When to watch others and whom: Rational Mentalizing, its ablations and their experiments."""

from onlooker.version import __version__

__all__ = ["__version__"]
