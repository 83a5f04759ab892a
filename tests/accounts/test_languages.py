"""The language of a page comes from its address, or else from the account, the browser's cookie or its settings."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models import User
from games.models import Notice
from games.services.mailing import letters
from tests.accounts.pages import last_code, log_in, mails, sign_up
from tests.views.invitations.asked import asked, link
from tests.views.reading import text

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "fr")
SIGN_UP = {"en": "Sign up", "fr": "S’inscrire"}
PAGE = "/account/login/"
"""A page whose language follows its reader."""


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """Switch back to English, because Django keeps the language of the last request."""
    with translation.override("en"):
        yield


def spoken(client: Client, path: str, wanted: str = "en") -> str:
    """The language in which the page is written, which is also the one it declares."""
    page = client.get(path, headers={"accept-language": wanted})
    assert page.status_code == 200
    html = page.content.decode()
    [declared] = re.findall(r'<html lang="(\w+)"', html)
    assert page["Content-Language"] == declared
    assert [language for language, words in SIGN_UP.items() if words in html] == [declared]
    return str(declared)


def alternates(client: Client, path: str) -> dict[str, str]:
    html = client.get(path).content.decode()
    return dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="http://127.0.0.1:8000([^"]*)">', html))


def test_an_address_with_a_language_is_always_in_that_language(client: Client, alice: User) -> None:
    log_in(client, "alice")
    User.objects.update(language="en")
    assert client.get("/fr/")["Content-Language"] == "fr"
    for language in LANGUAGES:
        for wanted in (*LANGUAGES, "de"):
            assert spoken(Client(), f"/{language}/", wanted) == language
    assert client.get("/xx/").status_code == 404


def test_the_first_page_names_its_addresses() -> None:
    for path in ("/", "/en/", "/fr/"):
        assert alternates(Client(), path) == {"en": "/en/", "fr": "/fr/", "x-default": "/"}
    assert alternates(Client(), PAGE) == {}


@pytest.mark.parametrize("path", ["/", PAGE])
def test_other_addresses_follow_the_reader(path: str, client: Client) -> None:
    assert [spoken(client, path, wanted) for wanted in ("fr", "en", "de", "de,fr;q=0.5")] == ["fr", "en", "en", "fr"]
    client.cookies["language"] = "fr"
    assert spoken(client, path, "en") == "fr"
    varies = {name.strip() for name in client.get(path)["Vary"].split(",")}
    assert varies >= {"Accept-Language", "Cookie"}


def test_the_account_comes_before_the_browser(client: Client, alice: User) -> None:
    log_in(client, "alice")
    client.cookies["language"] = "en"
    User.objects.update(language="fr")
    assert client.get("/games/", headers={"accept-language": "en"})["Content-Language"] == "fr"
    User.objects.update(language="")
    assert client.get("/games/", headers={"accept-language": "fr"})["Content-Language"] == "en"
    client.post("/settings/", {"time_zone": "Europe/Paris", "language": "", "theme": "auto"})
    assert client.get("/games/", headers={"accept-language": "fr"})["Content-Language"] == "fr"


def test_the_language_of_a_page_is_remembered_for_its_reader_only(client: Client, alice: User, bob: User) -> None:
    log_in(client, "alice")
    client.get("/games/", headers={"accept-language": "fr"})
    assert dict(User.objects.values_list("username", "seen_language")) == {"Alice": "fr", "Bob": "en"}


def test_visitors_switch_with_a_form_in_the_footer(client: Client) -> None:
    foot = client.get(PAGE).content.decode().partition('<footer class="foot">')[2]
    assert 'method="post" action="/settings/language/"' in foot
    choices = re.findall(r'name="language"\s+value="(\w+)"\s+lang="(\w+)"\s+aria-pressed="(\w+)">(\w+)<', foot)
    assert choices == [("en", "en", "true", "English"), ("fr", "fr", "false", "Français")]
    answer = client.post("/settings/language/", {"language": "fr"}, headers={"referer": f"http://testserver{PAGE}"})
    assert answer["Location"] == f"http://testserver{PAGE}"
    assert spoken(client, PAGE, "en") == "fr"
    answer = client.post("/settings/language/", {"language": "en"}, headers={"referer": "http://testserver/fr/"})
    assert answer["Location"] == "/en/"
    lesson = "http://testserver/fr/learn/splendor/1/?draft=take+wug"
    answer = client.post("/settings/language/", {"language": "en"}, headers={"referer": lesson})
    assert answer["Location"] == "/en/learn/splendor/1/?draft=take+wug"
    assert spoken(client, PAGE, "fr") == "en"


def test_a_switch_refuses_nonsense(client: Client) -> None:
    for nonsense in ("", "xx", "fr "):
        refused = client.post("/settings/language/", {"language": nonsense})
        assert refused.status_code == 400
        assert "language" not in refused.cookies
    for elsewhere in ("https://example.org/fr/", "http://testserver/nothing/", "", "javascript:x"):
        answer = client.post("/settings/language/", {"language": "fr"}, headers={"referer": elsewhere})
        assert answer["Location"] == ("/" if "testserver" not in elsewhere else elsewhere)


def test_members_switch_in_the_settings(client: Client, alice: User) -> None:
    log_in(client, "alice")
    assert "/settings/language/" not in client.get("/settings/").content.decode()
    client.post("/settings/language/", {"language": "fr"})
    assert User.objects.get().language == "fr"


def test_readers_of_a_translation_continue_in_it(client: Client) -> None:
    assert spoken(client, "/fr/", "en") == "fr"
    assert spoken(client, PAGE, "en") == "fr"


def test_a_new_account_keeps_the_language_of_its_sign_up(client: Client) -> None:
    client.cookies["language"] = "fr"
    sign_up(client)
    assert User.objects.get().language == "fr"
    assert [message.subject for message in mails()] == [f"{last_code()} est votre code pour Cabochon"]


def test_the_language_of_a_page_is_written_once(client: Client, alice: User) -> None:
    """A user who follows their browser is mailed in its language."""
    log_in(client, "alice")
    User.objects.update(language="")
    client.get("/games/", headers={"accept-language": "fr"})
    assert User.objects.get().reads == "fr"
    with CaptureQueriesContext(connection) as queries:
        client.get("/games/", headers={"accept-language": "fr"})
    assert [query["sql"] for query in queries if "UPDATE" in query["sql"]] == []


def test_an_invitation_is_in_the_language_of_the_host_and_its_account_in_that_of_the_page(alice: User) -> None:
    User.objects.update(language="fr")
    invitation = asked(alice)
    written = letters.write(Notice.objects.get())
    assert written
    assert "lice vous invite à jouer à Splendor" in written.subject
    ann = Client(headers={"accept-language": "fr"})
    assert "lice vous invite à" in text(ann.get(link(invitation)).content)
    ann.post(link(invitation), {"username": "ann", "time_zone": ""})
    assert User.objects.get(username="ann").language == "fr"
