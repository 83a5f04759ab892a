import socket
from datetime import timedelta

import pytest
import redis
import time_machine
from django.utils import timezone

from splendor_site.cache import ForgivingRedisCache


def test_the_cache_uses_the_server_of_the_queues(valkey):
    cache, queues = ForgivingRedisCache(f"{valkey}?db=1", {}), redis.Redis.from_url(valkey)
    queues.set("beside", "a task")

    cache.set("a", 1)
    assert (cache.add("a", 2), cache.add("b", 2), cache.incr("b")) == (False, True, 3)
    cache.set("c", "4")
    cache.set("d", None)
    assert cache.get_many("abcde") == {"a": 1, "b": 3, "c": "4", "d": None}
    assert (cache.delete("a"), cache.get("a"), queues.get("beside")) == (True, None, b"a task")


def test_many_values_are_asked_for_at_once(valkey):
    cache, server = ForgivingRedisCache(f"{valkey}?db=1", {}), redis.Redis.from_url(valkey)
    server.config_resetstat()
    cache.get_many("abc")
    asked = server.info("commandstats")
    assert (asked["cmdstat_mget"]["calls"], "cmdstat_get" in asked) == (1, False)


@pytest.mark.parametrize("server", ["unix:///nowhere?db=1", "redis://127.0.0.1:1?db=1"])
def test_without_a_server_the_cache_is_empty(server):
    cache = ForgivingRedisCache(server, {})

    cache.set("a", 1)
    assert (cache.get("a"), cache.get("a", 2), cache.get_or_set("a", 3)) == (None, 2, 3)
    assert (cache.get_many("ab"), cache.delete("a")) == ({}, False)
    # Taking a lock must not block.
    assert cache.add("a", 1)
    with pytest.raises(ValueError, match="'a' not found"):
        cache.incr("a")


def test_a_server_that_does_not_answer_is_not_asked_again_at_once(tmp_path):
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "silent"))
        silent.listen()
        silent.setblocking(False)
        options = {"OPTIONS": {"socket_timeout": 0.05, "retry": None}}
        cache = ForgivingRedisCache(f"unix://{tmp_path}/silent?db=1", options)
        for _ask in range(20):
            assert cache.get("a") is None
        silent.accept()
        with pytest.raises(BlockingIOError):
            silent.accept()


@pytest.mark.django_db
def test_counters_are_kept_in_the_database():
    cache, key = ForgivingRedisCache("unix:///nowhere?db=1", {}), "allauth:rl:allauth.account:login_failed:5/300/key:0f"

    assert (cache.add(key, [1.5]), cache.add(key, [2.5]), cache.get(key)) == (True, False, [1.5])
    cache.set(key, [3.5], 60)
    assert (cache.get(key), cache.get(key + "0", [])) == ([3.5], [])
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert (cache.get(key), cache.add(key, [4.5], 60), cache.get(key)) == (None, True, [4.5])
    assert (cache.delete(key), cache.delete(key), cache.get(key)) == (True, False, None)
    # The counter of moves is not among them: it would be written with each move.
    cache.set("allauth:rl:allauth.account:decide:120/60/user:1", [1.5])
    assert cache.get("allauth:rl:allauth.account:decide:120/60/user:1") is None
