"""In games with hidden cards, the pages of each reader name exactly the cards that this reader may know."""

import html
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any
from urllib.parse import unquote_plus

import pytest
import time_machine
from celery.signals import before_task_publish
from django.conf import settings
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import wording
from games.models import Game
from games.models.position import Position
from games.pages.learn import taught
from games.rules.splendor.cards import NOBLES
from games.services import play
from games.services.tables import tables
from games.services.work import sweep, thinking
from tests import outputs
from tests.factories import As, actor, deal, play_on, ruleset, state
from tests.hidden import GAMES, Reader, hands, hidden_from, hiding, known, named, players, proofs, readers, steps
from tests.outputs import ADDRESSES, SWAP, Tells

pytestmark = pytest.mark.django_db

MINUTES = 600
"""Enough decisions to end any of these games."""


@pytest.fixture(params=GAMES, ids=str)
def game(request: pytest.FixtureRequest) -> Game:
    """A game in which at least two seats hold a card that nobody else knows."""
    return hiding(*request.param)


@pytest.fixture(params=["played", "resigned"])
def finished(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    game = deal("splendor" if request.param == "played" else "duel", [alice, bob], 3)
    play_on(game, 4, MINUTES if request.param == "played" else 9)
    if request.param == "resigned":
        play.resign(game, alice)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("finished", request.param)
    return game


def lesson(game: Game) -> set[str]:
    """The cards of the lesson in the registry, which is the first lesson of the game's title."""
    return known(game, taught()[game.title].LESSONS[0].state, 0)


def path(game: Game, name: str = "table") -> str:
    return reverse(name, args=[game.key])


def page(client: Client, address: str, query: Any = None, **headers: str) -> str:
    """The page with decoded addresses, without the parts that differ between requests."""
    answer = client.get(address, query or {}, headers=headers)
    assert answer.status_code == 200
    return lasting(answer)


def lasting(answer: Any) -> str:
    """The text of the answer with decoded addresses, without the parts that differ between requests."""
    fleeting = r'name="csrfmiddlewaretoken" value="\w+"|data-left="\d+">[\w ]+'
    return re.sub(fleeting, "", unquote_plus(answer.content.decode()))


# --- the table ---


def test_the_table_names_exactly_the_cards_its_reader_may_know(as_: As, game: Game) -> None:
    hidden = known(game, state(game), None)
    for user, seat in readers(game):
        client, expected = as_(user), known(game, state(game), seat)
        assert (expected > hidden) == (seat is not None and any(held.blind for held in hands(state(game))[seat]))
        for name in (name for name, output in ADDRESSES.items() if output.tells == Tells.READER):
            for query, headers in ADDRESSES[name].ways:
                text = page(client, outputs.path(name, game) + query, **headers)
                assert named(text) == expected
                assert proofs(game, text) == {"commitment"}


def test_looking_back_names_exactly_the_cards_its_reader_knew_then(as_: As, game: Game) -> None:
    for user, seat in readers(game):
        client = as_(user)
        for number, step in list(enumerate(steps(game)))[:: 5 if seat is None else 2]:
            text = page(client, path(game), {"at": number})
            assert named(text) == known(game, step.state, seat)
            assert proofs(game, text) == set()


def test_a_finished_game_names_its_seed_and_nothing_else_that_was_hidden(as_: As, finished: Game) -> None:
    for user, seat in readers(finished):
        client = as_(user)
        for address in (path(finished), path(finished, "poll"), f"{path(finished)}?draft=reserve L1;"):
            text = page(client, address)
            assert named(text) == known(finished, state(finished), seat)
            assert proofs(finished, text) == {"seed", "commitment"}
        for number in (0, 5, finished.number):
            text = page(client, path(finished), {"at": number})
            assert named(text) == known(finished, steps(finished)[number].state, seat)
            assert proofs(finished, text) == set()


def test_a_player_who_resigned_knows_only_their_own_hand(as_: As) -> None:
    people = players(4)
    game = deal("splendor", people, 4)
    play_on(game, 4, 14)
    play.resign(game, people[0])
    assert Game.objects.get(pk=game.pk).is_active
    for user, seat in readers(game):
        assert named(page(as_(user), path(game))) == known(game, state(game), seat)


@pytest.mark.parametrize("decisions", [0, 25])
def test_the_page_draws_only_the_nobles_of_the_deal(as_: As, decisions: int) -> None:
    people = players(3)
    game = deal("splendor", people, 8)
    play_on(game, 8, decisions)
    dealt = {*state(game).nobles, *(noble for player in state(game).players for noble in player.nobles)}
    assert len(dealt) == 4
    for user in (*people, None):
        drawn = {int(number) for number in re.findall(r"#seal-(\d+)", page(as_(user), path(game)))}
        assert drawn == {index for index, noble in enumerate(NOBLES) if noble in dealt}


# --- drafts and sheets ---


def test_a_draft_tries_out_nothing_that_would_reveal(as_: As, game: Game) -> None:
    user, rng = actor(game), Random(game.number)
    client, seat = as_(user), game.index_of(user)
    expected = known(game, state(game), seat)
    legal = [str(action) for action in play.look(game, user).legal]
    blind = [text for text in legal if text.startswith("reserve L")]
    for text in {*blind, *rng.sample(legal, min(len(legal), 6)), "reserve L1", "replenish", "pass"}:
        for draft in (text, f"{text};", f"{text};{rng.choice(legal)}", f"{text};return ", f"{text};{text};{text};"):
            found = page(client, path(game), {"draft": draft})
            assert named(found) == expected, draft
            assert proofs(game, found) == {"commitment"}


def test_asking_for_a_hidden_card_shows_nothing(as_: As, game: Game) -> None:
    """The page is the same for every card that the reader does not see, and for one that does not exist."""
    now = state(game)
    held = {card.card for hand in hands(now) for card in hand if card.blind}
    cards = {*held, *(deck[0] for deck in now.decks if deck)}
    for user, seat in readers(game):
        client, expected = as_(user), known(game, now, seat)
        plain = page(client, path(game))
        drafted = page(client, path(game), {"card": "1-blue-99", "draft": "buy 1-blue-99 ="})
        for card in sorted(cards - expected):
            assert page(client, path(game), {"card": card}) == plain
            assert page(client, path(game), {"card": card, "draft": f"buy {card} ="}) == drafted
        for card in sorted(expected)[::6]:
            text = page(client, path(game), {"card": card})
            assert named(text) == expected
            assert text != plain


# --- hidden cards make no difference ---


def test_other_hidden_cards_make_the_same_page(as_: As, game: Game) -> None:
    """Redealing the undealt cards and the others' blind reserves changes nothing on the reader's pages."""
    stored, now = Position.objects.get(game=game), state(game)
    for user, seat in readers(game):
        client = as_(user)
        legal = [str(action) for action in play.look(game, user).legal] if user else []
        drafts = ["", *(f"reserve L{level}{end}" for level in (1, 2, 3) for end in ("", ";")), *legal[::9]]
        other = ruleset(game).determinize(ruleset(game).observe(now, seat), Random(7))
        # The history is replayed from the seed.
        other = replace(other, seed=now.seed)
        pages = []
        for position in (now, other):
            stored.state = ruleset(game).dump(position)
            stored.save()
            pages.append([page(client, path(game), {"draft": draft}) for draft in drafts])
        assert other != now
        assert pages[0] == pages[1]
        stored.state = ruleset(game).dump(now)
        stored.save()


# --- the ledger ---


def test_the_ledger_shows_exactly_what_its_reader_was_shown(as_: As, game: Game) -> None:
    names = [str(seat) for seat in game.seat_set.select_related("user").order_by("index")]
    drawn = 0
    for user, seat in readers(game):
        expected = {
            number: " ".join(
                wording.event(game.title, shown, names, reader=seat)
                for event in step.events
                if (shown := ruleset(game).show(event, seat)) is not None
            )
            for number, step in islice(enumerate(steps(game)), 1, None)
        }
        text = page(as_(user), path(game), {"ledger": "all"})
        ledger = text.split('<section class="leaf ledger"', 1)[1].split("</section>", 1)[0]
        lines = re.findall(r'<a href="\?at=(\d+)"[^>]*>(.*?)</a>', ledger, re.DOTALL)
        assert {int(number): " ".join(html.unescape(line).split()) for number, line in lines} == expected
        # The rest of the page names no drawn card either.
        own = sum(line.count(" drew ") for line in expected.values())
        assert text.count(" drew ") == own
        drawn += own
    assert drawn == sum(event.code == "drew" for step in steps(game) for event in step.events) > 1


# --- every address there is ---


@pytest.fixture(params=[("splendor", 3, 31), ("duel", 2, 30)], ids=str)
def watched(request: pytest.FixtureRequest) -> Game:
    """A game in which at least two seats hold a card that nobody else knows."""
    return hiding(*request.param)


def four(game: Game) -> Iterator[tuple[Reader, int | None]]:
    """The player to act, their neighbour, a stranger and an anonymous reader, each with their seat."""
    assert game.to_act is not None
    near = (game.to_act, (game.to_act + 1) % game.seats)
    return ((user, seat) for user, seat in readers(game) if seat is None or seat in near)


def asked(client: Client, game: Game, names: Iterable[str]) -> dict[tuple[str, str, bool], tuple[int, str]]:
    """Status and text of the answers, by address, query, and whether HTMX asks."""
    found = {}
    with time_machine.travel(game.changed_at, tick=False):
        for name in names:
            for query, headers in ADDRESSES[name].ways:
                answer = client.get(outputs.path(name, game) + query, headers=headers)
                found[name, query, bool(headers)] = answer.status_code, lasting(answer)
        # Pending messages to the reader appear on this page.
        client.get(reverse("home"))
        # The first page in French makes the browser remember that language.
        client.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    return found


def test_every_address_shows_exactly_what_its_reader_may_know(
    as_: As, watched: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redealing the cards that are hidden from the seat changes no answer."""
    # The random opening on the first page belongs to no game.
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    rules, now, seen = ruleset(watched), state(watched), set()
    stored = Position.objects.filter(game=watched)
    for user, seat in four(watched):
        client = as_(user)
        # This excludes pending messages, the table of an invitation, and the offer of a first calendar.
        client.get(path(watched))
        for made in ("invitation", "calendar"):
            outputs.path(made, watched)
        points = {Tells.READER: seat, Tells.HOLDER: watched.to_act, Tells.HISTORY: seat}
        # For the other pages, a player and an anonymous reader are enough.
        if user is None or seat == watched.to_act:
            points |= {Tells.NOTHING: seat, Tells.LESSON: seat}
        for tells, point in points.items():
            names = [name for name, output in ADDRESSES.items() if output.tells == tells]
            answers = asked(client, watched, names)
            other = replace(rules.determinize(rules.observe(now, point), Random(7)), seed=now.seed)
            assert other != now
            stored.update(state=rules.dump(other))
            assert asked(client, watched, names) == answers
            stored.update(state=rules.dump(now))
            for (name, query, _swap), (status, text) in answers.items():
                shown = status == 200 and tells in (Tells.READER, Tells.HOLDER, Tells.HISTORY)
                own = lesson(watched) if tells == Tells.LESSON else set()
                if tells == Tells.HISTORY:
                    # `test_game_files` knows exactly which cards these are.
                    assert named(text).isdisjoint(hidden_from(now, point)), (name, query)
                else:
                    assert named(text) == (known(watched, now, point) if shown else own), (name, query)
                assert proofs(watched, text) == ({"commitment"} if shown else set()), (name, query)
                if status == 200:
                    seen.add(name)
    # All expected cards were named, and no others.
    assert seen == {name for name, output in ADDRESSES.items() if output.page and not output.staff}


def test_answers_to_posts_reveal_no_more(as_: As, watched: Game) -> None:
    """Whatever an address does or refuses, the reader sees their own table or no card."""
    for user, seat in four(watched):
        client = as_(user)
        for name, output in ADDRESSES.items():
            for headers in [{}, SWAP][: 1 + output.swapped]:
                with transaction.atomic():
                    answer = client.post(outputs.path(name, watched), headers=headers)
                    holder = watched.to_act if output.tells == Tells.HOLDER else seat
                    own = lesson(watched) if output.tells == Tells.LESSON else set()
                    assert named(lasting(answer)) in (own, known(watched, state(watched), holder)), name
                    assert proofs(watched, lasting(answer)) <= {"commitment"}, name
                    transaction.set_rollback(True)


@pytest.mark.parametrize("way", [name for name, output in ADDRESSES.items() if output.decides])
def test_a_decision_is_answered_with_the_present_table(as_: As, watched: Game, way: str) -> None:
    """The answer is the present table, swapped into the page; a link whose turn is over redirects instead."""
    user = actor(watched)
    client, seat = as_(user), watched.index_of(user)
    legal = [str(action) for action in play.look(watched, user).legal]
    swapped = 0
    for move in [text for text in legal if text.startswith("reserve L")] + legal[:1]:
        with transaction.atomic():
            answer = client.post(outputs.path(way, watched), {"number": watched.number, "moves": move}, headers=SWAP)
            if not answer.has_header("HX-Redirect"):
                swapped += 1
                assert answer.status_code == 200
                assert named(lasting(answer)) == known(watched, state(watched), seat), move
                assert proofs(watched, lasting(answer)) == {"commitment"}
            transaction.set_rollback(True)
    assert swapped or way == "link"


def test_tasks_carry_ids_and_nothing_is_mailed(alice: User, bob: User, django_capture_on_commit_callbacks: Any) -> None:
    sent: list[tuple[str, Any]] = []

    def note(sender: str, body: Any, **_: Any) -> None:
        sent.append((sender, body[:2]))

    before_task_publish.connect(note)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            game = tables.create(alice, tables.TableSpec("splendor", 3, bots=["greedy"]))
            tables.join(game, bob)
            for _ in range(12):
                game.refresh_from_db()
                if game.seat_set.filter(index=game.to_act, user=None).exists():
                    sweep.tend(game.pk)
                    thinking.think(game.pk)
                else:
                    play_on(game, 1, 1)
            play.resign(game, bob)
    finally:
        before_task_publish.disconnect(note)
    assert {(name, repr(body)) for name, body in sent} == {
        ("games.tasks.tend", f"([{game.pk}], {{}})"),
        ("games.tasks.think", f"([{game.pk}, 'celery'], {{}})"),
        ("games.tasks.dispatch", "((), {})"),
    }
    assert mail.outbox == []
