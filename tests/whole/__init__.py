"""Tests of the whole service: its real processes, driven over HTTP."""
