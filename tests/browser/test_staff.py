"""Axe finds no faults on the pages of staff."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Report
from games.services.tables import reports
from tests.axe import Faults
from tests.browser.keys import PageOf
from tests.factories import begun
from tests.staff import member, used_passkey

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_pages_of_staff(page_of: PageOf, live_server, faults: Faults, alice: User, bob: User) -> None:
    game, mia = begun([alice, bob], name="Rubies"), member()
    reports.report(game, alice, reports.Text(Report.Kind.USER_NAME, bob.username, bob), "Rude.")
    client = used_passkey(Client(), mia)
    client.post(reverse("staff_suspend", args=[bob.pk]), {"offence": "abuse", "note": "Be kind.", "days": 7})
    page, found = page_of(None), list[str]()
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    for address in (
        reverse("staff") + "?q=ali",
        reverse("staff_acts"),
        reverse("staff_state"),
        reverse("staff_person", args=[alice.pk]),
        reverse("staff_person", args=[bob.pk]),
        reverse("staff_table", args=[game.pk]),
        reverse("staff_report", args=[Report.objects.get().pk]),
        reverse("accounts:staff_enter"),
    ):
        page.goto(address)
        assert page.url.endswith(address)
        found += faults(page)
    assert found == [], "\n".join(found)
