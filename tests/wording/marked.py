"""Finds the messages that are marked for translation."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARKS = (
    "gettext", "gettext_lazy", "gettext_noop", "_", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy",
    "npgettext", "npgettext_lazy",
)  # fmt: skip
CODE = [path for app in ("accounts", "games", "splendor_site") for path in (ROOT / app).rglob("*.py")]
TEMPLATES = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]


def marked(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls that mark a message for translation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            yield node


def messages(path: Path) -> Iterator[str]:
    """The messages of a module, without their contexts."""
    for call in marked(ast.parse(path.read_text(encoding="utf-8"))):
        assert isinstance(call.func, ast.Name)
        first = 1 if "pgettext" in call.func.id else 0
        texts = call.args[first : first + 2] if "ngettext" in call.func.id else call.args[first : first + 1]
        for argument in texts:
            assert isinstance(argument, ast.Constant), f"{path}: a message is put together: {ast.unparse(call)}"
            yield str(argument.value)
