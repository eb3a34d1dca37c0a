"""What the heads of a model do."""
# Tests: tests/python/test_probe.py
