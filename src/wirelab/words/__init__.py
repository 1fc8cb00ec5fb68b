"""Texts in the languages of reports: translations, figures and reasons in words."""
