"""Bare Debian roots, and programs in them."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PASSED = ("PIP_", "UV_", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy")
"""The beginnings of the names of variables that say where this machine finds packages."""
BUNDLE = Path("/etc/ssl/bare.crt")
RELEASE = "bookworm"


class Failed(Exception):
    """A command failed; the argument says which and how."""


class Root:
    """A folder with a Debian. Commands that run in it find packages where this machine finds them."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def create(self, base: Path) -> None:
        """A copy of the base, with the names and certificates of this machine."""
        if self.place.exists():
            shutil.rmtree(self.place)
        subprocess.run(["cp", "-a", "--reflink=auto", base, self.place], check=True)
        shutil.copy("/etc/resolv.conf", self.place / "etc/resolv.conf")
        names = "mail.example.org games.example.org postgres valkey"
        (self.place / "etc/hosts").write_text(f"127.0.0.1 localhost {names}\n")
        if configured := _pip_configuration():
            (self.place / "etc/pip.conf").write_text(configured)

    def trust(self, certificate: Path) -> None:
        """Let programs trust the certificate, and all that this machine trusts."""
        known = Path(os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"))
        bundle = self.place / BUNDLE.relative_to("/")
        bundle.parent.mkdir(parents=True, exist_ok=True)
        bundle.write_text((known.read_text() if known.exists() else "") + certificate.read_text())
        lines = "".join(f"{name}={value}\n" for name, value in self.environment().items() if name != "PATH")
        (self.place / "etc/environment").write_text(lines)

    def environment(self) -> dict[str, str]:
        passed = {name: value for name, value in os.environ.items() if name.startswith(PASSED)}
        return {
            "PATH": SEARCHED,
            "LANG": "C.UTF-8",
            **passed,
            **dict.fromkeys(("SSL_CERT_FILE", "PIP_CERT"), str(BUNDLE)),
        }

    def mount(self) -> None:
        """Mount what programs need; the mounts end with this process, whose name space they are in."""
        subprocess.run(["mount", "--rbind", "/dev", self.place / "dev"], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", self.place / "proc"], check=True)
        for folder in _package_folders():
            there = self.place / folder.relative_to("/")
            there.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "--bind", "-o", "ro", folder, there], check=True)

    def run(self, script: str, folder: str = "/", environment: Mapping[str, str] | None = None) -> str:
        """Run the script as root, up to its first failure; return its output, which is also shown."""
        words = ["chroot", str(self.place), "sh", "-euc", f"cd {folder}\n{script}"]
        variables = {**self.environment(), "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root", **(environment or {})}
        return shown(words, variables, script)


def shown(words: Sequence[str], environment: Mapping[str, str], name: str) -> str:
    """Run a program, show its output line by line, and return it."""
    said = []
    with subprocess.Popen(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        assert program.stdout
        for line in program.stdout:
            print("   ", line, end="", flush=True)
            said.append(line)
    if program.returncode:
        raise Failed(f"status {program.returncode}:\n{name}")
    return "".join(said)


def _pip_configuration() -> str:
    file = Path("/etc/pip.conf")
    return file.read_text() if file.exists() else ""


def _package_folders() -> list[Path]:
    """The folders of packages on this machine that pip's configuration names."""
    words = f"{_pip_configuration()} {os.environ.get('PIP_FIND_LINKS', '')}".replace("file://", " ").split()
    return sorted({path for path in map(Path, words) if path.is_absolute() and path.is_dir()})


def bootstrap(base: Path) -> None:
    """Install a minimal Debian from the mirror of this machine, unless it is there."""
    if (base / "finished").exists():
        return
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    mirror = re.findall(r"^URIs: (\S+)", sources.read_text(), re.MULTILINE)[0]
    subprocess.run(["debootstrap", "--variant=minbase", RELEASE, base, mirror], check=True)
    shutil.copy(sources, base / "etc/apt/sources.list.d/debian.sources")
    (base / "etc/apt/sources.list").unlink(missing_ok=True)
    (base / "finished").touch()
