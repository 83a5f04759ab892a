"""The board of Splendor for one reader at one moment.

Prices and needs are computed for whoever reads; what is possible is only read off the legal notations.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from games.boards.common import BETWEEN, GEMS
from games.boards.splendor.draft import Draft, join
from games.boards.splendor.market import (
    After,
    Card,
    Count,
    Deck,
    Level,
    Means,
    Need,
    Noble,
    Pile,
    Price,
    Rival,
    Trace,
)
from games.boards.splendor.parts import (
    Board,
    Decision,
    Doing,
    Give,
    Hold,
    Kept,
    Part,
    Payment,
    Runner,
    Seat,
    Share,
)
from games.rules import tokens
from games.rules.base import Action, Event
from games.rules.hand import SIZE
from games.rules.splendor.actions import PAIR_NEEDS
from games.rules.splendor.cards import CARDS, COLOURS, GOLD, KINDS, LEVELS, NOBLES
from games.rules.splendor.ruleset import supply
from games.rules.splendor.state import TARGET, Observation, Phase, price
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

SEALS = {noble: f"seal-{index}" for index, noble in enumerate(NOBLES)}


def build(
    seen: Observation,
    legal: Sequence[Action[Any]],
    staged: Sequence[str],
    prefix: str,
    before: Observation | None = None,
    *,
    since: Sequence[Event] = (),
) -> Board:
    """The board after the complete decisions `staged` were tried out, `seen` and `legal` being the position then,
    `before` the one without them; `prefix` is the piece that is not tried out, complete or not. `since` are the
    events that the reader was shown since the last turn."""
    draft = Draft.read(staged, prefix, KINDS, legal)
    return _Builder(seen, draft, before or seen, since).board()


class _Builder:
    def __init__(self, seen: Observation, draft: Draft, before: Observation, since: Sequence[Event]) -> None:
        self.seen, self.draft, self.before = seen, draft, before
        self.me = None if seen.seat is None else seen.players[seen.seat]
        self.bonuses = [player.bonuses for player in seen.players]
        self.parts = tuple(_part(piece) for piece in (*draft.staged, draft.piece) if piece)
        self.traces = dict(_traces(since, seen.seat))
        self.takers = _takers(since, seen.seat)
        first = seen.seat or 0
        self.order = [(first + turn) % len(seen.players) for turn in range(len(seen.players))]
        # What the piece that is not tried out would move from the supply to the reader.
        self.moved = self._moved(_part(draft.piece)) if draft.action else _tokens(draft, "take", 1)
        if not draft.action and draft.word == "return":
            self.moved = _tokens(draft, "return", -1)
        self.held = tokens.add(self.me.tokens, self.moved) if self.me else None

    def board(self) -> Board:
        seen, before, draft = self.seen, self.before, self.draft
        levels = tuple(self._level(level) for level in reversed(LEVELS))
        seats = tuple(self._seat(index) for index in self.order)
        nobles = tuple(self._nobles())
        return Board(
            number=seen.number - len(draft.staged),
            seat=seen.seat,
            to_act=before.to_act,
            mine=seen.seat is not None and seen.seat == before.to_act and bool(draft.legal or draft.staged),
            phase=str((before if not draft.legal else seen).phases[0]) if before.phases else "",
            last_round=before.last_round,
            target=TARGET,
            limit=LIMIT,
            hand=SIZE,
            draft=draft.text,
            levels=levels,
            bank=tuple(self._pile(index) for index in range(len(KINDS))),
            nobles=nobles,
            seats=seats,
            race=tuple(self._race()),
            decision=self._decision(levels, seats, nobles),
        )

    # --- what lies on the table ---

    def _level(self, level: int) -> Level:
        name = f"L{level}"
        deck = Deck(
            level,
            self.seen.decks[level - 1],
            self.draft.to(f"reserve {name}"),
            Part("reserve", name) in self.parts,
        )
        row = self.seen.rows[level - 1]
        places = (self._card(card, f"T{level}-{place}") if card else None for place, card in enumerate(row, 1))
        return Level(level, deck, tuple(places))

    def _card(self, name: str, slot: str = "") -> Card:
        card, me, draft = CARDS[name], self.me, self.draft
        bonuses = self.bonuses[self.seen.seat] if self.seen.seat is not None else (0,) * len(COLOURS)
        due = price(card, bonuses)
        means = _means(due, me.tokens) if me else None
        ways = draft.ways(f"buy {name} =")
        part = next((part for part in self.parts if part.what == name), None)
        payment = part.payment if part and part.payment else _part(ways[0]).payment if ways else ""
        after = None
        if me and payment:
            paid = tokens.parse(payment, KINDS)
            after = After(bonuses[card.bonus] + 1, me.points + card.prestige, sum(me.tokens) - sum(paid))
        else:
            paid = (*map(min, due, me.tokens), 0) if me else (*due, 0)
        return Card(
            id=name,
            level=card.level,
            slot=slot,
            kind=COLOURS[card.bonus],
            points=card.prestige,
            prices=tuple(
                Price(kind, printed, bonuses[i], due[i], me.tokens[i] if me else 0, paid[i], due[i] - paid[i])
                for i, (kind, printed) in enumerate(zip(COLOURS, card.cost, strict=True))
                if printed
            ),
            due=tokens.spell(due, COLOURS),
            printed=tokens.spell(card.cost, COLOURS),
            means=means,
            payment=payment,
            after=after,
            rivals=tuple(
                Rival(index, _means(price(card, self.bonuses[index]), rival.tokens))
                for index in self.order
                if (rival := self.seen.players[index]) is not me
            ),
            buy=draft.to(ways[0]) if ways else None,
            pay=draft.on(f"buy {name} =") if len(ways) > 1 else None,
            reserve=draft.to(f"reserve {name}"),
            chosen="buy" if part and part.word == "buy" else "reserve" if part else "",
            trace=self.traces.get(name),
        )

    def _pile(self, index: int) -> Pile:
        kind = KINDS[index]
        number, left = self.before.bank[index], self.seen.bank[index] - self.moved[index]
        picked = sum(part.what.count(kind) for part in self.parts if part.word == "take")
        take = self._tap("take", kind)
        if picked and take is None:
            take = self._untake(kind)
        return Pile(
            kind=kind,
            number=number,
            left=left,
            held=self.held[index] if self.held else None,
            picked=picked,
            pair=index != GOLD and number >= PAIR_NEEDS,
            supply=supply(len(self.seen.players))[index],
            takers=self.takers.get(kind, ()),
            take=take,
        )

    def _tap(self, word: str, kind: str) -> str | None:
        """Where a click on a token leads: a choice that is complete, and after which more is to be decided in the same
        turn, is staged."""
        link = self.draft.tap(word, kind)
        return self._onward(link.rpartition(BETWEEN)[2]) or link if link else link

    def _onward(self, piece: str, *, growing: bool = False) -> str | None:
        """The draft with that piece staged, if it is complete and something follows; one that may still grow is staged
        only if told."""
        part, draft = _part(piece), self.draft
        if piece not in draft.legal or not self.me or (draft.grows(piece) and not growing):
            return None
        excess = part.word == "take" and sum(self.me.tokens) + len(part.what) > LIMIT
        return draft.on(piece) + BETWEEN if excess or len(self.seen.phases) > 1 else None

    def _untake(self, kind: str) -> str | None:
        """The draft without that gem, where the take is tried out already; what was decided after it goes too."""
        for index, part in enumerate(map(_part, self.draft.staged)):
            if part.word == "take":
                rest = part.what.replace(kind, "")
                return join(self.draft.staged[:index], f"take {rest}" if rest else "")
        return None

    def _nobles(self) -> Iterator[Noble]:
        owners = {noble: index for index in self.order for noble in self.seen.players[index].nobles}
        for name in (*self.seen.nobles, *owners):
            noble = NOBLES[name]
            yield Noble(
                id=name,
                points=noble.prestige,
                seal=SEALS[name],
                needs=tuple(
                    Need(
                        COLOURS[i],
                        number,
                        tuple(max(number - self.bonuses[seat][i], 0) for seat in self.order),
                    )
                    for i, number in enumerate(noble.needs)
                    if number
                ),
                owner=owners.get(name),
                choose=self.draft.to(f"noble {name}"),
                chosen=Part("noble", name) in self.parts,
            )

    # --- who sits there ---

    def _seat(self, index: int) -> Seat:
        player, me = self.seen.players[index], index == self.seen.seat
        now = self.held if me and self.held else player.tokens
        was = self.before.players[index].tokens
        bonuses = (*self.bonuses[index], 0)
        return Seat(
            index=index,
            me=me,
            to_act=index == self.before.to_act,
            points=player.points,
            holds=tuple(map(Hold, KINDS, bonuses, now, was)),
            tokens=sum(now),
            cards=len(player.cards),
            reserved=tuple(
                Kept(held.level, self._card(held.card) if held.card else None, held.blind) for held in player.reserved
            ),
            nobles=player.nobles,
        )

    def _race(self) -> Iterator[Runner]:
        for lane, index in enumerate(reversed(self.order)):
            points = self.seen.players[index].points
            yield Runner(index, points, min(points, TARGET), lane)

    # --- what is decided ---

    def _decision(self, levels: tuple[Level, ...], seats: tuple[Seat, ...], nobles: tuple[Noble, ...]) -> Decision:
        draft = self.draft
        hand = [held.card for held in seats[0].reserved] if self.me else []
        cards = [card for card in (*(card for level in levels for card in level.places), *hand) if card]
        decks = [level.deck for level in levels]
        taken = "".join(part.what for part in self.parts if part.word == "take")
        given = "".join(part.what for part in self.parts if part.word == "return")
        total = sum(self.held or ()) + len(given)
        sizes = [len(way) for way in self._longer()]
        return Decision(
            doing=self._doing(),
            taken=tuple(GEMS[kind] for kind in taken),
            missing=max(sizes, default=0) - len(draft.rest) if sizes else 0,
            again=draft.word == "take" and draft.to(f"{draft.piece}{draft.rest}") is not None,
            total=total,
            excess=max(total - LIMIT, 0),
            gives=self._gives(given),
            card=next((card for card in cards if card.chosen), None),
            deck=next((deck for deck in decks if deck.chosen), None),
            gold=self.seen.bank[GOLD] > 0,
            shares=tuple(self._shares()),
            payments=tuple(self._payments()),
            nobles=tuple(noble for noble in nobles if noble.choose),
            passing=draft.to("pass"),
            buyable=tuple(sorted((card for card in cards if card.buy), key=lambda card: card.state == "gold")),
            parts=tuple(map(_part, draft.confirm.split(BETWEEN))) if draft.confirm else (),
            action=draft.action,
            confirm=draft.confirm,
            onward=self._onward(draft.piece, growing=True),
            undo=draft.undo,
        )

    def _doing(self) -> Doing:
        draft = self.draft
        if self.before.to_act is None:
            return "over"
        if self.seen.seat is None:
            return "look"
        if self.before.to_act != self.seen.seat or not (draft.legal or draft.staged):
            return "wait"
        if draft.word in ("take", "reserve", "buy"):
            return "pay" if draft.word == "buy" and not draft.action else draft.word  # type: ignore[return-value]
        if not draft.legal:
            return "done"
        return {Phase.MAIN: "main", Phase.RETURN: "return", Phase.NOBLE: "noble"}[self.seen.phases[0]]  # type: ignore[return-value]

    def _longer(self) -> list[str]:
        """The tokens of the legal ways to end the piece in hand, where it is one of tokens."""
        if self.draft.word not in ("take", "return"):
            word = "return" if self.draft.ways("return ") else ""
        else:
            word = self.draft.word
        if not word:
            return []
        chosen = self.draft.rest
        rests = (way.partition(" ")[2] for way in self.draft.ways(f"{word} "))
        return [rest for rest in rests if all(rest.count(kind) >= chosen.count(kind) for kind in chosen)]

    def _gives(self, given: str) -> tuple[Give, ...]:
        if not self.draft.ways("return ") or not self.held:
            return ()
        return tuple(
            Give(kind, left, given.count(kind), self._tap("return", kind))
            for kind, left in zip(KINDS, self.held, strict=True)
            if left + given.count(kind)
        )

    def _payments(self) -> Iterator[Payment]:
        part = _part(self.draft.piece)
        ways = self.draft.ways(f"buy {part.what} =") if part.word == "buy" else []
        for way in ways if len(ways) > 1 else ():
            spelled = _part(way).payment
            yield Payment(spelled, _counts(spelled), self.draft.on(way))

    def _shares(self) -> Iterator[Share]:
        part = _part(self.draft.piece)
        if part.word != "buy" or part.payment in ("", "-"):
            return
        paid = tokens.parse(part.payment, KINDS)

        def swap(gone: int, come: int) -> str | None:
            shifted = tokens.add(tokens.subtract(paid, tokens.single(gone, KINDS)), tokens.single(come, KINDS))
            way = f"buy {part.what} = {tokens.spell(shifted, KINDS)}" if min(shifted) >= 0 else ""
            return self.draft.on(way) if way in self.draft.legal else None

        for index, number in enumerate(paid):
            less, more = (None, None) if index == GOLD else (swap(index, GOLD), swap(GOLD, index))
            if number or more:
                yield Share(KINDS[index], number, less, more)

    def _moved(self, part: Part) -> Tokens:
        """What a complete piece moves from the supply to the reader."""
        if part.word == "take":
            return tokens.parse(part.what, KINDS)
        if part.word in ("return", "buy"):
            return tokens.subtract((0,) * len(KINDS), tokens.parse(part.payment or part.what, KINDS))
        if part.word == "reserve" and self.seen.bank[GOLD]:
            return tokens.single(GOLD, KINDS)
        return (0,) * len(KINDS)


def _part(notation: str) -> Part:
    word, _, rest = notation.partition(" ")
    what, _, payment = (text.strip() for text in rest.partition("="))
    return Part(word, what, payment)


def _tokens(draft: Draft, word: str, sign: int) -> Tokens:
    """The tokens of the unfinished piece, if it is of that word."""
    return tuple(sign * draft.rest.count(kind) if draft.word == word else 0 for kind in KINDS)


def _means(due: Tokens, held: Tokens) -> Means:
    gold = tokens.least_gold(due, held)[GOLD]
    lacking = [kind for kind, wanted, there in zip(COLOURS, due, held, strict=False) if wanted > there]
    short = max(gold - held[GOLD], 0)
    lacks = lacking[0] if short and len(lacking) == 1 else ""
    return Means("short" if short else "gold" if gold else "buy", gold, short, lacks)


def _counts(spelled: str) -> tuple[Count, ...]:
    return tuple(Count(kind, spelled.count(kind)) for kind in KINDS if kind in spelled)


def _traces(since: Sequence[Event], reader: int | None) -> Iterator[tuple[str, Trace]]:
    """By the card that lies there now: who took the one before it."""
    last: Event | None = None
    for event in since:
        if event.code in ("bought", "reserved"):
            last = event
        elif event.code == "revealed" and last and last.facts["seat"] != reader:
            card = CARDS[str(last.facts["card"])]
            gem = GEMS[COLOURS[card.bonus]]
            yield str(event.facts["card"]), Trace(int(last.facts["seat"]), last.code, card.prestige, gem)


def _takers(since: Sequence[Event], reader: int | None) -> dict[str, tuple[int, ...]]:
    """By kind of token: the other seats that took some, the last one last."""
    takers: dict[str, tuple[int, ...]] = {}
    for event in since:
        if event.code == "took" and event.facts["seat"] != reader:
            seat = int(event.facts["seat"])
            for kind in set(str(event.facts["tokens"])):
                takers[kind] = (*(other for other in takers.get(kind, ()) if other != seat), seat)
    return takers
