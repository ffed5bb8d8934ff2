"""What Schiri has learnt about one copy of a game: pictures of its own things, and how they decide readings."""
