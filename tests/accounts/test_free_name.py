"""User names suggested to new users."""

import pytest

from accounts.models import User
from accounts.services import free_name

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ann@example.net", "ann"),
        ("Ann.Lee+games@example.net", "Ann-Lee"),
        ("bob@example.net", "bob2"),
        ("b0b@example.net", "b0b2"),
        ("admin@example.net", "admin2"),
        ("admin-x@example.net", "Agate"),
        ("al@example.net", "al2"),
        ("x@example.net", "Agate"),
        ("42@example.net", "Agate"),
        ("élise@example.net", "lise"),
        ("a" * 30 + "@example.net", "a" * 18),
        ("-@example.net", "Agate"),
    ],
)
def test_a_free_name_is_suggested(bob: User, address: str, name: str) -> None:
    assert free_name(address) == name
