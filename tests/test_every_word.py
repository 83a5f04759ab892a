"""Every word that the site writes is translated: in a language that marks its messages, no word is unmarked. Messages
of libraries without a French translation are not marked either."""

import re
from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import Offence, User
from games import wording
from games.catalogue import TITLES
from games.models import Game, Report, Seat
from games.services import play
from games.services.moderation import acts
from games.services.tables import reports
from tests import outputs, pseudo
from tests.factories import QUOTAS, actor, deal, kind, person, play_on, positions, put
from tests.mails.accounts import PREFIXES, about_account
from tests.mails.every import of_tables
from tests.mails.reading import html_of, text, write
from tests.outputs import ADDRESSES, SWAP
from tests.staff import used_passkey
from tests.views.hostile import World
from tests.wording.sentences import NAMES, OUTCOMES, SENTENCES

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[1]
SAME = re.compile(
    r"[\w.-]+@[\w.-]+\w|https?://\S+|Splendor(?: Duel)?|Cabochon|English|Pseudo|#?\b[A-Z0-9]{4}\b|\b[TL]\d(?:-\d)?\b|"
    r"\b[IVX]+\b|\b[a-e][1-5]\b|UTC|check_shuffle\.py|Python 3|\bx+\b|my own note|"
    r"(?i:\b(?:alice|ana|ann|ben|bob|cara|dora|emil|eve|mia)\b)"
)
"""Names, addresses, places on the board and words that people wrote, which are the same in all languages."""
NONSENSE = {
    "number": "x",
    "moves": "nonsense",
    "username": "Alice!",
    "email": "nowhere",
    "password1": "1234567",
    "login": "nobody",
    "password": "wrong",
    "oldpassword": "wrong",
    "code": "wrong",
    "title": "chess",
    "seats": "99",
    "invited": "nobody, nowhere@",
    "name": "https://example.org/",
    "time_zone": "Nowhere",
    "language": "zz",
    "quiet_from": "25:00",
    "days": "many",
    "begins": "never",
    "note": "x" * 600,
}
"""A bad value for every kind of field."""


@pytest.fixture(autouse=True)
def _spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(User._meta.get_field("language"), "default", pseudo.CODE)
    with pseudo.spoken(tmp_path):
        yield


def bare(found: Iterable[str]) -> set[str]:
    return {words for words in found if pseudo.WORDS.search(SAME.sub("", words))}


def words_of(answer: Any) -> set[str]:
    """The unmarked words of an answer."""
    if "html" not in answer.get("Content-Type", ""):
        return set()
    return bare(pseudo.Page(answer.content.decode()).unmarked())


def visitor(user: User | None) -> Client:
    client = Client(headers={"accept-language": pseudo.CODE})
    if user:
        client.force_login(user)
    return client


def faults(answers: Iterable[tuple[str, Any]]) -> dict[str, set[str]]:
    return {name: words for name, answer in answers if (words := words_of(answer))}


def pages(world: World, client: Client) -> Iterator[tuple[str, Any]]:
    """Every page, including tables in every status."""
    for name, output in ADDRESSES.items():
        if not output.page:
            continue
        games = world.games if name == "table" else [world.games[0], *world.still[1:3]]
        for game in games if "key" in outputs.routes()[name] else games[:1]:
            address = outputs.path(name, game, language=pseudo.CODE)
            for query, headers in output.ways if game.is_active else [("", {})]:
                yield address + query, client.get(address + query, headers=headers)


def posts(world: World, client: Client) -> Iterator[tuple[str, Any]]:
    """The answers to nonsense posted in every form."""
    for name in ADDRESSES:
        for game in (world.games[0], world.still[2])[: 2 if "key" in outputs.routes()[name] else 1]:
            address = outputs.path(name, game, language=pseudo.CODE)
            if name != "account_logout":
                yield f"POST {address}", client.post(address, NONSENSE, follow=True)


def test_an_unmarked_word_would_be_found() -> None:
    page = pseudo.Page('<p title="plain">⟦Take <b>⟦1 ruby⟧</b>⟧ or <img alt="⟦a gem⟧">⟦pass⟧<p>⟦broken')
    plain, broken, title = page.unmarked()
    assert (plain, title) == ("or", "plain")
    assert broken.startswith("a broken message")


def test_no_page_has_an_untranslated_word() -> None:
    world = World(Random(1))
    for user in (world.alice, None):
        client = visitor(user)
        assert faults([*pages(world, client), *posts(world, client)]) == {}


def test_no_page_of_staff_has_an_untranslated_word() -> None:
    world = World(Random(1))
    game, text = world.games[0], reports.Text(Report.Kind.USER_NAME, world.bob.username, world.bob)
    reports.report(game, world.alice, text)
    acts.suspend(world.mia, world.bob, 3, Offence.ABUSE, "x")
    over = next(game for game in world.games if game.status == Game.Status.FINISHED)
    rows: dict[str, list[Any]] = {
        "staff_report": [Report.objects.get()],
        "staff_person": [world.alice, world.bob],
        "staff_table": [game, over],
    }
    client, answers = used_passkey(visitor(None), world.mia), list[tuple[str, Any]]()
    for name in (name for name, output in ADDRESSES.items() if output.staff):
        for row in rows.get(name, [game]):
            address = outputs.path(name, game, pk=row.pk)
            answers.append((address, client.get(address)))
            answers.append((f"POST {address}", client.post(address, NONSENSE)))
    assert {answer.status_code for _address, answer in answers} <= {200, 405, 422}
    assert faults(answers) == {}


def test_no_page_keeps_words_of_another_language(alice: User, bob: User) -> None:
    """Words that are kept between requests are kept separately for each language."""
    games = [deal(title, [alice, bob], 1) for title in TITLES]
    for game in games:
        play_on(game, 1, 12)
    client = visitor(alice)
    addresses = ["/", "/games/", "/tables/new/", *(outputs.path("table", game) for game in games)]
    for language in ("en", pseudo.CODE, "en"):
        User.objects.update(language=language)
        for address in addresses:
            answer = client.get(address)
            if language == "en":
                assert pseudo.BEGIN not in answer.content.decode()
            else:
                assert words_of(answer) == set()


@pytest.mark.parametrize(("title", "what"), [(title, what) for title in QUOTAS for what in QUOTAS[title]])
def test_no_decision_has_an_untranslated_word(alice: User, bob: User, title: str, what: str) -> None:
    found = next(state for state in positions(title, 0) if kind(title, state) == what)
    game = deal(title, [alice, bob, person("dora"), person("emil")][: len(found.players)], 1)
    put(game, found)
    options = {action.word: str(action) for action in play.look(game, actor(game)).legal}
    client, address = visitor(actor(game)), outputs.path("table", game)
    queries = ["", *(f"?draft={option}" for option in options.values())]
    assert faults((query, client.get(address + query, headers=SWAP)) for query in queries) == {}


def test_no_sentence_about_a_game_has_an_untranslated_word() -> None:
    with translation.override(pseudo.CODE):
        told = [say(slug, given) for say, slug, given, _ in SENTENCES]
        told += [wording.outcome(slug, outcome, NAMES[slug]) for slug, outcome, _ in OUTCOMES]
        assert bare(word for sentence in told for word in pseudo.unmarked(sentence)) == set()


def mails(people: list[User]) -> Iterator[tuple[str, EmailMessage]]:
    yield from of_tables(people)
    for title in TITLES:
        game = deal(title, people[:2], 3)
        play_on(game, 5, 30)
        Seat.objects.filter(game=game).update(note="my own note")
        for kind_of in ("turn", "reminder", "unfinished"):
            yield f"{kind_of} {title}", write(kind_of, actor(game), game, key=f"{kind_of}:{game.pk}:{game.number}:50")
        play.resign(game, people[0])
        yield f"finished {title}", write("finished", people[1], game)


def test_no_mail_has_an_untranslated_word() -> None:
    found = {}
    for name, mail in mails([person(name) for name in ("alice", "bob", "dora", "emil")]):
        found[name] = bare([*pseudo.unmarked(str(mail["Subject"])), *pseudo.Page(html_of(mail)).unmarked()])
        found[name] |= bare(pseudo.unmarked(text(mail)))
    assert len(found) > 15
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("prefix", PREFIXES)
def test_no_mail_about_an_account_has_an_untranslated_word(prefix: str, alice: User) -> None:
    with translation.override(pseudo.CODE):
        mail = about_account(prefix, alice)
        [(html, _kind)] = mail.alternatives
        texts = (str(mail.subject), str(mail.body))
        found = [*(word for told in texts for word in pseudo.unmarked(told)), *pseudo.Page(str(html)).unmarked()]
    assert bare(found) == set()
