"""Only bot workers load numba and the networks, which are large."""

import json

from tests.live.site import Site

VISIT = """
import json, sys
from django.core.management import call_command
from splendor_site.wsgi import application

call_command("check")

from django.test import Client
from accounts.models import User
from games.catalogue import TITLES
from games.services.tables import tables

alice = User.objects.get(username="alice")
games = [tables.create(alice, tables.TableSpec(title, 2, ["strongest"])) for title in TITLES]
client = Client(headers={"host": "127.0.0.1"})
client.force_login(alice)
paths = ["/", "/games/", "/tables/new/", *(f"/table/{game.key}/" for game in games)]
statuses = [client.get(path).status_code for path in paths]
print(json.dumps([statuses, sorted({"llvmlite", "numba", "numpy", "threadpoolctl"} & set(sys.modules))]))
"""


def test_web_processes_do_not_load_numba(tmp_path):
    site = Site(tmp_path / "var")
    site.prepare()
    visit = site.python("-c", VISIT)
    assert visit.returncode == 0, visit.stderr
    assert json.loads(visit.stdout.splitlines()[-1]) == [[200] * 5, []]
