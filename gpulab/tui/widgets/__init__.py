"""Widgets of the app's own: rows drawn by the Line API."""
