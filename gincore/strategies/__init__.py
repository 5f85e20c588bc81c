"""Strategies: decisions, and the ways to play that are composed of them."""

from gincore.strategies.base import Decision, Strategy, decision
from gincore.strategies.catalogue import get, names

__all__ = ["Decision", "Strategy", "decision", "get", "names"]
