"""The shape of styles: one declaration a line. `python -m tests.styles` checks it, `--format` brings it about."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import cssbeautifier

FOLDERS = (Path("games/static/games"), Path("accounts/static/accounts"), Path("templates/emails"))


def sheets() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted(folder.glob("*.css"))


def formatted(sheet: str) -> str:
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.end_with_newline = True
    options.newline_between_rules = False
    options.space_around_combinator = True
    text: str = cssbeautifier.beautify(sheet, options)
    # It leaves out the semicolon after a last declaration that had none.
    return re.sub(r"(?<=[^;{}/\s])(?=\n *\})", ";", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", action="store_true")
    should_format = parser.parse_args().format
    faults = []
    for path in sheets():
        text = path.read_text()
        shaped = formatted(text)
        if should_format:
            path.write_text(shaped)
        elif text != shaped:
            faults.append(f"{path}: make format would lay it out otherwise")
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
