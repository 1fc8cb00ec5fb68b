"""Checks that make a cell valid, warned about or invalid, each with its evidence."""
