import os
import subprocess
import sys

import pytest

from tests.shared import PROJECT

CLOCK = """
from datetime import timedelta
import django
from django.utils import timezone
true_now = timezone.now
timezone.now = lambda: true_now() + timedelta(seconds={ahead})
django.setup()
from django.db import connection
connection.ensure_connection()
from games.services.clocks.moment import now
print(round((now() - true_now()).total_seconds()))
"""


@pytest.mark.parametrize(("ahead", "left"), [(90, 0), (-90, 0), (1.4, 1), (7200, 7200)])
def test_machines_go_by_the_clock_of_their_database(postgres_url: str, ahead: float, left: int) -> None:
    environment = os.environ | {"DATABASE_URL": postgres_url}
    done = subprocess.run(
        [sys.executable, "-c", CLOCK.format(ahead=ahead)],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{left}\n"
    assert ("ahead of the database" in done.stderr) == (abs(ahead) > 2)
    assert ("too large to correct" in done.stderr) == (ahead == left)
