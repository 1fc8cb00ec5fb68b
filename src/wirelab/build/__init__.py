"""Building contenders and neutral services, and what they cost to own."""

from wirelab.build.built import Built
from wirelab.build.part import (
    Part,
    contender_part,
    engine_part,
    generator_part,
    service_part,
    witness_part,
)
from wirelab.build.part_builds import PartBuilds
from wirelab.build.unavailable import Unavailable

__all__ = [
    "Built",
    "Part",
    "PartBuilds",
    "Unavailable",
    "contender_part",
    "engine_part",
    "generator_part",
    "service_part",
    "witness_part",
]
