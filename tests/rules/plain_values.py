"""Values that plainly have something in them, as far as the source alone tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_SAME_NUMBER = {"enumerate", "sorted", "reversed", "list", "tuple", "set", "frozenset", "iter"}
_ALL_OF = {"zip", "product", "itertools.product"}
_VIEWS = {"items", "keys", "values", "copy"}
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Nodes and what is below them, without what is inside another function or class."""
    for node in nodes:
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from walk(ast.iter_child_nodes(node))


def dotted(node: ast.expr) -> str:
    """The name of what is called: `range`, `pytest.raises`."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{dotted(node.value)}.{node.attr}"
        case _:
            return ""


@dataclass(frozen=True)
class Names:
    """Values of the names that are given one value and no other."""

    values: dict[str, ast.expr] = field(default_factory=dict)

    @classmethod
    def of_module(cls, tree: ast.Module) -> Names:
        return cls()._after(tree.body)

    def within(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Names:
        """Names known inside a function, whose arguments may be anything."""
        every = function.args
        hidden = {a.arg for a in (*every.posonlyargs, *every.args, *every.kwonlyargs)}
        known = {name: value for name, value in self.values.items() if name not in hidden}
        return Names(known)._after(function.body)

    def _after(self, body: list[ast.stmt]) -> Names:
        values = dict(self.values)
        seen: set[str] = set()
        for name, value in _given(body):
            if value is None or name in seen:
                values.pop(name, None)
            else:
                values[name] = value
            seen.add(name)
        return Names(values)

    def value(self, node: ast.expr) -> ast.expr:
        """The value of a name that has one; else the expression."""
        return self.values.get(node.id, node) if isinstance(node, ast.Name) else node

    def not_empty(self, node: ast.expr) -> bool:
        """Whether there is plainly something to look at."""
        return self._has(node, ())

    def _has(self, node: ast.expr, seen: tuple[str, ...]) -> bool:
        match node:
            case ast.Tuple() | ast.List() | ast.Set():
                return any(self._adds(element, seen) for element in node.elts)
            case ast.Dict():
                return any(
                    key is not None or self._has(value, seen)
                    for key, value in zip(node.keys, node.values, strict=True)
                )
            case ast.Constant(value=str() | bytes() as text):
                return bool(text)
            case ast.Name() if node.id in self.values and node.id not in seen:
                return self._has(self.values[node.id], (*seen, node.id))
            case ast.BinOp(op=ast.Add() | ast.BitOr()):
                return self._has(node.left, seen) or self._has(node.right, seen)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return all(not part.ifs and self._has(part.iter, seen) for part in node.generators)
            case ast.Call():
                return self._gives(node, seen)
            case _:
                return False

    def _adds(self, element: ast.expr, seen: tuple[str, ...]) -> bool:
        return not isinstance(element, ast.Starred) or self._has(element.value, seen)

    def _gives(self, call: ast.Call, seen: tuple[str, ...]) -> bool:
        name = dotted(call.func)
        if name == "range":
            return self._counts(call.args)
        if name in _SAME_NUMBER:
            return bool(call.args) and self._has(call.args[0], seen)
        if name in _ALL_OF:
            return bool(call.args) and all(self._has(argument, seen) for argument in call.args)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _VIEWS:
            return self._has(call.func.value, seen)
        return False

    def _counts(self, arguments: list[ast.expr]) -> bool:
        try:
            return len(range(*(ast.literal_eval(self.value(a)) for a in arguments))) > 0
        except (ValueError, TypeError):
            return False

    def filters(self, node: ast.expr) -> bool:
        """Whether something collects, of what may be nothing, what does not please the test."""
        node = self.value(node)
        if isinstance(node, _COMPREHENSIONS):
            return not all(self.not_empty(part.iter) for part in node.generators)
        return isinstance(node, ast.List | ast.Set | ast.Dict) and not self.not_empty(node)


def _given(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr | None]]:
    """Names with the value each is given in a block; None is a value that is not told."""
    for node in walk(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, node.value
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node.value
            case ast.Assign() | ast.AugAssign() | ast.For() | ast.AsyncFor() | ast.withitem():
                yield from ((name, None) for name in _stored(node))
            case ast.NamedExpr():
                yield node.target.id, None


def _stored(node: ast.AST) -> Iterator[str]:
    """Names that a node sets itself, not those that the statements in it set."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            for name in ast.walk(part):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    yield name.id
