"""How fast it is: figures from one run, so that their ratios hold on any machine."""
