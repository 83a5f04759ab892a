from django.urls import path

from games.views import clock, home, invitations, link, mailing, onward, opt_out, play, rules, tables, vacation

in_each_language = [
    path("", home.home, name="home"),
    path("rules/<slug:title>/", rules.rules, name="rules"),
    path("rules/<slug:title>/summary/", rules.summary, name="rules_summary"),
]
"""The pages that search engines list; each also has an address per language, such as /fr/."""
urlpatterns = [
    *in_each_language,
    path("games/", tables.mine, name="mine"),
    path("next/", onward.next_table, name="next"),
    path("tables/new/", tables.new, name="new"),
    path("tables/open/", tables.open_tables, name="open"),
    path("i/<str:token>/", invitations.invitation, name="invitation"),
    path("m/<str:token>/", link.link, name="link"),
    path("table/<slug:key>/", play.table, name="table"),
    path("table/<slug:key>/poll/", play.poll, name="poll"),
    path("table/<slug:key>/join/", tables.join, name="join"),
    path("table/<slug:key>/leave/", tables.leave, name="leave"),
    path("table/<slug:key>/rename/", tables.rename, name="rename"),
    path("table/<slug:key>/cancel/", tables.cancel, name="cancel"),
    path("table/<slug:key>/invite/", invitations.invite, name="invite"),
    path("table/<slug:key>/revoke/", invitations.revoke, name="revoke"),
    path("table/<slug:key>/decline/", invitations.decline, name="decline"),
    path("table/<slug:key>/rematch/", invitations.rematch, name="rematch"),
    path("table/<slug:key>/resign/", tables.resign, name="resign"),
    path("settings/mail/", mailing.wishes, name="mail_wishes"),
    path("settings/mail/deliveries/", mailing.deliveries, name="deliveries"),
    path("settings/mail/test/", mailing.send_test, name="test_mail"),
    path("settings/mail/works/", mailing.trouble_is_over, name="mail_works"),
    path("settings/vacation/", vacation.vacation, name="vacation"),
    path("settings/vacation/back/", vacation.back, name="vacation_back"),
    path("mails/unsubscribe/<str:token>/", opt_out.unsubscribe, name="unsubscribe"),
    path("mails/mute/<str:token>/", opt_out.mute, name="mute"),
    path("mails/never-again/<str:token>/", opt_out.never_again, name="never_again"),
    path("table/<slug:key>/later/", onward.set_aside, name="later"),
    path("table/<slug:key>/note/", onward.note, name="note"),
    path("table/<slug:key>/plan/", onward.plan, name="plan"),
    path("table/<slug:key>/clock/", clock.clock, name="clock"),
    path("table/<slug:key>/pause/", clock.pause, name="pause"),
    path("table/<slug:key>/resume/", clock.resume, name="resume"),
    path("table/<slug:key>/more-time/", clock.more_time, name="more_time"),
    path("table/<slug:key>/come-back/", clock.come_back, name="come_back"),
    path("table/<slug:key>/mute/", mailing.mute_table, name="mute_table"),
]
