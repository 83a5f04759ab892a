import gzip

import brotli  # type: ignore[import-untyped]
import pytest
from django.test import Client
from django.urls import reverse


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "coding", "decode"),
    [("gzip, deflate, br", "br", brotli.decompress), ("gzip", "gzip", gzip.decompress), ("", None, bytes)],
)
def test_a_page_is_compressed_as_its_browser_wishes(accepted, coding, decode) -> None:
    page = Client().get(reverse("manifest"))
    answer = Client().get(reverse("manifest"), headers={"Accept-Encoding": accepted})
    assert answer.headers.get("Content-Encoding") == coding
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert decode(answer.content) == page.content
    assert int(answer.headers["Content-Length"]) == len(answer.content)


@pytest.mark.django_db
def test_the_length_of_a_page_differs_from_time_to_time() -> None:
    """Nobody learns from it how well the page compresses."""
    answers = [Client().get(reverse("manifest"), headers={"Accept-Encoding": "br"}) for _time in range(20)]
    assert len({len(answer.content) for answer in answers}) == 1
    assert len({len(answer.headers["X-Padding"]) for answer in answers}) > 1
