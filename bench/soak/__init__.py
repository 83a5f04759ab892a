"""A month of correspondence in minutes: every owed mail is sent, no move is lost, no clock runs out in protected
time."""
