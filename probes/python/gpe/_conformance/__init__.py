"""An implementation held against the certified values: what gpe.conformance calls."""
# Tests: tests/checks/conformance_test.py, tests/checks/module_test.py
