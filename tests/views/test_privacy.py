"""The page about privacy."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from games.services.outbox import notices
from games.services.privacy import archives, deletion
from games.services.tables import invitations, reports
from tests import outputs
from tests.factories import DAY

pytestmark = pytest.mark.django_db


WORDS = {
    "en": """
        {} days without a visit. {} days after each was sent. {} days after the table closed. {} days after it was made.
        {} days after the report. {} days without a move. logs for up to {} days. backups for up to {} days
    """,
    "fr": """
        {} jours sans visite. {} jours après l’envoi. {} jours après la fermeture. {} jours après sa préparation.
        {} jours après le signalement. {} jours sans coup. {} jours dans les journaux. {} jours dans les sauvegardes
    """,
}
"""The numbers on the page with a few words, in their order."""


@pytest.mark.parametrize("language", WORDS)
def test_the_page_says_what_the_site_does(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """Every number on it comes from the setting or constant that deletes."""
    settings.SESSION_COOKIE_AGE, settings.LOG_DAYS, settings.BACKUP_DAYS = 41 * 24 * 3600, 47, 48
    monkeypatch.setattr(notices, "LIFETIME", 42 * DAY)
    monkeypatch.setattr(invitations, "LIFETIME", 43 * DAY)
    monkeypatch.setattr(archives, "LIFETIME", 44 * DAY)
    monkeypatch.setattr(reports, "LIFETIME", 45 * DAY)
    monkeypatch.setattr(deletion, "GUEST_LIFETIME", 46 * DAY)
    page = " ".join(client.get("/privacy/", headers={"accept-language": language}).content.decode().split())
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    for number, each in enumerate(" ".join(WORDS[language].split()).split(". "), start=41):
        assert each.format(number) in page


def test_every_page_leads_to_it(client: Client, alice: User, duel: Game) -> None:
    client.force_login(alice)
    seen = 0
    for name, output in outputs.ADDRESSES.items():
        answer = client.get(outputs.path(name, duel, language="en")) if output.page else None
        if answer and answer.status_code == 200 and "<html" in answer.content.decode():
            assert re.search('<a href="[^"]*/privacy/">Privacy</a>', answer.content.decode()), name
            seen += 1
    assert seen > 30
