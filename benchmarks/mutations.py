"""Small changes to a Python source, each of which a good test notices: what can be changed where, and into what."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
LOGIC: dict[type[ast.boolop], type[ast.boolop]] = {ast.And: ast.Or, ast.Or: ast.And}
WITHOUT_EFFECT = {"strict", "frozen", "slots", "init", "repr", "compare", "kw_only", "required", "default_factory"}
"""Keyword arguments that are there for safety or for dataclasses, not for what a game does."""

N = TypeVar("N", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One possible change. `make` changes the tree in place and returns what stands there then."""

    node: ast.expr | ast.stmt
    make: Callable[[], ast.AST]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A source with one change."""

    file: Path
    line: int
    was: str
    becomes: str
    tree: ast.Module


def count(file: Path) -> int:
    """How many changes a file has room for."""
    return sum(1 for _ in mutations(ast.parse(file.read_bytes())))


def mutant(file: Path, number: int) -> Mutant:
    """The file with the change of that number, counted from 0."""
    tree = ast.parse(file.read_bytes())
    chosen = next(mutation for place, mutation in enumerate(mutations(tree)) if place == number)
    was = _brief(chosen.node)
    becomes = _brief(chosen.make())
    return Mutant(file, chosen.node.lineno, was, becomes, ast.fix_missing_locations(tree))


def _brief(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}..."


def mutations(node: ast.AST) -> Iterator[Mutation]:
    """Every change below a node, in the order of the source. Docstrings, annotations, decorators, assertions and
    texts are left alone: what they say is not what a game does."""
    match node:
        case ast.JoinedStr() | ast.Assert() | ast.Import() | ast.ImportFrom():
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.keyword(arg=name) if name in WITHOUT_EFFECT:
            return
    if isinstance(node, ast.expr | ast.stmt):
        yield from _of(node)
    yield from _conditions(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for place, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.stmt):
                yield from _without(value, place, child)
            if isinstance(child, ast.AST):
                yield from mutations(child)


def _of(node: ast.expr | ast.stmt) -> Iterator[Mutation]:
    match node:
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                yield Mutation(node, _set_item(node, ops, place, COMPARISONS[type(operator)]()))
        case ast.BoolOp(op=logic):
            yield Mutation(node, _set(node, "op", LOGIC[type(logic)]()))
        case ast.BinOp(op=arithmetic) | ast.AugAssign(op=arithmetic):
            if type(arithmetic) in ARITHMETIC and not _is_union(node):
                yield Mutation(node, _set(node, "op", ARITHMETIC[type(arithmetic)]()))
        case ast.UnaryOp(op=ast.USub()):
            yield Mutation(node, _set(node, "op", ast.UAdd()))
        case ast.Constant(value=bool() as flag):
            yield Mutation(node, _set(node, "value", not flag))
        case ast.Constant(value=int() | float() as number):
            yield Mutation(node, _set(node, "value", number + 1))
            yield Mutation(node, _set(node, "value", number - 1))
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield Mutation(node, _set(node, "value", ast.Constant(None)))


def _conditions(node: ast.AST) -> Iterator[Mutation]:
    """The condition of a branch, a loop, a case or a comprehension, negated."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield Mutation(test, _set(node, "test", _negated(test), shown="test"))
        case ast.match_case(guard=ast.expr() as guard):
            yield Mutation(guard, _set(node, "guard", _negated(guard), shown="guard"))
        case ast.comprehension(ifs=ifs):
            for place, condition in enumerate(ifs):
                yield Mutation(condition, _set_item(_negated(condition), ifs, place, _negated(condition)))


def _without(body: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Mutation]:
    """The statement left out, if the code around it still makes sense."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            removed = ast.copy_location(ast.Pass(), statement)
            yield Mutation(statement, _set_item(removed, body, place, removed))


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_union(node: ast.BinOp | ast.AugAssign) -> bool:
    """`A | B` of types, as `isinstance` takes it."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)):
        return False
    right = node.right.attr if isinstance(node.right, ast.Attribute) else ast.unparse(node.right)
    return right == "None" or (right[:1].isupper() and not right.isupper())


def _set(node: ast.AST, field: str, value: object, shown: str | None = None) -> Callable[[], ast.AST]:
    def make() -> ast.AST:
        setattr(node, field, value)
        return node if shown is None else getattr(node, shown)

    return make


def _set_item(shown: ast.AST, items: list[N], place: int, value: N) -> Callable[[], ast.AST]:
    def make() -> ast.AST:
        items[place] = value
        return shown

    return make
