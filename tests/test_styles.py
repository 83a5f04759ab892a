"""The check of styles in `make lint`, and colours that are written twice."""

import re

import pytest

from tests.styles import formatted, raw_colours
from tests.tree import ROOT

SHEET = """
a > b{color:var(--ink);border:1px solid #cdbc98}
@media (min-width: 10px){
  c{background:linear-gradient(currentcolor, transparent, rgb(1 2 3)), color-mix(in oklab, gold 40%, var(--ink))}
}
.white { --x: light-dark(var(--a), #0006) }
"""


def test_colours_are_found_everywhere() -> None:
    assert list(raw_colours(SHEET)) == [(2, "#cdbc98"), (4, "rgb(1 2 3)"), (4, "gold"), (6, "#0006")]


@pytest.mark.parametrize("sheet", ["a{b:c;d:e}", "a{b:c;d:e;}", "a {\n  b: c;\n\n  d: e;\n}\n"])
def test_every_declaration_has_its_line(sheet: str) -> None:
    lines = formatted(sheet).split("\n")
    assert [line for line in lines if line] == ["a {", "  b: c;", "  d: e;", "}"]
    assert formatted(formatted(sheet)) == formatted(sheet)


@pytest.mark.parametrize("gem", ["white", "blue", "green", "red", "black", "gold", "pearl"])
def test_a_gem_has_the_same_colour_in_its_drawing_and_in_the_tokens(gem: str) -> None:
    tokens = (ROOT / "games/static/games/tokens.css").read_text()
    [colour] = re.findall(rf"^  --{gem}: (#\w+);", tokens, re.MULTILINE)
    [drawing] = re.findall(
        rf'<symbol id="gem-{gem}".*?</symbol>', (ROOT / "games/static/games/gems.svg").read_text(), re.DOTALL
    )
    assert colour in re.findall(r'fill="(#\w+)"', drawing)
