"""`python -m tests.styles` checks that styles have one declaration per line and take their colours from the tokens;
with `--format` it formats them first."""

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import cssbeautifier
import tinycss2
from tinycss2.ast import Declaration, Node
from tinycss2.color5 import parse_color

TOKENS = Path("games/static/games/tokens.css")
FOLDERS = (TOKENS.parent, Path("accounts/static/accounts"), Path("templates/emails"), Path("templates/account/email"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", action="store_true")
    should_format = parser.parse_args().format
    faults = []
    for path in sorted(path for folder in FOLDERS for path in folder.glob("*.css")):
        sheet = path.read_text()
        if should_format:
            path.write_text(formatted(sheet))
        elif sheet != formatted(sheet):
            faults.append(f"{path}: make format would lay it out otherwise")
        if path == TOKENS:
            faults += [
                f"{path}: {name} has no fallback for browsers without light-dark()" for name in unsupported(sheet)
            ]
        else:
            faults += [f"{path}:{line}: {colour} is no token" for line, colour in raw_colours(sheet)]
    if faults:
        raise SystemExit("\n".join(faults))


def formatted(sheet: str) -> str:
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.end_with_newline = True
    options.newline_between_rules = False
    options.space_around_combinator = True
    text: str = cssbeautifier.beautify(sheet, options)
    # The library adds no semicolon to a last declaration that has none.
    return re.sub(r"(?<=[^;{}/\s])(?=\n *\})", ";", text)


def raw_colours(sheet: str) -> Iterator[tuple[int, str]]:
    """The lines with literal colours, written in digits or by name."""
    for declaration in declarations(tinycss2.parse_stylesheet(sheet)):
        for value in flattened(declaration.value):
            if parse_color(value) and value.serialize().lower() not in ("currentcolor", "transparent"):
                yield value.source_line, value.serialize()


def unsupported(sheet: str) -> set[str]:
    """The tokens with a colour for each theme that lack the light colour for browsers without `light-dark()`."""
    plain, _, both = sheet.partition("@supports")
    values = re.findall(r"(--[\w-]+): ([^;]*light-dark\([^;]*);", both)
    light = {name: re.sub(r"light-dark\(([^,]+), [^)]+\)", r"\1", value) for name, value in values}
    return {name for name, value in light.items() if f"{name}: {value};" not in plain}


def declarations(nodes: Iterable[Node]) -> Iterator[Declaration]:
    """The declarations of all rules, including nested ones."""
    for node in nodes:
        if isinstance(node, Declaration):
            yield node
        elif getattr(node, "content", None):
            yield from declarations(tinycss2.parse_blocks_contents(node.content))


def flattened(values: Iterable[Node]) -> Iterator[Node]:
    """The values, including the arguments of functions."""
    for value in values:
        yield value
        yield from flattened(getattr(value, "arguments", ()))


def light_colours() -> set[str]:
    """The values of the tokens in the light theme."""
    tokens = (declaration.value for declaration in declarations(tinycss2.parse_stylesheet(TOKENS.read_text())))
    firsts = (next((value for value in flattened(token) if value.type == "hash"), None) for token in tokens)
    return {value.serialize() for value in firsts if value}


if __name__ == "__main__":
    main()
