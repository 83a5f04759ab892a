from django.urls import path

from games.views import home, play, tables

urlpatterns = [
    path("", home.home, name="home"),
    path("games/", tables.mine, name="mine"),
    path("next/", tables.next_table, name="next"),
    path("tables/new/", tables.new, name="new"),
    path("table/<slug:key>/", play.table, name="table"),
    path("table/<slug:key>/poll/", play.poll, name="poll"),
    path("table/<slug:key>/join/", tables.join, name="join"),
    path("table/<slug:key>/leave/", tables.leave, name="leave"),
    path("table/<slug:key>/cancel/", tables.cancel, name="cancel"),
    path("table/<slug:key>/resign/", tables.resign, name="resign"),
]
