"""Production serves minified styles and scripts that mean the same."""

import gzip
import re
from pathlib import Path

import jsbeautifier
import pytest
from django.core.management import call_command
from playwright.sync_api import Browser

FOLDERS = (Path("games/static/games"), Path("accounts/static/accounts"))
STYLES, SCRIPTS = ([path for folder in FOLDERS for path in folder.glob(f"*{end}")] for end in (".css", ".js"))
RULES = "text => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text);"
RULES += " return [...sheet.cssRules].map(rule => rule.cssText); }"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: object) -> Path:
    from django.test import override_settings

    folder = tmp_path_factory.mktemp("static")
    storages = {"staticfiles": {"BACKEND": "splendor_site.staticfiles.Storage"}}
    with override_settings(STATIC_ROOT=folder, STORAGES=storages, DEBUG=False):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


def of(served: Path, source: Path) -> str:
    """The served form of that source file."""
    folder = served / source.parent.name
    [hashed] = [path for path in folder.glob(f"{source.stem}.*{source.suffix}") if path.name != source.name]
    # Addresses of other files contain their fingerprints.
    return re.sub(r"\.[0-9a-f]{12}\.woff2", ".woff2", hashed.read_text())


def uncommented(source: Path) -> str:
    pattern = r"(?s)/\*.*?\*/\n?" if source.suffix == ".css" else r"(?m)^ *(//|/\*).*\n"
    return re.sub(pattern, "", source.read_text())


def rules(browser: Browser, text: str) -> list[str]:
    """The rules as a browser reads them; it keeps the spaces of custom properties and of conditions."""
    page = browser.new_page()
    found: list[str] = page.evaluate(RULES, text)
    page.close()
    return [re.sub(r"\s*([,():/*])\s*", r"\1", rule) for rule in found]


@pytest.mark.parametrize("source", STYLES + SCRIPTS, ids=lambda path: path.name)
def test_served_files_are_smaller_than_their_sources_without_comments(served: Path, source: Path) -> None:
    text, bare = of(served, source), uncommented(source)
    assert bare != source.read_text()
    assert len(gzip.compress(text.encode())) < len(gzip.compress(bare.encode()))


@pytest.mark.browser
def test_minified_styles_are_equivalent(browser: Browser, served: Path) -> None:
    for source in STYLES:
        assert rules(browser, of(served, source)) == rules(browser, source.read_text())


@pytest.mark.parametrize("source", SCRIPTS, ids=lambda path: path.name)
def test_minified_scripts_are_equivalent(served: Path, source: Path) -> None:
    options = jsbeautifier.default_options()
    options.preserve_newlines = False
    text, bare = of(served, source), uncommented(source)
    assert jsbeautifier.beautify(text, options) == jsbeautifier.beautify(bare, options)


def test_browsers_get_the_smaller_of_two_compressed_forms(served: Path) -> None:
    for source in STYLES:
        [hashed] = [
            path for path in (served / source.parent.name).glob(f"{source.stem}.*.css") if path.name != source.name
        ]
        plain, zipped, smallest = (Path(f"{hashed}{end}").stat().st_size for end in ("", ".gz", ".br"))
        assert plain > zipped > smallest
