"""The rules of tests: small tests that break them are caught, those that keep them are not."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from private_names import defined_in, reached_into
from relative_clauses import docstrings, is_relative
from sure_assertions import read_tests


def caught(source: str) -> list[str]:
    tests = read_tests(dedent(source))
    assert tests
    return [test.name for test in tests if test.may_look_at_nothing]


def of_body(body: str) -> str:
    return "def test_it(records):\n" + indent(dedent(body), "    ")


@pytest.mark.parametrize(
    "body",
    [
        "for record in records:\n    assert record",
        "for one, two in zip((1, 2), records):\n    assert one == two",
        "for at in range(len(records)):\n    assert records[at]",
        "for at in range(0):\n    assert at",
        "for at in ():\n    assert at",
        "while records:\n    assert records.pop()",
        "if records:\n    assert records[0]",
        "if records:\n    assert records[0]\nelse:\n    print()",
        "if not records:\n    return\nassert records[0]",
        "for record in (1, 2):\n    if record > 1:\n        continue\n    assert record",
        "for record in (1, 2):\n    for inner in records:\n        assert inner",
        "with open('x') as file:\n    for line in file:\n        assert line",
        "for record in records:\n    with pytest.raises(ValueError):\n        record()",
        "try:\n    read()\nexcept ValueError as error:\n    assert error",
        "try:\n    read()\n    assert records\nexcept ValueError:\n    pass",
        "with contextlib.suppress(ValueError):\n    read()\n    assert records",
        "with open('x') as file, suppress(OSError):\n    assert file.read()",
        "assert all(record for record in records)",
        "assert all(records)",
        "assert not any(record for record in records)",
        "assert all(records) and not any(records)",
        "assert not [record for record in records if record.wrong]",
        "assert [record for record in records if record.wrong] == []",
        "wrong = {record for record in records if record.wrong}\nassert wrong == set()",
        "wrong = []\nfor record in records:\n    wrong.append(record)\nassert not wrong",
        "assert True\nfor record in records:\n    assert record",
        "given = [1]\ngiven = records\nfor record in given:\n    assert record",
        "def scene():\n    assert records",
        "run(lambda: look(records))\nfor record in records:\n    assert record",
    ],
)
def test_a_test_that_may_look_at_nothing_is_caught(body: str) -> None:
    assert caught(of_body(body)) == ["test_it"]


@pytest.mark.parametrize(
    "body",
    [
        "assert records\nfor record in records:\n    assert record",
        "for record in records:\n    assert record\nassert len(records) == 2",
        "with open('x') as file:\n    assert file.read()",
        "with pytest.raises(ValueError):\n    read(records)",
        "with contextlib.suppress(ValueError):\n    read()\nassert records",
        "try:\n    assert read()\nexcept ValueError as error:\n    raise OSError from error",
        "try:\n    assert read()\nexcept ValueError as error:\n    assert error",
        "try:\n    assert read()\nexcept OSError:\n    pytest.skip('none')",
        "try:\n    read()\nfinally:\n    assert records",
        "for record in (1, 2):\n    assert record",
        "for record in [*records, 1]:\n    assert record",
        "given = {'a': 1}\nfor name, value in sorted(given.items()):\n    assert name",
        "for at in range(3):\n    assert records[at]",
        "for at, name in enumerate(('a', 'b')):\n    assert records[at] == name",
        "for one, two in zip((1, 2), [at for at in range(2)], strict=True):\n    assert one == two",
        "for record in (1, 2):\n    if record:\n        pass\n    assert record",
        "if records:\n    assert records[0]\nelse:\n    assert records == []",
        "while True:\n    assert records",
        "assert all(record in records for record in (1, 2))",
        "assert all(records) and len(records) == 2",
        "assert not records",
        "for at in range(3):\n    if records[at]:\n        break\nelse:\n    pytest.fail('none')",
        "def scene():\n    assert records\nrun(scene)\nassert scene() is None",
        "def scene():\n    assert records\nscene()",
    ],
)
def test_a_test_that_is_sure_to_look_at_something_is_not_caught(body: str) -> None:
    assert caught(of_body(body)) == []


def test_functions_of_the_module_are_followed() -> None:
    assert caught(
        """
        SHAPES = ("line", "circle")
        FOUND = []

        def check(shape):
            assert shape

        def check_all(shapes):
            for shape in shapes:
                check(shape)

        def made(shape):
            assert shape is not None
            return shape

        def test_by_a_helper():
            check("line")

        def test_of_a_constant():
            for shape in SHAPES:
                check(shape)

        def test_of_a_constant_that_is_empty():
            for shape in FOUND:
                check(shape)

        def test_by_a_helper_with_a_loop():
            check_all(read())

        def test_by_a_helper_that_only_says_it_is_something():
            for line in made(read()):
                assert line

        def test_whose_argument_has_the_name_of_a_constant(SHAPES):
            for shape in SHAPES:
                assert shape

        class TestOfAClass:
            def test_in_a_class(self):
                for shape in read():
                    assert shape
        """
    ) == [
        "test_of_a_constant_that_is_empty",
        "test_by_a_helper_with_a_loop",
        "test_by_a_helper_that_only_says_it_is_something",
        "test_whose_argument_has_the_name_of_a_constant",
        "test_in_a_class",
    ]


def test_a_test_without_assertions_is_no_business_of_the_rule() -> None:
    (test,) = read_tests("def test_it_imports():\n    import json\n")
    assert not test.asserts
    assert not test.may_look_at_nothing


# ----------------------------------------------------------------------- private names


OURS = defined_in(
    """
_LIMIT_S = 2.0
_, LIMIT = 1, 2

def _made(): ...

class _Loop:
    def __init__(self):
        self._until = 3
    async def _turn(self): ...
"""
)


def test_private_names_are_those_a_module_defines() -> None:
    assert {"_LIMIT_S", "_made", "_Loop", "_until", "_turn"} == OURS


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("from wirelab.build import _made", ["_made"]),
        ("from wirelab_sdk.x import (Loop,\n    _made as made)", ["_made"]),
        ("import wirelab._made", ["_made"]),
        ("module._made()", ["_made"]),
        ("module._Loop._until", ["_Loop", "_until"]),
        ("loop()._until = 4", ["_until"]),
        ("monkeypatch.setattr(module, '_LIMIT_S', 1)", ["_LIMIT_S"]),
        ("monkeypatch.setattr('wirelab.build._LIMIT_S', 1)", ["_LIMIT_S"]),
        ("mock.patch.object(module, attribute='_LIMIT_S')", ["_LIMIT_S"]),
        ("getattr(loop, '_until')", ["_until"]),
        ("vars(module)['_made']()", ["_made"]),
        ("compose.__globals__['_made']", ["_made"]),
    ],
)
def test_reaching_into_private_names_is_caught(line: str, names: list[str]) -> None:
    assert reached_into("\n" + line, OURS) == [(2, name) for name in names]


@pytest.mark.parametrize(
    "line",
    [
        "from wirelab.build import made",
        "os._exit(1)",
        "loop._selector.select",
        "self._until = 3",
        "point._replace(x=1)",
        "monkeypatch.setattr(module, 'LIMIT_S', 1)",
        "print('_made')",
        "text = 'loop._until'",
    ],
)
def test_what_is_public_or_of_others_is_not_caught(line: str) -> None:
    assert reached_into(line, OURS) == []


# ----------------------------------------------------------------------- docstrings


@pytest.mark.parametrize(
    "text",
    [
        "Of a trial.",
        "That of a trial.",
        "Those of a step, in settling or after it.",
        "Who wrote the records.",
        "Whom a finding speaks against.",
        "What it saw.",
        "Whatever it saw.",
        "However deep: one has an option for that.",
        "Where nothing bounds it, nobody is first.",
        "When the next one is due; the end of time where none is.",
        "Why it did not run; empty: it did.",
        "How often it ran.",
        "By how much a lane is shifted.",
        "In which blocks it was measured.",
        "Without those that lie in another.",
        "For what each need not be asked.",
        "So many of those that were received.",
        "All that has a cell.",
        "None where it was not run.",
        "One that refuses everything.",
        "Only what was published.",
        "``--until``: what may be asked for.",
        '"How fast are they?", the author asks.',
        " \n    when it ended.\n",
    ],
)
def test_a_docstring_that_is_a_relative_clause_is_caught(text: str) -> None:
    assert is_relative(text)


@pytest.mark.parametrize(
    "text",
    [
        "The time at which the next one is due; the end of time where none is.",
        "The reason why it did not run; empty: it did.",
        "Whether it ran.",
        "Everything that it saw.",
        "One block of those that ran.",
        "None; a trial has no such file.",
        "All blocks that ran.",
        "In the order of the page.",
        "For each rate what it costs.",
        "Offers of those who answer.",
        "Someone who answers.",
        "Ask what it saw.",
        "``what``: the name of a thing.",
        "``wl run``: a trial of each.",
    ],
)
def test_a_noun_and_a_verb_are_no_relative_clause(text: str) -> None:
    assert not is_relative(text)


def test_docstrings_are_found_wherever_one_stands() -> None:
    source = """
'''Of a module.'''

class Thing:
    '''Of a class.'''

    size: int
    '''Of an attribute.'''

    def of(self):
        '''Of a function.'''
        if self.size:
            pass
        else:
            self.size = 1
            '''Of a choice.'''
        try:
            print("Of a call.")
        finally:
            self.size = 2
            '''Of an end.'''
"""
    assert sorted(text for _line, text in docstrings(ast.parse(source))) == [
        "Of a choice.",
        "Of a class.",
        "Of a function.",
        "Of a module.",
        "Of an attribute.",
        "Of an end.",
    ]
