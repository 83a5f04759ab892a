"""The sentences as players read them."""

import re
from importlib import import_module

import pytest
from django.utils import translation

from games import wording
from games.rules.base import Event, Outcome
from games.wording import common
from tests.wording.collect import RULESETS, codes
from tests.wording.sentences import ACTIONS, EVENTS, NAMES, OUTCOMES, REFUSALS, SENTENCES, action, facts


@pytest.mark.parametrize(("say", "slug", "text", "sentence"), SENTENCES)
def test_sentences_read_as_expected(say, slug: str, text: str, sentence: str) -> None:
    assert say(slug, text) == sentence


VERDICTS = [
    # The winners, the other seats that could have won, and the verdict to Ana, Ben, Chloé and a spectator.
    (
        (0,), (1, 2), (18, 15, 9), "prestige",
        "You won by three", "You lost by three", "You lost by nine", "Ana won by three",
    ),
    ((1,), (0,), (2, 15, 17), "prestige", "You lost by 13", "You won by 13", "", "Ben won by 13"),
    ((1,), (), (2, 15, 17), "prestige", "You lost", "You won", "You lost", "Ben won"),
    (
        (0,), (1, 2), (15, 15, 14), "fewest_cards",
        "You won the tie-break", "You lost the tie-break", "You lost by one", "Ana won the tie-break",
    ),
    (
        (0, 1), (2,), (15, 15, 15), "shared",
        "You and Ben share the victory", "You and Ana share the victory", "You lost the tie-break",
        "Ana and Ben share the victory",
    ),
    (
        (0, 1), (2,), (16, 16, 14), "shared",
        "You and Ben share the victory", "You and Ana share the victory", "You lost by two",
        "Ana and Ben share the victory",
    ),
    ((0, 1, 2), (), (15, 15, 15), "shared", "You and Ben and Chloé share the victory", *[""] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("winners", "rivals", "scores", "reason", "ana", "ben", "chloe", "spectator"), VERDICTS)
def test_verdicts_address_their_reader(
    winners: tuple[int, ...], rivals: tuple[int, ...], scores: tuple[int, ...], reason: str,
    ana: str, ben: str, chloe: str, spectator: str,
) -> None:  # fmt: skip
    outcome = Outcome(winners, scores, reason)
    for reader, sentence in enumerate((ana, ben, chloe, spectator)):
        seat = reader if reader < 3 else None
        if sentence:
            assert wording.verdict("splendor", NAMES["splendor"], seat, winners, rivals, outcome) == sentence


@pytest.mark.parametrize(
    ("reason", "won", "lost", "told"),
    [
        ("prestige", "You won by seven", "You lost by seven", "Ana won by seven"),
        ("crowns", "You won by crowns", "You lost by crowns", "Ana won by crowns"),
        ("colour", "You won with one colour", "You lost to one colour", "Ana won with one colour"),
    ],
)
def test_verdicts_of_duel_name_the_victory(reason: str, won: str, lost: str, told: str) -> None:
    outcome = Outcome((0,), (21, 14), reason)
    for reader, sentence in ((0, won), (1, lost), (None, told)):
        assert wording.verdict("duel", NAMES["duel"], reader, (0,), (1,), outcome) == sentence


def test_a_game_that_was_not_played_to_its_end_has_a_plain_verdict() -> None:
    for reader, sentence in ((0, "You won"), (1, "You lost"), (None, "Ana won")):
        assert wording.verdict("duel", NAMES["duel"], reader, (0,)) == sentence


@pytest.mark.parametrize(("slug", "outcome", "sentence"), OUTCOMES)
def test_outcomes_read_as_expected(slug: str, outcome: Outcome, sentence: str) -> None:
    assert wording.outcome(slug, outcome, NAMES[slug]) == sentence


def test_translations_fill_every_placeholder() -> None:
    with translation.override("fr"):
        for say, slug, text, _ in SENTENCES:
            assert "%(" not in say(slug, text)
        for slug, outcome, _ in OUTCOMES:
            assert "%(" not in wording.outcome(slug, outcome, NAMES[slug])


@pytest.mark.parametrize("slug", RULESETS)
def test_the_cases_cover_every_code(slug: str) -> None:
    title = import_module(f"games.wording.{slug}")
    assert codes(REFUSALS[slug]) == codes(title.REFUSALS)
    assert codes(EVENTS[slug]) == codes(title.EVENTS)
    assert codes(ACTIONS[slug]) == codes(title.ACTIONS)
    assert {outcome.reason for named, outcome, _ in OUTCOMES if named == slug} == set(title.OUTCOMES)


def test_sentences_have_proper_punctuation() -> None:
    """Sentences of events and refusals end with a full stop; requests do not. Quotes are curly."""
    for say, _, _, sentence in SENTENCES:
        assert sentence.endswith(".") == (say is not action)
        assert sentence[0].isupper() or sentence[0] == "“"
        assert not set(sentence) & set("'\"")


READERS = [
    ("splendor", "took seat=0 tokens=wrr", 0, "You took 1 diamond and 2 rubies."),
    ("splendor", "took seat=0 tokens=wrr", 1, "Ana took 1 diamond and 2 rubies."),
    ("splendor", "noble seat=0 noble=4w4u", 0, "Niccolò Machiavelli visits you for 3 points."),
    ("duel", "took seat=0 tokens=rrp spaces=c1 c2 c3", 0, "You took 2 rubies and 1 pearl from c1, c2 and c3."),
    ("duel", "stole seat=0 token=k", 0, "You stole 1 onyx from Ben."),
    ("duel", "stole seat=0 token=k", 1, "Ana stole 1 onyx from you."),
    ("duel", "privilege_taken_over seat=0", 1, "Ana took a privilege from you."),
]


@pytest.mark.parametrize(("slug", "text", "reader", "sentence"), READERS)
def test_the_reader_is_addressed(slug: str, text: str, reader: int, sentence: str) -> None:
    code, _, rest = text.partition(" ")
    assert wording.event(slug, Event(code, **facts(rest)), NAMES[slug], reader=reader) == sentence


@pytest.mark.parametrize("slug", EVENTS)
def test_every_event_of_a_player_has_a_sentence_for_that_player(slug: str) -> None:
    for text in EVENTS[slug]:
        code, _, rest = text.partition(" ")
        told = Event(code, **facts(rest))
        if told.facts.get("seat") == 0:
            sentence = wording.event(slug, told, NAMES[slug], reader=0)
            assert "Ana" not in sentence, code
            assert re.search(r"\b[Yy]ou\b", sentence), code


def test_every_incident_has_a_sentence_for_its_player() -> None:
    assert common.MY_INCIDENTS.keys() == common.INCIDENTS.keys()
    for kind in common.INCIDENTS:
        assert "Ana" not in wording.incident(kind, ["Ana", "Ben"], 0, 1, reader=0)
    assert wording.incident("gave_time", ["Ana", "Ben"], 0, 1, reader=1) == "Ana gave you one more day."
