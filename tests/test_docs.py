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
CODE = re.compile(r"^```\w*\n([\s\S]*?)^```|`([^`\n]+)`|^ {4}(.+)$", re.MULTILINE)
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
    for found in CODE.findall(text):
        code = "".join(found).replace("/srv/cabochon/", "")
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


def test_the_systemd_unit_fences_the_site() -> None:
    unit = (ROOT / "docs/cabochon.service").read_text().splitlines()
    assert {
        "User=cabochon",
        "UMask=0077",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateDevices=yes",
        "PrivateTmp=yes",
        "PrivateUsers=yes",
        "SystemCallFilter=@system-service",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    } <= {*unit}
    # The bots compile code while they run.
    assert not [line for line in unit if line.startswith("MemoryDenyWriteExecute")]


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


DEFINED = {
    name for source in SOURCES for name in definitions(ast.parse(source.read_text(encoding="utf-8")).body, source.stem)
}


@pytest.mark.parametrize("document", ["docs/architecture.md", "docs/security.md"])
def test_these_documents_name_what_is_defined(document: str) -> None:
    named = set(NAME.findall((ROOT / document).read_text(encoding="utf-8")))
    assert "submit.submit" in named
    assert {name for name in named if not FILE.fullmatch(name)} - DEFINED == set()


def test_the_architecture_lists_every_package_of_the_services() -> None:
    lines = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
    listed = re.findall(r"`games/services/(\w+)`", "\n".join(line for line in lines if line.startswith("| `games/ser")))
    packages = {Path(file).parts[2] for file in FILES if re.match(r"games/services/\w+/", file)}
    assert sorted(listed) == sorted(packages)


SECURITY = (ROOT / "docs/security.md").read_text(encoding="utf-8")
REQUIREMENT = re.compile(r"\| (\d+\.\d+\.\d+) \| [^|]+ \| (?:holds|does not apply|accepted|not yet) \| [^|]+ \|")


def test_every_requirement_of_level_two_has_a_state() -> None:
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ") and line[2].isdigit()]
    numbers = [found[1] for row in rows if (found := REQUIREMENT.fullmatch(row))]
    assert len(numbers) == len(rows) == 259
    assert numbers == sorted(set(numbers), key=lambda number: [int(part) for part in number.split(".")])
    assert set(re.findall(r"as in ([\d.]+\d)", SECURITY)) <= set(numbers)


def test_the_page_on_security_names_tests_that_exist() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", SECURITY)
    assert len(named) > 100
    files = {file: ast.parse((ROOT / file).read_text(encoding="utf-8")).body for file, _test in named}
    there = {(file, node.name) for file, body in files.items() for node in body if isinstance(node, ast.FunctionDef)}
    assert set(named) - there == set()


def test_the_page_on_security_names_settings_that_exist() -> None:
    named = set(re.findall(r"`([A-Z][A-Z_]+)`", SECURITY))
    nodes = list(ast.walk(ast.parse((ROOT / "splendor_site/settings.py").read_text(encoding="utf-8"))))
    there = {node.id for node in nodes if isinstance(node, ast.Name)}
    there |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert "SECRET_KEY" in named
    assert named - there == set()
