"""Frames in, matplotlib out: ``f(frame, *, ax=None) -> Axes``.

Importing this package sets no backend and changes no setting of matplotlib. Nothing here computes a statistic.
"""
