"""Tests that may pass because there was nothing to look at.

An assertion is sure when it runs whatever the data are. One in a loop over what may be empty, or
below an `if`, is not: on no record at all such a test passes. What is sure, in short:

- a statement of the test itself, or of a `with` in it that suppresses no exception;
- a statement of a `try` whose handlers fail, or are sure to assert something, or of its `finally`;
- in a loop over what is plainly not empty: a literal, a name that is given one and nothing else,
  `range(3)`, and what `sorted`, `zip`, `.items()` and the like make of these;
- in every branch of an `if` or a `match`;
- in a function of the same module that is called where it is sure.

`assert all(…)` and `assert not any(…)` are loops. So are `assert not wrong` and
`assert wrong == []` where `wrong` is a comprehension, or a list that begins empty.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from plain_values import FUNCTIONS, Names, dotted, walk

Function = ast.FunctionDef | ast.AsyncFunctionDef

_FAILING = {"pytest.raises", "pytest.warns", "pytest.deprecated_call", "pytest.fail"}
_SUPPRESSING = {"contextlib.suppress", "suppress"}


@dataclass(frozen=True)
class Test:
    """A test function, and whether it may pass without having looked at anything."""

    name: str
    line: int
    asserts: bool
    sure: bool

    @property
    def may_look_at_nothing(self) -> bool:
        return self.asserts and not self.sure


def read_tests(source: str) -> list[Test]:
    """Every test function of a module."""
    tree = ast.parse(source)
    names = Names.of_module(tree)
    reader = _Reader({n.name: (n, names) for n in tree.body if isinstance(n, FUNCTIONS)}, names)
    return [
        Test(node.name, node.lineno, reader.asserts(node), reader.function(node))
        for node in _functions(tree.body)
        if node.name.startswith("test_")
    ]


def _functions(body: list[ast.stmt]) -> Iterator[Function]:
    """Functions of a module and of its classes."""
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


@dataclass(frozen=True)
class _Reader:
    """One reading of a test, through the functions of its module that it calls."""

    functions: dict[str, tuple[Function, Names]]
    """Each with the names that are known where it is defined."""

    names: Names
    within: tuple[str, ...] = ()
    """Functions it came through, which are not read again where they call themselves."""

    def function(self, node: Function) -> bool:
        """Whether an assertion of the function is sure."""
        names = self.names.within(node)
        inner = {n.name: (n, names) for n in walk(node.body) if isinstance(n, FUNCTIONS)}
        return _Reader({**self.functions, **inner}, names, self.within).block(node.body)

    def asserts(self, node: Function) -> bool:
        """Whether the function asserts anything, surely or not."""
        return any(
            isinstance(inner, ast.Assert)
            or (isinstance(inner, ast.Call) and self._call_asserts(inner))
            for inner in ast.walk(node)
        )

    def _call_asserts(self, call: ast.Call) -> bool:
        helper, reader = self._called(call)
        return dotted(call.func) in _FAILING or (helper is not None and reader.asserts(helper))

    def _called(self, call: ast.Call) -> tuple[Function | None, _Reader]:
        """The function of the module that is called, and the reader of it."""
        name = dotted(call.func)
        if name not in self.functions or name in self.within:
            return None, self
        helper, names = self.functions[name]
        return helper, _Reader(self.functions, names, (*self.within, name))

    def block(self, body: list[ast.stmt]) -> bool:
        """Whether an assertion of these statements is sure."""
        for statement in body:
            if self.statement(statement):
                return True
            if _may_leave(statement):
                return False
        return False

    def statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assert():
                return not self.holds_of_nothing(node.test) or self.calls(node.test)
            case ast.With() | ast.AsyncWith():
                goes_on = any(_suppresses(item.context_expr) for item in node.items)
                called = any(self.calls(item.context_expr) for item in node.items)
                return called or (not goes_on and self.block(node.body))
            case ast.Try():
                handled = all(self.fails(handler.body) for handler in node.handlers)
                return (handled and self.block(node.body)) or self.block(node.finalbody)
            case ast.For() | ast.AsyncFor():
                once = self.names.not_empty(node.iter) and self.block(node.body)
                return once or self.calls(node.iter) or self.block(node.orelse)
            case ast.While():
                always = isinstance(node.test, ast.Constant) and bool(node.test.value)
                return always and self.block(node.body)
            case ast.If():
                return self.calls(node.test) or (self.block(node.body) and self.block(node.orelse))
            case ast.Match():
                return all(self.block(case.body) for case in node.cases)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return False
            case _:
                return self.calls(node)

    def fails(self, handler: list[ast.stmt]) -> bool:
        """Whether a handler raises, or asserts what is sure; a test that is skipped says so."""
        match handler[-1]:
            case ast.Raise():
                return True
            case ast.Expr(value=ast.Call(func=called)) if dotted(called) == "pytest.skip":
                return True
            case _:
                return self.block(handler)

    def calls(self, node: ast.AST) -> bool:
        """Whether something is called here that surely asserts."""
        for call in walk([node]):
            if isinstance(call, ast.Call):
                helper, reader = self._called(call)
                if dotted(call.func) in _FAILING or (helper and reader.function(helper)):
                    return True
        return False

    def holds_of_nothing(self, test: ast.expr) -> bool:
        """Whether what is asserted is true where there is nothing to look at."""
        match test:
            case ast.Constant():
                return True
            case ast.BoolOp(op=ast.And()):
                return all(self.holds_of_nothing(value) for value in test.values)
            case ast.Call(func=ast.Name(id="all"), args=[over]):
                return not self.names.not_empty(over)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="any"), args=[over])):
                return not self.names.not_empty(over)
            case ast.UnaryOp(op=ast.Not(), operand=over):
                return self.names.filters(over)
            case ast.Compare(left=over, ops=[ast.Eq()], comparators=[right]):
                return _nothing(right) and self.names.filters(over)
            case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                # Where a function that helps says so, it is for the type checker.
                return bool(self.within)
            case _:
                return False


def _suppresses(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in _SUPPRESSING


def _nothing(node: ast.expr) -> bool:
    return ast.unparse(node) in {"[]", "{}", "set()", "()"}


def _may_leave(statement: ast.stmt) -> bool:
    """Whether what follows the statement may not be reached, although nothing failed."""
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        return any(isinstance(inner, ast.Return) for inner in walk([statement]))
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return False
    return isinstance(statement, ast.Return | ast.Break | ast.Continue) or any(
        _may_leave(inner) for inner in _statements(statement)
    )


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Statements directly below a node, those of its handlers and cases too."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.stmt):
            yield inner
        elif isinstance(inner, ast.ExceptHandler | ast.match_case):
            yield from _statements(inner)
