"""First moves: the site keeps a stock of deals, each for one visitor who plays a first move in it."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from accounts import services as accounts
from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from games.models.position import Deal
from games.rules import chance
from games.services import play
from games.services.clocks.moment import now
from games.services.play import Look
from games.services.tables import guests, tables

DEALS = 200
"""The number of deals that the site keeps."""
DEAL_TIME = timedelta(hours=1)
"""How long a deal is offered. It can be played for as long again, on pages that are still open."""

RENEWED_BEFORE = timedelta(minutes=1)
"""How long before the end of that time deals count as too old when the stock is refilled."""


class Gone(Exception):
    """Somebody has played this deal, or it is too old."""


@dataclass(frozen=True)
class Offer:
    """A deal as a visitor may see it."""

    key: str
    title: str
    commitment: str
    opening: object
    """Its picture."""


def renew() -> None:
    """Delete old deals, and refill the stock when half of it has been played or is too old."""
    at = now()
    Deal.objects.filter(made_at__lte=at - 2 * DEAL_TIME).delete()
    fresh = Deal.objects.filter(made_at__gt=at - DEAL_TIME + RENEWED_BEFORE).count()
    if fresh <= DEALS // 2:
        title = next(iter(TITLES))
        seeds = (secrets.token_bytes(chance.SEED_BYTES).hex() for _deal in range(DEALS - fresh))
        Deal.objects.bulk_create(Deal(title=title, seed=seed, made_at=at) for seed in seeds)


def pick() -> tuple[Offer, Look] | None:
    """A random deal and the view of it, if there are any deals."""
    deal = Deal.objects.filter(made_at__gt=now() - DEAL_TIME).order_by("?").first()
    return _tried(deal, "") if deal else None


def look(key: str, draft: str) -> tuple[Offer, Look]:
    """The deal, with the draft of a first move tried out. Raises `Gone`."""
    return _tried(_deal(key), draft)


def play_first(key: str, notations: list[str], user: User | None) -> tuple[Game, User]:
    """A game against the weakest bot with that deal, in which the user, or a new guest, has made these decisions.
    Raises `Gone`, `TableRefusal`, or the `Refusal` of the rules; then nothing has changed."""
    with transaction.atomic():
        deal = _deal(key)
        if not Deal.objects.filter(pk=deal.pk).delete()[0]:
            raise Gone
        host = user or accounts.create_guest()
        game = tables.create(host, guests.first_table(deal.title), bytes.fromhex(deal.seed))
        play.submit(game, play.Actor(host), 0, notations)
        return game, host


def _deal(key: str) -> Deal:
    deal = Deal.objects.filter(key=key.replace("\0", ""), made_at__gt=now() - 2 * DEAL_TIME).first()
    if deal is None:
        raise Gone
    return deal


def _tried(deal: Deal, draft: str) -> tuple[Offer, Look]:
    ruleset, spec = TITLES[deal.title].ruleset, guests.first_table(deal.title)
    state = ruleset.initial(spec.seats, bytes.fromhex(deal.seed))
    return _offer(deal), play.try_out(ruleset, state, state.to_act, draft)


def _offer(deal: Deal) -> Offer:
    title, seed = TITLES[deal.title], bytes.fromhex(deal.seed)
    commitment = chance.commitment(deal.title, title.ruleset.version, seed)
    return Offer(deal.key, deal.title, commitment, title.opening(seed))
