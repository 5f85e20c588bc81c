"""Early knock or patience? Rules x knock policy x opponent: games, hands and points, with intervals.

    python scripts/early_or_patient.py

writes results/early-or-patient.csv, .md, .png and .svg. Published work disagrees: some finds that knocking early is
best, some that patience wins. Here every policy has the same draws and discards (``simple``'s, or the look-ahead
discard), and only its knock differs; each meets every opponent on the same deals, with the seats exchanged.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

import gincore
from gincore.plotting.policies import policy_panels
from gincore.plotting.style import chart_settings

RESULTS = Path(__file__).resolve().parent.parent / "results"
RULES = ("eaai", "classic", "pagat", "straight", "oklahoma")
LIMITS = (10, 8, 5, 2)
OPPONENTS = ("simple", "gin-only", "lookahead", "lookahead-gin", "expert")
METRICS = {
    "game_won_0_share": "games",
    "won_0_share": "hands",
    "net_points_per_hand": "points",
}
SHOWN = {"games": "share of games won", "hands": "share of hands won", "points": "net points a hand"}


def policies() -> dict[str, gincore.Strategy]:
    """Knock policies with ``simple``'s draws and discards and with the look-ahead discard, then the expert."""
    found: dict[str, gincore.Strategy] = {}
    for base in ("simple", "lookahead"):
        for limit in LIMITS:
            name = f"{base}, {limit} or less"
            found[name] = gincore.Strategy(name, base=base, knock="by-turn", params={"limit": limit})
        found[f"{base}, gin only"] = gincore.Strategy(f"{base}, gin only", base=base, knock="gin-only")
    return found


def measure(games: int, seed: int) -> pd.DataFrame:
    """One row for each rule set, policy, opponent and measure."""
    rows = []
    for rules in RULES:
        for name, mine in policies().items():
            for opponent in OPPONENTS:
                run = gincore.simulate_games(
                    rules, (mine, opponent), games=games, seed=seed, keep="stats", progress=False
                )
                summary = run.summary().set_index("metric")
                for metric, measure in METRICS.items():
                    found = summary.loc[metric, ["estimate", "low", "high", "n"]].to_dict()
                    rows.append({"rules": rules, "policy": name, "opponent": opponent, "measure": measure, **found})
        print(f"{rules}: done", flush=True)
    return pd.DataFrame(rows)


def text(frame: pd.DataFrame, games: int) -> str:
    """The tables of the page, one for each rule set and measure."""
    lines = [
        "# Early knock or patience?",
        "",
        f"Share of games, share of hands and net points a hand of each policy (rows) against each opponent (columns), "
        f"95 % intervals over {games:,} mirrored pairs of games a cell (`scripts/early_or_patient.py`; no correction "
        "for the number of cells). A policy's draws and discards are those of `simple` or `lookahead`; only the knock "
        "differs. Games, hands and points can disagree.",
        "",
        *findings(frame),
        "",
        "![share of games won by policy, rules and opponent](early-or-patient.png)",
    ]
    for rules in RULES:
        for measure, said in SHOWN.items():
            part = frame[(frame["rules"] == rules) & (frame["measure"] == measure)]
            lines += ["", f"## `{rules}`: {said}", "", "| policy | " + " | ".join(OPPONENTS) + " |"]
            lines.append("|---|" + "---|" * len(OPPONENTS))
            for policy in dict.fromkeys(part["policy"]):
                cells = part[part["policy"] == policy].set_index("opponent").loc[list(OPPONENTS)]
                lines.append(f"| {policy} | " + " | ".join(cell(row, measure) for row in cells.itertuples()) + " |")
    return "\n".join(lines) + "\n"


def cell(row: object, measure: str) -> str:
    """An estimate with its interval."""
    estimate, low, high = (getattr(row, name) for name in ("estimate", "low", "high"))
    if measure == "points":
        return f"{estimate:+.2f} [{low:+.2f} .. {high:+.2f}]"
    return f"{100 * estimate:.1f} [{100 * low:.1f} .. {100 * high:.1f}]"


def findings(frame: pd.DataFrame) -> list[str]:
    """For each rule set, which knock policy wins most games against each opponent."""
    lines = []
    for rules in RULES:
        said = []
        for opponent in OPPONENTS:
            part = frame[
                (frame["rules"] == rules) & (frame["opponent"] == opponent) & (frame["measure"] == "games")
                & frame["policy"].str.startswith("lookahead")
            ]  # fmt: skip
            best = part.sort_values("estimate").iloc[-1]
            level = part[part["high"] >= best["low"]]["policy"].str.split(", ").str[1]
            near = f" (not told apart from {len(level) - 1} other)" if len(level) > 1 else ""
            said.append(f"{opponent}: {best['policy'].split(', ')[1]}{near}")
        lines.append(f"- `{rules}`, knocks of `lookahead` that win most games against {'; '.join(said)}.")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=31)
    chosen = parser.parse_args()
    frame = measure(chosen.games, chosen.seed)
    frame.to_csv(RESULTS / "early-or-patient.csv", index=False, float_format="%.6g")
    (RESULTS / "early-or-patient.md").write_text(text(frame, chosen.games), encoding="utf-8")
    shown = frame[frame["measure"] == "games"]
    with chart_settings():
        figure = policy_panels(
            shown, title="Early knock or patience? Share of games won, by rules and opponent",
            x="share of games won, per cent (95 % intervals)",
        )  # fmt: skip
        for kind in ("png", "svg"):
            figure.savefig(RESULTS / f"early-or-patient.{kind}", dpi=150)


if __name__ == "__main__":
    main()
