"""Verdicts and numbers: what the programs answer, as Python values."""
# Tests: tests/python/test_check.py, tests/python/test_questions.py
