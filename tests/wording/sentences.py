"""The sentences as players read them, by title and by the code with its facts."""

import re

from games import wording
from games.rules.base import BadNotation, Event, Fact, IllegalAction, Outcome
from tests.wording.collect import RULESETS

NAMES = {"splendor": ["Ana", "Ben", "Chloé"], "duel": ["Ana", "Ben"]}

REFUSALS = {
    "splendor": {
        "unknown_action text=dance": "“dance” isn’t an action in this game.",
        "unknown_card text=4-blue-01": "There’s no card “4-blue-01”.",
        "unknown_noble text=5w": "There’s no noble “5w”.",
        "nothing_follows text=now": "Nothing can follow this action. Leave out “now”.",
        "bad_tokens text=wx": "“wx” doesn’t name tokens. Write w for diamonds, u for sapphires, g for "
        "emeralds, r for rubies, k for onyxes and * for gold.",
        "nothing_chosen": "Choose an action first.",
        "turn_is_over": "Your turn ends before the last of these actions. Leave out the rest.",
        "look_first": "One of these actions reveals something new. Confirm it first, then continue.",
        "game_over": "The game is over.",
        "not_now action=return phase=main": "First take gems, reserve a card or buy one.",
        "not_now action=take phase=return": "Return tokens first, until you hold ten.",
        "not_now action=take phase=noble": "First choose a noble.",
        "must_act": "You can only pass when no other action is possible.",
        "take_at_least_one": "Take at least one token.",
        "gold_only_by_reserving": "You can’t take gold. You get it when you reserve a card.",
        "colour_exhausted colour=w": "There are no diamonds left.",
        "colour_exhausted colour=u": "There are no sapphires left.",
        "colour_exhausted colour=g": "There are no emeralds left.",
        "colour_exhausted colour=r": "There are no rubies left.",
        "colour_exhausted colour=k": "There are no onyxes left.",
        "take_three_colours available=5": "Take three different gems or two of the same colour. There are 5 "
        "colours to choose from.",
        "different_or_two_alike": "Take three different gems, or two of the same colour and nothing else.",
        "pair_needs_four colour=g left=3": "You can only take two of a colour if at least four are left. The "
        "bank has 3 emeralds.",
        "pair_needs_four colour=k left=1": "You can only take two of a colour if at least four are left. The "
        "bank has 1 onyx.",
        "tokens_not_held tokens=rr*": "You don’t have 2 rubies and 1 gold token.",
        "return_exactly excess=1": "Return exactly 1 token to keep ten.",
        "return_exactly excess=2": "Return exactly 2 tokens to keep ten.",
        "hand_full": "You already have three reserved cards. Buy one before you reserve another.",
        "deck_empty level=3": "The level 3 deck is empty.",
        "card_not_on_table card=2-blue-06": "You can’t reserve the level 2 blue card (3 points). It isn’t on "
        "the table.",
        "card_not_for_sale card=1-red-08": "You can’t buy the level 1 red card (1 point). It’s neither on the "
        "table nor among your reserved cards.",
        "cannot_afford card=3-white-04 short=1": "You can’t buy the level 3 white card (5 points). You’re 1 "
        "token short.",
        "cannot_afford card=3-white-04 short=10": "You can’t buy the level 3 white card (5 points). You’re 10 "
        "tokens short.",
        "pay_exactly card=2-blue-06 due=uuu": "Pay exactly 3 sapphires for the level 2 blue card (3 points). "
        "Gold can replace any token.",
        "pay_exactly card=2-blue-06 due=-": "Pay nothing for the level 2 blue card (3 points). Your bonuses "
        "cover its cost.",
        "noble_not_there noble=3u3g3r": "Catherine de’ Medici isn’t on the table.",
        "noble_not_earned noble=4r4k": "You don’t have the bonuses for Henry VIII yet.",
    },
    "duel": {
        "unknown_action text=": "“” isn’t an action in this game.",
        "unknown_card text=4-blue-01": "There’s no card “4-blue-01”.",
        "unknown_royal text=king": "There’s no royal card “king”.",
        "unknown_space text=f6": "There’s no space “f6”. Rows are a to e, columns 1 to 5.",
        "unknown_space text=": "Name a space on the board too. Rows are a to e, columns 1 to 5.",
        "unknown_colour text=y": "“y” isn’t a colour. Write w for white, u for blue, g for green, r for red "
        "or k for black.",
        "nothing_follows text=now": "Nothing can follow this action. Leave out “now”.",
        "bad_tokens text=wx": "“wx” doesn’t name tokens. Write w for diamonds, u for sapphires, g for "
        "emeralds, r for rubies, k for onyxes, p for pearls and * for gold.",
        "nothing_chosen": "Choose an action first.",
        "turn_is_over": "Your turn ends before the last of these actions. Leave out the rest.",
        "look_first": "One of these actions reveals something new. Confirm it first, then continue.",
        "game_over": "The game is over.",
        "not_now action=steal phase=turn": "First take tokens, reserve a card or buy one.",
        "not_now action=privilege phase=mandatory": "You’ve replenished the board. Now take tokens, reserve a "
        "card or buy one.",
        "not_now action=take phase=attach": "First choose a colour for your joker card.",
        "not_now action=take phase=match": "First take a token to match your card.",
        "not_now action=take phase=steal": "First steal a token.",
        "not_now action=take phase=royal": "First choose a royal card.",
        "not_now action=take phase=return": "Return tokens first, until you hold ten.",
        "no_privilege": "You have no privilege to use.",
        "privilege_strands": "You can’t use a privilege for this token. It would leave you no action this turn.",
        "bag_empty": "The bag is empty, so you can’t replenish the board.",
        "name_one_token text=wu": "Name one of your opponent’s tokens. “wu” isn’t one.",
        "take_at_most_three": "Take at most three tokens.",
        "space_empty space=c3": "There’s no token on c3.",
        "not_a_line spaces=a1 b2 d4": "Take tokens in a straight line without gaps. a1, b2 and d4 don’t form one.",
        "gold_only_by_reserving": "You can’t take gold. You get it when you reserve a card.",
        "no_gold_on_board": "You can only reserve while there’s gold on the board.",
        "no_gold_there space=b4": "There’s no gold on b4.",
        "tokens_not_held tokens=p": "You don’t have 1 pearl.",
        "return_exactly excess=3": "Return exactly 3 tokens to keep ten.",
        "hand_full": "You already have three reserved cards. Buy one before you reserve another.",
        "deck_empty level=1": "The level 1 deck is empty.",
        "card_not_on_table card=1-white-02": "You can’t reserve the level 1 white card. It isn’t on the table.",
        "card_not_for_sale card=3-none-01": "You can’t buy the level 3 colourless card (6 points). It’s "
        "neither on the table nor among your reserved cards.",
        "cannot_afford card=2-red-04 short=2": "You can’t buy the level 2 red card (2 points, 1 crown). "
        "You’re 2 tokens short.",
        "pay_exactly card=2-wild-01 due=ggp": "Pay exactly 2 emeralds and 1 pearl for "
        "the level 2 joker card (2 crowns, cost 6 emeralds and 1 pearl). Gold can replace any token.",
        "pay_exactly card=1-red-05 due=-": "Pay nothing for the level 1 red card (1 point). Your bonuses "
        "cover its cost.",
        "joker_needs_colour card=3-wild-02": "You can’t buy the level 3 joker card (3 points, extra turn) "
        "yet. You need a card with a bonus to join it to.",
        "colour_not_owned colour=k": "You have no black card with a bonus to join the joker card to.",
        "wrong_colour space=a1 colour=g": "Take 1 emerald to match your card. There’s none on a1.",
        "gold_not_stolen": "You can’t steal gold.",
        "opponent_lacks token=p": "You can’t steal 1 pearl. Your opponent doesn’t have any.",
        "royal_not_there royal=prestige": "You can’t take the royal card (3 points). It has been taken.",
    },
}
EVENTS = {
    "splendor": {
        "took seat=0 tokens=wrr": "Ana took 1 diamond and 2 rubies.",
        "took seat=2 tokens=*": "Chloé took 1 gold token.",
        "returned seat=1 tokens=ugk**": "Ben returned 1 sapphire, 1 emerald, 1 onyx and 2 gold tokens.",
        "reserved seat=0 card=2-blue-03": "Ana reserved the level 2 blue card (2 points, cost 5 sapphires).",
        "reserved_blind seat=0 level=2": "Ana reserved the top card of the level 2 deck.",
        "drew seat=0 card=1-black-02": "Ana drew the level 1 black card (cost 3 emeralds).",
        "bought seat=1 card=3-red-04 payment=rrr*": "Ben bought the level 3 red card (5 points) "
        "for 3 rubies and 1 gold token.",
        "bought seat=1 card=1-green-08 payment=-": "Ben bought the level 1 green card (1 point) for free.",
        "revealed card=1-white-03": "New on the table: "
        "the level 1 white card (cost 1 sapphire, 1 emerald, 1 ruby and 1 onyx).",
        "noble seat=0 noble=4u4g": "Suleiman the Magnificent visits Ana for 3 points.",
        "passed seat=1": "Ben had to pass.",
        "last_round seat=0": "Ana reached 15 points. This is the last round.",
        "game_over": "The game is over.",
    },
    "duel": {
        "took seat=0 tokens=rrp spaces=c1 c2 c3": "Ana took 2 rubies and 1 pearl from c1, c2 and c3.",
        "took seat=1 tokens=* spaces=e5": "Ben took 1 gold token from e5.",
        "returned seat=1 tokens=pp": "Ben returned 2 pearls.",
        "reserved seat=0 card=2-black-02": "Ana reserved the level 2 black card (double bonus, 1 point).",
        "reserved_blind seat=1 level=3": "Ben reserved the top card of the level 3 deck.",
        "drew seat=1 card=3-wild-01": "Ben drew the level 3 joker card (3 crowns).",
        "bought seat=0 card=2-green-03 payment=gp": "Ana bought the level 2 green card (2 points, privilege) "
        "for 1 emerald and 1 pearl.",
        "bought seat=0 card=1-green-02 payment=-": "Ana bought the level 1 green card (match) for free.",
        "revealed card=1-none-01": "New on the table: the level 1 colourless card (3 points).",
        "replenished seat=1 drawn=1": "Ben replenished the board with 1 token.",
        "replenished seat=1 drawn=12": "Ben replenished the board with 12 tokens.",
        "privilege_used seat=0 token=p space=b4": "Ana used a privilege to take 1 pearl from b4.",
        "privilege_gained seat=1": "Ben gained a privilege.",
        "privilege_taken_over seat=1": "Ben took a privilege from Ana.",
        "attached seat=0 card=1-wild-03 colour=u": "Ana joined "
        "the level 1 joker card (1 point, cost 2 sapphires, 2 rubies, 1 onyx and 1 pearl) to a blue card.",
        "matched seat=0 token=g space=d2": "Ana took 1 emerald from d2 to match the card.",
        "stole seat=0 token=k": "Ana stole 1 onyx from Ben.",
        "royal seat=1 royal=steal": "Ben took the royal card (2 points, steal).",
        "extra_turn seat=0": "Ana takes an extra turn.",
        "game_over": "The game is over.",
    },
}
ACTIONS = {
    "splendor": {
        "take wug": "Take 1 diamond, 1 sapphire and 1 emerald",
        "take kk": "Take 2 onyxes",
        "reserve L2": "Reserve the top card of the level 2 deck",
        "reserve 2-green-06": "Reserve the level 2 green card (3 points)",
        "buy 1-blue-08": "Buy the level 1 blue card (1 point)",
        "buy 1-blue-08 = rr*": "Buy the level 1 blue card (1 point) for 2 rubies and 1 gold token",
        "buy 1-blue-01 = -": "Buy the level 1 blue card (cost 3 onyxes) for free",
        "return w**": "Return 1 diamond and 2 gold tokens",
        "noble 3w3u3g": "Welcome Anne of Brittany",
        "pass": "Pass",
    },
    "duel": {
        "take a1 b2 c3": "Take from a1, b2 and c3",
        "take e5": "Take from e5",
        "reserve L1 c3": "Reserve the top card of the level 1 deck and take the gold from c3",
        "reserve 3-white-02 a5": "Reserve the level 3 white card (4 points) and take the gold from a5",
        "buy 2-red-01": "Buy the level 2 red card (1 point, steal)",
        "buy 1-red-03 = wkp": "Buy the level 1 red card (extra turn) for 1 diamond, 1 onyx and 1 pearl",
        "buy 1-red-03 = -": "Buy the level 1 red card (extra turn) for free",
        "return p*": "Return 1 pearl and 1 gold token",
        "privilege b4": "Use a privilege to take from b4",
        "replenish": "Replenish the board",
        "attach r": "Join the joker card to a red card",
        "match d4": "Take a token from d4 to match the card",
        "steal p": "Steal 1 pearl from your opponent",
        "royal extra-turn": "Take the royal card (2 points, extra turn)",
        "royal privilege": "Take the royal card (2 points, privilege)",
    },
}
OUTCOMES = [
    ("splendor", Outcome((0,), (16, 12, 9), "prestige"), "Ana won with 16 points."),
    ("splendor", Outcome((1,), (0, 1, 0), "prestige"), "Ben won with 1 point."),
    (
        "splendor",
        Outcome((2,), (15, 15, 15), "fewest_cards"),
        "Chloé won with 15 points and fewer cards than Ana and Ben.",
    ),
    (
        "splendor",
        Outcome((0, 2), (17, 15, 17), "shared"),
        "Ana and Chloé share the victory, with 17 points each and the same number of cards.",
    ),
    (
        "splendor",
        Outcome((0, 1, 2), (0, 0, 0), "shared"),
        "Ana, Ben and Chloé share the victory, with 0 points each and the same number of cards.",
    ),
    ("duel", Outcome((1,), (14, 21), "prestige"), "Ben won with 21 points."),
    ("duel", Outcome((0,), (14, 19), "crowns"), "Ana won with ten crowns or more."),
    ("duel", Outcome((1,), (3, 12), "colour"), "Ben won with ten points or more in one colour."),
]


def facts(text: str) -> dict[str, Fact]:
    """The facts of an event's text: `seat=0 spaces=a1 b2`."""
    pairs = re.findall(r"(\w+)=(.*?)(?= \w+=|$)", text)
    return {name: int(fact) if fact.isdigit() else fact for name, fact in pairs}


def refusal(slug: str, text: str) -> str:
    code, _, rest = text.partition(" ")
    kind = BadNotation if "text=" in rest else IllegalAction
    return wording.refusal(slug, kind(code, **facts(rest)))


def event(slug: str, text: str) -> str:
    code, _, rest = text.partition(" ")
    return wording.event(slug, Event(code, **facts(rest)), NAMES[slug])


def action(slug: str, text: str) -> str:
    return wording.action(slug, RULESETS[slug].parse(text))


SENTENCES = [
    (say, slug, text, sentence)
    for say, titles in ((refusal, REFUSALS), (event, EVENTS), (action, ACTIONS))
    for slug, sentences in titles.items()
    for text, sentence in sentences.items()
]
