"""Mutations that cosmic-ray lacks: leave out a call, or a condition of a query."""

from collections.abc import Iterator, Sequence
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator

Position = tuple[tuple[int, int], tuple[int, int]]
Node = Any
"""A node of parso's tree, which has no types."""


class DropCall(Operator):
    """Replaces a statement that is a single call by `pass`."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        if node.type == "simple_stmt" and _is_call(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Node, index: int) -> Node:
        call = node.children[0]
        node.children[0] = parso.parse(f"{call.get_first_leaf().prefix}pass")
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return [Example("game.save()\n", "pass\n")]


class DropCondition(Operator):
    """Removes a condition from a query, or a column from an update."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        for argument in _conditions(node):
            yield argument.start_pos, argument.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        argument = _conditions(node)[index]
        siblings = argument.parent.children
        at = next(number for number, child in enumerate(siblings) if child is argument)
        with_comma = at + 1 < len(siblings) and siblings[at + 1].type == "operator" and siblings[at + 1].value == ","
        del siblings[at : at + (2 if with_comma else 1)]
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return [
            Example("games.filter(pk=1, version=2)", "games.filter( version=2)"),
            Example("games.filter(pk=1, version=2)", "games.filter(pk=1,)", occurrence=1),
            Example("games.filter(Q(pk=1))", "games.filter()"),
        ]


OPERATORS: dict[str, type[Operator]] = {"own/DropCall": DropCall, "own/DropCondition": DropCondition}


def _is_call(node: Node) -> bool:
    return bool(node.type == "atom_expr" and node.children[-1].get_code().startswith("("))


def _conditions(node: Node) -> list[Node]:
    """The arguments that can be removed if the node is the call of a query: keyword arguments, and for `filter` and
    `exclude` positional ones too."""
    before = node.get_previous_sibling() if node.type == "trailer" and len(node.children) == 3 else None
    if before is None or before.type != "trailer" or node.children[0].value != "(":
        return []
    verb, inside = before.children[-1].get_code(), node.children[1]
    arguments = inside.children[::2] if inside.type == "arglist" else [inside]
    named = [each for each in arguments if each.type == "argument" and each.children[1].get_code() == "="]
    return {"filter": arguments, "exclude": arguments, "get": named, "update": named}.get(verb, [])
