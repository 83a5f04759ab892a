"""A month of correspondence in minutes: what is owed is told, no move is lost, no clock runs out in protected time."""

FAULTS = (
    "doubled_without_crash",
    "lost",
    "moves_lost",
    "moves_doubled",
    "clocks_run_out_in_protected_hours",
    "people_timed_out_without_having_been_told",
    "games_that_do_not_replay",
)
"""The figures that must be nothing."""
