from django.urls import path

from games.views import clock, home, link, mailing, onward, optout, play, tables, vacation

urlpatterns = [
    path("", home.home, name="home"),
    path("games/", tables.mine, name="mine"),
    path("next/", onward.next_table, name="next"),
    path("tables/new/", tables.new, name="new"),
    path("m/<str:token>/", link.link, name="link"),
    path("table/<slug:key>/", play.table, name="table"),
    path("table/<slug:key>/poll/", play.poll, name="poll"),
    path("table/<slug:key>/join/", tables.join, name="join"),
    path("table/<slug:key>/leave/", tables.leave, name="leave"),
    path("table/<slug:key>/cancel/", tables.cancel, name="cancel"),
    path("table/<slug:key>/resign/", tables.resign, name="resign"),
    path("settings/mail/", mailing.wishes, name="mail_wishes"),
    path("settings/mail/deliveries/", mailing.deliveries, name="deliveries"),
    path("settings/mail/test/", mailing.send_test, name="test_mail"),
    path("settings/mail/works/", mailing.trouble_is_over, name="mail_works"),
    path("settings/vacation/", vacation.vacation, name="vacation"),
    path("settings/vacation/back/", vacation.back, name="vacation_back"),
    path("mails/unsubscribe/<str:token>/", optout.unsubscribe, name="unsubscribe"),
    path("mails/mute/<str:token>/", optout.mute, name="mute"),
    path("mails/never-again/<str:token>/", optout.never_again, name="never_again"),
    path("table/<slug:key>/later/", onward.later, name="later"),
    path("table/<slug:key>/plan/", onward.plan, name="plan"),
    path("table/<slug:key>/clock/", clock.clock, name="clock"),
    path("table/<slug:key>/pause/", clock.pause, name="pause"),
    path("table/<slug:key>/resume/", clock.resume, name="resume"),
    path("table/<slug:key>/more-time/", clock.more_time, name="more_time"),
    path("table/<slug:key>/come-back/", clock.come_back, name="come_back"),
    path("table/<slug:key>/mute/", mailing.mute_table, name="mute_table"),
]
