"""The command gpe, beside the programs that it calls."""
# Tests: tests/python/gpe_command_test.py
