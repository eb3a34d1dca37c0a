#!/bin/sh
# What the programs of the wheel call to draw: the command gpe, by the Python that called them.
PYTHONPATH="${0%/*}/../..${PYTHONPATH:+:$PYTHONPATH}" exec "${GPE_PYTHON:-python3}" -P -m gpe "$@"
