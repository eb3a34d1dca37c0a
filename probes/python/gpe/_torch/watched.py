"""The functions of torch that attention is seen by, and what a mask adds to a key that is not to be seen."""
# Tests: tests/python/test_record.py, tests/checks/departure_test.py

import torch

SDPA = torch.nn.functional.scaled_dot_product_attention
SOFTMAX = (torch.nn.functional.softmax, torch.softmax, torch.Tensor.softmax)
#: Keywords of attention functions that are added to scores.
ADDED = ("position_bias", "attention_bias", "alibi", "rel_pos_bias", "relative_position_bias")
#: Added to a score, at most: lower ones hide the key too.
HIDDEN = -1e4
