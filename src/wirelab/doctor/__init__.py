"""The doctor: whether this machine can give figures that can be believed."""

from wirelab.doctor.check import Check, Health
from wirelab.doctor.examine import disclosure, examine

__all__ = ["Check", "Health", "disclosure", "examine"]
