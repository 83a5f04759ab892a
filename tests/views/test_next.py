"""`/next/`, which leads to the table where the user has the least time, and other ways from table to table."""

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from games.services.clocks.moment import ago, now
from games.services.tables import tables
from tests.factories import As, actor, deal
from tests.views.reading import address, rows, text

pytestmark = pytest.mark.django_db
NEXT = "/next/"


def table(alice: User, bob: User, hours: int) -> Game:
    """A game without a clock in which it has been Alice's turn for that many hours."""
    while True:
        with ago(timedelta(hours=hours)):
            game = tables.create(alice, tables.TableSpec("splendor", 2, pace=Game.Pace.NONE))
            tables.join(game, bob)
        if game.seat_set.get(index=game.to_act).user == alice:
            return game
        game.delete()


def clock(game: Game, hours: int) -> None:
    """Set the clock of the player to act to run out after that many hours."""
    Game.objects.filter(pk=game.pk).update(clock_started_at=now(), deadline=now() + timedelta(hours=hours))


def where(client: Client, **query: str) -> str:
    """The address that `/next/` redirects to."""
    return str(client.get(NEXT, query).url)  # type: ignore[attr-defined]


def of(*games: Game) -> list[str]:
    return [address("table", game) for game in games]


def test_the_longest_wait_is_next_but_deadlines_come_first(as_: As, alice: User, bob: User) -> None:
    young, old = table(alice, bob, 1), table(alice, bob, 5)
    client = as_(alice)
    assert [where(client)] == of(old)
    clock(young, 24)
    assert [where(client)] == of(young)
    assert [where(client, after=young.key)] == of(old)
    clock(old, 23)
    assert [where(client)] == of(old)


def test_unseen_results_come_after_my_turns(as_: As, alice: User, bob: User) -> None:
    over, running = table(alice, bob, 1), table(alice, bob, 1)
    with ago(timedelta(hours=1)):
        play.resign(over, bob)
    later = table(alice, bob, 1)
    play.resign(later, bob)
    client = as_(alice)
    assert [where(client)] == of(running)
    play.submit(running, play.Actor(alice), 0, ["take wug"])
    # Unseen results come oldest first, until the user looks at them.
    for game in (over, over, later):
        assert [where(client)] == of(game)
        if game is over and Seat.objects.get(game=over, user=bob).seen_end is False:
            as_(bob).get(address("table", over))  # other readers do not matter
        else:
            client.get(where(client))
    assert where(client) == reverse("mine")
    # A player who resigns sees the result at once.
    assert [where(as_(bob))] == of(running)


def test_only_the_opened_page_counts_as_seen(as_: As, alice: User, bob: User) -> None:
    game = table(alice, bob, 1)
    play.resign(game, bob)
    seat = Seat.objects.get(game=game, user=alice)

    def is_seen() -> bool:
        seat.refresh_from_db()
        return seat.seen_end

    client, path = as_(alice), address("table", game)
    client.head(path)
    client.get(path, headers={"Sec-Purpose": "prefetch"})
    client.get(f"{path}?at=0")
    as_(None).get(path)
    assert not is_seen()
    assert len(rows(client.get(reverse("mine")).content, "unseen")) == 1
    # An open page shows the result at its next poll.
    client.get(f"{address('poll', game)}?version=0", headers={"HX-Request": "true"})
    assert is_seen()
    assert rows(client.get(reverse("mine")).content, "unseen") == []


def test_next_leads_to_my_tables_if_nothing_waits(as_: As, alice: User, bob: User) -> None:
    game = table(alice, bob, 1)
    assert where(as_(bob)) == reverse("mine")
    assert where(as_(alice), after=game.key) == reverse("mine")
    play.resign(game, alice)
    assert [where(as_(alice))] == of(game)
    as_(alice).get(address("table", game))
    assert where(as_(alice), after="\0") == reverse("mine")
    assert where(as_(None)) == f"/account/login/?next={NEXT}"


def test_the_key_and_the_button_lead_to_the_next_table(as_: As, alice: User, bob: User) -> None:
    game = table(alice, bob, 1)
    client = as_(alice)
    assert f'href="{NEXT}?after={game.key}"' in client.get(address("table", game)).content.decode()
    assert f'href="{NEXT}"' in client.get(reverse("mine")).content.decode()


# --- the line after a decision ---

LINE = "Note Later Your tables"


def test_after_a_move_the_page_offers_the_next_table(as_: As, alice: User, bob: User, charlie: User) -> None:
    game, *others = (table(alice, bob, 1) for _ in range(4))
    client, path = as_(alice), address("table", game)
    assert LINE not in text(client.get(path).content)
    client.post(path, {"number": 0, "moves": "take wug"})
    pages = [client.get(path).content]
    region = client.post(path, {"number": 0, "moves": "take wug"}, headers={"HX-Request": "true"}).content
    pages.append(b"<main>" + region + b"</main>")
    for page in pages:
        assert f"Next (3 waiting) {LINE}" in text(page)
        assert "(3) Splendor" in page.decode()
        assert "favicon-turn" in page.decode()
        assert re.search(rb'id="waiting"[^>]*>\s*<span>Next</span>\s*<b>3</b>', page)
    for other in others:
        play.submit(other, play.Actor(alice), 0, ["take wug"])
    page = client.get(path).content
    assert "Next (" not in text(page)
    assert LINE in text(page)
    play.resign(others[0], bob)
    assert f"Next: a result {LINE}" in text(client.get(path).content)
    # Spectators get no link onward.
    assert LINE not in text(as_(charlie).get(path).content)
    assert LINE not in text(as_(None).get(path).content)
    assert LINE not in text(client.get(f"{path}?at=1").content)


def test_a_result_offers_the_next_table(as_: As, alice: User, bob: User) -> None:
    over, waiting = table(alice, bob, 1), table(alice, bob, 1)
    play.resign(over, bob)
    client = as_(alice)
    assert "1 table is waiting for you. Next" in text(client.get(address("table", over)).content)
    play.submit(waiting, play.Actor(alice), 0, ["take wug"])
    assert "Next" not in text(client.get(address("table", over)).content)


# --- later ---


def test_tables_set_aside_come_last(as_: As, alice: User, bob: User) -> None:
    first, second = table(alice, bob, 2), table(alice, bob, 1)
    over = table(alice, bob, 1)
    play.resign(over, bob)
    client = as_(alice)
    answer = client.post(address("later", first))
    assert answer.url == f"{NEXT}?after={first.key}"  # type: ignore[attr-defined]
    assert [where(client)] == of(second)
    client.post(address("later", second))
    # Results come before tables set aside, of which the most urgent comes first.
    assert [where(client)] == of(over)
    client.get(where(client))
    assert [where(client)] == of(first)
    clock(second, 1)
    assert [where(client)] == of(second)
    page = client.get(reverse("mine")).content
    for row in rows(page, "turn"):
        assert "later" in row
        assert "Put back in the queue" in row
    # Other sessions do not share what is set aside.
    assert all("later" not in row for row in rows(as_(alice).get(reverse("mine")).content, "turn"))

    answer = client.post(address("later", first), {"back": ""})
    assert answer.url == reverse("mine")  # type: ignore[attr-defined]
    tags = ["later" in row for row in rows(client.get(reverse("mine")).content, "turn")]
    assert tags == [False, True]
    assert [where(client)] == of(first)


def test_a_decision_puts_the_table_back_in_the_queue(as_: As, alice: User, bob: User) -> None:
    game, other = table(alice, bob, 2), table(alice, bob, 1)
    client = as_(alice)
    assert "Set aside" in text(client.get(address("clock", game)).content)
    client.post(address("later", game))
    client.post(address("later", game))
    assert "Put back in the queue" in text(client.get(address("clock", game)).content)
    client.post(address("table", game), {"number": 0, "moves": "gibberish"})
    assert [where(client)] == of(other)
    # So does one on another device, or from a mail.
    as_(alice).post(address("table", game), {"number": 0, "moves": "take wug"})
    play.submit(game, play.Actor(bob), 1, ["take wug"])
    assert [where(client, after=other.key)] == of(game)
    assert ["later" in row for row in rows(client.get(reverse("mine")).content, "turn")] == [False, False]


def test_only_players_set_a_table_aside(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = table(alice, bob, 1)
    path = address("later", game)
    assert as_(charlie).post(path).status_code == 404
    assert as_(None).post(path).url == f"/account/login/?next={address('table', game)}"  # type: ignore[attr-defined]
    assert as_(alice).get(path).status_code == 405


# --- a note ---


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return deal("splendor", [alice, bob], 1)


def plans(game: Game, people: Sequence[User]) -> list[str]:
    return [Seat.objects.get(game=game, user=user).note for user in people]


def test_a_note_is_shown_above_the_board_on_my_turn(as_: As, game: Game, alice: User, bob: User, charlie: User) -> None:
    mover = actor(game)
    [other] = {alice, bob} - {mover}
    client, path = as_(other), address("note", game)
    note = "Buy T2-1 if it is <still> in Zanzibar;\nelse take red."
    assert client.post(path, {"note": note}).url == address("table", game)  # type: ignore[attr-defined]
    assert plans(game, [other, mover]) == [note, ""]
    assert "Buy T2-1" not in text(client.get(address("table", game)).content)
    assert "Buy T2-1 if it is &lt;still&gt; in Zanzibar" in client.get(path).content.decode()
    play.submit(game, play.Actor(mover), 0, ["take wug"])
    assert "Your note Buy T2-1 if it is <still> in Zanzibar; else take red. Change" in text(
        client.get(address("table", game)).content
    )
    # Nobody else reads a word of it.
    for reader in (mover, charlie, None):
        for name in ("table", "poll", "clock"):
            answer = as_(reader).get(address(name, game), {"version": "0", "ledger": "all"})
            assert "Zanzibar" not in answer.content.decode()
    client.post(path, {"note": ""})
    assert plans(game, [other]) == [""]


def test_a_note_is_short(as_: As, game: Game, alice: User) -> None:
    client, path = as_(alice), address("note", game)
    assert client.post(path, {"note": "x" * 500}).status_code == 302
    answer = client.post(path, {"note": "y" * 501})
    assert answer.status_code == 422
    assert "A note can have up to 500 characters." in text(answer.content)
    assert plans(game, [alice]) == ["x" * 500]


def test_only_players_in_the_game_have_a_note(as_: As, game: Game, alice: User, charlie: User) -> None:
    path = address("note", game)
    for method in ("get", "post"):
        assert getattr(as_(charlie), method)(path).status_code == 404
        assert getattr(as_(None), method)(path).url == f"/account/login/?next={path}"


def test_a_note_begun_before_the_end_is_kept(as_: As, game: Game, alice: User) -> None:
    client, path = as_(alice), address("note", game)
    play.resign(game, alice)
    answer = client.post(path, {"note": "Black was scarce."})
    assert (answer.status_code, answer["Location"]) == (302, address("table", game))
    assert plans(game, [alice]) == ["Black was scarce."]


def test_a_note_can_be_read_and_deleted_after_the_end(
    as_: As, game: Game, alice: User, bob: User, charlie: User
) -> None:
    client, path = as_(alice), address("note", game)
    client.post(path, {"note": "Black was scarce."})
    play.resign(game, alice)
    assert path in client.get(address("table", game)).content.decode()
    assert not any(path in as_(reader).get(address("table", game)).content.decode() for reader in (bob, charlie, None))
    page = client.get(path).content
    assert "A note to yourself about your game with bob. Nobody else can see it." in text(page)
    assert "Black was scarce." in text(page)
    client.post(path, {"note": ""})
    assert plans(game, [alice]) == [""]


def test_addresses_of_earlier_releases_lead_to_the_note(as_: As, alice: User, bob: User) -> None:
    game = table(alice, bob, 1)
    answer = as_(alice).get(f"/table/{game.key}/plan/")
    assert (answer.status_code, answer["Location"]) == (302, address("note", game))
