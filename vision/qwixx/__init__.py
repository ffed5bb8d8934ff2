"""Qwixx Express seen by the camera: score sheets found and read, the dice of both people, rounds judged."""
