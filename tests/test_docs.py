"""The files, folders, modules and links that documents name exist."""

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.seconds import ceilings
from tests.tree import ROOT, tracked

FOLDERS = ("accounts", "bench", "docs", "games", "splendor_site", "templates", "tests", r"\.ci")
PATH = re.compile(rf"(?<![\w/.:-])(?:{'|'.join(FOLDERS)})/[\w.<>*/-]*[\w>*]")
FILE = re.compile(r"[\w.-]+\.(?:py|css|svg|html|jinja|toml|md)")
MODULE = re.compile(rf"(?<![\w/.-])(?:{'|'.join(FOLDERS[:-1])})(?!\.example)(?:\.[a-z_]+)+(?![\w/])")
CODE = re.compile(r"`([^`\n]+)`|^ {4}(.+)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")

FILES = tracked()
PLACES = {*FILES, *(str(parent) for file in FILES for parent in Path(file).parents)}
DOCUMENTS = tracked("*.md")


def exists(path: str) -> bool:
    """Whether a file or folder matches; `<slug>` stands for any title."""
    pattern = re.sub(r"<\w+>", "*", path.rstrip("/"))
    return any(fnmatch(place, pattern) for place in PLACES)


def is_module(name: str) -> bool:
    """Whether the name is a module, a package, or a name in one."""
    path = name.replace(".", "/")
    return any(exists(f"{each}{end}") for each in (path, str(Path(path).parent)) for end in (".py", "/__init__.py"))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_only_what_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    missing = []
    for inline, block in CODE.findall(text):
        code = inline or block
        missing += [path for path in PATH.findall(code) if not exists(path)]
        missing += [name for name in MODULE.findall(code) if not is_module(name)]
        missing += [code] if FILE.fullmatch(code) and not any(Path(file).name == code for file in FILES) else []
    missing += [link for link in LINK.findall(text) if not (ROOT / document).parent.joinpath(link).exists()]
    assert missing == []


def test_every_folder_has_a_ceiling_and_they_add_up_to_seven_minutes() -> None:
    modules = [Path(file) for file in tracked("tests/**/test_*.py", "tests/test_*.py")]
    assert ceilings().keys() == {
        str(Path(*module.parts[:2]) if len(module.parts) > 2 else "tests") for module in modules
    }
    assert sum(ceilings().values()) <= 7 * 60


def test_missing_names_are_found() -> None:
    assert exists("games/rules/<slug>/state.py")
    assert exists("docs/adr/")
    assert not exists("games/rules/<slug>/phases.py")
    assert is_module("games.rules.chance")
    assert is_module("games.rules.base.Ruleset")
    assert not is_module("games.rules.luck.Ruleset")


NAME = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Z]\w*[a-z]\w*)`")
SOURCES = [ROOT / file for file in FILES if file.endswith(".py") and not file.startswith(("tests/", "bench/"))]


def definitions(nodes: Iterable[ast.stmt], prefix: str) -> Iterator[str]:
    """The dotted names that these statements define, such as `module.function` or `Class.attribute`."""
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name):
                yield f"{prefix}.{name}"
            case ast.ClassDef(name=name, body=body):
                yield from (name, f"{prefix}.{name}")
                yield from definitions(body, name)
                yield from definitions(body, f"{prefix}.{name}")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield f"{prefix}.{name}"


def test_the_architecture_names_what_is_defined() -> None:
    defined = {
        name
        for source in SOURCES
        for name in definitions(ast.parse(source.read_text(encoding="utf-8")).body, source.stem)
    }
    named = set(NAME.findall((ROOT / "docs/architecture.md").read_text(encoding="utf-8")))
    assert "submit.submit" in named
    assert {name for name in named if not FILE.fullmatch(name)} - defined == set()


def test_the_architecture_lists_every_package_of_the_services() -> None:
    lines = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
    listed = re.findall(r"`games/services/(\w+)`", "\n".join(line for line in lines if line.startswith("| `games/ser")))
    packages = {Path(file).parts[2] for file in FILES if re.match(r"games/services/\w+/", file)}
    assert sorted(listed) == sorted(packages)
