"""A person's archive: what is in it, who gets it, and when it goes."""

import json
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from random import Random
from zipfile import ZipFile

import pytest
from allauth.mfa.models import Authenticator
from celery import current_app
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.services import create_confirmed
from games import tasks
from games.models import Archive, Game, Notice
from games.models.position import Position
from games.services import play
from games.services.clocks.moment import now
from games.services.play import own_seat
from games.services.privacy import archives, deletion
from tests.accounts.pages import PASSWORD, log_in
from tests.factories import at, begun, post, ruleset, state
from tests.hidden import hidden_from, hiding, named, proofs

pytestmark = pytest.mark.django_db


def files(user: User) -> dict[str, str]:
    """The files of a fresh archive, by name."""
    Archive.objects.filter(user=user).delete()
    archives.ask(user)
    tasks.make_archive(user.pk)
    with ZipFile(BytesIO(Archive.objects.get(user=user).content or b"")) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def of_game(user: User, game: Game) -> str:
    """Both files about the game in a fresh archive."""
    found = files(user)
    return "".join(found[f"games/{game.key}.{kind}"] for kind in ("json", "txt"))


@pytest.mark.parametrize("deal", [("splendor", 3, 31), ("duel", 2, 30)], ids=str)
def test_an_archive_has_of_a_running_game_what_its_seat_may_know(deal: tuple[str, int, int]) -> None:
    game = hiding(*deal)
    dealt, stored = state(game), Position.objects.filter(game=game)
    for seat in game.seat_set.select_related("user"):
        assert seat.user is not None
        assert seat.index is not None
        text = of_game(seat.user, game)
        hidden = hidden_from(dealt, seat.index)
        assert hidden > {card for deck in dealt.decks for card in deck}
        assert named(text).isdisjoint(hidden)
        assert proofs(game, text) == {"commitment"}
        # Other hidden cards make the same archive.
        other = replace(ruleset(game).determinize(ruleset(game).observe(dealt, seat.index), Random(7)), seed=dealt.seed)
        assert other != dealt
        stored.update(state=ruleset(game).dump(other))
        assert of_game(seat.user, game) == text
        stored.update(state=ruleset(game).dump(dealt))


def test_an_archive_has_the_whole_of_a_finished_game(alice: User, bob: User) -> None:
    game = begun([alice, bob], "duel")
    play.submit(game, play.Actor(play_user(game)), 0, [str(play.look(game, play_user(game)).legal[0])])
    own_seat.keep_note(game, alice, "my plan")
    own_seat.keep_note(game, bob, "his plan")
    play.resign(game, bob)
    found = files(alice)
    told = json.loads(found[f"games/{game.key}.json"])
    assert {"seed", "commitment"} <= proofs(game, found[f"games/{game.key}.json"])
    assert [player["name"] for player in told["players"]] == [str(seat) for seat in game.seat_set.order_by("index")]
    assert (told["note"], len(told["moves"]), told["ending"]) == ("my plan", 1, "resigned")
    assert "his plan" not in "".join(found.values())
    assert f"\n{told['moves'][0]['notation']}\n  event: " in found[f"games/{game.key}.txt"]


def test_an_archive_has_a_finished_game_whose_position_is_damaged(alice: User, bob: User) -> None:
    game = begun([alice, bob])
    play.resign(game, bob)
    Position.objects.filter(game=game).update(state={})
    found = files(alice)
    told = json.loads(found[f"games/{game.key}.json"])
    assert (told["ending"], told["seen"], "seed" in told) == ("resigned", None, False)
    assert "\nneeds: seed\n" in found[f"games/{game.key}.txt"]


def play_user(game: Game) -> User:
    user = game.seat_set.select_related("user").get(index=game.to_act).user
    assert user is not None
    return user


@pytest.fixture
def owner(db: None) -> User:
    return create_confirmed("Alice", "alice@example.org", PASSWORD)


def test_an_archive_has_the_account_without_secrets(owner: User) -> None:
    client = Client(REMOTE_ADDR="198.51.100.23")
    log_in(client, "Alice")
    text = files(owner)["account.json"]
    told = json.loads(text)
    assert told["account"]["email"] == "alice@example.org"
    assert [session["ip"] for session in told["sessions"]] == ["198.51.100.23"]
    assert owner.password not in text
    assert str(client.session.session_key) not in text


def test_an_archive_has_the_passkeys_and_sessions_of_its_owner_only(owner: User) -> None:
    for user in (owner, create_confirmed("Bea", "bea@example.org", PASSWORD)):
        Authenticator.objects.create(user=user, type="webauthn", data={"name": f"{user}’s key", "credential": {}})
        log_in(Client(HTTP_USER_AGENT=f"{user}’s browser"), str(user))
    told = json.loads(files(owner)["account.json"])
    assert [key["name"] for key in told["passkeys"]] == ["Alice’s key"]
    assert [session["user_agent"] for session in told["sessions"]] == ["Alice’s browser"]


def test_only_its_owner_gets_an_archive_with_the_password(client: Client, owner: User) -> None:
    log_in(client, "Alice")
    assert client.get("/settings/data/").status_code == 200
    asked = client.get("/settings/data/file/")
    assert client.post(asked["Location"], {"password": PASSWORD}, follow=True).status_code == 404
    client.post("/settings/data/")
    assert "preparing your file" in client.get("/settings/data/").content.decode()
    archives.make_archive(owner.pk)
    post()
    assert mail.outbox[-1].to == [owner.email]
    assert mail.outbox[-1].subject == "Your Cabochon data is ready"
    assert "You can download it until" in client.get("/settings/data/").content.decode()
    with at(now() + timedelta(hours=1)):
        asked = client.get("/settings/data/file/")
        assert asked["Location"].startswith("/account/reauthenticate/")
        file = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
        assert ZipFile(BytesIO(file.content)).namelist() == ["account.json"]
        assert set(file["Cache-Control"].split(", ")) >= {"private", "no-store"}
    create_confirmed("Bea", "bea@example.org", PASSWORD)
    stranger = Client()
    log_in(stranger, "Bea")
    asked = stranger.get("/settings/data/file/")
    assert stranger.post(asked["Location"], {"password": PASSWORD}, follow=True).status_code == 404
    assert Client().get("/settings/data/file/").status_code == 302


def test_an_archive_is_made_once(owner: User) -> None:
    archives.ask(owner)
    archives.ask(owner)
    archives.make_archive(owner.pk)
    made = Archive.objects.get()
    archives.make_archive(owner.pk)
    archives.ask(owner)
    assert Archive.objects.get().made_at == made.made_at
    assert Notice.objects.count() == 1
    with at(now() + archives.PAUSE):
        archives.ask(owner)
        assert Archive.objects.get().made_at is None


def test_an_archive_goes_after_three_days_and_with_the_account(owner: User) -> None:
    archives.ask(owner)
    archives.make_archive(owner.pk)
    made = now()
    with at(made + archives.LIFETIME - timedelta(minutes=1)):
        archives.forget()
        assert archives.of(owner) is not None
    with at(made + archives.LIFETIME):
        assert archives.of(owner) is None
        archives.forget()
        assert not Archive.objects.exists()
    archives.ask(owner)
    archives.make_archive(owner.pk)
    deletion.delete(owner)
    assert not Archive.objects.exists()


def test_a_slow_worker_makes_no_second_archive(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for user in (alice, bob):
        archives.ask(user)
    zipped, late = archives._zipped, now() + 2 * archives.LEASE

    def overtaken(user: User) -> bytes:
        monkeypatch.setattr(archives, "_zipped", zipped)
        with at(late):
            archives.make_archive(user.pk)
        return b"late"

    monkeypatch.setattr(archives, "_zipped", overtaken)
    archives.make_archive(alice.pk)
    assert bytes(Archive.objects.get(user=alice).content or b"") != b"late"
    assert Notice.objects.filter(recipient=alice).count() == 1
    assert Archive.objects.get(user=bob).claimed_until is None


def test_an_archive_whose_worker_died_is_made_later(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(current_app, "send_task", lambda *request: asked.append(request))
    archives.ask(owner)
    Archive.objects.update(claimed_until=now() + archives.LEASE)
    archives.make_archive(owner.pk)
    archives.make_owed()
    assert asked == []
    assert Archive.objects.get().made_at is None
    with at(now() + archives.LEASE):
        archives.make_owed()
        assert asked == [("games.tasks.make_archive", [owner.pk])]
        archives.make_archive(owner.pk)
    assert Archive.objects.get().made_at is not None
