"""Every column that can hold something about a person has a declared fate."""

from collections.abc import Iterable

import pytest
from django.apps import apps
from django.db import models
from django.test.utils import isolate_apps

from accounts.models import User
from games.services.privacy import fates
from games.services.privacy.fates import ANONYMISED, DELETED, FATES, Kept

MODELS = apps.get_models(include_auto_created=True)


def undeclared(tables: Iterable[type[models.Model]]) -> set[str]:
    """The columns of these tables that refer to a person or hold a text, and have no fate."""
    columns = [column for table in tables for column in (*fates.texts(table), *fates.references(table))]
    return {f"{column.model._meta.label}.{column.name}" for column in columns if fates.of(column) is None}


def test_every_column_about_a_person_has_a_fate() -> None:
    assert undeclared(MODELS) == set()


def test_every_declared_column_exists() -> None:
    tables = {table._meta.label for table in MODELS}
    columns = {f"{table._meta.label}.{column.name}" for table in MODELS for column in table._meta.concrete_fields}
    assert FATES.keys() <= tables | columns


def test_a_new_column_would_be_found() -> None:
    with isolate_apps("games"):

        class Praise(models.Model):  # noqa: DJ008
            author = models.ForeignKey(User, models.CASCADE, related_name="+")
            address = models.EmailField()
            network = models.GenericIPAddressField()
            points = models.IntegerField()

            class Meta:
                app_label = "games"

        assert undeclared([Praise]) == {"games.Praise.author", "games.Praise.address", "games.Praise.network"}


@pytest.mark.parametrize(
    "reference", [column for table in MODELS for column in fates.references(table)], ids=lambda column: str(column)
)
def test_the_database_does_what_is_declared(reference: "models.ForeignKey[User, User]") -> None:
    """An account with a row that neither goes with it nor lets go of it could not be deleted."""
    does, fate = reference.remote_field.on_delete, fates.of(reference)
    if isinstance(fate, Kept):
        assert does is models.SET_NULL
    else:
        assert does in {DELETED: (models.CASCADE,), ANONYMISED: (models.PROTECT, models.SET_NULL)}[fate]  # type: ignore[index]
