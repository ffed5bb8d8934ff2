"""Seeded generator of labelled training pictures: a small painter's renderer, random styles and table scenes."""
