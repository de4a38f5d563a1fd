"""Figures for whoever runs the service: counted in every process, added up in the store, read at `/metrics`.

Nothing of players, tables, tiles or tokens is a figure or a label of one.
"""
