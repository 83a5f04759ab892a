"""The forms about games. They check the shape of input; the services check its meaning."""

from games.forms.guests import InviteForm
from games.forms.mail import MailForm, TimeAway, TimeOff
from games.forms.new_table import NewTableForm
from games.forms.people import ReportForm
from games.forms.play import MAX_POST_LENGTH, DecisionForm, NoteForm
from games.forms.staff import PersonNameForm, ReasonForm, SearchForm, SuspensionForm, TableNameForm
from games.forms.tables import HistoryForm, NameForm, OpenTablesForm, choose

__all__ = [
    "MAX_POST_LENGTH",
    "DecisionForm",
    "HistoryForm",
    "InviteForm",
    "MailForm",
    "NameForm",
    "NewTableForm",
    "NoteForm",
    "OpenTablesForm",
    "PersonNameForm",
    "ReasonForm",
    "ReportForm",
    "SearchForm",
    "SuspensionForm",
    "TableNameForm",
    "TimeAway",
    "TimeOff",
    "choose",
]
