"""How strong `rollout` is for its budget, and how well it guesses the hidden hand.

    python scripts/measure_rollout.py

writes results/rollout.md, rollout.csv and rollout-calibration.png: games, hands and points of some budgets against
`simple`, beside those of `expert` on the same cards, and against `expert`; and deadwood as guessed, beside deadwood as
held, by turn. About nine minutes of one core (`--games 200` shows how it goes in one).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from habits import PLAYERS, chain, questions
from matplotlib.figure import Figure

import gincore
from gincore.analysis.contest import MEASURES, Measure, measure_interval
from gincore.analysis.intervals import Interval, Term, combination, student_interval
from gincore.contests.play import make_setup, play_all
from gincore.core.deadwood import least
from gincore.core.tables import block
from gincore.plotting.style import INK, LOOKS, chart_settings
from gincore.runs.tally import Moments
from gincore.strategies import get, sample

RESULTS = Path(__file__).resolve().parent.parent / "results"
SEED: Final = 2_027
"""Of the games here; nothing was fitted or chosen on them."""
LEVEL: Final = 0.95
BUDGETS: Final = {8: 0.25, 32: 1.0, 128: 0.125}
"""Guesses a decision, and the share of the games that are played with them."""
AGAINST_EXPERT: Final = 0.25
"""Games against `expert` for one against `simple`: the difference is larger there."""
NAMES: Final = {
    "game_won_share": "games_won",
    "hand_won_share_of_decided": "hands_won",
    "net_points_per_hand": "points_a_hand",
}
FIRST_DEAL: Final = 100_000
"""Of the guesses that are held against hands; `habits.py` saw those before."""
GUESSES: Final = 60
TURNS_A_BIN: Final = 3
LATEST_TURN: Final = 24
LEAST_DEALS: Final = 10
"""Fewer show nothing."""


def difference(moments: Moments, measure: Measure) -> Interval:
    """By how much the first encounter exceeds the second, with Student's interval over the games that they share."""
    terms = [Term(sign, *measure.ratio(k)) for k, sign in ((0, 1), (1, -1))]
    return student_interval(*combination(moments, terms), moments.units, LEVEL)


def meet(samples: int, opponent: str, games: int) -> dict[Hashable, Any]:
    """A row: `rollout` against an opponent and, where that is not `expert`, the difference to `expert` there."""
    mine, other, expert = get(f"rollout,samples={samples}"), get(opponent), get("expert")
    encounters = [(mine, other)] if opponent == "expert" else [(mine, other), (expert, other)]
    players = {each.name: each for pair in encounters for each in pair}
    setup = make_setup("eaai", players, encounters, list(players), games=games, seed=SEED, level=LEVEL)
    start = time.process_time()
    moments = play_all(setup, f"{mine.name} v {opponent}")
    seconds = time.process_time() - start
    row: dict[Hashable, Any] = {"samples": samples, "opponent": opponent, "games": 2 * games}
    for measure in MEASURES:
        found = {NAMES[measure.name]: measure_interval(moments, measure, measure.ratio(0), LEVEL)}
        if len(encounters) > 1:
            found[f"{NAMES[measure.name]}_above_expert"] = difference(moments, measure)
        for name, interval in found.items():
            row |= {f"{name}_{part}": value for part, value in interval._asdict().items()}
    row["games_per_core_second"] = 2 * games / seconds
    return row


def guessed_deadwood(shown: Any, guess: Any, hands: Any) -> tuple[float, float]:
    """Mean deadwood of the guesses of a patient and of a plain opponent's hand."""
    place, means = block(shown.ace, shown.ace_points), []
    for kind in range(len(PLAYERS)):
        sample.start(shown, kind, shown.random, guess)
        chain(shown, kind, guess.habits.copy(), guess, hands)
        means.append(float(np.mean([least(hand, place) for hand in hands])))
    return means[0], means[1]


def calibration(deals: int) -> pd.DataFrame:
    """Deadwood guessed and held, one row a question: who plays whom, deal, turn, held, and three ways of guessing.

    ``told`` is guessed knowing who sits there, ``guessed`` as ``rollout`` does, by the odds of what was seen.
    """
    rows = []
    guess, hands = np.zeros(1, sample.GUESS_DTYPE)[0], np.zeros(GUESSES, np.uint64)
    tells = np.zeros(len(sample.TELLS))
    pairs = [(mine, theirs) for mine in range(len(PLAYERS)) for theirs in range(mine, len(PLAYERS))]
    for number, pair in enumerate(pairs):
        for deal in range(deals):
            for seen in questions(pair, 1, FIRST_DEAL + deals * number + deal):
                means = guessed_deadwood(seen.view, guess, hands)
                share = sample.plain_share(seen.view, 0.5, tells)
                rows.append(
                    {
                        "deal": deals * number + deal,
                        "holder": PLAYERS[seen.kind],
                        "turn": int(seen.view.turn),
                        "held": float(least(np.uint64(seen.hand), block(seen.view.ace, seen.view.ace_points))),
                        "told": means[seen.kind],
                        "guessed": (1 - share) * means[0] + share * means[1],
                    }
                )
    return pd.DataFrame(rows)


def by_turn(frame: pd.DataFrame, guess: str) -> pd.DataFrame:
    """Mean deadwood guessed and held by bins of turns, and the difference with its interval over deals."""
    rows = []
    bins = frame["turn"].clip(upper=LATEST_TURN) // TURNS_A_BIN * TURNS_A_BIN
    for first, part in frame.groupby(bins):
        each = part.groupby("deal")[["held", guess]].mean()  # a deal is the unit
        off = each[guess] - each["held"]
        error = off.std(ddof=1) / np.sqrt(len(off))
        off_interval = student_interval(off.mean(), error, len(off), LEVEL)
        rows.append((int(first), each["held"].mean(), each[guess].mean(), *off_interval, len(off)))
    rows = [row for row in rows if row[-1] >= LEAST_DEALS]
    columns = ["turn", "held", "guessed", "off_estimate", "off_low", "off_high", "deals"]
    return pd.DataFrame(rows, columns=columns)


def panels(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """What is drawn and printed: each holder, told who it is; and both, not told."""
    told = [(f"{name}'s hand, told who it is", by_turn(frame[frame["holder"] == name], "told")) for name in PLAYERS]
    return [*told, ("either's hand, not told who it is", by_turn(frame, "guessed"))]


def draw_calibration(found: Sequence[tuple[str, pd.DataFrame]]) -> Figure:
    """Deadwood held, and what guesses said, by turn: the bars are the interval of what they are off."""
    figure = Figure(figsize=(9.6, 3.5))
    axes = figure.subplots(1, len(found), sharey=True)
    for ax, (title, part) in zip(axes, found, strict=True):
        middle = part["turn"] + (TURNS_A_BIN - 1) / 2
        reach = (part["off_high"] - part["off_low"]) / 2
        ax.errorbar(middle, part["guessed"], reach, fmt=LOOKS[0].marker, ms=4, capsize=2, color=LOOKS[0].color,
                    label="guessed, mean of a question")  # fmt: skip
        ax.plot(middle, part["held"], LOOKS[1].dashes, color=LOOKS[1].color, label="held")
        ax.set_title(title, loc="left", color=INK, fontsize=10)
        ax.set_xlabel("turns played, both players")
        ax.set_ylim(bottom=0)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("deadwood, points")
    axes[0].legend(frameon=False)
    figure.tight_layout()
    return figure


def interval(row: Mapping[Hashable, Any], name: str, scale: float, form: str) -> str:
    """An estimate with its interval as text."""
    if f"{name}_estimate" not in row:
        return ""
    low, middle, high = (format(scale * row[f"{name}_{part}"], form) for part in ("low", "estimate", "high"))
    return f"{middle} [{low} .. {high}]"


def usual() -> str:
    """What was played, in words: the other parameters, and the digest of decisions, weights and parameters."""
    player = get("rollout")
    others = ", ".join(f"{name} {value:g}" for name, value in player.params.items() if name != "samples")
    return f"otherwise {others} (gincore {gincore.__version__}, digest of the usual strategy {player.digest()})"


def page(rows: Sequence[dict[Hashable, Any]], found: Sequence[tuple[str, pd.DataFrame]], frame: pd.DataFrame) -> str:
    """The page of results."""
    lines = [
        "# What does looking ahead gain?",
        "",
        f"`rollout` under `eaai`, measured by `scripts/measure_rollout.py` on seed {SEED}, on which nothing was "
        "fitted. Every game is played twice, the seats exchanged, and the intervals (95 %) count the pair as one. "
        "*Above `expert`*: minus what `expert` makes of `simple` on the same cards. Guesses are the most that a "
        f"decision makes (`samples`); {usual()}. Games a second are by the time of one core.",
        "",
        "| guesses | against | games | games won, % | above `expert` | hands won, % | points a hand | above `expert` "
        "| games/s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row['samples']} | {row['opponent']} | {row['games']:,} | {interval(row, 'games_won', 100, '.1f')} "
            f"| {interval(row, 'games_won_above_expert', 100, '+.1f')} | {interval(row, 'hands_won', 100, '.1f')} "
            f"| {interval(row, 'points_a_hand', 1, '+.2f')} | {interval(row, 'points_a_hand_above_expert', 1, '+.2f')} "
            f"| {row['games_per_core_second']:.1f} |"
        )
    lines += [
        "",
        "## Are the guesses right?",
        "",
        "![deadwood guessed and held, by turn](rollout-calibration.png)",
        "",
        f"Mean deadwood of the hidden hand as guessed ({GUESSES} guesses a question) and as held, in "
        f"{frame['deal'].nunique():,} deals that the fit (`scripts/habits.py`) did not see: {len(frame):,} questions "
        "of hands between `expert` and `simple`, each against each and itself. The interval (95 %, drawn as bars) is "
        "that of guessed minus held, over deals.",
        "",
        "| whose hand | from turn | held | guessed | guessed minus held | deals |",
        "|---|---|---|---|---|---|",
    ]
    for title, part in found:
        for each in part.to_dict("records"):
            lines.append(
                f"| {title} | {each['turn']} | {each['held']:.1f} | {each['guessed']:.1f} "
                f"| {interval(each, 'off', 1, '+.1f')} | {each['deals']:,} |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_400, help="pairs of games against simple of the usual budget")
    parser.add_argument("--deals", type=int, default=150, help="deals of each two players whose hands are guessed")
    chosen = parser.parse_args()
    gincore.simulate_games("eaai", ("rollout,samples=2", "simple"), games=1, seed=1, progress=False)  # compiles
    frame = calibration(chosen.deals)
    found = panels(frame)
    with chart_settings():
        draw_calibration(found).savefig(RESULTS / "rollout-calibration.png", dpi=150)
    rows = []
    for samples, share in BUDGETS.items():
        for opponent, part in (("simple", 1.0), ("expert", AGAINST_EXPERT)):
            rows.append(meet(samples, opponent, max(2, round(chosen.games * share * part))))
            pd.DataFrame(rows).to_csv(RESULTS / "rollout.csv", index=False, float_format="%.6g")
    (RESULTS / "rollout.md").write_text(page(rows, found, frame), encoding="utf-8")


if __name__ == "__main__":
    main()
