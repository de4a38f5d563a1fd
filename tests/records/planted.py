"""Alterations to plant in a record, and what a verifier must name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.records import games

Document = dict[str, Any]


class Planted(NamedTuple):
    """One alteration of a record."""

    name: str
    alter: Callable[[Document], object]
    what: str
    """What a finding must name."""
    hand: int | None = 2
    """The hand it must be found in; None: the record as a whole."""
    claims: bool = False
    """It is planted in a game with claims."""
    seen_twice: bool = True
    """The second verifier, which looks at less, finds it too."""


def event(record: Document, kind: str, number: int = 0, hand: int = 2, **fields: object) -> dict[str, Any]:
    """The hand's event of this kind (the one after `number` others) that has these fields."""
    found = [
        one
        for one in record["hands"][hand - 1]["events"]
        if one["type"] == kind and all(one[name] == value for name, value in fields.items())
    ]
    chosen: dict[str, Any] = found[number]
    return chosen


def put(
    kind: str, field: str, change: Callable[[Any], object], number: int = 0, hand: int = 2, **fields: object
) -> Any:
    """Change one field of an event."""

    def alter(record: Document) -> None:
        one = event(record, kind, number, hand, **fields)
        before = one[field]
        one[field] = change(before)
        assert one[field] != before

    return alter


def partner_takes_them(record: Document) -> None:
    """The points of a window are the caller's partner's."""
    window = next(
        one for one in record["hands"][1]["events"] if one["type"] == "claim_closed" and one["taken_by"] is not None
    )
    window["taken_by"] ^= 2


def said(field: str, change: Callable[[Any], object]) -> Any:
    """Change what is said of the hand, its events left alone."""

    def alter(record: Document) -> None:
        record["hands"][1][field] = change(record["hands"][1][field])

    return alter


def both(change: Callable[[dict[str, Any], dict[str, Any]], object]) -> Any:
    """Change a hand and its `hand_dealt` alike, as whoever is careful would."""

    def alter(record: Document) -> None:
        change(record["hands"][1], event(record, "hand_dealt"))

    return alter


def proved(change: Callable[[dict[str, Any]], object]) -> Any:
    """Change the proof in all three places where it stands."""

    def alter(record: Document) -> None:
        hand = record["hands"][1]
        for proof in (hand["proof"], hand["result"]["proof"], event(record, "hand_ended")["proof"]):
            change(proof)

    return alter


def exchange_tiles(hand: dict[str, Any], dealt: dict[str, Any]) -> None:
    mine, rest = hand["holdings"][0], hand["boneyard"]
    mine[0], rest[0] = rest[0], mine[0]
    dealt["holdings"], dealt["boneyard_tiles"] = hand["holdings"], rest


def exchange_boneyard(hand: dict[str, Any], dealt: dict[str, Any]) -> None:
    rest = hand["boneyard"]
    rest[-1], rest[-2] = rest[-2], rest[-1]
    dealt["boneyard_tiles"] = rest


def other_leader(hand: dict[str, Any], dealt: dict[str, Any]) -> None:
    hand["leader"] = dealt["leader"] = 1 - dealt["leader"]


def other_reason(hand: dict[str, Any], dealt: dict[str, Any]) -> None:
    hand["lead_by"] = dealt["lead_by"] = "lot" if dealt["lead_by"] == "went_out" else "went_out"


def without(kind: str, number: int = 0) -> Any:
    def alter(record: Document) -> None:
        record["hands"][1]["events"].remove(event(record, kind, number))

    return alter


def without_and_renumbered(kind: str) -> Any:
    def alter(record: Document) -> None:
        gone = event(record, kind)
        without(kind)(record)
        for hand in record["hands"]:
            for one in hand["events"]:
                one["seq"] -= one["seq"] > gone["seq"]

    return alter


def swap_events(record: Document) -> None:
    events = record["hands"][1]["events"]
    first, second = [place for place, one in enumerate(events) if one["type"] == "tile_played"][2:4]
    events[first], events[second] = events[second], events[first]


def swap_numbered(record: Document) -> None:
    """Points before the play they are for, and their numbers with them."""
    events = record["hands"][1]["events"]
    place = next(n for n, one in enumerate(events) if one["type"] == "points_scored")
    events[place - 1], events[place] = events[place], events[place - 1]
    events[place - 1]["seq"], events[place]["seq"] = events[place]["seq"], events[place - 1]["seq"]


def insert_points(record: Document) -> None:
    events = record["hands"][1]["events"]
    events.insert(2, {**event(record, "points_scored"), "seq": events[2]["seq"]})


def swap_links(record: Document) -> None:
    one, other = record["hands"][1], record["hands"][2]
    for first, second in ((one, other), (one["result"], other["result"])):
        first["proof"], second["proof"] = second["proof"], first["proof"]
    for hand in (one, other):
        event(record, "hand_ended", hand=hand["number"])["proof"] = hand["proof"]


def without_hand(record: Document) -> None:
    del record["hands"][1]


def miss_announced(record: Document) -> None:
    """A play that missed its points is said to have announced them."""
    events = record["hands"][1]["events"]
    closed = next(one for one in events if one["type"] == "claim_closed" and one["missed"])
    played = [one for one in events if one["type"] == "tile_played" and one["seq"] < closed["seq"]][-1]
    played["announce"] = closed["missed"]


def end(record: Document, field: str, value: object) -> None:
    record["result"][field] = value


def flipped(word: str) -> str:
    return ("0" if word[0] != "0" else "1") + word[1:]


PLANTED = [
    # the deal
    Planted("a tile changes hands", both(exchange_tiles), "holdings[0]"),
    Planted("two tiles of the boneyard change places", both(exchange_boneyard), "boneyard"),
    Planted("another leader", both(other_leader), "leader"),
    Planted("another reason to lead", both(other_reason), "lead_by"),
    Planted("a tile, only in what is said of the hand", said("boneyard", lambda tiles: tiles[::-1]), "boneyard"),
    Planted("a seat's seed", proved(lambda proof: proof["client_seeds"].__setitem__(0, "x")), "client_seeds"),
    Planted("a seed too many", proved(lambda proof: proof["client_seeds"].append("")), "proof.client_seeds"),
    Planted("another link", proved(lambda proof: proof.update(link=flipped(proof["link"]))), "proof.link"),
    Planted("no link at all", proved(lambda proof: proof.update(link="")), "proof.link"),
    Planted("the links of two hands exchanged", swap_links, "proof.link"),
    Planted("another algorithm", proved(lambda proof: proof.update(algorithm="trust-us/1")), "proof.algorithm"),
    Planted(
        "another proof, only beside the events", said("proof", lambda proof: {**proof, "link": "0" * 64}), "proof.link"
    ),
    Planted("the table's commitment", lambda record: record.update(commitment="0" * 64), "commitment", None),
    Planted("the hand's commitment", put("hand_dealt", "commitment", flipped), "commitment"),
    Planted("another table", lambda record: record.update(table="another"), "holdings[0]"),
    # moves
    Planted("another tile is played", put("tile_played", "tile", lambda _: "66", 3), "move"),
    Planted("another end", put("tile_played", "end", lambda _: "lead", 3), "move"),
    Planted("another seat plays", put("tile_played", "seat", lambda seat: 1 - seat, 3), "move"),
    Planted("the tile lies the other way round", put("tile_played", "right", lambda half: (half + 1) % 7, 3), "right"),
    Planted("an ordinary tile is a spinner", put("tile_played", "spinner", lambda it: not it, 3), "spinner"),
    Planted("more tiles are drawn", put("tiles_drawn", "number", lambda number: number + 1), "number"),
    Planted("another tile is drawn", put("tiles_drawn", "tiles", lambda tiles: ["66", *tiles[1:]]), "tiles[0]"),
    Planted("another number in the boneyard", put("tiles_drawn", "boneyard", lambda left: left - 1), "boneyard"),
    Planted("a play is left out", without("tile_played", 2), "move"),
    Planted("a play is left out and the rest renumbered", without_and_renumbered("tile_played"), "move"),
    Planted("two plays change places", swap_events, "move"),
    Planted("another moves by", put("tile_played", "by", lambda _: "player", 2), "by", seen_twice=False),
    Planted(
        "a bot was a person",
        lambda record: record["seats"][1]["occupant"].update(kind="human", player_id="x"),
        "by",
        seen_twice=False,
    ),
    # counts, points, scores
    Planted("another count", put("tile_played", "count", lambda count: count + 5, 2), "count"),
    Planted(
        "an end counts more",
        lambda record: event(record, "tile_played", 2)["ends"][0].update(counts=9),
        "ends[0].counts",
    ),
    Planted("an end less", lambda record: event(record, "tile_played", 2)["ends"].pop(0), "ends"),
    Planted("more points", put("points_scored", "points", lambda points: points + 5), "points"),
    Planted("another score", put("points_scored", "score", lambda score: score + 5), "score"),
    Planted("another side's points", put("points_scored", "side", lambda side: 1 - side), "side"),
    Planted("points are left out", without("points_scored"), "event"),
    Planted("points out of nothing", insert_points, "event"),
    Planted("points before their play", swap_numbered, "event"),
    # the end
    Planted("another winner of the hand", put("hand_ended", "winner", lambda side: 1 - side), "winner"),
    Planted("another reason", put("hand_ended", "reason", lambda _: "blocked"), "reason"),
    Planted(
        "other points at the end", put("hand_ended", "points", lambda points: [points[0] + 5, *points[1:]]), "points[0]"
    ),
    Planted(
        "other scores at the end", put("hand_ended", "scores", lambda scores: [scores[0], scores[1] + 5]), "scores[1]"
    ),
    Planted(
        "other spots", lambda record: event(record, "hand_ended")["breakdown"][0].update(spots=99), "breakdown[0].spots"
    ),
    Planted("a tile left in another hand", put("hand_ended", "holdings", lambda held: held[::-1]), "holdings[0]"),
    Planted("the end is left out", without("hand_ended"), "event"),
    Planted(
        "the result of the hand, only beside the events",
        lambda record: record["hands"][1]["result"].update(scores=[0, 0]),
        "result.scores[0]",
    ),
    Planted(
        "another winner of the game",
        lambda record: end(record, "winner", 1 - record["result"]["winner"]),
        "result.winner",
        None,
    ),
    Planted("other scores of the game", lambda record: end(record, "scores", [500, 0]), "result.scores", None),
    Planted("another reason for the end", lambda record: end(record, "reason", "abandoned"), "result.reason", None),
    Planted("no end of the game", lambda record: record.update(result=None), "result", None),
    # the record
    Planted(
        "another way to leave", lambda record: record.update(abandonment="x\ny"), "abandonment", None, seen_twice=False
    ),
    Planted("another target", lambda record: record.update(target=1000), "target", None),
    Planted("another rule", lambda record: record["rules"].update(spinner="none"), "rules.spinner", None),
    Planted(
        "a house rule",
        lambda record: record["ruleset"].update(house_rules={"round_to": 1}),
        "rules.round_to",
        None,
        seen_twice=False,
    ),
    Planted("another side", lambda record: record["seats"][0].update(side=1), "seats[0].side", None, seen_twice=False),
    Planted(
        "another format", lambda record: record.update(format="all-fives-record/9"), "format", None, seen_twice=False
    ),
    Planted("a hand is left out", without_hand, "number", 3),
    Planted("another hand's number", put("tile_played", "hand", lambda hand: hand + 1), "hand", seen_twice=False),
    Planted("a turn is left out", without("turn_started", 2), "seq", seen_twice=False),
    Planted("a turn of another seat", put("turn_started", "seat", lambda seat: 1 - seat), "seat", seen_twice=False),
    Planted(
        "other legal moves",
        lambda record: event(record, "turn_started", 1)["legal_moves"].pop(),
        "legal_moves",
        seen_twice=False,
    ),
    Planted("time goes back", put("tile_played", "at", lambda _: "2020-01-01T00:00:00Z"), "at", seen_twice=False),
    # claims
    Planted("another announcement", put("tile_played", "announce", lambda _: 35, announce=10), "announce", 2, True),
    Planted("other points missed", put("claim_closed", "missed", lambda missed: missed + 5), "missed", 2, True),
    Planted("another count behind a claim", put("claim_closed", "count", lambda count: count + 1), "count", 2, True),
    Planted("somebody else takes them", partner_takes_them, "taken_by", 2, True),
    Planted("more is taken", put("muggins_called", "points", lambda points: points + 5), "points", 2, True),
    Planted("a call is left out", without("muggins_called"), "event", 2, True),
    Planted("an announcement that was not made", miss_announced, "announce", 2, True),
    Planted("a window is left out", without("claim_opened"), "event", 2, True),
    Planted("a miss shows its count", put("tile_played", "count", lambda _: 5, count=None), "count", 2, True),
]


ELSEWHERE_TOO = {
    "the links of two hands exchanged",
    "another table",
    "a play is left out and the rest renumbered",
    "a bot was a person",
    "a house rule",
    "a hand is left out",
}
"""Alterations of more than one hand; all others are found where they are and nowhere else."""


def base(planted: Planted) -> Document:
    """The game it is planted in."""
    if planted.claims:
        return games.fresh("altered with claims", "all-fives-claim", 4)
    return games.fresh("altered")
