"""The cache: all on the server of the queues, except the counters that guard accounts, which are in the database."""

import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cached_property, wraps
from time import monotonic
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.utils import timezone
from django.utils.crypto import salted_hmac
from redis import Redis, exceptions

from accounts.models import Counter

COUNTERS = re.compile(
    r"allauth:rl:[\w.]+:"
    r"(login_failed|login_of_name|signup|guest|confirm_email|manage_email|reset_password\w*):"
)
"""The beginning of the keys of allauth's counters that must hold even while the server of the queues is lost."""

P = ParamSpec("P")
T = TypeVar("T")

LOST = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.ResponseError)
"""The server cannot be reached, or refuses what it is asked, for example while its disk is full."""
REST = 5.0
"""Seconds until the next attempt after the server was lost. Otherwise a page would wait at each of its many
reads."""


def _unless_lost(method: Callable[Concatenate[Any, P], T], otherwise: T) -> Callable[Concatenate[Any, P], T]:
    @wraps(method)
    def call(cache: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if args and COUNTERS.match(str(args[0])):
            return getattr(caches["counters"], method.__name__)(*args, **kwargs)  # type: ignore[no-any-return]
        if monotonic() < cache.rests_until:
            return otherwise
        try:
            return method(cache, *args, **kwargs)
        except LOST:
            cache.rests_until = monotonic() + REST
            return otherwise

    return call


class JSONSerializer:
    """Stores values as JSON, so a value on the server can never run code here. Integers stay plain, so Redis can count
    with them."""

    def dumps(self, value: Any) -> Any:
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, stored: bytes) -> Any:
        return json.loads(stored)


class OneClient(RedisCacheClient):
    """Keeps its client. Django makes a new one for every call, which costs more than the call."""

    @cached_property
    def _kept(self) -> Redis:
        return super().get_client()

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        return self._kept


class ForgivingRedisCache(RedisCache):
    """While the server is lost (see `LOST`), the cache is empty and ignores writes. This holds for the methods that the
    site and allauth call."""

    rests_until = 0.0

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    add = _unless_lost(RedisCache.add, True)
    set = _unless_lost(RedisCache.set, None)
    delete = _unless_lost(RedisCache.delete, False)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _unless_lost(RedisCache.get, default)(self, key, default, version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        return _unless_lost(RedisCache.get_many, None)(self, keys, version) or {}

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        value = _unless_lost(RedisCache.incr, None)(self, key, delta, version)
        if value is None:
            raise ValueError(f"Key {key!r} not found.")
        return value


class CountersCache(BaseCache):
    """Keeps values in the database, for counters that must hold. It has the methods that allauth's limits call. Keys
    hold network addresses, so only their hashes are stored."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        counter = Counter.objects.filter(key=_hashed(key), expires_at__gt=timezone.now()).first()
        return counter.value if counter else default

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        Counter.objects.filter(key=_hashed(key), expires_at__lte=timezone.now()).delete()
        defaults = {"value": value, "expires_at": self._expiry(timeout)}
        return Counter.objects.get_or_create(key=_hashed(key), defaults=defaults)[1]

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        counter = Counter(key=_hashed(key), value=value, expires_at=self._expiry(timeout))
        Counter.objects.bulk_create(
            [counter], update_conflicts=True, unique_fields=["key"], update_fields=["value", "expires_at"]
        )

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(Counter.objects.filter(key=_hashed(key)).delete()[0])

    def _expiry(self, timeout: Any) -> datetime:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return timezone.now() + timedelta(seconds=float(seconds or 0))


def _hashed(key: str) -> str:
    return salted_hmac("splendor_site.cache", key, algorithm="sha256").hexdigest()
