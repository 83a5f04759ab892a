"""After a backup was restored: what belongs to the lost time line is refused in words, and nobody loses time."""

import re
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.services import create_guest
from games.models import Game, Invitation, Notice, Seat
from games.services import play
from games.services.mailing import letters, links
from games.services.outbox import notices
from games.services.tables import tables
from games.services.versions import polls
from games.services.work import restoration
from tests.factories import DAY, HOUR, START, As, acting, actor, at, begun, each_began, person, state, take_turn
from tests.mails.reading import parsed, text
from tests.views.reading import text as words

pytestmark = pytest.mark.django_db
BACKUP = START + 10 * HOUR
FAILURE = START + 15 * HOUR
RESTORED = START + 2 * DAY


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game with a clock, as a backup keeps it."""
    with at(START):
        game = begun([alice, bob])
        each_began(game)
    return game


def go_back(game: Game) -> None:
    with at(RESTORED):
        restoration.went_back(BACKUP)
    game.refresh_from_db()


def link_of(game: Game) -> str:
    seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
    return links.issue(game, seat).removeprefix("http://testserver")


def test_a_clock_shows_the_time_that_was_left(game: Game) -> None:
    deadline = game.deadline
    assert deadline
    reminders = set(Notice.objects.filter(kind="reminder", closed_at=None).values_list("due_at", flat=True))
    go_back(game)
    assert game.deadline == deadline + (RESTORED - BACKUP)
    with at(RESTORED + HOUR):
        take_turn(game)
    used = game.move_set.order_by("number").values_list("time_used", flat=True)
    assert max(filter(None, used)) == 11 * HOUR
    assert reminders
    moved = set(Notice.objects.filter(kind="reminder").values_list("due_at", flat=True))
    assert {due for due in reminders if due > BACKUP} & moved == set()


def test_a_reminder_due_before_the_backup_is_not_owed_again(game: Game) -> None:
    early = Notice.objects.filter(kind="reminder", closed_at=None).earliest("due_at")
    Notice.objects.filter(pk=early.pk).update(due_at=BACKUP - HOUR)
    go_back(game)
    early.refresh_from_db()
    assert early.outcome == "outdated"


def test_mails_about_accounts_that_were_due_before_the_backup_go_with_what_they_say(game: Game, alice: User) -> None:
    with at(START):
        notices.owe(Notice.Kind.ACCOUNT, alice, key="code:1", subject="B2CD", text="B2CD", html="B2CD")
        notices.owe(Notice.Kind.ACCOUNT, address="gone@example.org", key=notices.FAREWELL, text="Good-bye")
    go_back(game)
    [left] = Notice.objects.filter(kind="account")
    assert (left.key, left.outcome, left.facts) == ("code:1", "outdated", {})


def test_a_guest_s_seat_is_held_for_as_long(game: Game, alice: User) -> None:
    with at(START):
        table = tables.create(alice, tables.TableSpec("duel", 2))
        guest = create_guest()
        Seat.objects.create(game=table, user=guest, held_until=START + 2 * DAY)
    go_back(game)
    assert Seat.objects.get(user=guest).held_until == START + 2 * DAY + (RESTORED - BACKUP)


def test_a_table_stays_open_for_as_long_and_so_does_a_seat(alice: User, bob: User, game: Game) -> None:
    with at(START):
        table = tables.create(alice, tables.TableSpec("duel", 2))
        over = begun([alice, bob])
        play.resign(over, alice)
    Seat.objects.filter(user=bob).update(absent_since=START)
    expires_at = table.expires_at
    assert expires_at
    go_back(game)
    table.refresh_from_db()
    assert table.expires_at == expires_at + (RESTORED - BACKUP)
    assert Seat.objects.get(game=game, user=bob).absent_since == START + (RESTORED - BACKUP)
    # What is over stays as it was.
    assert Seat.objects.get(game=over, user=bob).absent_since == START


def test_only_what_goes_on_changes(alice: User, bob: User, game: Game) -> None:
    with at(START):
        over = begun([alice, bob])
        each_began(over)
        play.resign(over, alice)
        waits = tables.create(alice, tables.TableSpec("duel", 2, pace="none"))
    sent = Notice.objects.filter(game=over).order_by("pk")
    sent.update(closed_at=START + HOUR, outcome="sent")
    Game.objects.update(bot_claimed_until=FAILURE)
    ended = [Game.objects.filter(pk=over.pk), Seat.objects.filter(game=over).order_by("pk"), sent]
    before, banks = [list(rows.values()) for rows in ended], dict(game.seat_set.values_list("index", "bank"))
    versions = {each.pk: (each.epoch, each.version) for each in (game, waits)}
    go_back(game)
    assert [list(rows.values()) for rows in ended] == before
    for each in Game.objects.filter(pk__in=versions):
        epoch, version = versions[each.pk]
        assert (each.epoch, each.bot_claimed_until) == (epoch + 1, None)
        assert each.version >= version + restoration.LEAP
    late = Notice.objects.filter(game=game, due_at__lt=BACKUP, closed_at__gte=RESTORED)
    assert {(notice.closed_at, notice.outcome) for notice in late} == {(RESTORED, "outdated")}
    now = dict(game.seat_set.values_list("index", "bank"))
    assert {index for index in banks if now[index] != banks[index]} == {game.to_act}


def test_links_of_the_lost_time_line_are_refused_in_words(as_: As, game: Game) -> None:
    with at(START + HOUR):
        kept = link_of(game)
    with at(FAILURE):
        lost = link_of(game)
    go_back(game)
    client = as_(None)
    with at(RESTORED + HOUR):
        answers = [client.get(lost), client.post(lost, {"number": game.number, "moves": "reserve L1"})]
        assert [answer.status_code for answer in answers] == [410, 410]
        assert "restored from a backup that is older than this email" in words(answers[0].content)
        assert client.get(kept).status_code == 200
        new = link_of(game)
        assert client.get(new).status_code == 200


def test_a_link_to_a_lost_game_says_so(as_: As, game: Game, alice: User, bob: User) -> None:
    with at(FAILURE):
        other = begun([alice, bob])
        lost = link_of(other)
    other.delete()
    assert as_(None).get(lost).status_code == 404
    go_back(game)
    answer = as_(None).get(lost)
    assert answer.status_code == 410
    assert "The game began after that backup, so it is lost." in words(answer.content)


def test_a_draft_of_the_lost_time_line_is_not_played(as_: As, game: Game) -> None:
    client, path = as_(actor(game)), reverse("table", args=[game.key])
    before, post = state(game), {"number": str(game.number), "moves": str(play.look(game, actor(game)).legal[0])}
    seal, version = polls.seal(game, game.to_act), game.version
    go_back(game)
    answer = client.post(path, post)
    assert answer.status_code == 409
    assert "The site was restored from a backup since you opened this page." in words(answer.content)
    assert state(game) == before
    # Open pages learn of it, and what they then show can be played.
    query = f"?version={version}&seen={game.number}&seal={seal}"
    assert client.get(reverse("poll", args=[game.key]) + query).status_code == 200
    page = client.get(path, {"draft": post["moves"]}).content.decode()
    [epoch] = set(re.findall(r'name="epoch" value="(\d+)"', page))
    assert client.post(path, {**post, "epoch": epoch}).status_code == 302


def test_each_person_in_a_running_game_gets_one_mail(game: Game, alice: User, bob: User) -> None:
    dora = person("dora")
    with at(START):
        begun([alice, bob])
        over = begun([bob, dora])
        play.resign(over, dora)
        Notice.objects.all().delete()
        for hours in (9, 11):
            due = START + hours * HOUR
            Notice.objects.create(
                kind="started", recipient=dora, key=f"{hours}", game=game, created_at=START, due_at=due
            )
    go_back(game)
    told = Notice.objects.filter(kind="restored")
    assert {notice.recipient for notice in told} == {alice, bob}
    assert list(Notice.objects.filter(recipient=dora, closed_at=None).values_list("key", flat=True)) == ["11"]
    with at(RESTORED):
        message = letters.write(told[0])
    assert message
    said = text(parsed(message.message().as_bytes()))
    assert "restored from a backup made at this time: Mon 22:00 UTC." in " ".join(said.split())


def test_numbers_of_lost_rows_are_not_given_out_again(game: Game, alice: User) -> None:
    newest = max(User.objects.values_list("pk", flat=True))
    go_back(game)
    assert User.objects.create_user("eve").pk > newest + 100_000
    table = tables.create(alice, tables.TableSpec("duel", 2))
    facts: dict[str, Any] = {"game": table, "address": "x@example.org", "invited_by": alice, "at": START}
    assert Invitation.objects.create(**facts).pk > 100_000


@pytest.mark.parametrize("bots", [0, 1])
def test_a_link_into_a_game_that_has_not_begun_any_more_is_lost(as_: As, alice: User, bob: User, bots: int) -> None:
    with at(START):
        game = begun([alice, bob], bots=bots)
        each_began(game)
        while acting(game).bot:
            take_turn(game)
    game.refresh_from_db()
    link = link_of(game)
    Seat.objects.filter(game=game).exclude(user=alice).delete()
    Seat.objects.filter(game=game).update(index=None)
    Game.objects.filter(pk=game.pk).update(status="open", to_act=None, started_at=None, deadline=None, bot_to_act=None)
    restoration.went_back(START)
    answer = as_(None).get(link)
    assert answer.status_code == 410
