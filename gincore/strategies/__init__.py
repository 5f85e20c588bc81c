"""Strategies: decisions, and the ways to play that are composed of them."""

from gincore.strategies.base import Strategy
from gincore.strategies.catalogue import get, names, pool
from gincore.strategies.decisions import Decision, decision

__all__ = ["Decision", "Strategy", "decision", "get", "names", "pool"]
