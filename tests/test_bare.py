"""What `make bare` runs: every command of docs/operating.md, and an image and containers without privileges."""

import re

from bench.bare.recipes import DOCUMENT, PROJECT, Image, blocks, services
from tests.tree import tracked

SETTINGS = ("ALLOWED_HOSTS", "EMAIL_URL", "SECRET_KEY", "POSTGRES_PASSWORD")


def containers():
    return services(dict.fromkeys(SETTINGS, "x"))


def test_every_command_of_the_document_has_a_stage():
    stages = (PROJECT / "bench/bare/__main__.py").read_text()
    assert [section for section in blocks() if f'"{section}"' not in stages] == []
    assert sum(map(len, blocks().values())) == DOCUMENT.read_text().count("\n```sh\n")
    # Commands for the site's user are marked, so that they are run.
    assert re.findall(r"^    (?:cabochon|systemctl|apt-get|git|make|\.venv).*", DOCUMENT.read_text(), re.M) == []


def test_every_stage_that_is_named_exists():
    source = (PROJECT / "bench/bare/__main__.py").read_text()
    table = re.search(r"^STAGES:.*?^}", source, re.M | re.S)
    assert table
    stages = {*re.findall(r'^    "(\w+)":', table[0], re.M)}
    texts = [(PROJECT / name).read_text() for name in ("Makefile", "docs/testing.md")]
    named = {stage for text in texts for words in re.findall(r'STAGES="([^"]+)"', text) for stage in words.split()}
    assert named
    assert named <= stages


def test_the_image_installs_locked_packages_and_runs_without_privileges():
    image = Image.read()
    words = " ".join(step for _instruction, step in image.steps)
    assert "make .venv/run.stamp" in words
    assert "--require-hashes --requirements requirements.lock" in (PROJECT / "Makefile").read_text()
    # Packages come from wherever the machine is set up to find them.
    assert "://" not in words
    assert (image.user, image.environment["DEBUG"]) == ("cabochon", "0")
    copied = {name for instruction, step in image.steps if instruction == "COPY" for name in step.split()[:-1]}
    assert copied - {"."} <= {*tracked()}


def test_docker_builds_the_image_too_and_copies_no_secrets():
    """Docker looks for a Dockerfile and a .dockerignore, Podman for the others."""
    for service in containers().values():
        assert service["build"] == {"context": ".", "dockerfile": "Containerfile"}
    left_out = (PROJECT / ".containerignore").read_text()
    assert (PROJECT / ".dockerignore").read_text() == left_out
    assert {".env", ".git", ".venv", ".venv-train", "backups", "var"} <= {*left_out.split()}


def test_the_containers_have_no_privileges_and_share_the_work():
    sites = containers()
    for service in sites.values():
        assert service["read_only"]
        assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    kinds = ("WEB_PROCESSES", "WORKER_PROCESSES", "BOT_PROCESSES", "MAIL_PROCESSES")
    shares = {kind: [name for name, service in sites.items() if service["environment"][kind]] for kind in kinds}
    assert shares == {
        "WEB_PROCESSES": ["web"],
        "WORKER_PROCESSES": ["worker"],
        "BOT_PROCESSES": ["bots"],
        "MAIL_PROCESSES": ["worker"],
    }
    # Only this machine reaches the web servers, and only they migrate an empty database.
    assert [service.get("ports") for service in sites.values()] == [["127.0.0.1:8000:8000"], None, None]
    assert [service["depends_on"].get("web") for service in sites.values()] == [
        None,
        {"condition": "service_healthy"},
        {"condition": "service_healthy"},
    ]
