"""What gpe.testing draws and says."""
# Tests: tests/python/test_testing.py
