"""The doctor: whether this machine can give figures that can be believed."""

from wirelab.doctor.check import Examined, Health
from wirelab.doctor.examine import disclosure, examine

__all__ = ["Examined", "Health", "disclosure", "examine"]
