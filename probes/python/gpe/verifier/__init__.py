"""The second verifier: docs/certificates.md once more, in Python, with balls of python-flint.

Nothing else of gpe is in it.
"""
# Tests: tests/certificates/forgeries.py
