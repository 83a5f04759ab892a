"""What production serves of our styles and scripts."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

SOURCES = [path for path in Path("games/static/games").iterdir() if path.suffix in (".css", ".js")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: object) -> Path:
    from django.test import override_settings

    folder = tmp_path_factory.mktemp("static")
    storages = {"staticfiles": {"BACKEND": "splendor_site.staticfiles.Storage"}}
    with override_settings(STATIC_ROOT=folder, STORAGES=storages, DEBUG=False):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder / "games"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_comments_stay_at_home(served: Path, source: Path) -> None:
    text = source.read_text()
    bare = re.sub(r"/\*.*?\*/\n?", "", text, flags=re.DOTALL)
    if source.suffix == ".js":
        bare = "".join(line for line in text.splitlines(keepends=True) if not line.strip().startswith("//"))
    assert bare != text
    [hashed] = [path for path in served.glob(f"{source.stem}.*{source.suffix}") if path.name != source.name]
    # Addresses of other files carry their fingerprints.
    assert re.sub(r"\.[0-9a-f]{12}\.woff2", ".woff2", hashed.read_text()) == bare
