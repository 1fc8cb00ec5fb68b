"""Numbers of sections: 0, 1, 2 … and 2-1, 2-2 … below; letters for appendices."""

from __future__ import annotations

from dataclasses import replace

from wirelab.report.document import Block, Section


def numbered(sections: list[Section], first: int = 0) -> list[Section]:
    """Sections with their numbers: 0, 1, 2 … and 2-1, 2-2 … below."""
    return [_numbered(section, str(first + at)) for at, section in enumerate(sections)]


def lettered(sections: list[Section]) -> list[Section]:
    """Appendices with their letters: A, B … and A-1, A-2 … below."""
    return [_numbered(section, chr(ord("A") + at)) for at, section in enumerate(sections)]


def _numbered(section: Section, number: str) -> Section:
    blocks: list[Block | Section] = []
    below = 0
    for block in section.blocks:
        if isinstance(block, Section):
            below += 1
            blocks.append(_numbered(block, f"{number}-{below}"))
        else:
            blocks.append(block)
    return replace(section, number=number, blocks=tuple(blocks))
