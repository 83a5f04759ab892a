"""Eight clients decide over HTTP at the same number, on a real database file and on PostgreSQL."""

import json

import pytest

from games.catalogue import TITLES
from tests.live.race import NUMBERS
from tests.live.site import WITHOUT_BOTS_AND_MAILS, Site

pytestmark = pytest.mark.slow

DIFFERENT = [302] + [409] * 7
EQUAL = [302] * 8


def test_one_of_eight_simultaneous_posts_is_played(tmp_path, database):
    site = Site(
        tmp_path / "var",
        DJANGO_SETTINGS_MODULE="tests.live.settings",
        DATABASE_URL=database,
        WEB_PROCESSES="2",
        WORKER_PROCESSES="0",
        **WITHOUT_BOTS_AND_MAILS,
    )
    assert site.python("-m", "tests.live.table").returncode == 0
    with site.running():
        result = site.python("-m", "tests.live.race")
    assert result.returncode == 0, result.stderr
    expected: list[object] = []
    for title in TITLES:
        for number in range(NUMBERS):
            differ = number % 2 == 0
            expected.append([title, differ, DIFFERENT if differ else EQUAL, 1])
        expected.append([title, NUMBERS, True])
    assert [json.loads(line) for line in result.stdout.splitlines()] == expected
