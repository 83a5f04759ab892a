import pytest
from django.db import connection

from accounts.models import User
from splendor_site.tasks import analyze


@pytest.mark.django_db
def test_the_database_learns_how_many_rows_there_are(alice: User) -> None:
    analyze()
    with connection.cursor() as cursor:
        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = %s", [User._meta.db_table])
        assert {stat.split()[0] for (stat,) in cursor.fetchall()} == {"1"}
