"""The sentences for broken rules, one dictionary a game; :mod:`rules.texts` fills in the facts."""
