"""Figures held to what is known: parts with rows of their own, told on one page."""

from wirelab.bench.truth.measuring import PARTS, measure_part, part_of
from wirelab.bench.truth.page import write_page
from wirelab.bench.truth.part import PROFILES, TruthPlaces

__all__ = [
    "PARTS",
    "PROFILES",
    "TruthPlaces",
    "measure_part",
    "part_of",
    "write_page",
]
