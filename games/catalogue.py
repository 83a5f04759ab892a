"""The catalogue: the only list of titles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from games.boards import duel, splendor
from games.boards.common import Build
from games.bots.base import Bot
from games.bots.duel.ratings import RATINGS as DUEL_RATINGS
from games.bots.splendor.ratings import RATINGS as SPLENDOR_RATINGS
from games.bots.strengths import STRENGTHS, Rating
from games.rules.base import Ruleset
from games.rules.duel.ruleset import Duel
from games.rules.splendor.ruleset import Splendor


@dataclass(frozen=True, slots=True)
class Title:
    """Everything that the site knows about a title. Modules and bots are named by dotted path and loaded when
    needed."""

    ruleset: Ruleset[Any, Any]
    board: Build
    opening: Callable[[bytes], object]
    """Makes its picture, the set-up from a seed of 32 bytes."""
    bots: Mapping[str, str]
    """The factory of each bot, as `package.module:factory`, by name."""
    words: str
    """The module of its sentences; see `games.wording.title.TitleWords`."""
    board_words: str
    """The module of the words of its board; see `games.wording.title.BoardWords`."""
    mails: str
    """The module that describes its positions in mails."""
    templates: str
    """The folder of its templates: `board.jinja`; `_about.html` and `_picture.html` for the pages that offer it."""
    styles: str = "games/board.css"
    """The style sheet of its board, a static file."""
    lessons: str = ""
    """The module of its lessons; see `games.lessons.base.Lessons`. Empty if there are none."""
    lesson_words: str = ""
    """The module of their words; see `games.wording.title.LessonWords`."""
    check_script: str = ""
    """The program with which players check its shuffle; empty if there is none."""
    pieces: Callable[[Mapping[str, str]], object] | None = None
    """Makes the pieces that the page of its rules shows, with the cards that pass the filters asked for; `None` if it
    has no such page. The page is `rules.jinja` in its folder of templates, the summary `summary.jinja`."""
    ratings: Mapping[str, Mapping[int, Rating]] = field(default_factory=dict)
    """The measured ratings of its bots, by strength and number of seats."""
    mark: str = "mark"
    """Its drawing in lists; `mark` is that of the site."""
    picture: str = "games/pictures/site.png"
    """The picture that chats show beside a link to one of its pages, a static file; by default that of the site."""

    @property
    def strengths(self) -> list[str]:
        """The bots that people can choose, weakest first: those of `STRENGTHS` that the title has, or if none, all."""
        return [strength for strength in STRENGTHS if strength in self.bots] or list(self.bots)

    @property
    def first_bot(self) -> str:
        """The bot for a first game: the weakest one."""
        return self.strengths[0]

    def bot(self, name: str) -> Bot[Any]:
        """A new bot of that name; raises `KeyError` if there is none."""
        bot: Bot[Any] = resolve_name(self.bots[name])()
        return bot


def _at_home(ruleset: Ruleset[Any, Any], board: Build, opening: Callable[[bytes], object], **more: Any) -> Title:
    """A title with a compiled core, and with its modules at the usual places of this site."""
    slug = ruleset.slug
    return Title(
        ruleset,
        board,
        opening,
        bots={
            "random": "games.bots.random_bot:RandomBot",
            "greedy": f"games.bots.{slug}.greedy:Greedy",
            "plain": f"games.bots.{slug}.players:PLAYERS.plain",
        }
        | {name: f"games.bots.{slug}.players:PLAYERS.{name}" for name in STRENGTHS},
        words=f"games.wording.{slug}",
        board_words=f"games.wording.{slug}_board",
        mails=f"games.mails.{slug}",
        templates=f"games/{slug}",
        lessons=f"games.lessons.{slug}",
        lesson_words=f"games.wording.lessons.{slug}",
        check_script="games/check_shuffle.py",
        picture=f"games/pictures/{slug}.png",
        styles=f"games/{slug}.css",
        **more,
    )


TITLES: dict[str, Title] = {
    "splendor": _at_home(
        Splendor(),
        splendor.build,
        splendor.opening,
        pieces=splendor.pieces,
        ratings=SPLENDOR_RATINGS,
    ),
    "duel": _at_home(
        Duel(),
        duel.build,
        duel.opening,
        pieces=duel.pieces,
        ratings=DUEL_RATINGS,
        mark="i-crown",
    ),
}
