"""The fair deal: what is committed is what is dealt, everybody's seed counts, and nothing tells what is to come."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any

import msgspec
import pytest

from app.engine.events import HandDealt, HandEnded
from app.engine.tiles import NAMES
from app.tables import fair_deal
from app.tables.events import TableCreated
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.terms import Clock
from tests.records import plain
from tests.tables.room import Room, bot

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "fair_deal_vectors.json").read_text())
SECRET = sha256(b"twenty thousand deals").hexdigest()
DEALS = 20_000


class TestTheAlgorithm:
    """As docs/fair-deal.md has it; the vectors and a second implementation say the same."""

    def test_the_chain_is_that_of_the_vectors(self) -> None:
        for number, link in VECTORS["links"].items():
            assert fair_deal.link(VECTORS["secret"], VECTORS["table"], int(number)) == link
        assert fair_deal.commitment(VECTORS["secret"], VECTORS["table"]) == VECTORS["commitment"]

    @pytest.mark.parametrize("case", VECTORS["deals"], ids=lambda case: f"hand {case['hand']}")
    def test_each_deal_is_that_of_the_vectors_in_both_implementations(self, case: dict[str, Any]) -> None:
        ours = fair_deal.shuffled(case["link"], VECTORS["table"], case["hand"], case["client_seeds"])
        assert (" ".join(ours.order), ours.lot) == (case["order"], case["lot"])
        order, lot = plain.deal(bytes.fromhex(case["link"]), VECTORS["table"], case["hand"], case["client_seeds"])
        assert (" ".join(order), lot) == (case["order"], case["lot"])
        assert fair_deal.link_before(case["link"]) == case["commitment"]
        assert fair_deal.link_before(case["link"], case["hand"]) == VECTORS["commitment"]

    def test_two_implementations_agree_on_a_thousand_hands(self) -> None:
        links = plain.chain(bytes.fromhex(SECRET), "T")
        for number in range(1, 1001):
            seeds = [sha256(bytes([number % 256, seat])).hexdigest()[: number % 65] for seat in range(2 + number % 3)]
            ours = fair_deal.shuffled(links[number].hex(), "T", number, seeds)
            assert ([*ours.order], ours.lot) == plain.deal(links[number], "T", number, seeds)

    def test_whatever_goes_in_changes_the_deal(self) -> None:
        link = fair_deal.link(SECRET, "T", 1)
        deals = [
            fair_deal.shuffled(link, "T", 1, ("ab", "c")),
            fair_deal.shuffled(link, "T", 1, ("a", "bc")),
            fair_deal.shuffled(link, "T", 1, ("c", "ab")),
            fair_deal.shuffled(link, "T", 1, ("ab", "c", "")),
            fair_deal.shuffled(link, "T", 2, ("ab", "c")),
            fair_deal.shuffled(link, "U", 1, ("ab", "c")),
            fair_deal.shuffled(fair_deal.link(SECRET, "T", 2), "T", 1, ("ab", "c")),
        ]
        assert len({deal.order for deal in deals}) == len(deals)

    def test_a_chain_has_a_thousand_links(self) -> None:
        for number in (-1, 1001):
            with pytest.raises(ValueError, match="links 0 to 1000"):
                fair_deal.link(SECRET, "T", number)

    def test_not_even_all_links_tell_the_secret_or_a_bots_choice(self) -> None:
        """The last link is drawn from the secret, not the secret; bots are drawn from it beside the chain."""
        links = {link.hex() for link in plain.chain(bytes.fromhex(SECRET), "T")}
        assert SECRET not in links
        seeds = {fair_deal.bot_seed(SECRET, "T", version, seat) for version in range(100) for seat in range(4)}
        assert len(seeds) == 400
        assert not {seed.to_bytes(8).hex() for seed in seeds} & {link[:16] for link in links}


class TestEvenness:
    """Chi-square of 20,000 deals from a fixed secret, inside the 99.9 % band."""

    def test_every_tile_is_equally_often_at_every_place(self) -> None:
        orders = twenty_thousand()
        found = Counter((place, tile) for order in orders for place, tile in enumerate(order))
        square = chi_square((found[place, tile] for place in range(28) for tile in NAMES), DEALS / 28)
        # Rows and columns both add up to 20,000, so 27² cells are free, and their spread is 27/28 of a multinomial's.
        assert_inside(square * 27 / 28, 27 * 27)

    def test_every_tile_is_equally_often_followed_by_every_other_at_every_place(self) -> None:
        orders = twenty_thousand()
        pairs = [(one, other) for one in NAMES for other in NAMES if one != other]
        for place in range(27):
            found = Counter(order[place : place + 2] for order in orders)
            assert_inside(chi_square((found[pair] for pair in pairs), DEALS / len(pairs)), len(pairs) - 1)

    def test_every_seat_is_drawn_equally_often(self) -> None:
        for players in (2, 3, 4):
            links = plain.chain(bytes.fromhex(SECRET), f"lots of {players}")
            lots = Counter(
                fair_deal.shuffled(links[number].hex(), f"{table}", number, ("",) * players).lot
                for table in range(5)
                for number in range(1, 1001)
            )
            assert_inside(chi_square((lots[seat] for seat in range(players)), 5000 / players), players - 1)


@cache
def twenty_thousand() -> list[tuple[str, ...]]:
    """The orders of twenty tables' chains."""
    chains = {table: plain.chain(bytes.fromhex(SECRET), table) for table in map(str, range(DEALS // 1000))}
    return [
        fair_deal.shuffled(links[number].hex(), table, number, ("", "")).order
        for table, links in chains.items()
        for number in range(1, 1001)
    ]


def chi_square(found: Iterable[int], expected: float) -> float:
    return sum((number - expected) ** 2 / expected for number in found)


def assert_inside(square: float, free: int) -> None:
    """Wilson and Hilferty's cube root of a chi-square is nearly normal; the 99.9 % band is ±3.29 of it."""
    share = 2 / (9 * free)
    deviation = ((square / free) ** (1 / 3) - (1 - share)) / share**0.5
    assert abs(deviation) < NormalDist().inv_cdf(0.9995), f"chi-square {square:.1f} for {free} free cells"


class TestAtATable:
    """Commitment, seeds and proof on their way through a game."""

    def finished(self, room: Room, **request: Any) -> str:
        table_id = room.open(players=2, sit=False, bots=(bot(0), bot(1)), **request)
        room.later(table_id, 10_000)
        assert room.table(table_id).status == "finished"
        return table_id

    def test_each_hand_is_dealt_from_the_chain_that_was_committed_before(self, room: Room) -> None:
        table_id = self.finished(room)
        log = room.log(table_id)
        created, dealt, ended = log[0], of(log, HandDealt), of(log, HandEnded)
        assert isinstance(created, TableCreated)
        assert len(dealt) == len(ended) >= 3
        before = created.commitment
        for number, (deal, end) in enumerate(zip(dealt, ended, strict=True), start=1):
            assert deal.commitment == before, "the link that the hand before has shown"
            assert end.proof is not None
            assert fair_deal.link_before(end.proof.link) == deal.commitment
            order, lot = plain.deal(bytes.fromhex(end.proof.link), table_id, number, end.proof.client_seeds)
            assert [*flat(deal.holdings), *(deal.boneyard_tiles or ())] == order
            assert deal.lead_by != "lot" or deal.leader == lot
            before = end.proof.link
        view = room.view(Asker(), table_id)
        assert view.hand is not None
        assert view.hand.commitment == dealt[-1].commitment

    def test_hand_and_record_show_commitment_seeds_and_link(self, room: Room) -> None:
        table_id = self.finished(room)
        record = room.tables.record(Asker(), table_id)
        assert record.commitment == room.table(table_id).commitment
        for hand in record.hands:
            assert hand == room.tables.finished_hand(Asker(), table_id, hand.number)
            assert hand.proof == hand.result.proof is not None
            assert hand.events[0].client_seeds == hand.proof.client_seeds == ("", "")  # type: ignore[union-attr]

    def test_nothing_anybody_can_read_tells_a_link_before_its_hand_has_ended(self, room: Room) -> None:
        table_id = room.open(room.bob, players=2, clock=Clock(hand_break_seconds=0))
        room.tables.sit(room.ann, table_id, 0, None, None, client_seed="a seed of Ann's")
        links = [link.hex() for link in plain.chain(bytes.fromhex(room.table(table_id).secret), table_id)]
        hand = 0
        while hand < 3 and room.table(table_id).status == "playing":
            hand = room.table(table_id).game.hand_number  # type: ignore[union-attr]
            for asker in (room.ann, room.bob, Asker()):
                read = everything(room, asker, table_id)
                assert links[hand - 1] in read, "what this hand is committed to"
                assert not [number for number in range(hand, 1001) if links[number] in read]
                assert room.table(table_id).secret not in read
                assert ("a seed of Ann's" in read) == (hand > 2), "the first deal was made without it"
            room.later(table_id, 61)

    def test_a_practice_tables_scripted_hand_has_no_proof_and_the_next_one_has(self, room: Room) -> None:
        table_id = room.practice("64 54 | 65 22", boneyard="11", clock=Clock(hand_break_seconds=0))
        for asker, move in ((room.ann, "64"), (room.bob, "65>64.left"), (room.ann, "54>65.right")):
            room.play(asker, table_id, move)
        first, second = of(room.log(table_id), HandDealt)
        assert (first.commitment, first.client_seeds) == (None, None)
        assert room.table(table_id).last_hand.proof is None  # type: ignore[union-attr]
        secret = room.table(table_id).secret
        assert second.commitment == fair_deal.link(secret, table_id, 1)
        assert fair_deal.link_before(second.commitment) == room.table(table_id).commitment


class TestClientSeeds:
    """Anybody who sits may bring his part, and change it at any time; it counts from the next deal."""

    def seeds(self, room: Room, table_id: str) -> list[tuple[str, ...] | None]:
        return [dealt.client_seeds for dealt in of(room.log(table_id), HandDealt)]

    def test_brought_on_sitting_they_are_in_the_deal_that_follows_at_once(self, room: Room) -> None:
        table_id = room.open(players=2, client_seed="ann")
        room.tables.sit(room.bob, table_id, None, None, None, client_seed="bob")
        assert self.seeds(room, table_id) == [("ann", "bob")]

    def test_they_go_by_seat_and_bots_have_the_empty_one(self, room: Room) -> None:
        table_id = room.open(players=4, client_seed="ann", bots=(bot(1),))
        room.tables.sit(room.bob, table_id, 3, None, None, client_seed="bob")
        room.tables.sit(room.ann, table_id, 2, None, None)
        room.tables.sit(room.cat, table_id, 0, None, None)
        assert self.seeds(room, table_id) == [("", "", "ann", "bob")]

    def test_changed_in_mid_game_they_count_from_the_next_deal_and_are_no_event(self, room: Room) -> None:
        patient = Clock(hand_break_seconds=0, timeouts_before_takeover=100)
        table_id = room.practice("64 54 | 65 22", boneyard="11", clock=patient)
        version = room.table(table_id).version
        view = room.tables.sit(room.bob, table_id, 1, None, None, client_seed="later").value
        assert view.version == room.table(table_id).version == version
        for asker, move in ((room.ann, "64"), (room.bob, "65>64.left"), (room.ann, "54>65.right")):
            room.play(asker, table_id, move)
        assert self.seeds(room, table_id) == [None, ("", "later")]
        room.tables.sit(room.bob, table_id, None, None, None, client_seed="")
        room.later(table_id, 10_000)
        assert self.seeds(room, table_id)[2] == ("", "")

    def test_a_seed_is_its_players_own_behind_a_stand_in_too(self, room: Room) -> None:
        table_id = room.open(players=2, client_seed="ann", clock=Clock(timeouts_before_takeover=100))
        room.tables.sit(room.bob, table_id, None, None, None, client_seed="bob")
        room.tables.leave(room.bob, table_id, 1)
        room.later(table_id, 4000)
        assert self.seeds(room, table_id)[:2] == [("ann", "bob"), ("ann", "bob")]

    def test_coming_back_may_bring_a_new_one(self, room: Room) -> None:
        table_id = room.open(room.bob, players=2)
        room.tables.leave(room.bob, table_id, 1)
        view = room.tables.sit(room.bob, table_id, None, None, None, client_seed="back").value
        assert view.seats[1].stand_in is None
        assert room.store.load(table_id).client_seeds == {room.bob.player_id: "back"}

    def test_who_is_refused_a_seat_leaves_no_seed(self, room: Room) -> None:
        table_id = room.open(room.bob, players=2)
        for asker, seat in ((room.cat, None), (room.bob, 0)):
            with pytest.raises(Refusal):
                room.tables.sit(asker, table_id, seat, None, None, client_seed="mine")
        assert room.store.load(table_id).client_seeds == {}

    def test_sitting_again_without_a_seed_is_refused_as_ever(self, room: Room) -> None:
        table_id = room.open(room.bob, players=2)
        with pytest.raises(Refusal) as refused:
            room.tables.sit(room.bob, table_id, None, None, None)
        assert refused.value.code == "already_seated"

    @pytest.mark.parametrize("seed", ["x" * 65, "\ud800"])
    def test_a_seed_that_cannot_be_carried_is_refused(self, room: Room, seed: str) -> None:
        with pytest.raises(Refusal) as refused:
            room.open(players=2, client_seed=seed)
        assert [problem.path for problem in refused.value.errors] == ["/client_seed"]

    def test_other_seeds_give_other_tiles_from_the_same_secret(self, room: Room) -> None:
        room.tables._chance.secret = lambda: SECRET  # type: ignore[method-assign]
        room.tables._chance.table_id = iter("AA").__next__  # type: ignore[method-assign]
        dealt = []
        for seed in ("one", "other"):
            table_id = room.open(players=2, client_seed=seed, bots=(bot(1),))
            dealt.append(of(room.log(table_id), HandDealt)[0])
            room.store._tables.clear()
        assert dealt[0].commitment == dealt[1].commitment
        assert dealt[0].holdings != dealt[1].holdings


def of(log: Sequence[Any], kind: type[Any]) -> list[Any]:
    return [event for event in log if isinstance(event, kind)]


def flat(holdings: Sequence[Sequence[str]]) -> list[str]:
    return [tile for holding in holdings for tile in holding]


def everything(room: Room, asker: Asker, table_id: str) -> str:
    read: list[object] = [room.view(asker, table_id), room.tables.record(asker, table_id)]
    read.append(room.tables.events(asker, table_id, after=0, limit=5000, wait=0))
    finished = room.table(table_id).last_hand
    read += [room.tables.finished_hand(asker, table_id, n + 1) for n in range((finished and finished.hand) or 0)]
    return msgspec.json.encode(read).decode()


def test_bots_choices_follow_from_the_secret_and_are_repeated(room: Room) -> None:
    """The same secret, table and version give the same choice; other versions and seats give others."""
    seeds = [fair_deal.bot_seed(SECRET, "T", version, 0) for version in range(50)]
    assert seeds == [fair_deal.bot_seed(SECRET, "T", version, 0) for version in range(50)]
    assert all(one != other for one, other in pairwise(seeds))
    assert fair_deal.bot_seed(SECRET, "T", 1, 0) != fair_deal.bot_seed(SECRET, "T", 1, 1)
