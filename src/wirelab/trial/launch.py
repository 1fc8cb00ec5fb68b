"""Launches of the roles of a trial: command, environment and limits of each process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wirelab.model.several import process_names


@dataclass(frozen=True)
class Launch:
    """The command, environment and limits with which a role, or one process of it, starts."""

    role: str
    command: list[str]
    environment: dict[str, str]
    cpus: list[int]
    keyed: bool = False
    """Whether it is given the secret of the trial."""
    neutral: bool = False
    """Whether it is a service of the suite's own, whose word is taken for what it served."""
    process: int = 0
    """Its number, from 1, where the role is several processes."""

    @property
    def name(self) -> str:
        """Name of what is started: the role's, with the number of a process of several."""
        return f"{self.role}-{self.process}" if self.process else self.role


def each_process(launch: Launch, processes: int) -> dict[str, Launch]:
    """Launches by name: of a role, or of each process where it is several."""
    numbers = range(1, processes + 1) if processes > 1 else [0]
    several = [replace(launch, process=number) for number in numbers]
    return dict(zip(process_names(launch.role, processes), several, strict=True))
