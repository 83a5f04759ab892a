from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.redis import RedisCache
from redis import exceptions

P = ParamSpec("P")
T = TypeVar("T")

LOST = (exceptions.ConnectionError, exceptions.TimeoutError)


def _unless_lost(method: Callable[P, T], otherwise: T) -> Callable[P, T]:
    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except LOST:
            return otherwise

    return call


class ForgivingRedisCache(RedisCache):
    """A server that cannot be reached is an empty cache, which also forgets what it is told."""

    add = _unless_lost(RedisCache.add, True)
    set = _unless_lost(RedisCache.set, None)
    touch = _unless_lost(RedisCache.touch, False)
    delete = _unless_lost(RedisCache.delete, False)
    has_key = _unless_lost(RedisCache.has_key, False)
    clear = _unless_lost(RedisCache.clear, None)
    # One key after the other, through the methods here.
    get_many = BaseCache.get_many
    set_many = BaseCache.set_many
    delete_many = BaseCache.delete_many

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _unless_lost(super().get, default)(key, default, version)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        try:
            return super().incr(key, delta, version)
        except LOST:
            raise ValueError(f"Key {key!r} not found.") from None
