"""wirelab measures what goes over the wire."""

__version__ = "0.1.0"
