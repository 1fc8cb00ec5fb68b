"""The document as Markdown: for a repository, a review, a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Bullets,
    Callout,
    Chart,
    Column,
    Command,
    Definitions,
    Details,
    Document,
    Figure,
    Head,
    MeasuredBesidePublished,
    Paragraph,
    Section,
    Table,
    TableCell,
    Text,
    WordsCell,
)
from wirelab.words.translation import words

_MOST_NAMES = 4
"""Names in the line of a fold."""
_TONES = {"good": "✔", "warn": "⚠", "bad": "✘", "neutral": ""}


def render_markdown(document: Document) -> str:
    """The document as GitHub-flavoured Markdown; charts are pointed to."""
    return "\n".join(_Markdown(document).lines()) + "\n"


class _Markdown:
    """Walks the document once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._words = words(document.language)

    def lines(self) -> Iterator[str]:
        document = self._document
        yield f"# {_escaped(document.title)}"
        yield ""
        yield f"{_escaped(document.subtitle)}"
        yield ""
        yield " · ".join(f"{_escaped(k)} {_code(v)}" for k, v in document.facts)
        yield ""
        for block in document.overview:
            yield from self._block(block)
        for section in document.sections:
            yield from self._section(section, 2)
        yield "---"
        yield ""
        yield _inline(document.footer)

    def _section(self, section: Section, level: int) -> Iterator[str]:
        yield f'<a id="{section.anchor}"></a>'
        yield ""
        number = f"{section.number}. " if section.number else ""
        yield f"{'#' * level} {number}{_escaped(section.title)}"
        yield ""
        if section.folded:
            yield from self._folded(_contents(section), self._blocks(section.blocks, level))
        else:
            yield from self._blocks(section.blocks, level)

    def _blocks(self, blocks: tuple[Block | Section, ...], level: int) -> Iterator[str]:
        for block in blocks:
            if isinstance(block, Section):
                yield from self._section(block, level + 1)
            else:
                yield from self._block(block)

    def _folded(self, summary: str, lines: Iterator[str]) -> Iterator[str]:
        """Lines that a reader opens. The empty ones let Markdown be read within HTML."""
        yield f"<details><summary>{_escaped(summary)}</summary>"
        yield ""
        yield from lines
        yield "</details>"
        yield ""

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Paragraph(text):
                yield _inline(text)
            case Bullets(items):
                yield from (f"- {_inline(item)}" for item in items)
            case Definitions(items):
                yield from (f"- **{_escaped(term)}**: {_inline(text)}" for term, text in items)
            case Command(line):
                fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", line) or [""]))
                yield from (f"{fence}sh", *line.splitlines(), fence)
            case Callout():
                yield from self._callout(block)
                return
            case Details(summary, blocks):
                yield from self._folded(summary, self._blocks(blocks, 0))
                return
            case Chart():
                yield from self._chart(block)
                return
            case Table():
                yield from self._table(block)
        yield ""

    def _callout(self, callout: Callout) -> Iterator[str]:
        mark = _TONES[callout.tone]
        yield f"> **{mark + ' ' if mark else ''}{_escaped(callout.title)}**"
        yield ">"
        for block in callout.blocks:
            yield from (f"> {line}".rstrip() for line in self._block(block))
        yield ""

    def _chart(self, chart: Chart) -> Iterator[str]:
        pointer = self._words.gettext("Chart in the HTML report: {title}.").format(
            title=chart.title
        )
        yield f"*{_escaped(pointer)}* {_inline(chart.caption)}"
        yield ""

    def _table(self, table: Table) -> Iterator[str]:
        yield f"**{_escaped(table.caption)}**"
        yield ""
        heads = [_escaped(title) for title in table.stub]
        heads += [_column(column) for column in table.columns]
        yield _row(heads)
        rules = ["---"] * len(table.stub)
        rules += ["---:" if column.align == "right" else "---" for column in table.columns]
        yield _row(rules)
        two = len(table.stub) == 2
        for group in table.groups:
            for at, row in enumerate(group.rows):
                first = [_head(group.head) if group.head and at == 0 else ""] if two else []
                cells = [self._cell(cell) for cell in row.cells]
                yield _row([*first, _head(row.head), *cells])
        for note in table.notes:
            yield ""
            link = f"[{note.mark}](#{note.anchor})" if note.anchor else note.mark
            yield f"{link} {_inline(note.text)}"

    def _cell(self, cell: TableCell) -> str:
        match cell:
            case Figure():
                return _figure(cell)
            case Absent(reason):
                return _escaped(reason)
            case Badge(label, tone):
                return f"{_TONES[tone]} {_escaped(label)}".strip()
            case WordsCell():
                return _words(cell)
            case MeasuredBesidePublished(here, published, label):
                own = self._cell(here)
                if published is None:
                    return own
                return f"{own}<br>*{_escaped(label)} {self._cell(published)}*"
        raise AssertionError(cell)


def _contents(section: Section) -> str:
    """The first names of what a section holds: of its parts, or of its tables and charts."""
    parts = [block.title for block in section.blocks if isinstance(block, Section)]
    named = [_name(block) for block in section.blocks if not isinstance(block, Section)]
    names = [*dict.fromkeys(parts or [name for name in named if name])] or [section.title]
    more = [f"… ({len(names)})"] if len(names) > _MOST_NAMES else []
    return "; ".join([*names[:_MOST_NAMES], *more])


def _name(block: Block) -> str:
    match block:
        case Table():
            return block.caption
        case Chart() | Callout():
            return block.title
        case Details():
            return block.summary
    return ""


def _figure(figure: Figure) -> str:
    number = f"({figure.number})" if figure.tentative else figure.number
    parts = [number, figure.interval, _escaped(figure.unit), "★" if figure.star else ""]
    marks = f"<sup>{', '.join(figure.marks)}</sup>" if figure.marks else ""
    rank = f"#{figure.rank}" if figure.rank else ""
    return " ".join(part for part in (*parts, rank) if part) + marks


def _words(cell: WordsCell) -> str:
    badge = (
        [f"{_TONES[cell.badge.tone]} **{_escaped(cell.badge.label)}**".strip()]
        if (cell.badge)
        else []
    )
    lines = "<br>".join([*badge, *(_inline(line) for line in cell.lines)])
    marks = f"<sup>{', '.join(cell.marks)}</sup>" if cell.marks else ""
    return f"{lines}{' ★' if cell.star else ''}{marks}"


def _head(head: Head) -> str:
    anchor = f'<a id="{head.anchor}"></a>' if head.anchor else ""
    badge = f" {_TONES[head.badge.tone]} {_escaped(head.badge.label)}" if head.badge else ""
    return f"{anchor}{_escaped(head.label)}{badge}"


def _column(column: Column) -> str:
    title = _escaped(column.title)
    return f"{title} ({_escaped(column.unit)})" if column.unit else title


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _inline(text: Text) -> str:
    out = []
    for span in text:
        match span.kind:
            case "strong":
                out.append(f"**{_escaped(span.text)}**")
            case "code":
                out.append(_code(span.text))
            case _:
                out.append(_escaped(span.text))
    return "".join(out)


def _code(words: str) -> str:
    """Words as code, which they cannot end."""
    plain = words.replace("`", "ʼ").replace("|", "\\|")
    return f"`{' '.join(plain.splitlines())}`"


_SPECIAL = str.maketrans(
    {
        "\\": "\\\\",
        "|": "\\|",
        "<": "&lt;",
        ">": "&gt;",
        "*": "\\*",
        "_": "\\_",
        "`": "\\`",
        "\n": " ",
        "\r": " ",
    }
)


def _escaped(words: str) -> str:
    """Words that Markdown and HTML take as words."""
    escaped = words.translate(_SPECIAL)
    # Brackets alone are intervals; before a parenthesis they would be a link.
    return escaped.replace("](", "\\](") if "](" in escaped else escaped
