"""Each message is whole, so that every language can order it: none is a fragment to be glued to another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MARKS = ("gettext", "gettext_lazy", "_", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy")
IN_TEMPLATES = re.compile(r"""(?:\{% translate|\b_\()\s*(?:"([^"]+)"|'([^']+)')""")
CODE = [path for app in ("accounts", "games", "splendor_site") for path in (ROOT / app).rglob("*.py")]
TEMPLATES = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
FAULTS = {
    "space or comma at an end": re.compile(r"^[\s,;]|[\s,;]$"),
    "conjunction at the beginning": re.compile(r"^(?:and|or|but|then)\b"),
    "placeholder without a name": re.compile(r"%[sd]|\{\}"),
    "straight apostrophe": re.compile(r"\w'\w"),
}


def marked(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls that mark a message for translation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            yield node


def messages(path: Path) -> Iterator[str]:
    """The messages of a module or template, without their contexts."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from (double or single for double, single in IN_TEMPLATES.findall(text))
        return
    for call in marked(ast.parse(text)):
        assert isinstance(call.func, ast.Name)
        first = 1 if call.func.id.startswith("pgettext") else 0
        texts = call.args[first : first + 2] if call.func.id.startswith("ngettext") else call.args[first : first + 1]
        for argument in texts:
            assert isinstance(argument, ast.Constant), f"{path}: a message is put together: {ast.unparse(call)}"
            yield str(argument.value)


@pytest.mark.parametrize("fault", FAULTS)
def test_messages_are_whole(fault: str) -> None:
    found = {message for path in (*CODE, *TEMPLATES) for message in messages(path)}
    assert len(found) > 800
    # The login page offers two ways, with the single word “or” between them.
    assert sorted(message for message in found - {"or"} if FAULTS[fault].search(message)) == []


def test_messages_are_not_joined() -> None:
    """A message with something added to it would be a piece of a sentence."""
    glued = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        for side in (node.left, node.right)
        if isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id in MARKS
    ]
    assert glued == []
