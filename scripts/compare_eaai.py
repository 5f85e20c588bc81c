"""`simple` against `simple` under `eaai`, beside the published research framework's own figures.

    python scripts/compare_eaai.py --games 200000

writes results/eaai-reference.csv and .md: each figure of the reference, ours, both standard errors and the distance in
standard errors of the two together. The reference was measured with the EAAI-21 framework's Java engine (400,000
hands; the rows marked "second sample" 62,000 hands in 6,000 games). A rounded reference figure counts with the
standard error of its rounding besides.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

import gincore

RESULTS = Path(__file__).resolve().parent.parent / "results"
MAIN, SECOND = 400_000, 62_000
KNOCK_DEADWOOD = (2.09, 4.62, 4.38, 3.96, 4.56, 5.11, 8.64, 12.62, 16.64, 17.87, 19.51)
TURNS = (
    0.80, 0.71, 1.97, 1.79, 3.73, 3.54, 5.62, 5.37, 7.20, 6.69, 7.78, 7.05, 7.41, 6.43, 6.26, 5.23, 4.77, 3.79, 3.22,
    2.51, 2.11, 1.59, 1.21, 0.92, 0.67, 0.49, 1.1,
)  # fmt: skip
QUANTILES = {5: 4, 10: 6, 25: 9, 50: 12, 75: 16, 90: 20, 95: 22, 99: 27}
POINTS_BY_DEADWOOD = (46.96, 18.03, 16.90, 16.30, 15.87, 15.67, 14.64, 13.50, 12.43, 11.39, 10.87)
UNDERCUT_BY_DEADWOOD = (0, 0.2, 0.6, 0.6, 1.0, 1.3, 2.2, 3.5, 4.7, 6.6, 7.6)
DEADWOOD_BY_DRAWS = {1: 50.9, 5: 34.4, 9: 24.6, 13: 19.2, 17: 16.1, 21: 14.4, 25: 12.9}
UNDERCUT_BY_DRAWS = {1: 0, 5: 1.2, 9: 2.3, 13: 4.5, 17: 6.7, 21: 7.8, 25: 10.9}


class Table:
    """Rows of the comparison."""

    def __init__(self, hands: pd.DataFrame) -> None:
        self.rows: list[tuple[str, float, float, float, float, int]] = []
        self.hands = len(hands)

    def mean(self, name: str, reference: float, values: pd.Series, size: int, decimals: int) -> None:
        """Compare a mean; ``size`` is how many of the reference's hands it rests on (in proportion to ours)."""
        data = values.to_numpy(float)
        spread = float(data.std(ddof=1))
        theirs = np.hypot(spread / np.sqrt(size * len(data) / self.hands), rounding(decimals))
        self.rows.append((name, reference, theirs, float(data.mean()), spread / np.sqrt(len(data)), len(data)))

    def share(self, name: str, reference: float, hits: pd.Series, size: int, decimals: int = 2) -> None:
        """Compare a percentage."""
        self.mean(name, reference, hits.astype(float) * 100, size, decimals)

    def deviation(self, name: str, reference: float, values: pd.Series, size: int) -> None:
        """Compare a standard deviation; its error from the fourth moment."""
        data = values.to_numpy(float)
        spread = float(data.std(ddof=1))
        centred = data - data.mean()
        per_hand = np.sqrt(max((centred**4).mean() - spread**4, 0)) / (2 * spread)
        theirs = np.hypot(per_hand / np.sqrt(size * len(data) / self.hands), rounding(2))
        self.rows.append((name, reference, theirs, spread, per_hand / np.sqrt(len(data)), len(data)))

    def frame(self) -> pd.DataFrame:
        """All rows, with the distance in standard errors of both together."""
        names = ["quantity", "reference", "reference_se", "ours", "ours_se", "n"]
        frame = pd.DataFrame(self.rows, columns=names)
        both = np.hypot(frame["reference_se"], frame["ours_se"])
        frame["distance_se"] = (frame["ours"] - frame["reference"]) / both
        return frame


def rounding(decimals: int) -> float:
    """Standard deviation of a figure's rounding."""
    return float(10.0**-decimals / np.sqrt(12))


def compare(games: int, seed: int, workers: int | None = None) -> pd.DataFrame:
    """Play and compare.

    Returns
    -------
    DataFrame
        quantity, reference, reference_se, ours, ours_se, n, distance_se; percentages in per cent.
    """
    run = gincore.simulate_games(
        "eaai", ("simple", "simple"), games=games, seed=seed, mirror=False, workers=workers, progress=False
    )
    hands, played = run.hands, run.games
    table = Table(hands)
    ends(table, hands)
    length(table, hands)
    points(table, hands)
    deadwood(table, hands)
    second_sample(table, hands)
    for name, reference, value in (("hands a game", 10.33, played["hands"]),):
        table.rows.append(
            (
                f"{name} (second sample)",
                reference,
                float(np.hypot(3.1 / np.sqrt(6_000), rounding(2))),
                float(value.mean()),
                float(value.std() / np.sqrt(len(value))),
                len(value),
            )
        )
    return table.frame()


def ends(table: Table, hands: pd.DataFrame) -> None:
    for kind, name, reference in (
        ("knock", "knock won %", 93.47),
        ("gin", "gin %", 2.08),
        ("undercut", "undercut %", 4.27),
        ("dead", "dead %", 0.18),
    ):
        table.share(name, reference, hands["result"] == kind, MAIN)
    tie = (hands["result"] == "undercut") & (hands["knocker_deadwood"] == hands["defender_deadwood"])
    table.share("undercut at equal deadwood %", 1.37, tie.fillna(False), MAIN)


def length(table: Table, hands: pd.DataFrame) -> None:
    turns = hands["turns"].astype(int)
    table.mean("turns a hand", 12.550, turns, MAIN, 3)
    table.deviation("turns a hand, SD", 5.41, turns, MAIN)
    for level, step in QUANTILES.items():  # whole numbers: told apart only where a whole turn lies between them
        ours = float(np.percentile(turns, level))
        table.rows.append((f"turns, {level} % quantile", step, rounding(0), ours, 0.0, len(turns)))
    for number, reference in enumerate(TURNS, start=1):
        last = number == len(TURNS)
        hit = turns >= number if last else turns == number
        table.share(f"hands of {number}{'+' if last else ''} turns %", reference, hit, MAIN, 1 if last else 2)
    table.mean("face-up draws a hand", 2.054, hands["pickups_0"] + hands["pickups_1"], MAIN, 3)


def points(table: Table, hands: pd.DataFrame) -> None:
    scored = hands[hands["winner"].notna()]
    gained = (scored["points_0"] + scored["points_1"]).astype(int)
    table.mean("points to the winner of a scored hand", 16.237, gained, MAIN, 3)
    table.deviation("points to the winner, SD", 12.61, gained, MAIN)
    table.mean("points of a knock won", 15.07, gained[scored["result"] == "knock"], MAIN, 2)
    table.mean("points of a gin", 47.50, gained[scored["result"] == "gin"], MAIN, 2)
    under = scored["result"] == "undercut"
    equal = scored["knocker_deadwood"] == scored["defender_deadwood"]
    table.mean("points of a strict undercut", 27.37, gained[under & ~equal], MAIN, 2)
    sign = np.where(hands["starter"].astype(int) == 0, 1, -1)
    net: pd.Series[int] = (hands["points_0"] - hands["points_1"]).astype(int) * sign
    table.mean("starter's net points a hand", 0.226, net, MAIN, 3)
    table.deviation("starter's net points, SD", 20.54, net, MAIN)
    table.share("starter wins, of scored hands %", 50.21, scored["winner"] == scored["starter"], MAIN)


def deadwood(table: Table, hands: pd.DataFrame) -> None:
    out = hands[hands["knocker"].notna()]
    own = out["knocker_deadwood"].astype(int)
    knocks = out[out["result"].isin(["knock", "undercut"])]
    laid = knocks["layoff_cards"].astype(int)
    table.mean("deadwood at the knock", 6.983, own, MAIN, 3)
    table.mean("deadwood at a knock, gin left out", 7.132, knocks["knocker_deadwood"].astype(int), MAIN, 3)
    table.mean("defender's deadwood after lay-offs", 21.49, out["defender_deadwood"].astype(int), MAIN, 2)
    table.mean("cards laid off a knock", 0.607, laid, MAIN, 3)
    table.share("knocks with a lay-off %", 46.15, laid > 0, MAIN)
    for value, reference in enumerate(KNOCK_DEADWOOD):
        table.share(f"deadwood {value} at the knock %", reference, own == value, MAIN)


def second_sample(table: Table, hands: pd.DataFrame) -> None:
    """Figures of the reference's sample of 62,000 hands, in which the starter took the first turn."""
    note = "(second sample)"
    scored = hands[hands["winner"].notna()]
    for seat, reference in ((0, 17.2), (1, 15.0)):
        player = scored["starter"] if seat == 0 else 1 - scored["starter"]
        took = (scored["upcard_taken_by"] == player).fillna(False)
        table.share(f"upcard taken by the {('first', 'second')[seat]} player % {note}", reference, took, SECOND, 1)
    table.mean(f"stock left at the end {note}", 20.6, scored["stock_left"].astype(int), SECOND, 1)
    out = hands[hands["knocker"].notna()]
    own = out["knocker_deadwood"].astype(int)
    sign = np.where(out["knocker"].astype(int) == 0, 1, -1)
    net: pd.Series[int] = (out["points_0"] - out["points_1"]).astype(int) * sign
    under = out["result"] == "undercut"
    for value in range(11):
        here = own == value
        table.mean(f"points to the knocker at {value} {note}", POINTS_BY_DEADWOOD[value], net[here], SECOND, 2)
        if value:
            table.share(f"undercut at {value} % {note}", UNDERCUT_BY_DEADWOOD[value], under[here], SECOND, 1)
    knocks = out["result"] != "gin"
    for draws, reference in DEADWOOD_BY_DRAWS.items():
        here = knocks & (out["turns"].astype(int) == draws)
        table.mean(
            f"defender's deadwood after lay-offs in turn {draws} {note}",
            reference,
            out["defender_deadwood"][here].astype(int),
            SECOND,
            1,
        )
        if draws > 1:
            table.share(f"undercut in turn {draws} % {note}", UNDERCUT_BY_DRAWS[draws], under[here], SECOND, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    frame = compare(chosen.games, chosen.seed)
    RESULTS.mkdir(exist_ok=True)
    frame.to_csv(RESULTS / "eaai-reference.csv", index=False, float_format="%.5g")
    head = (
        f"`simple` against `simple` under `eaai`, {chosen.games:,} games, seed {chosen.seed}, beside the research "
        "framework's own figures (`scripts/compare_eaai.py`). Distances are in standard errors of both together.\n"
    )
    lines = ["| quantity | reference | ours | distance (SE) |", "|---|---|---|---|"]
    lines += [
        f"| {row.quantity} | {row.reference:g} ± {row.reference_se:.2g} | {row.ours:.5g} ± {row.ours_se:.2g} "
        f"| {row.distance_se:+.1f} |"
        for row in frame.itertuples()
    ]
    (RESULTS / "eaai-reference.md").write_text(head + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    far = frame[frame["distance_se"].abs() > 3]
    print(frame.to_string())
    print(f"{len(frame)} figures, {len(far)} beyond 3 standard errors")


if __name__ == "__main__":
    main()
