"""Pictures and pages of reports."""
# Tests: tests/python/pictures_test.py, tests/python/pages_test.py
