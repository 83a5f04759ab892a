"""Several machines that run one site, as sets of processes on one computer: `python -m bench.cluster`. docs/testing.md
explains the report."""
