"""A damaged dump loads as a position of the title or is refused with `DamagedState`; nothing else happens."""

import csv
import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.catalogue import TITLES
from games.rules import codec
from games.rules.base import DamagedState
from games.rules.duel.cards import CARDS, ROYALS, Ability, Card
from games.rules.splendor.cards import NOBLES

every_title = pytest.mark.parametrize("slug", TITLES)
JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2,
    3,
    4,
    11,
    10**30,
    1.5,
    "",
    "x",
    ".",
    "0-none-00",
    [],
    {},
    [0] * 8,
    "1-white-01",
]
JUNK += ["main", "return", "noble", "turn", "mandatory", "attach", "match", "steal", "royal", *NOBLES, *ROYALS]


@cache
def dumps(slug: str) -> list[str]:
    """A position of every phase and every tenth position of some random games, as JSON."""
    ruleset = TITLES[slug].ruleset
    found = []
    for seats in ruleset.seats:
        rng = Random(f"{slug} {seats}")
        state, phases = ruleset.initial(seats, rng.randbytes(32)), set()
        while state.to_act is not None:
            if state.number % 10 == 0 or state.phases not in phases:
                found.append(state)
            phases.add(state.phases)
            options = ruleset.legal_actions(state)
            buys = [option for option in options if option.word == "buy"]
            state = ruleset.apply(state, rng.choice(buys or options)).state
        found.append(state)
    return [json.dumps(ruleset.dump(state)) for state in found]


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every list or object of the dump with each of its keys."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else []
    return [place for key in keys for place in ((data, key), *places(data[key]))]


def damage(data: Any, rng: Random) -> None:
    holder, key = rng.choice(places(data))
    other_holder, other_key = rng.choice(places(data))
    match rng.randrange(5):
        case 0:
            holder[key] = deepcopy(rng.choice(JUNK))
        case 1:
            del holder[key]
        case 2:
            holder[key] = deepcopy(other_holder[other_key])
        case 3 if isinstance(holder, list):
            holder.insert(rng.randint(0, len(holder)), deepcopy(holder[key]))
        case _ if isinstance(holder[key], int):
            holder[key] += rng.choice((-1, 1))


@every_title
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32 - 1), times=st.integers(1, 3))
@example(seed=5470, times=1)  # more tokens than a text has room for
def test_damaged_dumps_are_refused_or_are_positions(slug: str, seed: int, times: int) -> None:
    ruleset, rng = TITLES[slug].ruleset, Random(seed)
    data = json.loads(rng.choice(dumps(slug)))
    for _ in range(times):
        damage(data, rng)
    try:
        state = codec.load(data, ruleset.state_type)
    except codec.BadShape:
        with pytest.raises(DamagedState):
            ruleset.load(data)
        return
    if ruleset.faults(state):
        with pytest.raises(DamagedState):
            ruleset.load(data)
        return
    assert ruleset.load(json.loads(json.dumps(ruleset.dump(state)))) == state
    for seat in (*range(len(state.players)), None):
        ruleset.determinize(ruleset.observe(state, seat), rng)
    assert (ruleset.outcome(state) is None) == (state.to_act is not None)
    actions = ruleset.all_actions(state)
    assert bool(actions) == (state.to_act is not None)
    for action in actions[:20]:
        assert ruleset.faults(ruleset.apply(state, action).state) == []


@every_title
def test_intact_dumps_load(slug: str) -> None:
    for text in dumps(slug):
        ruleset = TITLES[slug].ruleset
        assert ruleset.faults(ruleset.load(json.loads(text))) == []


COMMON: dict[str, Any] = {
    "to_act out of range": lambda data: data.update(to_act=7),
    "to_act negative": lambda data: data.update(to_act=-1),
    "nobody to act": lambda data: data.update(to_act=None),
    "no phases": lambda data: data.update(phases=[]),
    "unknown phase": lambda data: data.update(phases=["nap"]),
    "impossible phases": lambda data: data.update(phases=["return", "return"]),
    "nothing to return": lambda data: data.update(phases=["return"]),
    "number negative": lambda data: data.update(number=-1),
    "seed too short": lambda data: data.update(seed="AAAA"),
    "seed is not text": lambda data: data.update(seed=1),
    "one player too few": lambda data: data["players"].pop(),
    "no players": lambda data: data.update(players=[]),
    "null instead of a player": lambda data: data["players"].__setitem__(0, None),
    "a card twice": lambda data: data["decks"][0].append(data["decks"][0][0]),
    "a card lost": lambda data: data["decks"][0].pop(),
    "an unknown card": lambda data: data["decks"][0].__setitem__(0, "1-pink-01"),
    "cards of another level": lambda data: data["decks"].reverse(),
    "a level lost": lambda data: data["decks"].pop(),
    "tokens negative": lambda data: data["players"][0]["tokens"].__setitem__(0, -1),
    "tokens from nowhere": lambda data: data["players"][0]["tokens"].__setitem__(0, 9),
    "tokens of too few kinds": lambda data: data["players"][0]["tokens"].pop(),
    "an object instead of a list": lambda data: data.update(players={}),
    "missing keys": dict.clear,
    "to_act one too high": lambda data: data.update(to_act=2),
    "seed too long": lambda data: data.update(seed="A" * 44),
    "four cards in a hand": lambda data: data["players"][0]["reserved"].extend(
        {"card": data["decks"][0].pop(), "blind": True} for _card in range(4)
    ),
    "an empty place": lambda data: data["decks"][0].append(_take_first(data)),
    "tokens kept": lambda data: _hand_over(data, 11),
}


def _take_first(data: Any) -> str:
    """Remove the first face-up card of level 1, and return it."""
    row = data["rows" if "rows" in data else "pyramid"][0]
    card, row[0] = row[0], None
    return str(card)


def _hand_over(data: Any, number: int) -> None:
    """Give the last player that many gems from the bank or the board."""
    held = data["players"][-1]["tokens"]
    for _token in range(number):
        if "bank" in data:
            kind = max(range(5), key=data["bank"].__getitem__)
            data["bank"][kind] -= 1
        else:
            kind = max(range(5), key=[data["board"].count(each) for each in "wugrk"].__getitem__)
            data["board"] = data["board"].replace("wugrk"[kind], ".", 1)
        held[kind] += 1


def _owns(data: Any, *wanted: Callable[[Card], bool], royals: Sequence[str] = ()) -> None:
    """Give the first player a card of the decks for each wish, the last one as the newest, and these royal cards; then
    a token may be stolen."""
    me = data["players"][0]
    for is_wanted in wanted:
        deck, card = next((deck, card) for deck in data["decks"] for card in deck if is_wanted(CARDS[card]))
        deck.remove(card)
        me["cards"].append({"card": card, "colour": CARDS[card].bonus})
    for royal in royals:
        data["royals"].remove(royal)
        me["royals"].append(royal)
    data.update(phases=["steal"])


def _steals(card: Card) -> bool:
    return Ability.STEAL_TOKEN in card.abilities


def _has_two_crowns(card: Card) -> bool:
    return card.crowns == 2 and not card.joker


def _is_plain(card: Card) -> bool:
    return card.abilities == (Ability.NONE,) and not card.crowns


OWN: dict[str, dict[str, Any]] = {
    "splendor": {
        "a bank of eight kinds": lambda data: data.update(bank=[*data["bank"], 0, 0]),
        "an unknown noble": lambda data: data["nobles"].__setitem__(0, "9w9w"),
        "a noble twice": lambda data: data["nobles"].__setitem__(0, data["nobles"][1]),
        "no noble earned": lambda data: data.update(phases=["noble"]),
        "passes out of range": lambda data: data.update(passes=9),
        "unknown rules": lambda data: data.update(rules=99),
        "last round without points": lambda data: data.update(last_round=True),
        "one place too many": lambda data: data["rows"][0].append(None),
        "passes negative": lambda data: data.update(passes=-1),
        "passes one too many": lambda data: data.update(passes=3),
        "rules of version 0": lambda data: data.update(rules=0),
        "rules of the next version": lambda data: data.update(rules=3),
        "one noble too few": lambda data: data["nobles"].pop(),
        "one noble too many": lambda data: data["nobles"].append(min({*NOBLES} - {*data["nobles"]})),
        "over for no reason": lambda data: data.update(to_act=None, phases=[], passes=1),
    },
    "duel": {
        "a bag of eight kinds": lambda data: data.update(bag=[*data["bag"], 0]),
        "a board too small": lambda data: data.update(board=data["board"][:-1]),
        "an unknown token": lambda data: data.update(board=data["board"].replace("w", "x", 1)),
        "an unknown royal card": lambda data: data["royals"].__setitem__(0, "crown"),
        "privileges negative": lambda data: data.update(privileges=-1),
        "no draw": lambda data: data.update(draws=0),
        "one privilege too many": lambda data: data.update(privileges=3),
        "one royal card too few": lambda data: data["royals"].pop(),
        "a royal card not earned": lambda data: data["players"][0]["royals"].append(data["royals"].pop()),
        "over for no reason": lambda data: data.update(to_act=None, phases=[]),
        "nothing to match": lambda data: data.update(phases=["match"]),
        "nothing to steal": lambda data: data.update(phases=["steal"]),
        "a card with the ability was not the last": lambda data: _owns(data, _steals, _is_plain),
        "a royal card with the ability was not the last": lambda data: _owns(
            data, *[_has_two_crowns] * 3, _is_plain, royals=("steal", "privilege")
        ),
        "no royal card due": lambda data: data.update(phases=["royal"]),
        "no joker to attach": lambda data: data.update(phases=["attach"]),
        "a card of unknown colour": lambda data: data["players"][0]["cards"].append(
            {"card": "1-white-01", "colour": 9}
        ),
    },
}


with Path(__file__).with_name("damages.csv").open(newline="") as file:
    DAMAGES = {(row["title"], row["damage"]): row["fault"] for row in csv.DictReader(file)}


@pytest.mark.parametrize(("slug", "what"), [(slug, what) for slug in OWN for what in (*COMMON, *OWN[slug])])
def test_each_kind_of_damage_is_refused(slug: str, what: str) -> None:
    """`damages.csv` lists our messages, which are for developers. If the library refuses the shape, none is listed."""
    data = json.loads(dumps(slug)[0])
    (COMMON | OWN[slug])[what](data)
    with pytest.raises(DamagedState) as refusal:
        TITLES[slug].ruleset.load(data)
    assert ("" if refusal.value.__cause__ else str(refusal.value)) == DAMAGES[slug, what]


@every_title
@pytest.mark.parametrize("data", [None, [], 1, "x", {"seed": 1}])
def test_other_data_is_refused(slug: str, data: Any) -> None:
    with pytest.raises(DamagedState):
        TITLES[slug].ruleset.load(data)
