"""Tags about mails that do not arrive."""

from typing import Any

from django import template

from games.models import Preferences

register = template.Library()


@register.inclusion_tag("games/_trouble.html", takes_context=True)
def mail_trouble(context: template.Context, test: bool = True) -> dict[str, Any]:
    """A banner for a user whose mails do not arrive, with or without a button for a test. Takes one query."""
    shown: dict[str, Any] = {str(name): value for name, value in context.flatten().items()}
    return {**shown, "kept": Preferences.of(context["user"]), "test": test}
