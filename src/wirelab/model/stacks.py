"""Processor time of a program by the places of its code, as sampled stacks tell it."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.units import Strict


class SampledPlace(Strict):
    """A module or a function, and the processor time that was found there."""

    name: str
    own_ns: int = Field(description="samples whose innermost frame it is")
    within_ns: int = Field(description="samples with it anywhere on the stack")


class SampledStacks(Strict):
    """Stacks of the main thread of a role, from its start command to its end."""

    samples: int
    sampled_ns: int = Field(description="processor time that the samples stand for")
    process_ns: int = Field(description="processor time of the process meanwhile")
    main_thread_ns: int = Field(description="processor time of its main thread")
    heap_bytes: int | None = Field(
        default=None, description="in blocks that are in use at the end; none: it does not say"
    )
    modules: list[SampledPlace] = Field(description="by their own time, most first")
    functions: list[SampledPlace] = Field(description="likewise; those with the most of it")
