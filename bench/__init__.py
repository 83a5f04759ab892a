"""Benchmarks. All figures that one prints come from one run, so their ratios hold on any machine."""
