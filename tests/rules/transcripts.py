"""Replays transcripts: games as text, as `games.rules.transcript` writes them or as a person does.

A transcript starts with a header (`title`, `seats`, and `seed` or a `position` block, see `positions`). `#` starts a
comment. In the body, lists are complete, and in any order unless stated otherwise:

    take wug                                     a decision; input may leave the payment of a purchase out
      event: took seat=0 tokens=wug              all events of the decision above, in order
      options: 28                                how many options there are now
    legal: take w | take u                       all options; `legal take: …` all options of that word
    variants: buy 1-white-01 = u* | …            all variants of all options
    illegal: take ww -> pair_needs_four colour=w left=3
    bad: take xyz -> bad_tokens text=xyz
    state: bank=wwuu*                            an attribute of the state, tokens by notation
    seat 0: tokens=wug points=3                  attributes of a player
    row 2: 2-red-01 - 2-red-03 2-red-04          the places of a level from left to right, `-` for an empty one
    to act: 1 main                               the seat to act and its queue of phases; `nobody` when over
    played: take wug | noble 3w3u3g              the decision above, complete, and what was settled after it, in order
    reveals: yes                                 whether the decision above brought something hidden to light
    end: winners=0,1 scores=15,15 reason=shared
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from games.catalogue import TITLES
from games.rules.base import BadNotation, IllegalAction, Refusal, Ruleset, Step
from games.rules.tokens import spell as spell_tokens
from games.rules.transcript import spell


def replay(path: Path) -> None:
    """Play the transcript and check every line of it."""
    header, body = _split(path.read_text(encoding="utf-8").splitlines())
    transcript = _Transcript(header)
    for place, line in body:
        try:
            transcript.read(line)
        except (AssertionError, Refusal, pytest.fail.Exception) as error:
            pytest.fail(f"{path.name}:{place}: {line}\n{type(error).__name__}: {error}", pytrace=False)
    transcript.check_events()


def start(path: Path) -> tuple[Ruleset[Any, Any], Any]:
    """The rules and the first position of the transcript."""
    header, _ = _split(path.read_text(encoding="utf-8").splitlines())
    transcript = _Transcript(header)
    return transcript.ruleset, transcript.state


def _split(lines: list[str]) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The header, with the lines of its `position` block, and the numbered lines of the body."""
    header: dict[str, Any] = {}
    texts = [(place, line.split("#")[0].rstrip()) for place, line in enumerate(lines, 1)]
    texts = [(place, text) for place, text in texts if text]
    while texts:
        _, text = texts[0]
        name, colon, value = text.partition(":")
        if text.startswith("  ") and "position" in header:
            key, _, rest = text.strip().partition(":")
            header["position"][key] = rest.strip()
        elif colon and name in ("title", "seats", "seed", "position"):
            header[name] = {} if name == "position" else value.strip()
        else:
            break
        texts.pop(0)
    return header, texts


class _Transcript:
    def __init__(self, header: dict[str, Any]) -> None:
        self.ruleset = TITLES[header["title"]].ruleset
        self.positions = import_module(f"tests.rules.positions.{header['title']}")
        seats = int(header["seats"])
        seed = bytes.fromhex(header.get("seed", "00" * 32))
        if "position" in header:
            self.state = self.positions.position(seats, seed, header["position"])
        else:
            self.state = self.ruleset.initial(seats, seed)
        assert self.ruleset.faults(self.state) == []
        self.step: Step[Any] = Step(self.state)
        self.expected: list[str] = []

    def read(self, line: str) -> None:
        name, colon, value = (part.strip() for part in line.strip().partition(":"))
        if line.strip().startswith("event:"):
            self.expected.append(value)
            return
        self.check_events()
        if not colon:
            self.play(name)
        elif name.startswith("legal"):
            word = name.removeprefix("legal").strip()
            legal = list(map(str, self.ruleset.legal_actions(self.state)))
            assert sorted(text for text in legal if text.split()[0] == word or not word) == _listed(value)
        elif name.startswith("seat "):
            self.check_attributes(self.state.players[int(name.removeprefix("seat "))], value)
        elif name.startswith("row "):
            row = self.rows()[int(name.removeprefix("row ")) - 1]
            assert " ".join(card or "-" for card in row) == value
        else:
            getattr(self, f"check_{name.replace(' ', '_')}")(value)

    def play(self, text: str) -> None:
        self.step = self.ruleset.apply(self.state, self.ruleset.parse(text))
        self.state = self.step.state
        assert self.ruleset.faults(self.state) == []

    def rows(self) -> tuple[tuple[str | None, ...], ...]:
        rows: tuple[tuple[str | None, ...], ...] = getattr(self.state, self.positions.ROWS)
        return rows

    def check_events(self) -> None:
        if self.expected:
            assert [str(event) for event in self.step.events] == self.expected
            self.expected = []

    def check_options(self, value: str) -> None:
        assert len(self.ruleset.legal_actions(self.state)) == int(value)

    def check_variants(self, value: str) -> None:
        options = self.ruleset.legal_actions(self.state)
        assert sorted(str(way) for option in options for way in option.variants(self.state)) == _listed(value)

    def check_illegal(self, value: str) -> None:
        text, _, reason = value.partition(" -> ")
        with pytest.raises(IllegalAction) as caught:
            self.ruleset.apply(self.state, self.ruleset.parse(text))
        assert str(caught.value) == reason.strip()

    def check_bad(self, value: str) -> None:
        text, _, reason = value.partition(" -> ")
        with pytest.raises(BadNotation) as caught:
            self.ruleset.parse(text)
        assert str(caught.value) == reason.strip()

    def check_state(self, value: str) -> None:
        self.check_attributes(self.state, value)

    def check_attributes(self, owner: Any, value: str) -> None:
        found = {name: self.spell(getattr(owner, name)) for name, _ in _pairs(value)}
        assert found == dict(_pairs(value))

    def spell(self, value: Any) -> str:
        kinds = self.positions.KINDS
        if isinstance(value, tuple) and len(value) == len(kinds) and all(isinstance(item, int) for item in value):
            return spell_tokens(value, kinds)
        if isinstance(value, tuple):
            return ",".join(map(self.spell, value)) or "-"
        return str(getattr(value, "card", value))

    def check_to_act(self, value: str) -> None:
        found = "nobody" if self.state.to_act is None else f"{self.state.to_act} {' '.join(self.state.phases)}"
        assert found == value

    def check_played(self, value: str) -> None:
        assert [str(action) for action in self.step.played] == [text.strip() for text in value.split("|")]

    def check_reveals(self, value: str) -> None:
        assert ("yes" if self.step.reveals else "no") == value

    def check_end(self, value: str) -> None:
        outcome = self.ruleset.outcome(self.state)
        assert outcome is not None
        assert spell(outcome) == value


def _listed(value: str) -> list[str]:
    return sorted(text.strip() for text in value.split("|") if text.strip() not in ("", "none"))


def _pairs(value: str) -> Iterator[tuple[str, str]]:
    for pair in value.split():
        name, _, text = pair.partition("=")
        yield name, text
