import os
import subprocess
import sys

from tests.shared import PROJECT

CLOCK = """
from datetime import timedelta
import django
from django.utils import timezone
django.setup()
from django.db import connection
from games.services.clocks.moment import now
true_now = timezone.now
for seconds in (1.4, 90, -90, 7200):
    timezone.now = lambda: true_now() + timedelta(seconds=seconds)
    connection.close()
    connection.ensure_connection()
    print(round((now() - true_now()).total_seconds()))
"""


def test_machines_go_by_the_clock_of_their_database(postgres_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CLOCK],
        cwd=PROJECT,
        env=os.environ | {"DATABASE_URL": postgres_url},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", "0", "0", "7200"]
    told = [line for line in done.stderr.splitlines() if "clock" in line]
    ahead = ["90 s ahead", "-90 s ahead", "7200 s ahead", "too large to correct"]
    assert [part in line for part, line in zip(ahead, told, strict=True)] == [True] * 4
