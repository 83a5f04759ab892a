import pytest


@pytest.fixture(scope="session", autouse=True)
def compiled(compiled_bots: None) -> None:
    """Bots play in almost every test of this folder."""
