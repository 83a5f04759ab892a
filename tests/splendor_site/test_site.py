import logging
import re
from io import StringIO

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from splendor_site import urls
from splendor_site.outages import OncePerOutage
from tests.accounts.pages import shown

pytestmark = pytest.mark.django_db


def test_the_first_page_explains_the_site(client):
    page = client.get("/").content.decode()

    assert "Splendor, one move at a time" in page
    assert (
        "Play Splendor and Splendor Duel by correspondence" in page.partition('name="description"')[2].partition(">")[0]
    )
    assert "2 to 4 players" in page
    assert "or against a bot right now." in " ".join(page.split())
    assert "Not affiliated with or endorsed by the publisher of Splendor." in page
    # Twelve cards in the market; a stack for five colours and gold; a coin on every space of Duel's board.
    assert page.count('class="card ') == 12
    assert page.count('class="coin is-stack"') == 6
    assert page.count('class="coin"') == 25


def test_the_first_page_offers_a_bot_and_to_sign_up_and_log_in(client, alice):
    def targets():
        page = client.get("/").content.decode()
        main, rail = page.split("<main")[1].split("</main>")[0], page.split("<header")[1].split("</header>")[0]
        return re.findall('(?:href|action)="(/(?:account|games|tables|play)/[^"]*)"', main + rail)

    assert targets() == ["/play/splendor/", "/play/duel/", "/account/login/", "/account/signup/"]
    client.force_login(alice)
    assert targets() == [
        "/games/",
        "/tables/new/",
        "/play/splendor/",
        "/play/duel/",
        "/games/",
        "/tables/new/",
        "/games/finished/",
        "/account/logout/",
    ]


def test_the_rail_leads_to_the_tables(client, alice):
    def rail():
        return client.get("/").content.decode().split("<header")[1].split("</header>")[0]

    assert 'href="/games/"' not in rail()
    client.force_login(alice)
    assert 'href="/games/"' in rail()
    assert 'href="/tables/new/"' in rail()


def test_the_first_page_shows_a_new_deal_each_time(client):
    assert shown(client.get("/")) != shown(client.get("/"))


def test_site_name_is_a_setting(client, settings):
    settings.SITE_NAME = "Chez Ana"
    page = client.get("/").content.decode()

    assert "Splendor by correspondence · Chez Ana" in page
    assert "Cabochon" not in page


def test_answers_have_security_headers(client):
    headers = client.get("/").headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))

    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'self'",
        "frame-ancestors": "'none'",
    }
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_an_unknown_page_is_not_found(client):
    response = client.get("/nowhere")

    assert response.status_code == 404
    assert "Nobody sits at this table" in response.content.decode()


def test_an_error_has_its_page(settings):
    settings.ROOT_URLCONF = __name__
    response = Client(raise_request_exception=False).get("/broken")

    assert response.status_code == 500
    assert "We dropped the gems" in response.content.decode()
    assert "Cabochon" in response.content.decode()


def test_a_database_that_fails_has_a_page_in_the_readers_language(settings):
    settings.ROOT_URLCONF = __name__
    reader = Client(raise_request_exception=False, headers={"Accept-Language": "fr"})
    response = reader.get("/locked")

    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert "rien n’a changé" in response.content.decode()


def test_the_log_says_an_outage_once(settings):
    settings.ROOT_URLCONF = __name__
    said = StringIO()
    handler = logging.StreamHandler(said)
    handler.addFilter(OncePerOutage())
    logging.getLogger("django.request").addHandler(handler)
    for address in ("/locked", "/locked", "/broken", "/locked"):
        Client(raise_request_exception=False).get(address)
    logging.getLogger("django.request").removeHandler(handler)
    assert said.getvalue().startswith("The database fails: database is locked\n")
    assert said.getvalue().count("locked") == 1
    assert said.getvalue().count("Internal Server Error: /broken") == 1


def _broken(request) -> HttpResponse:
    raise ZeroDivisionError


def _locked(request) -> HttpResponse:
    raise OperationalError("database is locked")


handler500 = urls.handler500
urlpatterns = [*urls.urlpatterns, path("broken", _broken), path("locked", _locked)]
