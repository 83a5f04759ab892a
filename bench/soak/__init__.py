"""A month of correspondence in minutes: what is owed is told, no move is lost, no clock runs out in protected time."""
