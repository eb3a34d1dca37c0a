"""The colours of pictures, pages and tables; needs nothing else."""
# Tests: tests/python/pictures_test.py, tests/python/test_check.py

#: On a light ground, and on a dark one. Okabe and Ito's colours, moved until words in them have a
#: contrast of 4.5 with the ground.
COLOURS = {
    "paper": ("#ffffff", "#12161b"),
    "ink": ("#222222", "#e6eaef"),
    "quiet": ("#636b75", "#9aa7b4"),
    "grid": ("#e4e4e4", "#323b46"),
    "blue": ("#0072b2", "#58b4ea"),
    "orange": ("#c04f00", "#f0954a"),
    "green": ("#007f5c", "#3ecfa0"),
    "purple": ("#a64d7e", "#e39cc4"),
    "ochre": ("#8a6200", "#e8b452"),
    "red": ("#b3261e", "#ff8a80"),
    "violet": ("#5d50b5", "#aaa1f0"),
}

#: Colour and sign of each verdict: blue and orange are told apart by colour-blind readers, green and red are not.
VERDICTS = {
    "holds": ("blue", "✓"),
    "fails": ("orange", "×"),
    "depends": ("purple", "~"),
    "undecided": ("quiet", "?"),
}
