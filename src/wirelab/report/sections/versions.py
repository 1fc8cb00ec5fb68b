"""Libraries and runtimes that were measured, and those that could not be."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.model.participant import Participant
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Bullets,
    Callout,
    Column,
    Command,
    Definitions,
    Details,
    Head,
    Row,
    RowGroup,
    Section,
    Span,
    Table,
    TableCell,
    Text,
    WordsCell,
    cell,
    marked,
    plain,
    text,
)
from wirelab.report.tabulate import DASH, notes_for
from wirelab.words.series import series


def versions(context: Context) -> Section:
    """Library, version, runtime and licence of every contender, beside the study's."""
    _ = context.words.gettext
    groups = [_group(context, contender) for contender in context.contenders]
    groups += [
        RowGroup((_published_row(context, key),), Head(_published_title(context, key)))
        for key in context.published_only()
    ]
    stub = (_("contender"), _("figures")) if context.published else (_("contender"),)
    table = Table(
        _("Versions"),
        stub,
        tuple(
            Column(title, align="left")
            for title in (_("library"), _("version"), _("runtime"), _("tuning"))
        ),
        tuple(groups),
        notes_for(context, groups),
    )
    return Section(
        _("Client libraries and versions"),
        "versions",
        (table, *_stand_ins(context), *_pinned_by_version(context), *_notes(context)),
    )


def _stand_ins(context: Context) -> tuple[Block, ...]:
    """Name the contender that a published figure stands beside, where several of the suite use the
    library.
    """
    _ = context.words.gettext
    known = context.published.contenders if context.published else {}
    said = tuple(
        text(
            _("What the study says of {theirs} is compared with {here}."),
            theirs=one.title.of(context.language),
            here=context.name(context.stand_ins[key]),
        )
        for key, one in known.items()
        if len(one.here) > 1 and context.stand_ins[key] in context.measured
    )
    return (Bullets(said),) if said else ()


def _pinned_by_version(context: Context) -> tuple[Block, ...]:
    """Name the contenders whose packages no hash had held before they were first fetched, with the
    reason.
    """
    _ = context.words.gettext
    said = []
    for name in context.contenders:
        participant = context.participant(name)
        build = participant.manifest.build
        if build.pinned == "version":
            because = build.pinned_because.of(context.language)
            local = local_packages(participant)
            said.append(
                text(
                    _("{name}: packages pinned by version alone. {because}{local}"),
                    name=context.name(name),
                    because=because,
                    local=_(" Local source: {packages}.").format(packages=", ".join(local))
                    if local
                    else "",
                )
            )
    return (Bullets(tuple(said)),) if said else ()


def local_packages(participant: Participant) -> list[str]:
    """Packages pinned by version alone that came from a folder, and from no server."""
    dependencies = participant.ownership.dependencies if participant.ownership else []
    return [f"{found.name} {found.version}" for found in dependencies if found.local]


def _notes(context: Context) -> tuple[Block, ...]:
    """Notes of each contender on its use of its library, from its manifest."""
    notes = {
        context.name(name): context.participant(name).manifest.notes.of(context.language)
        for name in context.contenders
    }
    items = tuple((name, marked(note.strip())) for name, note in notes.items() if note)
    if not items:
        return ()
    title = context.words.gettext("How each contender uses its library")
    return (Details(title, (Definitions(items),)),)


def unavailable(context: Context) -> tuple[Block, ...]:
    """Contenders that did not run, a line for each reason with the command that would change it."""
    _ = context.words.gettext
    by_reason: dict[tuple[str, str], list[str]] = {}
    for contender in context.contenders:
        participant = context.participant(contender)
        if participant.unavailable:
            why = participant.missing(context.language)
            by_reason.setdefault(why, []).append(context.name(contender))
    lines: list[Text] = list(_without_variants(context))
    if not by_reason and not lines:
        return ()
    outputs: list[Block] = []
    for (reason, remedy), names in by_reason.items():
        first, _end, output = reason.strip().partition("\n")
        said = text(_("**{names}**: {reason}"), names=series(names), reason=first.rstrip(":"))
        lines.append((*said, *_commands(remedy)))
        if output:
            title = _("What was said: {names}").format(names=series(names))
            outputs.append(Details(title, (Command(output),)))
    return (Callout("warn", _("Not measured"), (Bullets(tuple(lines)), *outputs)),)


def _without_variants(context: Context) -> Iterator[Text]:
    """Contenders that run, but not in every variant of a scenario that they have a part in."""
    _ = context.words.gettext
    for contender in context.contenders:
        for name, barred in context.participant(contender).barred_variants.items():
            variants = context.result.scenarios[name].variants
            for variant, why in barred.items():
                yield text(
                    _("**{names}**, {variant}: {reason}; {remedy}"),
                    names=context.name(contender),
                    variant=variants[variant].title.of(context.language),
                    reason=why.reason.of(context.language),
                    remedy=why.remedy.of(context.language),
                )


def _commands(remedy: str) -> Iterator[Span]:
    """Commands to type, each in its own mark."""
    for line in remedy.splitlines():
        if line.strip():
            yield Span(" ")
            yield Span(line.strip(), "code")


def _group(context: Context, contender: str) -> RowGroup:
    _ = context.words.gettext
    participant = context.participant(contender)
    library = participant.manifest.library
    toolchain = participant.ownership.toolchain if participant.ownership else {}
    built_with = ", ".join(f"{tool} {version}" for tool, version in toolchain.items())
    runtime = context.result.runtimes.get(contender, built_with)
    tuning = tuple(
        text("`{key} = {value}`", key=key, value=value)
        for key, value in participant.manifest.tuning.items()
    )
    cells: tuple[TableCell, ...] = (
        cell(f"{library.name} ({library.licence})"),
        cell(library.version),
        cell(runtime) if runtime else Absent(DASH),
        WordsCell(tuning) if tuning else Absent(DASH),
    )
    badge = Badge(_("unavailable"), "warn") if participant.unavailable else None
    head = Head(context.name(contender), badge, context.colour(contender))
    if context.published is None:
        return RowGroup((Row(head, cells),))
    rows = [Row(Head(_("here")), cells)]
    if (key := context.key_of(contender)) is not None:
        rows.append(_published_row(context, key))
    return RowGroup(tuple(rows), head)


def _published_row(context: Context, key: str) -> Row:
    published = context.published
    if published is None:
        raise ValueError("no published contender without a study")
    contender = published.contenders[key]
    marks = published.marks("versions", key)
    cells: tuple[TableCell, ...] = (
        cell(contender.library.of(context.language)),
        WordsCell((plain(contender.version.of(context.language)),), marks=marks),
        cell(contender.runtime.of(context.language)),
        Absent(DASH),
    )
    return Row(Head(context.words.gettext("published")), cells, published=True)


def _published_title(context: Context, key: str) -> str:
    if context.published is None:
        return key
    return context.published.contenders[key].title.of(context.language)
