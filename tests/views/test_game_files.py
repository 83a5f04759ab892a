"""Games as files: what they hold for each reader, and that they replay to the same result."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from games.models.position import Position
from games.services import play
from games.services.play import reading, written
from tests.factories import As, begun, deal, person, play_on, play_well, ruleset, state
from tests.hidden import GAMES, hiding, known, named, players, proofs, readers, steps
from tests.outputs import path

pytestmark = pytest.mark.django_db

KINDS = [("splendor", 2), ("splendor", 3), ("splendor", 4), ("duel", 2)]
FILES = ("game_json", "game_text")


def files(as_: As, user: User | None, game: Game) -> dict[str, str]:
    client = as_(user)
    answers = {name: client.get(path(name, game)) for name in FILES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {name: answer.content.decode() for name, answer in answers.items()}


def replayed(folder: Path, capsys: pytest.CaptureFixture[str], *texts: str) -> list[str]:
    """What `replay_games --file` says of these files."""
    paths = [folder / f"{number}.txt" for number in range(len(texts))]
    for each, text in zip(paths, texts, strict=True):
        each.write_text(text, encoding="utf-8")
    call_command("replay_games", "--file", *map(str, paths))
    return [line.split(": ", 1)[1] for line in capsys.readouterr().out.splitlines()]


def refusal(folder: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> str:
    """What `replay_games --file` objects to this file."""
    (folder / "bad").write_bytes(content)
    with pytest.raises(CommandError, match=r"1 of 1 files do not replay\."):
        call_command("replay_games", "--file", str(folder / "bad"))
    return capsys.readouterr().err.split(": ", 1)[1].strip()


@pytest.mark.parametrize(
    ("title", "seats", "version"), [("splendor", 2, 1), *((*kind, TITLES[kind[0]].ruleset.version) for kind in KINDS)]
)
def test_a_finished_game_is_read_back_with_the_same_result(
    as_: As,
    title: str,
    seats: int,
    version: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if the game was played under earlier rules than those that read it."""
    then = TITLES[title].ruleset.as_of(version)
    monkeypatch.setitem(TITLES, title, replace(TITLES[title], ruleset=then))
    people = players(seats)
    game = deal(title, people, 3)
    play_well(game, 1, 300)
    monkeypatch.undo()
    assert (game.ending, game.ruleset_version) == ("played", version)
    found = play.outcome(game)
    end = f"winners={','.join(map(str, found.winners))} scores={','.join(map(str, found.scores))} reason={found.reason}"
    texts = [text for user in (*people, None) for text in files(as_, user, game).values()]
    told = replayed(tmp_path, capsys, *texts)
    assert told == [f"{title}, {seats} seats, {game.number} decisions: {end}"] * len(texts)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_game_that_players_left_is_read_back(
    as_: As, kind: tuple[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    title, seats = kind
    people = players(seats)
    game = deal(title, people, 3)
    play_well(game, 1, 9)
    for user in people[1:]:
        play.resign(game, user)
        game.refresh_from_db()
    assert game.ending == "resigned"
    winner = game.seat_set.get(user=people[0]).index
    for line in replayed(tmp_path, capsys, *files(as_, people[0], game).values()):
        assert line.startswith(f"{title}, {seats} seats, 9 decisions: winners={winner} scores=")
        assert line.endswith("reason=resigned")


def test_a_game_of_before_reasons_were_kept_is_read_back(
    as_: As, alice: User, bob: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = deal("duel", [alice, bob], 3)
    play_well(game, 1, 300)
    Game.objects.update(reason="")
    for line in replayed(tmp_path, capsys, *files(as_, alice, game).values()):
        assert line.endswith("reason=played")


@pytest.mark.parametrize("dealt", GAMES, ids=str)
def test_the_files_of_a_running_game_name_exactly_the_cards_that_their_reader_has_known(
    as_: As, dealt: tuple[str, int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = hiding(*dealt)
    now, stored = state(game), Position.objects.filter(game=game)
    for user, seat in readers(game):
        found = files(as_, user, game)
        data = json.loads(found["game_json"])
        past = set().union(*(known(game, step.state, seat) for step in steps(game)))
        bought = named(repr([player.cards for player in now.players]))
        assert named(found["game_json"]) - bought == past - bought
        assert named(found["game_text"]) == named(json.dumps(data["moves"]))
        assert (data["needs"], "seed" in data, "end" in data) == ("seed", False, False)
        for text in found.values():
            assert proofs(game, text) == {"commitment"}
            assert refusal(tmp_path, capsys, text.encode()) == (
                "The file has no seed, so it cannot be replayed; the table shows the seed when the game is over. "
                f"The file shows {game.number} decisions with their events. Decisions with a hidden part: "
                f"{', '.join(map(str, data['hidden'])) or 'none'}."
            )
        # The blind reserves of others are hidden; nothing else is.
        blind = [
            move.number
            for move in game.move_set.order_by("number")
            if "reserve L" in move.notation and move.seat != seat
        ]
        assert data["hidden"] == blind
        # Other hidden cards make the same files.
        other = replace(ruleset(game).determinize(ruleset(game).observe(now, seat), Random(7)), seed=now.seed)
        assert other != now
        stored.update(state=ruleset(game).dump(other))
        assert files(as_, user, game) == found
        stored.update(state=ruleset(game).dump(now))


def test_a_file_of_a_site_of_any_name_has_its_name(client: Client, alice: User, bob: User, settings) -> None:
    settings.SITE_NAME = "Chez l’Ami"
    game = begun([alice, bob])
    disposition = client.get(path(FILES[0], game))["Content-Disposition"]
    assert disposition == f"attachment; filename*=utf-8''chez%20l%E2%80%99ami-{game.key}.json"


def test_the_files_have_no_note_and_stay_with_those_who_may_see_the_table(as_: As, alice: User, bob: User) -> None:
    game, dora = begun([alice, bob], audience="seats"), person("dora")
    game.seat_set.update(note="my plan")
    assert "my plan" not in "".join(files(as_, alice, game).values())
    for name, kind in zip(FILES, ("json", "txt"), strict=True):
        assert as_(dora).get(path(name, game)).status_code == 404
        answer = as_(bob).get(path(name, game))
        assert answer["Content-Disposition"] == f'attachment; filename="cabochon-{game.key}.{kind}"'
        assert {"private", "no-store"} <= {*answer["Cache-Control"].split(", ")}


def test_a_table_that_has_not_begun_has_no_files(as_: As, alice: User, bob: User) -> None:
    game = begun([alice, bob])
    Game.objects.update(started_at=None)
    assert [as_(alice).get(path(name, game)).status_code for name in FILES] == [404, 404]


def over(alice: User, bob: User) -> Game:
    game = deal("splendor", [alice, bob], 3)
    play_on(game, 4, 600)
    game.refresh_from_db()
    assert game.ending == "played"
    return game


DAMAGES: dict[str, tuple[str, str, str]] = {
    "another title": ("title: splendor", "title: chess", "The title chess is unknown."),
    "seats": ("seats: 2", "seats: 5", "Splendor is not played with 5 seats."),
    "no number": ("seats: 2", "seats: two", "The file is damaged: two is no number."),
    "long word": ("seats: 2", f"seats: {'a' * 30}", f"The file is damaged: {'a' * 20} is no number."),
    "version": ("ruleset_version: 2", "ruleset_version: 3", "Version 3 of the rules of Splendor is unknown."),
    "no title": ("title: splendor\n", "", "The file is damaged: Object missing required field `title`"),
    "seed": (r"seed: ....", "seed: 0000", "The seed does not match the commitment."),
    "short seed": (r"seed: ....", "seed: ", "The seed is damaged: it has 64 hexadecimal digits."),
    "commitment": (r"commitment: ....", "commitment: 0000", "The seed does not match the commitment."),
    "notation": (r"\n\n\S+ \S+\n", "\n\ncastle\n", "Decision 0, castle: "),
    "illegal": (r"\n\n\S+ \S+\n", "\n\nbuy 3-blue-01 = -\n", "Decision 0, buy 3-blue-01 = -: "),
    "event": (r"event: \w+", "event: flew", "by the rules it brings about"),
    "event is missing": (r"  event: .*\n", "", "by the rules it brings about"),
    "end is missing": (r"end: .*\n", "", "The file ends before the game is over."),
    "scores": (r"scores=\d+", "scores=99", "The file ends with winners="),
    "winner": (r"winners=\d", "winners=7", "The file ends with winners=7"),
    "reason": (r"reason=\w+", "reason=luck", "The file ends with winners="),
    "end is damaged": (r"end: winners", "end: victors", "The file is damaged: Object missing required field `winners`"),
}


def test_a_damaged_file_says_what_is_wrong(
    alice: User, bob: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = over(alice, bob)
    text = written.as_text(game, written.as_json(game, None))
    for name, (before, after, message) in DAMAGES.items():
        damaged = re.sub(before, after, text, count=1)
        assert damaged != text, name
        assert message in refusal(tmp_path, capsys, damaged.encode()), name


def test_a_file_names_those_who_could_not_win(alice: User, bob: User) -> None:
    game = begun([alice, bob, person("clara")])
    game.seat_set.filter(index=0).update(resigned=True)
    game.seat_set.filter(index=1).update(caretaker="greedy")
    Game.objects.filter(pk=game.pk).update(status="finished", to_act=None, deadline=None, ended_at=game.started_at)
    game = Game.objects.with_seats().get(pk=game.pk)
    assert written.as_json(game, None)["end"]["out"] == [0, 1]


def test_a_file_has_the_time_of_each_move(alice: User, bob: User) -> None:
    game = over(alice, bob)
    _first, second, *_others = game.move_set.order_by("number")
    game.move_set.exclude(pk=second.pk).update(time_used=None)
    game.move_set.filter(pk=second.pk).update(time_used=timedelta(seconds=90))
    times = [move["time_used"] for move in written.as_json(game, None)["moves"]]
    assert times == [None, 90, *[None] * (len(times) - 2)]


def test_a_file_of_a_damaged_game_has_no_position(alice: User, bob: User) -> None:
    game = begun([alice, bob])
    Position.objects.filter(game=game).update(state={})
    data = written.as_json(game, 0)
    assert (data["key"], data["seen"]) == (game.key, None)


def test_the_files_of_a_damaged_finished_game_have_no_seed(as_: As, alice: User, bob: User) -> None:
    game = over(alice, bob)
    Position.objects.filter(game=game).update(state={})
    found = files(as_, alice, game)
    data = json.loads(found["game_json"])
    assert ("seed" in data, data["needs"], data["seen"], len(data["moves"])) == (False, "seed", None, game.number)
    assert "\nneeds: seed\n" in found["game_text"]


def test_a_file_that_stops_early_is_refused(
    alice: User, bob: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = written.as_json(over(alice, bob), None)
    data["moves"] = data["moves"][:-3]
    assert refusal(tmp_path, capsys, json.dumps(data).encode()) == "The decisions stop before the game is over."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "This is no file of a game"),
        (b"\xff\xfe\x00", "This is no text."),
        (b"PK\x03\x04\x80", "This is no text."),
        (b"1. e4 e5 2. Nf3 Nc6\n", "This is no file of a game"),
        (b"title: splendor\nseats: 2\n\ntake wug\n", "This is no file of a game"),
        (b"{", "The file is damaged: JSONDecodeError"),
        (b"{}", "This is no file of a game"),
        (b'{"moves": [1]}', "The file is damaged: TypeError"),
        (b'{"moves": [{"events": [{}]}]}', "The file is damaged: KeyError"),
        (b'{"moves": 7}', "The file is damaged: TypeError"),
        (b'{"format": "cabochon game 1", "moves": []}', "The file is damaged: Object missing required field"),
        (b'{"a": ' + b"[" * 100_000, "The file is damaged: RecursionError"),
    ],
)
def test_a_foreign_file_is_refused(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(tmp_path, capsys, content).startswith(message)
    with pytest.raises(CommandError):
        call_command("replay_games", "--file", str(tmp_path / "nowhere"))
    assert "No such file" in capsys.readouterr().err


def test_a_file_with_any_part_missing_or_changed_is_read_or_refused(alice: User, bob: User) -> None:
    """Nothing but `BadFile` is ever raised."""
    game = over(alice, bob)
    rng, refused = Random(1), 0
    data = written.as_json(game, 0)
    for text in (written.spelled(data), written.as_text(game, data)):
        content = text.encode()
        result = reading.replay(reading.read(content))
        for _ in range(20):
            at, size = rng.randrange(len(content)), rng.randrange(1, 40)
            damaged = content[:at] + rng.randbytes(rng.choice((0, 1, 3))) + content[at + size :]
            try:
                assert reading.replay(reading.read(damaged)) == result
            except reading.BadFile:
                refused += 1
    assert refused > 20
