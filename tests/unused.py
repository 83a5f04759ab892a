"""Finds code of the site that nothing uses, or that only tests use, with vulture: `python -m tests.unused`."""

import ast
import re
from collections.abc import Iterator

from vulture import Vulture

from tests.tree import ROOT, tracked

SITE = ("accounts", "games", "splendor_site")
CALLERS = (*SITE, "bench", "docs")
"""The places where code of the site may be used; templates are read too."""

NAMING = ("games/catalogue.py", "games/bots/strengths.py", "splendor_site/settings.py")
"""Modules that name code of the site in strings."""

# Django: configurations, commands, models, forms, uploads, error pages, receivers and caches; an annotation in quotes
# Django's sitemaps; allauth: adapters; logging: formatters; then Jinja, waitress, numba, tarfile and a query
LOOKED_UP = """
    AccountsConfig GamesConfig Command add_arguments handle help requires_system_checks abstract constraints indexes
    field_order handler500
    clean_days_off clean_guests clean_moves form_template_name field_template_name file_complete receive_data_chunk
    handler400
    new_address code_rejected takes_games_along process_view is_open_for_signup LIGHT StrPromise _class
    ABUSE UNFAIR SPAM OTHER suspended_for best_streak_game_id
    x_default protocol location get_domain
    can_delete_email clean_email generate_authenticator_name get_email_verification_redirect_url
    get_password_change_redirect_url
    validate_unique_email _get_login_attempts_cache_key send_mail shallow email_address
    formatTime datefmt
    prepare_value template_name filters preprocess filename parser_class task_class channel_class __qualname__ q mode
"""
"""Names that only frameworks look up."""


TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
"""What a template looks up; the rest is prose, markup and comments."""


def templates() -> Iterator[str]:
    for path in tracked("templates"):
        yield from TAG.findall((ROOT / path).read_text())


def strings() -> Iterator[str]:
    for path in NAMING:
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def unused() -> Iterator[str]:
    finder = Vulture()
    finder.scavenge(map(str, map(ROOT.joinpath, CALLERS)), exclude=["*/migrations/*", "*/settings.py", "*/formats.py"])
    texts = [*templates(), *strings(), LOOKED_UP]
    words = set(re.findall(r"\w+", "\n".join(texts)))
    for item in finder.get_unused_code(min_confidence=60):
        path = item.filename.relative_to(ROOT)
        if path.parts[0] in SITE and item.name not in words:
            yield f"{path}:{item.first_lineno}: {item.message}"


def main() -> None:
    if found := [*unused()]:
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
