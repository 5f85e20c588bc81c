"""``gincore hand`` and ``gincore showdown``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gincore.cards import format_card, format_hand, parse_hand
from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
    examples,
    print_json,
    print_table,
    read_count,
    read_rules,
)
from gincore.errors import UsageError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gincore.ruleset import Rules

ELEVEN = 11
_HIGHEST = 10
"""The most that a turned card allows."""


def add_to(app: typer.Typer) -> None:
    """Add both commands to the application."""
    app.command(
        "hand",
        epilog=examples(
            'gincore hand "5h 5s 5c 6h 7h 8h Td Jd Kd 2c"',
            'gincore hand "As Ac Ad 2s 2c 2d 2h 3s Jh Qh Kh" --json',
            "gincore hand 5h 5s 5c 6h 7h 8h Td Jd Kd 2c --rules oklahoma",
        ),
    )(hand)
    app.command(
        "showdown",
        epilog=examples(
            'gincore showdown "5s 6s 7s 9c Tc Jc Jd Ks Kc Kd" "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d"',
            'gincore showdown "5s 6s 7s 8s Td Jd Qd Kd Ah Ac" "9s Ts Kc Qh Jh 2d 3d 8d 8h 5c" '
            "--set knocker_spread=best",
            'gincore showdown "5s 6s 7s 9c Tc Jc Ks Kc Kd 4d" "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d" '
            "--rules oklahoma --limit 4",
        ),
    )(showdown)


def hand(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help="Ten or eleven cards, such as '5h 5s Td'.")],
    rules: RulesOption = "classic",
    settings: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Deadwood, every best arrangement and, of eleven cards, every discard."""
    chosen = read_rules(rules, settings)
    mask = parse_hand(" ".join(cards))

    from gincore import evaluate

    points = int(evaluate.deadwood([mask], chosen)[0])
    spreads = evaluate.spreads(mask, chosen)
    eleven = mask.bit_count() == ELEVEN
    found: dict[str, Any] = {
        "hand": format_hand(mask),
        "cards": mask.bit_count(),
        "rules": chosen.label,
        "deadwood": points,
        "spreads": [
            {"melds": _texts(each.melds), "deadwood_cards": format_hand(each.deadwood_cards), "points": each.points}
            for each in spreads
        ],
    }
    if eleven:
        found["big_gin"] = bool(evaluate.is_big_gin([mask], chosen)[0])
        found["discards"] = [
            {"card": format_card(card), "deadwood": left} for card, left in evaluate.discards(mask, chosen)
        ]
    if json:
        print_json(found)
    else:
        _print_hand(found)


def _print_hand(found: dict[str, Any]) -> None:
    eleven = "discards" in found
    print(f"{found['hand']}  ({found['cards']} cards, {found['rules']})")
    print(f"deadwood{' after the best discard' if eleven else ''}: {found['deadwood']}")
    if eleven:
        print(f"big gin: {'yes' if found['big_gin'] else 'no'}")
    print(f"best arrangements{' of all eleven' if eleven else ''}: {len(found['spreads'])}")
    for each in found["spreads"]:
        melds = " | ".join(each["melds"]) or "no meld"
        print(f"  {melds} | left: {each['deadwood_cards'] or 'nothing'} = {each['points']}")
    if eleven:
        print_table(("discard", "deadwood"), [(each["card"], each["deadwood"]) for each in found["discards"]])


def showdown(
    knocker: Annotated[str, typer.Argument(metavar="KNOCKER", help="Ten cards, or eleven for big gin.")],
    defender: Annotated[str, typer.Argument(metavar="DEFENDER", help="Ten cards.")],
    rules: RulesOption = "classic",
    settings: SetOption = None,
    limit: Annotated[
        str | None,
        typer.Option("--limit", metavar="N", help="Highest deadwood that may knock, where a turned card sets it."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Score a knock: melds, lay-offs, winner and points."""
    chosen = read_rules(rules, settings)
    highest = _read_limit(limit, chosen)
    one, two = parse_hand(knocker), parse_hand(defender)

    from gincore import evaluate

    result = evaluate.showdown(one, two, chosen, limit=highest)
    found: dict[str, Any] = {
        "knocker": format_hand(one),
        "defender": format_hand(two),
        "rules": chosen.label,
        "winner": result.winner,
        "kind": result.kind,
        "points": result.points,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "knocker_melds": _texts(result.knocker_melds),
        "defender_melds": _texts(result.defender_melds),
        "laid_off": format_hand(result.laid_off),
    }
    if isinstance(chosen.knock_limit, str):
        found["limit"] = _HIGHEST - chosen.knock_strict if highest is None else highest
    if json:
        print_json(found)
        return
    for side, melds in (("knocker", found["knocker_melds"]), ("defender", found["defender_melds"])):
        print(f"{side}: {found[side]}")
        print(f"  melds: {' | '.join(melds) or 'none'}; deadwood {found[f'{side}_deadwood']}")
    print(f"  laid off: {found['laid_off'] or 'nothing'}")
    print(f"{found['kind']}: {found['winner'] or 'nobody'} scores {found['points']}")
    if isinstance(chosen.knock_limit, str):
        taken = "the most that a card allows (--limit N names another)" if highest is None else "as --limit says"
        print(f"knock limit: {found['limit']}, {taken}; under {chosen.label} a turned card sets it")


def _read_limit(text: str | None, rules: Rules) -> int | None:
    """Return the limit that a turned card set; where no card does, it belongs into the rules."""
    if text is None:
        return None
    limit = read_count("--limit", text, most=_HIGHEST, least=0, example="4")
    if not isinstance(rules.knock_limit, str):
        raise UsageError(
            f"--limit {quoted(text)}: under {rules.label} no card sets the limit; --set knock_limit={limit} changes it"
        )
    return limit


def _texts(masks: Iterable[int]) -> list[str]:
    return [format_hand(mask) for mask in masks]
