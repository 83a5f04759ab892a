"""Static files are minified when they are collected, and style sheets contain those that they import."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage as Files
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("accounts/", "games/")
MINIFY = {".css": cssmin, ".js": jsmin}
"""The minifier for each file suffix."""
IMPORT = re.compile(r'@import url\("(.+?)"\);')


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Changes our own files only; files of libraries are served as they come."""

    def post_process(self, paths: Mapping[str, tuple[Any, str]], *args: Any, **options: Any) -> Iterator[Any]:
        changed = {name: (Minified(files), path) for name, (files, path) in paths.items() if is_ours(name)}
        yield from super().post_process({**paths, **changed}, *args, **options)


def is_ours(name: str) -> bool:
    return name.startswith(OURS) and PurePosixPath(name).suffix in MINIFY


class Minified:
    """Opens files of a storage as they are served."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def open(self, path: str) -> "ContentFile[bytes]":
        return ContentFile(MINIFY[PurePosixPath(path).suffix](self.whole(path)).encode())

    def whole(self, path: str) -> str:
        """That file; if it is a style sheet, with those that it imports (from the same folder) in place of its imports.
        A browser loads one file instead of many, which is smaller because its parts have much in common."""
        with self.files.open(path) as file:
            text: str = file.read().decode()
        return IMPORT.sub(lambda found: self.whole(str(PurePosixPath(path).with_name(found[1]))), text)
