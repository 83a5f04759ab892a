import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def english():
    """Reset the active language, which another test may have changed."""
    with translation.override("en"):
        yield
