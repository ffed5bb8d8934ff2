"""Dice Flick: the rules, and the exact best score of a box."""

from rules.dice_flick.game import DiceFlick
from rules.dice_flick.grid import mask_of
from rules.dice_flick.house_rules import read_markers
from rules.dice_flick.score import best_score
from rules.dice_flick.state import Flick, State, Throw, Turn
from rules.dice_flick.values import Die, Group, Markers, Scoring, ScoringRules

__all__ = [
    "DiceFlick", "Die", "Flick", "Group", "Markers", "Scoring", "ScoringRules", "State", "Throw", "Turn",
    "best_score", "mask_of", "read_markers",
]
