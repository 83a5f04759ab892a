"""Production serves minified styles and scripts that mean the same; a style sheet contains those that it imports."""

import gzip
import re
from pathlib import Path

import jsbeautifier
import pytest
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Browser

from tests.shared import made_once
from tests.tree import ROOT

FOLDERS = (ROOT / "games/static/games", ROOT / "accounts/static/accounts")
STYLES, SCRIPTS = ([path for folder in FOLDERS for path in folder.rglob(f"*{end}")] for end in (".css", ".js"))
RULES = """() => {
  const rules = sheet => [...sheet.cssRules].flatMap(rule => rule.styleSheet ? rules(rule.styleSheet) : rule.cssText);
  return rules(document.styleSheets[0]);
}"""
IMPORT = re.compile(r'@import url\("(.+?)"\);')


@pytest.fixture(scope="module")
def served() -> Path:
    return made_once("static", collect)


def collect(folder: Path) -> None:
    storages = {"staticfiles": {"BACKEND": "splendor_site.staticfiles.Storage"}}
    with override_settings(STATIC_ROOT=folder, STORAGES=storages, DEBUG=False):
        call_command("collectstatic", interactive=False, verbosity=0)


def served_as(served: Path, source: Path) -> Path:
    """The served form of that source file."""
    folder = served / source.parent.name
    [hashed] = [path for path in folder.glob(f"{source.stem}.*{source.suffix}") if path.name != source.name]
    return hashed


def of(served: Path, source: Path) -> str:
    hashed = served_as(served, source)
    # Addresses of other files contain their fingerprints.
    return re.sub(r"\.[0-9a-f]{12}\.woff2", ".woff2", hashed.read_text())


def uncommented(source: Path) -> str:
    pattern = r"(?s)/\*.*?\*/\n?" if source.suffix == ".css" else r"(?m)^ *(//|/\*).*\n"
    text = re.sub(pattern, "", source.read_text())
    return IMPORT.sub(lambda found: uncommented(source.with_name(found[1])), text)


def rules(browser: Browser, source: Path) -> list[str]:
    """The rules that a browser reads there, imported ones too; it keeps the spaces of custom properties and of
    conditions."""
    page = browser.new_page()
    page.route("**/*.css", lambda route: route.fulfill(path=source.with_name(route.request.url.rpartition("/")[2])))
    body = f'<link rel="stylesheet" href="{source.name}">'
    page.route("**/page", lambda route: route.fulfill(content_type="text/html", body=body))
    page.goto("http://styles.test/page")
    found: list[str] = page.evaluate(RULES)
    page.close()
    # Addresses of other files contain their fingerprints.
    return [re.sub(r"\s*([,():/*])\s*|\.[0-9a-f]{12}(?=\.woff2)", r"\1", rule) for rule in found]


@pytest.mark.parametrize("source", STYLES + SCRIPTS, ids=lambda path: path.name)
def test_served_files_are_smaller_than_their_sources_without_comments(served: Path, source: Path) -> None:
    text, bare = of(served, source), uncommented(source)
    assert bare != source.read_text()
    assert len(gzip.compress(text.encode())) < len(gzip.compress(bare.encode()))


@pytest.mark.browser
def test_minified_styles_are_equivalent(browser: Browser, served: Path) -> None:
    for source in STYLES:
        assert rules(browser, served_as(served, source)) == rules(browser, source)


def test_a_served_style_sheet_imports_no_other(served: Path) -> None:
    assert [source.name for source in STYLES if IMPORT.search(source.read_text())]
    assert not [source.name for source in STYLES if "@import" in of(served, source)]


@pytest.mark.parametrize("source", SCRIPTS, ids=lambda path: path.name)
def test_minified_scripts_are_equivalent(served: Path, source: Path) -> None:
    options = jsbeautifier.default_options()
    options.preserve_newlines = False
    text, bare = of(served, source), uncommented(source)
    assert jsbeautifier.beautify(text, options) == jsbeautifier.beautify(bare, options)


def test_browsers_get_the_smaller_of_two_compressed_forms(served: Path) -> None:
    for source in STYLES:
        hashed = served_as(served, source)
        plain, zipped, smallest = (Path(f"{hashed}{end}").stat().st_size for end in ("", ".gz", ".br"))
        assert plain > zipped > smallest
