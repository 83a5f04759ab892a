import pytest

from tests.live.site import Site


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path / "var", DJANGO_SETTINGS_MODULE="tests.live.settings", MAIL_PROCESSES="0")
