"""The toy title as a third title of the site: this folder, and one entry of the catalogue."""

from pathlib import Path

from games.catalogue import Title
from tests.rules.proofs.toy import RULESET
from tests.toy.board import build, opening

TEMPLATES = Path(__file__).parent / "templates"
TITLE = Title(
    RULESET,
    build,
    opening,
    bots={"random": "games.bots.random_bot:RandomBot", "greedy": "tests.toy.bots:Greedy"},
    words="tests.toy.words",
    board_words="tests.toy.words",
    mails="tests.toy.mails",
    templates="toy",
)
