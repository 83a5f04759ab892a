"""Tests of the rules. A failing line of a transcript shows the actual value."""

import pytest

pytest.register_assert_rewrite("tests.rules.transcripts")
