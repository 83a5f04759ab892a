"""Pages without content say what to do next."""

import pytest
from django.test import Client

from accounts.models import User
from tests.factories import As
from tests.views.reading import text

pytestmark = pytest.mark.django_db

ONWARD = {
    "/games/": ("You aren’t at a table yet. Open one, or join one below.", 'href="/tables/new/"'),
    "/games/finished/": ("You haven’t finished a game yet.", 'href="/tables/new/"'),
    "/games/finished/?title=duel": ("No games match.", 'href="/games/finished/"'),
    "/games/statistics/": ("You haven’t finished a game yet.", 'href="/tables/new/"'),
    "/tables/open/": ("Open one yourself", 'href="/tables/new/"'),
    "/settings/mail/deliveries/": ("Your first turn email will appear here.", 'action="/settings/mail/test/"'),
    "/settings/passkeys/": ("No passkeys yet.", "Add a passkey"),
}


@pytest.mark.parametrize("path", ONWARD)
def test_an_empty_page_leads_onward(alice: User, as_: As, path: str) -> None:
    client: Client = as_(alice)
    page = client.get(path, follow=True).content
    words, way = ONWARD[path]
    assert words in text(page)
    assert way in page.decode().split("<main", 1)[1]
