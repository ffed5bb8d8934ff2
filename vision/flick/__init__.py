"""Dice Flick: reading the box from a picture, and refereeing ten rounds."""
