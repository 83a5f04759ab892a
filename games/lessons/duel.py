"""The lessons of Splendor Duel."""

from collections.abc import Callable

from games.lessons.base import Facts, Lesson, Tried
from games.lessons.hints import to_buy, to_collect, wanted
from games.rules import tokens
from games.rules.base import CodeAndFacts
from games.rules.duel.actions import CROWNS_FOR_ROYAL, Attach, Buy, Replenish, Reserve, Take, UsePrivilege
from games.rules.duel.cards import CARDS, COLOURS, KINDS, ROYALS, SPACES, Ability
from games.rules.duel.ruleset import PRIVILEGES, TOKENS, Duel
from games.rules.duel.state import CROWNS_TO_WIN, Observation, Owned, Phase, Player, State, price
from games.rules.hand import DECKS, Reserved, level

RULESET = Duel()
SEED = bytes(32)


def _player(held: str = "-", cards: str = "", reserved: str = "", privileges: int = 0, royals: str = "") -> Player:
    """A player with these tokens and things, named in one text each; a joker with its colour, as `1-wild-01/r`."""
    hand = tuple(Reserved(card, blind=False) for card in reserved.split())
    owned = tuple(map(_owned, cards.split()))
    return Player(tokens.parse(held, KINDS), privileges, owned, tuple(royals.split()), hand)


def _owned(name: str) -> Owned:
    card, _, colour = name.partition("/")
    return Owned(card, COLOURS.index(colour) if colour else CARDS[card].bonus)


def _state(board: str, pyramid: tuple[str, str, str], me: Player, rival: Player, phase: Phase = Phase.TURN) -> State:
    """A position with `me` to act. `pyramid` are the cards on the table, from level 1. All other cards are in the
    decks, and all other tokens in the bag."""
    spaces = board.replace(" ", "")
    table = tuple(tuple(row.split()) for row in pyramid)
    gone = {owned.card for player in (me, rival) for owned in player.cards}.union(
        *table, *((held.card for held in player.reserved) for player in (me, rival))
    )
    bag = tokens.subtract(TOKENS, tuple(spaces.count(kind) for kind in KINDS))
    for player in (me, rival):
        bag = tokens.subtract(bag, player.tokens)
    return State(
        seed=SEED,
        number=0,
        draws=1,
        board=spaces,
        bag=bag,
        decks=tuple(
            tuple(card for card in CARDS if level(card) == deck and card not in gone) for deck in DECKS.values()
        ),
        pyramid=table,
        royals=tuple(royal for royal in ROYALS if royal not in (*me.royals, *rival.royals)),
        privileges=PRIVILEGES - me.privileges - rival.privileges,
        players=(me, rival),
        to_act=0,
        phases=(phase,),
        extra_turn=False,
    )


def does(tried: Tried) -> CodeAndFacts:
    """The kind of a decision, and its facts."""
    state = tried.before
    match tried.action:
        case Take(spaces) as take:
            taken = tokens.spell(tuple(sum(state.board[space] == kind for space in spaces) for kind in KINDS), KINDS)
            kind = "gift" if _gives(tried) else "take"
            return CodeAndFacts(kind, tokens=taken, spaces=take.text, number=len(spaces))
        case Reserve(target, gold):
            return CodeAndFacts("blind" if target in DECKS else "reserve", target=target, space=SPACES[gold])
        case Buy(card) as buy:
            return CodeAndFacts(
                "buy",
                card=card,
                payment=tokens.spell(buy.paid, KINDS),
                points=CARDS[card].prestige,
                crowns=CARDS[card].crowns,
                ability=str(CARDS[card].abilities[0]),
            )
        case UsePrivilege(space):
            return CodeAndFacts("privilege", token=state.board[space], space=SPACES[space])
        case Replenish():
            return CodeAndFacts("replenish", drawn=sum(state.bag))
        case Attach(colour):
            return CodeAndFacts("attach", colour=COLOURS[colour])
    raise ValueError(f"no lesson has the decision {tried.action}")


def _gives(tried: Tried) -> bool:
    """Whether the other player takes a privilege."""
    return tried.caused("privilege_gained") or tried.caused("privilege_taken_over")


# --- which decisions are right ---


def _carries(ability: Ability) -> Callable[[Tried], bool]:
    return lambda tried: isinstance(tried.action, Buy) and ability in CARDS[tried.action.card].abilities


def _takes_pearl(tried: Tried) -> bool:
    spaces = tried.action.spaces if isinstance(tried.action, Take) else ()
    return any(tried.before.board[space] == "p" for space in spaces) and not _gives(tried)


def _fetches_pearl(tried: Tried) -> bool:
    return isinstance(tried.action, UsePrivilege) and tried.before.board[tried.action.space] == "p"


def _wins(tried: Tried) -> bool:
    outcome = RULESET.outcome(tried.step.state)
    return outcome is not None and outcome.winners == (0,)


GOAL = "2-black-03"
"""The card of the lesson about jokers."""


def _due(state: State) -> tokens.Tokens:
    """The tokens that the player would lack for that card."""
    due = price(CARDS[GOAL], state.players[0].bonuses)
    return tuple(max(0, wanted - held) for wanted, held in zip((*due, 0), state.players[0].tokens, strict=True))


# --- facts for remarks ---


def _short(tried: Tried) -> Facts:
    return {"lack": tokens.spell(_due(tried.step.state), KINDS), "goal": GOAL}


def _meters(tried: Tried) -> Facts:
    me = tried.step.state.players[0]
    return {"total": me.points, "crowned": me.crowns, "best": max(me.colour_points), "way": me.victory or "none"}


def _crowned(tried: Tried) -> Facts:
    return {"crowned": tried.step.state.players[0].crowns}


PYRAMID = (
    "1-white-02 1-blue-01 1-green-04 1-red-05 1-black-03",
    "2-white-02 2-blue-04 2-green-01 2-red-03",
    "3-white-01 3-green-02 3-black-01",
)
LINES = "wk.gu gurkp .g*ru wu.kr kpg*w"
ABILITIES = (
    "..wu. rgu.k w*gk. ...*. ....p",
    (
        "1-white-03 1-blue-02 1-black-04 1-green-05 1-red-04",
        "2-blue-03 2-green-02 2-white-02 2-red-04",
        "3-white-02 3-blue-01 3-green-02",
    ),
    _player("wwuugrrkp", "1-blue-01 1-blue-05 1-red-02 1-red-05 1-white-02 1-green-01 1-black-02"),
    _player("grk", "1-white-01 1-black-01 1-green-03", privileges=1),
)


def _ability(name: str, ability: Ability) -> Lesson:
    return Lesson(name, _state(*ABILITIES), _carries(ability), "cards")


LESSONS = (
    Lesson(
        "lines",
        _state(LINES, PYRAMID, _player(), _player("*", reserved="2-white-04")),
        lambda tried: isinstance(tried.action, Take) and len(tried.action.spaces) == 3,
        "vault",
    ),
    Lesson(
        "gold",
        _state(LINES, PYRAMID, _player("wr"), _player("*", reserved="2-white-04")),
        lambda tried: isinstance(tried.action, Reserve),
        "cards",
    ),
    Lesson(
        "pearls",
        _state("wppgu kkkrw .u*gr g.uwr .*u..", PYRAMID, _player("*"), _player()),
        _takes_pearl,
        "vault",
    ),
    Lesson(
        "privilege",
        _state(
            "kr.w. .gk.p .w.r. r.*kg .kw..",
            ("1-white-03 1-blue-01 1-green-04 1-red-05 1-black-03", *PYRAMID[1:]),
            _player("uugg", "1-white-01", privileges=1),
            _player("uu", "1-green-05"),
        ),
        _fetches_pearl,
        "vault",
    ),
    Lesson(
        "replenish",
        _state("..... .w... ...k. ..... .....", PYRAMID, _player("uugr"), _player("rrk*")),
        lambda tried: isinstance(tried.action, Replenish),
        "vault",
    ),
    _ability("again", Ability.EXTRA_TURN),
    _ability("match", Ability.TAKE_SAME_COLOUR),
    _ability("scroll", Ability.TAKE_PRIVILEGE),
    _ability("steal", Ability.STEAL_TOKEN),
    Lesson(
        "joker",
        _state(
            "..wu. rgu.. w*g.u .rw*. g....",
            (PYRAMID[0], "2-black-03 2-blue-04 2-green-01 2-white-02", PYRAMID[2]),
            _player("kkkp", "1-red-02 1-black-02 1-white-05 1-wild-04/"),
            _player("ugr", "1-white-01 1-black-01 1-green-03"),
            Phase.ATTACH,
        ),
        lambda tried: isinstance(tried.action, Attach) and not any(_due(tried.step.state)),
        "decision",
        _short,
    ),
    Lesson(
        "crowns",
        _state(
            "..wu. rgu.. .*g.u .rw*. g....",
            (
                "1-white-02 1-white-01 1-black-03 1-red-05 1-red-04",
                "2-blue-04 2-white-02 2-green-01 2-black-01",
                PYRAMID[2],
            ),
            _player("wwrrkkkp", "1-blue-04 1-green-04"),
            _player("ug", "1-blue-01 1-black-01 1-green-03"),
        ),
        lambda tried: Phase.ROYAL in tried.step.state.phases,
        "cards",
        _crowned,
    ),
    Lesson(
        "victory",
        _state(
            "..w.. .gu.. .*g.. ..w*k g...p",
            (
                "1-red-02 1-white-01 1-black-03 1-red-05 1-green-05",
                "2-none-01 2-blue-04 2-white-02 2-black-01",
                "3-white-01 3-green-02 3-black-02",
            ),
            _player(
                "uurrrkp",
                "1-blue-05 1-white-04 1-green-04 1-black-02 2-blue-01 1-wild-01/k 2-blue-03 2-white-03 2-red-03 "
                "2-wild-01/g 3-wild-01/r 3-blue-02",
                royals="extra-turn steal",
            ),
            _player("ugr", "1-blue-01 1-black-01 1-green-03 2-green-03 2-red-02 3-red-02 1-white-05 1-red-01"),
        ),
        _wins,
        "seats",
        _meters,
    ),
)
"""The lessons in order."""


def hint(seen: Observation) -> CodeAndFacts | None:
    """The hint for a first game, for the seat that observes. It never names a joker, which needs another card."""
    assert seen.seat is not None
    me = seen.players[seen.seat]
    rows = [[None if card and CARDS[card].joker else card for card in row] for row in seen.pyramid]
    hand = tuple(kept for kept in me.reserved if kept.card is None or not CARDS[kept.card].joker)
    cards = wanted(rows, hand, me.tokens, lambda card: price(CARDS[card], me.bonuses))
    goal = next((goal for goal in CROWNS_FOR_ROYAL if me.crowns < goal), CROWNS_TO_WIN)
    for each in cards:
        if not each.short and me.crowns + CARDS[each.card].crowns >= goal:
            return CodeAndFacts("crowns", slot=each.slot, crowns=goal)
    points = {each.card: CARDS[each.card].prestige for each in cards}
    if bought := to_buy(cards, points, me.cards):
        return bought
    there = tuple(map(seen.board.count, KINDS))
    nearest = cards[0] if cards else None
    if nearest and sum(nearest.lack) == 1 and me.privileges and any(map(min, nearest.lack, there)):
        return CodeAndFacts("privilege", slot=nearest.slot, lack=nearest.spelled(KINDS))
    return to_collect(cards, me.tokens, KINDS, me.reserved, there)
