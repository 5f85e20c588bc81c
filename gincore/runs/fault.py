"""One line for an illegal answer of a strategy, with the command that replays it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from gincore.cards import format_card, format_hand
from gincore.ruleset import preset_names, rules
from gincore.ruleset_toml import text_of
from gincore.runs.plan import Plan
from gincore.schema import HANDS_PER_GAME, Phase, Status
from gincore.strategies import Strategy
from gincore.strategies.catalogue import text_of as text_of_strategy

_QUESTION: Final = {
    Phase.upcard: "whether to take the upcard",
    Phase.draw: "whether to take the top discard",
    Phase.discard: "which card to throw",
    Phase.knock: "whether to knock",
    Phase.last: "whether to go out with the last discard",
}


def explain(plan: Plan, status: Status, fault: np.ndarray, again: str | None = None) -> str:
    """Say in one line who answered what, what is allowed, and how to see it again.

    Parameters
    ----------
    plan
        The plan that was played.
    status
        Why the engine stopped.
    fault
        int64[8]: deal, mirror, player, phase, answer, hand mask, deadwood, knock limit.
    again
        What replays the deal; None for the command of a plain run.
    """
    answer, hand, limit = int(fault[4]), int(fault[5]), int(fault[7])
    place, asked, again = _place(plan, fault), _asked(plan, fault), _again(plan, fault, again)
    if status == Status.too_many_hands:
        return f"{place}: the {plan.layout.noun} does not end within {HANDS_PER_GAME:,} hands; {again}"
    if status == Status.bad_discard:
        said, allowed = _card(answer), _cards(answer, hand)
    elif status == Status.bad_knock:
        card = answer - 2
        said = f"{answer} (go out throwing {_card(card)})" if 0 <= card < 52 else str(answer)
        allowed = f"0 (play on), 1 (go out), 2 + a card that leaves at most {limit} of {_cards(card, hand)}"
    else:
        said, allowed = str(answer), "0 (leave it), 1 (take it)"
    return f"{asked}, it answered {said}; allowed: {allowed}; {again}"


def explain_exception(plan: Plan, error: BaseException, fault: np.ndarray, again: str | None = None) -> str:
    """Say the same of a decision that raised an exception in place of an answer."""
    said = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    line, trace = "", error.__traceback__
    files = {part.decision.function.__code__.co_filename for each in plan.strategies for part in each.parts}
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            line = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{_asked(plan, fault)}, it raised {said}{line}; {_again(plan, fault, again)}"


def _place(plan: Plan, fault: np.ndarray) -> str:
    deal, mirror = int(fault[0]), int(fault[1])
    place = f"deal {deal}"
    if plan.kind == "games":
        place = f"{plan.layout.noun} {deal // HANDS_PER_GAME}, hand {deal % HANDS_PER_GAME}"
    return f"{place}, mirror {mirror}" if plan.mirror else place


def _asked(plan: Plan, fault: np.ndarray) -> str:
    player, phase = int(fault[2]), int(fault[3])
    who = f"strategy {plan.strategies[player % len(plan.strategies)].name!r} (player {player})"
    return f"{who} in {_place(plan, fault)}: asked {_QUESTION[Phase(phase)]}"


def _again(plan: Plan, fault: np.ndarray, again: str | None) -> str:
    return f"replay it with: {again or replay_command(plan, int(fault[0]))}"


def _card(card: int) -> str:
    return format_card(card) if 0 <= card < 52 else str(card)


def _cards(thrown: int, hand: int) -> str:
    """Return the cards that may be thrown; one that is held and was still refused has just been taken."""
    if 0 <= thrown < 52 and hand >> thrown & 1:
        return f"{format_hand(hand & ~(1 << thrown))} ({format_card(thrown)} was just taken from the pile)"
    return format_hand(hand)


def replay_command(plan: Plan, deal: int, texts: Sequence[str | None] | None = None) -> str:
    """Return the command that plays just the deal, or the game, of this deal number.

    Where a strategy was made in a notebook or a script, the command line cannot name it: then it is a Python call.
    ``texts`` are the strategies as the command line names them, where they were made by another process.
    """
    unit, number = ("deal", deal) if plan.kind == "hands" else ("game", deal // HANDS_PER_GAME)
    texts = [strategy_text(strategy) for strategy in plan.strategies] if texts is None else texts
    if None in texts:
        call = "simulate" if plan.kind == "hands" else "simulate_games"
        mirror = "" if plan.mirror else ", mirror=False"
        return f"gincore.{call}(rules, strategies, {unit}s=1, first_{unit}={number}, seed={plan.seed}{mirror})"
    words = ["gincore", "simulate" if plan.kind == "hands" else "games"]
    words += [f"--{unit}s", "1", f"--first-{unit}", str(number), "--seed", str(plan.seed)]
    words += [] if plan.mirror else ["--no-mirror"]
    preset = plan.rules.name if plan.rules.name in preset_names() else "classic"
    words += ["--rules", preset]
    for option, (value, _) in plan.rules.differences(rules(preset)).items():
        words += ["--set", f"{option}={text_of(value)}"]
    for text in texts:
        words += ["--strategy", str(text)]
    return shlex.join(words)


def strategy_text(strategy: Strategy) -> str | None:
    """Return a strategy as ``--strategy`` takes it; None if it has no such text, as in a notebook."""
    if strategy.file is None:
        return text_of_strategy(strategy)
    base, *settings = strategy.name.split(",")
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) != str(strategy.file) or module.__name__ == "__main__":
            continue
        for name, value in vars(module).items():
            if isinstance(value, Strategy) and value.name == base:
                return ",".join([f"{strategy.file}:{name}", *settings])
    return None
