from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        # Models can be imported only from here on.
        from games import receivers  # noqa: F401
