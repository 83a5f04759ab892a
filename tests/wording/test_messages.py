"""Each message is whole, so that every language can order it: none is a fragment to be glued to another."""

import ast
import re

import pytest

from tests import catalogues
from tests.wording.marked import CODE, MARKS, ROOT, TEMPLATES

FAULTS = {
    "space or comma at an end": re.compile(r"^[\s,;]|[\s,;]$"),
    "conjunction at the beginning": re.compile(r"^(?:and|or|but|then)\b"),
    "placeholder without a name": re.compile(r"%[sd]|\{\}"),
    "straight apostrophe": re.compile(r"\w'\w"),
}
WHOLE = {
    # The login page offers two ways, with this word between them.
    "or",
    # These are items of a list.
    'taking fewer than three tokens (<a href="#R13">R13</a>);',
    'paying with gold for a gem that you hold (<a href="#R40">R40</a>);',
}

FOR_READERS = [
    path
    for path in CODE
    if path.is_relative_to(ROOT / "accounts") or path.is_relative_to(ROOT / "games")
    if not {"management", "rules", "boards", "bots", "migrations", "static"} & set(path.relative_to(ROOT).parts)
]
"""The modules whose words are shown on pages and in mails; commands and programs speak English."""
PUNCTUATION = re.compile(r"[,;:·—.()]")
TITLE = re.compile(r"\{% block title %\}.*?\{% endblock title %\}", re.DOTALL)
"""The title of a page, whose parts are names."""
WITHIN = re.compile(r"(\{% (?:blocktranslate|trans)\b[^%]*%\}).*?(\{% end)", re.DOTALL)
"""A message, whose punctuation is its own."""
TAGS = r"(?:\s|<[^>]+>|&nbsp;)*"
GLUE = {
    "after": re.compile(
        r"(?:\{% (?:translate|endblocktranslate|endtrans)[^%]*%\}|\{\{ p?gettext\([^)]*\) \}\}|\{\{ _\([^)]*\) \}\})"
        + TAGS
        + r"[,;:·—.]"
    ),
    "before": re.compile(r"[,;:·—]" + TAGS + r"(?:\{% (?:translate|blocktranslate|trans|include)\b|\{\{ _\()"),
    "between": re.compile(r"\}\}[:;]" + TAGS + r"\{\{"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_messages_are_whole(fault: str) -> None:
    found = {text for entry in catalogues.extracted() for text in (entry.msgid, entry.msgid_plural) if text}
    assert len(found) > 2500
    assert sorted(message for message in found - WHOLE if FAULTS[fault].search(message)) == []


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


def test_lists_are_made_by_the_functions_for_them() -> None:
    """`join`, `listed` and `beside` put the language's separators between items. Spaces stand between sentences."""
    joined = {
        str(path.relative_to(ROOT))
        for path in FOR_READERS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        if isinstance(node.func.value, ast.Constant) and re.search(r"[,;:·—/]", str(node.func.value.value))
    }
    # The answers of a mail server are quoted as they are, a seal is for the site alone, files have no language, and the
    # operator's commands speak English.
    assert joined == {
        "games/services/mailing/deliveries.py",
        "games/services/play/reading.py",
        "games/services/play/written.py",
        "games/services/work/queues.py",
        "games/services/versions/polls.py",
    }
    # Both join names of titles in an attribute.
    assert {path.name for path in TEMPLATES if re.search(r"\|join(?::|\()", path.read_text(encoding="utf-8"))} == {
        "_choices.html",
        "new.html",
    }


def test_code_puts_no_punctuation_beside_a_message() -> None:
    glued = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in CODE
        if path.is_relative_to(ROOT / "games/mails") or path.is_relative_to(ROOT / "games/wording")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        if any(isinstance(part, ast.Constant) and PUNCTUATION.search(str(part.value)) for part in node.values)
    ]
    assert glued == []


@pytest.mark.parametrize("glue", GLUE)
def test_templates_put_no_punctuation_beside_a_message(glue: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in TEMPLATES
        for match in GLUE[glue].finditer(WITHIN.sub(r"\1\2", TITLE.sub("", path.read_text(encoding="utf-8"))))
        if path.name != "_title.html"
    ]
    assert found == []


@pytest.mark.parametrize(
    ("glue", "text"),
    [
        ("after", '{% translate "Withdraw" %}<span>: {{ name }}</span>'),
        ("after", '{{ _("reserved") }} ·'),
        ("after", "{% blocktranslate %}Added{% endblocktranslate %}\n ·"),
        ("before", '· {{ _("double bonus") }}'),
        ("before", "· {% trans held=3 %}you hold {{ held }}{% endtrans %}"),
        ("before", '{{ person.name }}: {% include "games/_rival.jinja" %}'),
        ("between", "{{ person.name }}: {{ means }}"),
    ],
)
def test_glue_is_found(glue: str, text: str) -> None:
    assert GLUE[glue].search(text)
