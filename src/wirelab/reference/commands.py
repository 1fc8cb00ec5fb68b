"""The page of all commands, written from their own help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wirelab.cli import CALLED, COMMANDS, loaded
from wirelab.reference.page import FOLDER, WRITTEN, rows

PAGE = FOLDER / "commands.md"

_HEAD = f"""\
{WRITTEN.format(source="the command's function in src/wirelab/cli")}
# Commands

Every command of `{CALLED}`, with its arguments and options. `{CALLED} COMMAND --help` says the same
on a terminal. Where … follows a value, more of them may be given; an option is then said again.
"""


def page() -> str:
    """All commands in the order of the help, a section each."""
    return _HEAD + "".join(_section(name, loaded(name)) for name in COMMANDS)


def _section(name: str, command: Any) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    usage = " ".join(
        [CALLED, name, *map(_placeholder, arguments), *(["[OPTIONS]"] * bool(options))]
    )
    told = "\n\n".join(_paragraphs(command.help or ""))
    return f"\n## `{name}`\n\n    {usage}\n\n{told}\n\n{_table([*arguments, *options])}"


def _table(parameters: Sequence[Any]) -> str:
    cells = [(f"`{_written(each)}`", each.help or "", _default(each)) for each in parameters]
    return rows(("argument or option", "meaning", "default"), cells) if cells else ""


def _written(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return _placeholder(parameter)
    names = " / ".join([*parameter.opts, *parameter.secondary_opts])
    if parameter.is_flag:
        return names
    return f"{names} {_value(parameter)}{' …' * bool(parameter.multiple)}"


def _value(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _placeholder(argument: Any) -> str:
    value = f"{_value(argument)}{' …' * (argument.nargs == -1)}"
    return value if argument.required else f"[{value}]"


def _default(parameter: Any) -> str:
    default = parameter.default
    return "" if default in (None, False, "") or callable(default) else f"`{default}`"


def _paragraphs(told: str) -> Iterator[str]:
    for paragraph in told.split("\n\n"):
        yield " ".join(paragraph.split())
