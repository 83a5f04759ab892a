from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = (("games", "0038_invitations_and_deliveries_by_time"),)

    operations = (
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=("game",),
                condition=Q(wants_pause=True, ended_at=None) | Q(wants_stop=True, ended_at=None),
                name="seat_asks",
            ),
        ),
    )
