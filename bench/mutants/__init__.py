"""Changes the code in one place at a time and counts how many of the changes the tests notice: `make mutants`."""
