import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def english():
    """What another test left active does not matter here."""
    with translation.override("en"):
        yield
