"""Compiled code: NumPy and numba only; no pandas, files, classes, prints or raises.

Masks are ``uint64``, everything else is ``int64`` (mixed arithmetic of the two is avoided: numba and NumPy
disagree about its type). A card is ``13 * suit + rank``, a hand the OR of ``1 << card``.
"""
