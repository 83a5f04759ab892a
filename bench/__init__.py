"""Benchmarks. They print figures from one run, so their ratios hold on any machine."""
