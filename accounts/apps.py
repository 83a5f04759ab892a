from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import security_log  # noqa: F401 - connects its receivers
        from accounts.sessions import prolong  # needs the models

        def begin(request: HttpRequest, **_: Any) -> None:
            prolong(request.session)

        user_logged_in.connect(begin, weak=False, dispatch_uid="accounts.sessions")
