"""The things to run: the blocks of the document, the steps of the image, the services of the compose file."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

PROJECT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = PROJECT / "docs/operating.md"


def blocks() -> dict[str, list[str]]:
    """The blocks of the document that are marked `sh`, by their section."""
    found: dict[str, list[str]] = {}
    for section in re.split(r"^## ", DOCUMENT.read_text(), flags=re.MULTILINE)[1:]:
        if shell := re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
            found[section.partition("\n")[0]] = shell
    return found


@dataclass
class Image:
    """The contents of the Containerfile: the steps in their order, and how to run the result."""

    steps: list[tuple[str, str]] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    check: list[str] = field(default_factory=list)
    user: str = "root"

    @classmethod
    def read(cls) -> "Image":
        image = cls()
        for line in (PROJECT / "Containerfile").read_text().splitlines():
            instruction, _, rest = line.partition(" ")
            match instruction:
                case "" | "#" | "VOLUME" | "EXPOSE":
                    pass
                case "FROM" | "RUN" | "WORKDIR" | "COPY":
                    image.steps.append((instruction, rest))
                case "ENV":
                    image.environment |= dict(word.split("=", 1) for word in shlex.split(rest))
                case "USER":
                    image.user = rest
                case "CMD":
                    image.command = json.loads(rest)
                case "HEALTHCHECK":
                    image.check = json.loads(rest.partition(" CMD ")[2])
                case _:
                    raise ValueError(f"Containerfile: {line}")
        return image


def services(environment: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The services of the compose file that run the image, with the variables filled in."""
    text = re.sub(r"\$\{(\w+):\?\}", lambda match: environment[match[1]], (PROJECT / "compose.yaml").read_text())
    return {name: service for name, service in yaml.safe_load(text)["services"].items() if "build" in service}
