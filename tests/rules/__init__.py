"""The rules, proven. A line of a transcript that fails says what was found instead."""

import pytest

pytest.register_assert_rewrite("tests.rules.transcripts")
