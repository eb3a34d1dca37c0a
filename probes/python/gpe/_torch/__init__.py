"""Encodings and attention on tensors of torch."""
# Tests: tests/python/test_attention.py, tests/python/test_statistics.py
