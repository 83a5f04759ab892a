"""The page on which staff see the state of the site."""

import re

import pytest
from django.test import Client

from splendor_site import doctor
from splendor_site.state import WRONG
from tests.factories import person
from tests.staff import member, used_passkey

pytestmark = pytest.mark.django_db


def test_staff_see_the_state_of_each_part_and_nothing_of_the_machine(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir(mode=0o700)
    settings.REDIS_URL = f"unix://{tmp_path}/none"
    page = used_passkey(Client(), member()).get("/staff/state/").content.decode()
    main = page.split("<main")[1]
    rows = dict(re.findall(r"<b>([^<]*)</b>\s*(?:<small>([^<]*)</small>)?", main))
    assert rows == {
        "Disk": "",
        "Permissions": "",
        "Backup": "There is no recent backup.",
        "Database": "",
        "Migrations": "",
        "Bots": "",
        "Clocks": "",
        "Queue": "The server that keeps the queues doesn’t answer, or could lose tasks.",
        "Email": "Emails may not be going out.",
    }
    assert "manage.py doctor says what to do." in main
    for secret in (str(tmp_path), settings.DEFAULT_FROM_EMAIL, "unix:"):
        assert secret not in page


def test_every_finding_has_its_sentence(settings, valkey):
    settings.REDIS_URL = valkey
    assert {finding.about.partition(",")[0] for finding in doctor.examine(connect=False)} == WRONG.keys()


def test_only_staff_see_it(client):
    client.force_login(person("alice"))
    assert client.get("/staff/state/").status_code == 404
