"""Signed links: the registry lists them all, each does what it is for and nothing else until it ends, and no log
shows one."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.core.signing import Signer
from django.test import Client

from accounts.models import User
from games.models import Game
from games.services.clocks.moment import now
from tests.capabilities import CAPABILITIES
from tests.factories import begun
from tests.outputs import path, routes

pytestmark = pytest.mark.django_db

ENDS = [(name, end) for name, each in CAPABILITIES.items() for end in each.ends]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return begun([alice, bob])


def rows() -> dict[str, list[Any]]:
    """All rows."""
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


def test_every_token_in_an_address_is_in_the_registry() -> None:
    """Arguments with other names are not tokens. They name a file, a language, a number or a title, or else a game,
    a session, a mail or a person, which only readers who may see it can open."""
    assert CAPABILITIES.keys() == {name for name, arguments in routes().items() if "token" in arguments}
    others = {argument for arguments in routes().values() for argument in arguments} - {"token"}
    assert others == {"key", "pk", "file", "language", "name", "number", "seats", "title"}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_links_work_without_a_log_in(client: Client, game: Game, name: str) -> None:
    it = CAPABILITIES[name]
    path, data = it.path(game), it.use(game)
    assert client.get(path).status_code == 200
    before = rows()
    assert client.post(path, data).status_code in ((405,) if it.shows else (200, 302))
    assert (rows() == before) is it.shows
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(("name", "end"), ENDS)
def test_links_end_as_the_registry_says(client: Client, game: Game, name: str, end: str) -> None:
    it = CAPABILITIES[name]
    path, data = it.path(game), it.use(game)
    with time_machine.travel(it.ends[end](game), tick=False):
        before = rows()
        answer = client.get(path) if it.shows else client.post(path, data)
        assert answer.status_code in (409, 410)
        assert rows() == before


@pytest.mark.parametrize("name", [name for name, it in CAPABILITIES.items() if not it.ends])
def test_links_without_an_end_work_for_ever(client: Client, game: Game, name: str) -> None:
    path = CAPABILITIES[name].path(game)
    with time_machine.travel(now() + timedelta(days=3650), tick=False):
        before = rows()
        assert client.post(path).status_code == 302
        assert rows() != before


@pytest.mark.parametrize("name", CAPABILITIES)
def test_links_open_nothing_else(client: Client, game: Game, name: str) -> None:
    """A changed token is void, and so is one for another purpose."""
    path = CAPABILITIES[name].path(game)
    [token] = (part for part in path.split("/") if len(part) > 20)
    bad = [token[:-1], token + "A", token.swapcase(), token.split(".")[0], token[: len(token) // 2]]
    bad += [part for other in CAPABILITIES if other != name for part in CAPABILITIES[other].path(game).split("/")[2:-1]]
    before = rows()
    for each in bad:
        assert client.get(path.replace(token, each)).status_code == 404, each
        assert client.post(path.replace(token, each)).status_code == (405 if CAPABILITIES[name].shows else 404), each
    assert rows() == before


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """The log records of Django, which do not reach the root logger."""
    logger = logging.getLogger("django")
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


@pytest.mark.parametrize("name", CAPABILITIES)
def test_no_log_contains_a_token(
    game: Game, name: str, said: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error logs a token: a wrong method, a bad post, a shortened token, an error in our code."""
    path = CAPABILITIES[name].path(game)
    [token] = (part for part in path.split("/") if len(part) > 20)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answers = [client.put(path), client.post(path, {"number": "nothing"}), client.get(f"{path[:-2]}/")]
    monkeypatch.setattr(Signer, "unsign", lambda signer, value: 1 / 0)
    answers.append(client.get(path))
    refused = [answer.status_code for answer in answers if answer.status_code >= 400]
    assert refused[-2:] == [404, 500]
    route = path.replace(token, "…")
    lines = [record.getMessage() for record in said.records if record.name != "security"]
    assert [line.rpartition(": ")[2] for line in lines] == [route] * len(refused)
    assert token[:20] not in said.text


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_web_server_logs_no_token(game: Game, name: str, caplog: pytest.LogCaptureFixture) -> None:
    path = CAPABILITIES[name].path(game)
    [token] = (part for part in path.split("/") if len(part) > 20)
    # The web server's own log, when the site fails completely.
    logging.getLogger("waitress").error("Exception while serving %s" % path)  # noqa: UP031
    assert caplog.messages == [f"Exception while serving {path.replace(token, '…')}"]


@pytest.mark.parametrize("name", sorted(name for name, arguments in routes().items() if "key" in arguments))
def test_no_log_contains_the_key_of_a_table(
    game: Game, name: str, said: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key opens a table for people with the link."""
    address = path(name, game)
    Game.objects.filter(pk=game.pk).update(audience=Game.Audience.LINK)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answers = [client.put(address), client.post(address, {"number": "nothing"}), client.get(f"{address}x/")]
    assert {answer.status_code for answer in answers} == {403, 404, 405}
    logging.getLogger("waitress").error("Exception while serving %s" % address)  # noqa: UP031
    assert len([line for line in said.messages if address.replace(game.key, "…") in line]) == 4
    assert game.key not in said.text
