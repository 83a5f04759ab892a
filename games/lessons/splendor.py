"""The lessons of Splendor."""

from games.lessons.base import Facts, Lesson, Tried
from games.lessons.hints import to_buy, to_collect, wanted
from games.rules import tokens
from games.rules.base import CodeAndFacts
from games.rules.hand import DECKS, Reserved, level
from games.rules.splendor.actions import Buy, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, COLOURS, GOLD, KINDS, NOBLES
from games.rules.splendor.ruleset import Splendor, supply
from games.rules.splendor.state import Observation, Phase, Player, State, price
from games.rules.tokens import Tokens

RULESET = Splendor()
SEED = bytes(32)


def _player(held: str = "-", cards: str = "", reserved: str = "", nobles: str = "") -> Player:
    """A player with these tokens and things, named in one text each."""
    hand = tuple(Reserved(card, blind=False) for card in reserved.split())
    return Player(tokens.parse(held, KINDS), tuple(cards.split()), hand, tuple(nobles.split()))


def _state(
    rows: tuple[str, str, str],
    nobles: str,
    *players: Player,
    seat: int = 0,
    phase: Phase = Phase.MAIN,
    last_round: bool = False,
) -> State:
    """A position of two players. `rows` are the cards on the table, from level 1. All other cards are in the decks, and
    all other tokens in the bank."""
    table = tuple(tuple(row.split()) for row in rows)
    owned = {card for player in players for card in (*player.cards, *(held.card for held in player.reserved))}
    gone = owned.union(*table)
    bank = supply(len(players))
    for player in players:
        bank = tokens.subtract(bank, player.tokens)
    return State(
        seed=SEED,
        number=0,
        bank=bank,
        decks=tuple(
            tuple(card for card in CARDS if level(card) == deck and card not in gone) for deck in DECKS.values()
        ),
        rows=table,
        nobles=tuple(nobles.split()),
        players=players,
        to_act=seat,
        phases=(phase,),
        last_round=last_round,
        passes=0,
        rules=RULESET.version,
    )


def does(tried: Tried) -> CodeAndFacts:
    """The kind of a decision, and its facts."""
    match tried.action:
        case Take(taken):
            return CodeAndFacts("pair" if max(taken) == 2 else "take", tokens=tokens.spell(taken, KINDS))
        case Reserve(target):
            return CodeAndFacts("blind" if target in DECKS else "reserve", target=target)
        case Buy(card) as buy:
            return CodeAndFacts(
                "buy", card=card, payment=tokens.spell(buy.paid, KINDS), paid=sum(buy.paid), points=CARDS[card].prestige
            )
        case Return(returned):
            return CodeAndFacts("return", tokens=tokens.spell(returned, KINDS))
    raise ValueError(f"no lesson has the decision {tried.action}")


def _lacks(player: Player, card: str) -> Tokens:
    """The tokens that the player lacks for the card."""
    due = price(CARDS[card], player.bonuses)
    paid = tokens.least_gold(due, player.tokens)
    if paid[GOLD] <= player.tokens[GOLD]:
        return (0,) * len(KINDS)
    return tuple(max(0, wanted - held) for wanted, held in zip((*due, 0), player.tokens, strict=True))


def _points(tried: Tried) -> int:
    """The points of the card that was bought, if any."""
    return CARDS[tried.action.card].prestige if isinstance(tried.action, Buy) else 0


# --- which decisions are right ---


def _buys(tried: Tried) -> bool:
    return isinstance(tried.action, Buy)


def _is_reserved(tried: Tried) -> bool:
    return isinstance(tried.action, Buy) and tried.action.card in {held.card for held in tried.before.player.reserved}


def _denies(tried: Tried) -> bool:
    """Whether the decision reserves a card of many points that the next player could buy."""
    target = getattr(tried.action, "target", "")
    rival = tried.before.players[1 - tried.before.seat]
    return target in CARDS and CARDS[target].prestige >= 4 and not any(_lacks(rival, target))


def _wins(tried: Tried) -> bool:
    outcome = RULESET.outcome(tried.step.state)
    return outcome is not None and outcome.winners == (tried.before.seat,)


KEPT_FOR = "2-black-01"
"""The card of the lesson about the limit."""


def _keeps(tried: Tried) -> bool:
    return not any(_lacks(tried.step.state.players[tried.before.seat], KEPT_FOR))


# --- facts for remarks ---


def _short(tried: Tried) -> Facts:
    lack = _lacks(tried.step.state.players[tried.before.seat], KEPT_FOR)
    return {"lack": tokens.spell(lack, KINDS), "goal": KEPT_FOR}


def _colour(tried: Tried) -> Facts:
    return {"colour": COLOURS[CARDS[tried.action.card].bonus]} if isinstance(tried.action, Buy) else {}


def _noble(tried: Tried) -> Facts:
    noble = next((event.facts["noble"] for event in tried.step.events if event.code == "noble"), "")
    return {**_colour(tried), **({"noble": noble} if noble else {})}


def _standing(tried: Tried) -> Facts:
    players, seat = tried.step.state.players, tried.before.seat
    total = players[seat].points
    return {"total": total, "theirs": players[1 - seat].points, "behind": max(0, players[1 - seat].points - total)}


ROWS = (
    "1-blue-04 1-white-02 1-red-03 1-black-07",
    "2-white-03 2-blue-01 2-green-04 2-black-01",
    "3-red-04 3-blue-02 3-white-01 3-green-03",
)
COURT = "3w3u3g 4r4k 3g3r3k"
LESSONS = (
    Lesson(
        "different",
        _state(ROWS, COURT, _player(), _player()),
        lambda tried: isinstance(tried.action, Take) and sum(tried.action.taken) == 3,
        "bank",
    ),
    Lesson(
        "alike",
        _state(("1-blue-02 1-white-02 1-red-03 1-black-07", *ROWS[1:]), COURT, _player("w"), _player("ugr")),
        lambda tried: isinstance(tried.action, Take) and max(tried.action.taken) == 2,
        "bank",
    ),
    Lesson(
        "buy",
        _state(("1-blue-02 1-green-04 1-red-03 1-black-07", *ROWS[1:]), COURT, _player("wukk"), _player("ugr")),
        _buys,
        "cards",
        _colour,
    ),
    Lesson(
        "bonuses",
        _state(
            ("1-black-03 1-blue-07 1-green-03 1-white-02", "2-green-01 2-blue-01 2-white-06 2-red-04", ROWS[2]),
            COURT,
            _player("urk", "1-white-01 1-white-03 1-blue-01 1-green-01 1-green-05 1-red-02"),
            _player("gw", "1-white-04 1-black-02 1-red-04"),
        ),
        lambda tried: isinstance(tried.action, Buy) and sum(tried.action.paid) == 1,
        "cards",
        _colour,
    ),
    Lesson(
        "gold",
        _state(
            ("1-green-01 1-blue-06 1-white-07 1-black-06", "2-white-03 2-blue-01 2-green-04 2-black-01", ROWS[2]),
            COURT,
            _player("rr**", "1-red-01 1-blue-03"),
            _player("guk", "1-white-04 1-black-02"),
        ),
        lambda tried: _points(tried) > 0,
        "cards",
    ),
    Lesson(
        "reserve",
        _state(
            ("1-white-05 1-blue-06 1-red-07 1-black-06", ROWS[1], "3-red-02 3-blue-02 3-white-01 3-black-03"),
            COURT,
            _player("wur", "1-red-01 1-blue-03"),
            _player("ggg", "1-green-01 1-green-02 1-green-03 1-green-04"),
        ),
        _denies,
        "cards",
    ),
    Lesson(
        "reserved",
        _state(
            ("1-white-05 1-blue-06 1-red-06 1-black-06", ROWS[1], "3-green-01 3-blue-02 3-white-01 3-black-03"),
            COURT,
            _player("rrkk*", "1-black-01 1-black-02 1-black-03 1-red-01", reserved="2-red-03"),
            _player("ggw", "1-green-01 1-green-02 1-green-03 1-green-04"),
        ),
        _is_reserved,
        "hand",
    ),
    Lesson(
        "return",
        _state(
            ("1-white-05 1-blue-06 1-red-07 1-black-06", ROWS[1], ROWS[2]),
            COURT,
            _player("wwwuuuggrrkk"),
            _player("g", "1-green-01 1-red-01"),
            phase=Phase.RETURN,
        ),
        _keeps,
        "bank",
        _short,
    ),
    Lesson(
        "nobles",
        _state(
            ("1-green-01 1-green-05 1-red-06 1-black-08", ROWS[1], ROWS[2]),
            COURT,
            _player(
                "rrrkk",
                "1-white-01 1-white-03 1-white-04 1-blue-01 1-blue-02 1-blue-03 1-green-02 1-green-03",
            ),
            _player("gu", "1-black-01 1-black-02 1-red-01 1-red-02"),
        ),
        lambda tried: tried.caused("noble"),
        "nobles",
        _noble,
    ),
    Lesson(
        "last",
        _state(
            (
                "1-white-05 1-blue-06 1-red-07 1-green-06",
                "2-white-04 2-red-01 2-blue-04 2-green-04",
                "3-blue-01 3-black-01 3-green-01 3-red-03",
            ),
            "4r4k 3u3g3r",
            _player(
                "wr",
                "3-blue-02 3-white-02 2-blue-06 2-green-06 1-green-08 1-white-02 1-white-04 1-blue-02 1-blue-03 "
                "1-green-03 1-black-02",
            ),
            _player(
                "ugrkk",
                "1-white-01 1-white-03 2-white-05 1-red-02 2-red-03 2-red-05 1-black-01 1-black-03 2-black-05 "
                "1-green-01 2-green-05 1-blue-01",
                nobles="3w3r3k",
            ),
            seat=1,
            last_round=True,
        ),
        _wins,
        "cards",
        _standing,
    ),
)
"""The lessons in order."""


def hint(seen: Observation) -> CodeAndFacts | None:
    """The hint for a first game, for the seat that observes."""
    assert seen.seat is not None
    me = seen.players[seen.seat]
    cards = wanted(seen.rows, me.reserved, me.tokens, lambda card: price(CARDS[card], me.bonuses))
    for noble in seen.nobles:
        missing = tuple(max(0, need - has) for need, has in zip(NOBLES[noble].needs, me.bonuses, strict=True))
        if sum(missing) == 1:
            colour = missing.index(1)
            bringing = [each for each in cards if not each.short and CARDS[each.card].bonus == colour]
            if bringing:
                return CodeAndFacts("noble_now", slot=bringing[0].slot)
            return CodeAndFacts("noble", colour=COLOURS[colour])
    points = {each.card: CARDS[each.card].prestige for each in cards}
    return to_buy(cards, points, me.cards) or to_collect(cards, me.tokens, KINDS, me.reserved, seen.bank)
