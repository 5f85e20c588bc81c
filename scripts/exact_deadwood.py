"""Every hand of ten and of eleven cards by its least deadwood, under the three ace rules.

    python scripts/exact_deadwood.py

writes results/exact-deadwood.csv (hands by ace rule, cards, deadwood and melds), .md (a summary) and the chart (.png
and .svg). Nothing is sampled, so no figure has an error, and the files are the same each time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

import gincore
from gincore.plotting.exact import one_in_lines, share_lines
from gincore.plotting.style import chart_settings

RESULTS = Path(__file__).resolve().parent.parent / "results"
ACES = {"low": "low", "high_low": "high or low", "round": "round the corner"}
CARDS = (10, 11)
NAMES = {
    "deadwood_mean_points": "deadwood, mean",
    "deadwood_sd_points": "deadwood, SD",
    **{f"deadwood_quantile_{level}_points": f"deadwood, {level} % quantile" for level in (5, 25, 50, 75, 95)},
    **{f"melds_{melds}_share": word for melds, word in enumerate(("no meld", "one meld", "two melds", "three melds"))},
    "knockable_share": "10 points or fewer",
    "gin_share": "gin",
    "big_gin_share": "big gin (eleven cards melded)",
}

Counts = dict[tuple[int, str], gincore.ExactDeadwood]


def count() -> Counts:
    """Every count, by number of cards and ace rule."""
    return {
        (cards, ace): gincore.exact_deadwood(gincore.rules("classic", ace=ace), cards=cards)
        for cards in CARDS
        for ace in ACES
    }


def rows(counts: Counts) -> pd.DataFrame:
    """All cells of all counts; ``big_gin`` is 0 for ten cards."""
    return (
        pd.concat([each.frame.assign(ace=ace, cards=cards) for (cards, ace), each in counts.items()], ignore_index=True)
        .fillna({"big_gin": 0})[["ace", "cards", "deadwood", "melds", "hands", "big_gin"]]
        .astype({"big_gin": "int64"})
    )


def summary_lines(counts: Counts, cards: int) -> list[str]:
    """The table of one number of cards, a column an ace rule."""
    found = {ace: counts[cards, ace].summary().set_index("metric") for ace in ACES}
    lines = ["| quantity | " + " | ".join(f"ace {name}" for name in ACES.values()) + " |", "|---|" + "---|" * len(ACES)]
    for metric, name in NAMES.items():
        if metric in found["low"].index:
            cells = [value_text(metric, found[ace].loc[metric]) for ace in ACES]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def value_text(metric: str, row: Any) -> str:
    """Points as they are; a share as per cent, one in how many, and the hands."""
    if not metric.endswith("_share"):
        return f"{row['value']:.5f}" if "quantile" not in metric else f"{row['value']:.0f}"
    one_in = f"1 in {1 / row['value']:,.{0 if row['value'] < 0.01 else 2}f}"
    return f"{100 * row['value']:.6f} % ({one_in}): {int(row['hands']):,}"


def low_lines(counts: Counts) -> list[str]:
    """Hands with at most so many points, a column a number of cards and an ace rule."""
    heads = [f"{cards} cards, ace {name}" for cards in CARDS for name in ACES.values()]
    low = [counts[cards, ace].low_hands().set_index("deadwood")["at_most"] for cards in CARDS for ace in ACES]
    lines = ["| points, at most | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    return lines + [
        f"| {points} | " + " | ".join(f"{int(each[points]):,}" for each in low) + " |" for points in low[0].index
    ]


def text(counts: Counts) -> str:
    """The page."""
    hands = {cards: counts[cards, "low"].hands for cards in CARDS}
    knock = {
        cards: 1 / counts[cards, "low"].summary().set_index("metric")["value"]["knockable_share"] for cards in CARDS
    }
    parts = [
        "# Exact deadwood",
        f"Every one of the {hands[10]:,} hands of ten cards, and of the {hands[11]:,} hands of eleven cards after the "
        "best discard, by its least deadwood (`scripts/exact_deadwood.py`; `gincore exact deadwood`). Nothing is "
        "sampled: no figure has an error. Ace 1 point.",
        f"With the ace low, one hand of ten cards in {knock[10]:,.0f} can knock with ten points or fewer as it is "
        f"dealt, and one of eleven in {knock[11]:,.0f} after its best discard. The number of melds is the most with "
        "which the least deadwood can be laid (a run of six is two melds).",
        "![share of hands by deadwood, and how rare low hands are](exact-deadwood.png)",
        "## Ten cards",
        "\n".join(summary_lines(counts, 10)),
        "## Eleven cards, after the best discard",
        "\n".join(summary_lines(counts, 11)),
        "## Hands with little deadwood",
        "\n".join(low_lines(counts)),
        "All counts by deadwood and melds: [exact-deadwood.csv](exact-deadwood.csv).",
    ]
    return "\n\n".join(parts) + "\n"


def chart(counts: Counts) -> Figure:
    """Both numbers of cards with the ace low, and how rare low hands are under each ace rule."""
    figure = Figure(figsize=(9.2, 3.6))
    left, right = figure.add_axes((0.085, 0.22, 0.34, 0.62)), figure.add_axes((0.54, 0.22, 0.3, 0.62))
    spread = pd.concat([counts[cards, "low"].by_deadwood().assign(line=f"{cards} cards") for cards in CARDS])
    share_lines(spread, by="line", ax=left, title="Ace low: how much deadwood do hands have?")
    rare = pd.concat(
        [
            counts[cards, ace].by_deadwood().assign(line=f"{cards} cards,\n{ACES[ace]}")
            for cards in CARDS
            for ace in ("low", "round")
        ]
    )
    one_in_lines(rare, by="line", ax=right, title="How rare is little deadwood?")
    return figure


def main() -> None:
    counts = count()
    RESULTS.mkdir(exist_ok=True)
    rows(counts).to_csv(RESULTS / "exact-deadwood.csv", index=False, lineterminator="\n")
    (RESULTS / "exact-deadwood.md").write_text(text(counts), encoding="utf-8")
    with chart_settings():
        figure = chart(counts)
        figure.savefig(RESULTS / "exact-deadwood.png", dpi=150, metadata={"Software": None})
        figure.savefig(RESULTS / "exact-deadwood.svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
